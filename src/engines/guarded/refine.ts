/** New predicates: atoms of preimages that the source of a transition leaves undecided. */
import { atomsOf, type Term } from "../../model/terms.js";
import { isAbstract, Undecided, type Abstraction, type Split } from "./abstraction.js";
import { preimage, type Checks, type Escape } from "./checks.js";
import type { Edge, Explored } from "./explore.js";

export interface RefineOptions {
  /** Edges of loops and behind them, or all. */
  readonly from: "loop" | "all";
  /** Atoms that the source leaves undecided, or all. */
  readonly atoms: "needed" | "all";
}

/** From the transitions that are not exact. */
export function refineEdges(
  abstraction: Abstraction,
  explored: Explored,
  checks: Checks,
  options: RefineOptions,
): Term[] {
  const edges = options.from === "loop" ? checks.reachableFromLoops() : checks.all();
  const inexact = edges.filter((edge) => !checks.isExact(edge));
  return collect(
    abstraction,
    inexact.flatMap((edge) => endsOf(explored, edge)),
    options,
  );
}

/** From the states that left the explored part. */
export const refineEscapes = (
  abstraction: Abstraction,
  escapes: readonly Escape[],
  options: RefineOptions,
): Term[] => collect(abstraction, escapes, options);

function endsOf({ abstract }: Explored, { from, transition, to }: Edge): Escape[] {
  const [source, target] = [abstract.get(from), abstract.get(to)];
  return source && target ? [{ from: source, transition, to: target }] : [];
}

function collect(abstraction: Abstraction, steps: readonly Escape[], { atoms }: RefineOptions): Term[] {
  const known = new Set(abstraction.predicates.map(({ id }) => id));
  const found = new Map<number, Term>();
  for (const { from, transition, to } of steps) {
    const before = preimage(abstraction, from, transition, to);
    if (!before) throw new Undecided("eliminating the inputs of a transition needs too many cases");
    for (const atom of atomsOf(before)) {
      if (known.has(atom.id) || found.has(atom.id) || !isAbstract(abstraction.logic, atom)) continue;
      if (atoms === "all" || isOpen(abstraction, from, atom)) found.set(atom.id, atom);
    }
  }
  return [...found.values()];
}

/** Does the state leave the atom undecided? */
function isOpen(abstraction: Abstraction, from: Split, atom: Term): boolean {
  const { solver, logic } = abstraction;
  const { constraints } = abstraction.concretisation(from);
  return [atom, logic.terms.not(atom)].every(
    (literal) => solver.check([...constraints, literal], { purpose: "refinement" }).kind !== "unsat",
  );
}
