/**
 * Under-approximation refinement: breadth-first over concrete states, with one global table of abstract states. The baseline that
 * `ase` is compared with; only for programs with one concrete initial state and no inputs.
 */
import type { GuardedProgram, GuardedProperty } from "../../model/guarded.js";
import type { Solver } from "../../model/solver.js";
import type { Term } from "../../model/terms.js";
import type { Abstraction } from "./abstraction.js";
import { refining, type Analysed, type AseOptions, type Judged } from "./ase.js";
import { Checks } from "./checks.js";
import { edgeKey, firstStates, successorsOf, type Edge, type Explored, type Node } from "./explore.js";
import { invariantOf } from "./proof.js";
import { refineEdges } from "./refine.js";

export function* ur(
  program: GuardedProgram,
  property: GuardedProperty,
  solver: Solver,
  { maxIterations }: Pick<AseOptions, "maxIterations">,
): Generator<undefined, Analysed> {
  return yield* refining(program, property, solver, maxIterations, { explore: breadthFirst, judge });
}

// eslint-disable-next-line require-yield -- its queries are short
function* judge(abstraction: Abstraction, explored: Explored): Generator<undefined, Judged> {
  const checks = new Checks(abstraction, explored);
  const { abstract, fin } = explored;
  if (![...fin.values()].every((edge) => checks.isExact(edge)))
    return { added: refineEdges(abstraction, explored, checks, { from: "all", atoms: "needed" }) };
  // Deterministic and exact everywhere: the abstract states are bisimilar to the concrete ones, hence closed.
  const closed = { by: "inductive-invariant", states: new Set(abstract.keys()) } as const;
  const invariant = invariantOf(abstraction, explored, closed);
  return { answer: { kind: "safe", by: "bisimilar quotient", isVacuous: false, invariant } };
}

function* breadthFirst(abstraction: Abstraction): Generator<undefined, Explored> {
  const { transitions } = abstraction.logic.program;
  const initial = firstStates(abstraction);
  const queue: Node[] = [...initial];
  const abstract = new Map(initial.map((node) => [node.key, node]));
  const states = new Set(initial.map(({ values }) => valuesKey(values)));
  const fin = new Map<string, Edge>();
  const expanded: Node[] = [];
  let firings = 0;
  let depth = 0;
  let counterexample: Node | undefined;
  for (let node = queue.shift(); node; node = queue.shift()) {
    if (!abstraction.isSafe(node)) {
      counterexample = node;
      break;
    }
    expanded.push(node);
    depth = Math.max(depth, node.depth);
    for (const transition of transitions.keys()) {
      if (!abstraction.isEnabled(transition, node)) continue;
      yield;
      firings++;
      for (const next of successorsOf(abstraction, node, transition)) {
        states.add(valuesKey(next.values));
        const edge = { from: node.key, transition, to: next.key };
        fin.set(edgeKey(edge), edge);
        if (abstract.has(next.key)) continue;
        abstract.set(next.key, next);
        queue.push(next);
      }
    }
  }
  const keys = initial.map(({ key }) => key);
  return {
    fin,
    inf: new Map(),
    initial: keys,
    abstract,
    expanded,
    counterexample,
    states: states.size,
    firings,
    depth,
  };
}

const valuesKey = (values: readonly Term[]): string => values.map(({ id }) => id).join(",");
