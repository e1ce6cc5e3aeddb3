/**
 * Is the explored part closed? Then every reachable state is abstracted into it, and the property holds.
 *
 * `trap`: from the states of loops, no transition leaves the explored abstract states. `safe-fragment` and `inductive-invariant` are
 * the published checks, with a repair: of a transition with inputs, "exact" says that every state has some successor in the
 * target, not that all are there, so that they also demand that every successor was explored.
 */
import type { Term } from "../../model/terms.js";
import type { Abstraction, Split } from "./abstraction.js";
import { edgeKey, type Edge, type Explored } from "./explore.js";

/** A state that a transition reaches and the exploration does not know. */
export interface Escape {
  readonly from: Split;
  readonly transition: number;
  readonly to: Split;
}

export interface Closed {
  readonly by: "trap" | "safe-fragment" | "inductive-invariant";
  /** Closed under all transitions. */
  readonly states: ReadonlySet<string>;
}

export class Checks {
  readonly #abstraction: Abstraction;
  readonly #explored: Explored;
  readonly #successors = new Map<string, readonly Split[]>();
  readonly #exact = new Map<string, boolean>();

  constructor(abstraction: Abstraction, explored: Explored) {
    this.#abstraction = abstraction;
    this.#explored = explored;
  }

  /** All escapes from the states of loops and what they reach; none: closed. Yields between transitions. */
  *trap(): Generator<
    undefined,
    { readonly closed: Closed | undefined; readonly escapes: readonly Escape[] }
  > {
    const { inf, abstract } = this.#explored;
    const states = new Set<string>();
    const work = [...inf.values()].flatMap(({ from, to }) => [from, to]);
    const escapes: Escape[] = [];
    for (let key = work.pop(); key !== undefined; key = work.pop()) {
      if (states.has(key)) continue;
      states.add(key);
      const from = abstract.get(key);
      if (!from) throw new Error("a loop passes through an unknown state");
      for (const transition of this.enabled(from)) {
        yield;
        for (const to of this.after(from, transition))
          if (abstract.has(to.key))
            work.push(to.key); // sound: test/engines/guarded/checks.test.ts
          else escapes.push({ from, transition, to }); // sound: test/engines/guarded/checks.test.ts
      }
    }
    return { closed: escapes.length === 0 ? { by: "trap", states } : undefined, escapes };
  }

  /** The published checks, repaired. */
  *printed(): Generator<undefined, Closed | undefined> {
    const fragment = yield* this.#safeFragment();
    if (fragment) return { by: "safe-fragment", states: fragment };
    return (yield* this.#isInductive())
      ? { by: "inductive-invariant", states: new Set(this.#explored.abstract.keys()) }
      : undefined;
  }

  *#safeFragment(): Generator<undefined, ReadonlySet<string> | undefined> {
    const edges = this.reachableFromLoops();
    const states = new Set(edges.flatMap(({ from, to }) => [from, to]));
    for (const edge of edges) {
      yield;
      if (!this.isExact(edge) || !this.#isCovered(edge)) return undefined; // sound: test/engines/guarded/checks.test.ts
    }
    return states;
  }

  *#isInductive(): Generator<undefined, boolean> {
    const { abstract } = this.#explored;
    for (const edge of this.#edges()) {
      yield;
      const from = abstract.get(edge.from);
      if (!from || (this.isExact(edge) && !this.#hasInputs(edge.transition))) continue; // sound: test/engines/guarded/checks.test.ts
      if (this.after(from, edge.transition).some(({ key }) => !abstract.has(key))) return false; // sound: test/engines/guarded/checks.test.ts
    }
    return true;
  }

  #edges(): Edge[] {
    const { fin, inf } = this.#explored;
    return [...new Map([...fin, ...inf]).values()];
  }

  /** Edges of loops, and all edges behind them. */
  reachableFromLoops(): Edge[] {
    const { inf } = this.#explored;
    const leaving = new Map<string, Edge[]>();
    for (const edge of this.#edges()) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge]);
    const found = new Map<string, Edge>();
    const work = [...inf.values()];
    for (let edge = work.pop(); edge; edge = work.pop()) {
      if (found.has(edgeKey(edge))) continue;
      found.set(edgeKey(edge), edge);
      work.push(...(leaving.get(edge.from) ?? []), ...(leaving.get(edge.to) ?? []));
    }
    // In the order of exploration: predicates are found in this order.
    return this.#edges().filter((edge) => found.has(edgeKey(edge)));
  }

  all(): Edge[] {
    return this.#edges();
  }

  /** Does every state of the source have a successor in the target? */
  isExact(edge: Edge): boolean {
    const known = this.#exact.get(edgeKey(edge));
    if (known !== undefined) return known;
    const { abstract } = this.#explored;
    const [from, to] = [abstract.get(edge.from), abstract.get(edge.to)];
    if (!from || !to) return false;
    const { logic, solver } = this.#abstraction;
    const before = preimage(this.#abstraction, from, edge.transition, to);
    const { constraints } = this.#abstraction.concretisation(from);
    const isExact =
      before !== undefined &&
      solver.check([...constraints, logic.terms.not(before)], { purpose: "exactness" }).kind === "unsat";
    this.#exact.set(edgeKey(edge), isExact);
    return isExact;
  }

  #hasInputs(transition: number): boolean {
    const { assignments } = this.#abstraction.logic.program.transitions[transition] ?? { assignments: [] };
    return assignments.some(({ value }) => value === "nondet");
  }

  /** Of a transition with inputs: every successor was explored from this state. */
  #isCovered({ from, transition }: Edge): boolean {
    const source = this.#explored.abstract.get(from);
    if (!this.#hasInputs(transition) || !source) return true;
    const { fin, inf } = this.#explored;
    return this.after(source, transition).every(({ key }) => {
      const edge = edgeKey({ from, transition, to: key });
      return fin.has(edge) || inf.has(edge);
    });
  }

  enabled(state: Split): number[] {
    const { transitions } = this.#abstraction.logic.program;
    return transitions.flatMap((_, index) => (this.#abstraction.isEnabled(index, state) ? [index] : []));
  }

  /** Abstract states that contain a successor of a state in `from`. Never cut short: a missing one would be a false proof. */
  after(from: Split, transition: number): readonly Split[] {
    const key = `${from.key} ${transition}`;
    const known = this.#successors.get(key);
    if (known) return known;
    const { logic } = this.#abstraction;
    const taken = logic.program.transitions[transition];
    if (!taken) throw new Error(`there is no transition ${transition}`);
    const all = this.#abstraction.concretisation(from);
    const inputs = inputsFor(this.#abstraction, transition);
    const found = this.#abstraction.split(
      { values: logic.exec(taken, all.values, inputs), constraints: all.constraints },
      "coverage",
    );
    this.#successors.set(key, found);
    return found;
  }
}

/** Fresh constants for the inputs of a transition from the variables themselves. */
export function inputsFor(
  { logic }: Abstraction,
  transition: number,
): ReturnType<Abstraction["logic"]["terms"]["variable"]>[] {
  const { assignments } = logic.program.transitions[transition] ?? { assignments: [] };
  return assignments.flatMap(({ variable, value }) =>
    value === "nondet" ? [logic.terms.variable(`${variable}'input`, "int")] : [],
  );
}

/** States of `from` with a successor in `to`, without quantifiers; undefined: too large. The guard is decided by `from`. */
export function preimage(
  abstraction: Abstraction,
  from: Split,
  transition: number,
  to: Split,
): Term | undefined {
  const { logic, solver } = abstraction;
  const taken = logic.program.transitions[transition];
  if (!taken) return undefined;
  const { values } = abstraction.concretisation(from);
  const inputs = inputsFor(abstraction, transition);
  const next = logic.exec(taken, values, inputs);
  const found = new Map<number, Term>();
  const literals = abstraction.predicates.map((predicate, index) => {
    const literal = logic.at(predicate, next, found);
    return to.bits[index] ? literal : logic.terms.not(literal);
  });
  const formula = logic.terms.and(literals);
  return inputs.length === 0 ? formula : solver.project(formula, inputs);
}
