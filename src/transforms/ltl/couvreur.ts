/**
 * Couvreur's translation of a formula to a transition-based generalised Büchi automaton (FM 1999): a state is a conjunction of
 * formulas, an edge an obligation of its expansion; each promise has an acceptance condition, with a mark on every edge that does not
 * make the promise. States with equal expansions are merged.
 */
import { allMarks } from "../../model/index.js";
import { conjuncts, Expansions, obligationKey, type Obligation } from "./expansion.js";
import { Letters } from "../../model/letters.js";
import { AutomatonTooLarge, normalised, refuseConditions, type SymbolicAutomaton } from "./symbolic.js";
import type { Term } from "./formulas/terms.js";
import { nth, entryOf, lastOf } from "../../model/known.js";

export interface Limits {
  readonly states: number;
  /** Maximum per state. */
  readonly edges: number;
}

/** Throws `AutomatonTooLarge` beyond the limits. */
export function couvreur(formula: Term, limits: Limits, letters = new Letters()): SymbolicAutomaton {
  const conditions = conditionsOf(formula);
  refuseConditions(conditions.size);
  const marksOf = ({ promises }: Obligation): number =>
    promises.reduce(
      (marks, promise) => marks & ~(1 << entryOf(conditions, promise)),
      allMarks(conditions.size),
    );
  const numbering = new Numbering(letters, limits);
  const initial = numbering.stateOf(conjuncts(formula));
  const states = [];
  for (let state = 0; state < numbering.expansions.length; state++) {
    const edges = nth(numbering.expansions, state).map((obligation) => ({
      guard: obligation.letters,
      marks: marksOf(obligation),
      to: numbering.stateOf(obligation.next),
    }));
    states.push(normalised(edges, letters));
  }
  return { letters, conditions: conditions.size, initial, states };
}

/** States in order of discovery, identified by their conjunction, then by its expansion. */
class Numbering {
  readonly expansions: (readonly Obligation[])[] = [];
  readonly #expander: Expansions;
  readonly #byMembers = new Map<string, number>();
  readonly #byExpansion = new Map<string, number>();
  readonly #mostStates: number;

  constructor(letters: Letters, limits: Limits) {
    this.#expander = new Expansions(letters, limits.edges);
    this.#mostStates = limits.states;
  }

  stateOf(conjunction: readonly Term[]): number {
    const members = withoutRepeated(conjunction);
    const key = members.map(({ id }) => id).join(",");
    let state = this.#byMembers.get(key);
    if (state === undefined) {
      state = this.#stateOfExpansion(this.#expander.ofAll(members));
      this.#byMembers.set(key, state);
    }
    return state;
  }

  #stateOfExpansion(expansion: readonly Obligation[]): number {
    const key = expansion
      .map((obligation) => `${obligationKey(obligation)};${obligation.letters}`)
      .sort()
      .join(" ");
    let state = this.#byExpansion.get(key);
    if (state === undefined) {
      state = this.expansions.length;
      if (state === this.#mostStates)
        throw new AutomatonTooLarge(`the automaton of the formula has more than ${state} states`);
      this.#byExpansion.set(key, state);
      this.expansions.push(expansion);
    }
    return state;
  }
}

/** `G f & f` has the same expansion as `G f`: removing `f` saves computing it. */
function withoutRepeated(members: readonly Term[]): readonly Term[] {
  const repeated = new Set(
    members.flatMap(({ kind, children }) => (kind === "always" ? conjuncts(nth(children, 0)) : [])), // sound: test/transforms/ltl/conditions.test.ts
  );
  return members.filter((member) => !repeated.has(member)); // sound: test/transforms/ltl/conditions.test.ts
}

/** Promises of the formula, numbered from 0 in their order in the formula. Equal ones share a condition. */
function conditionsOf(formula: Term): ReadonlyMap<Term, number> {
  const conditions = new Map<Term, number>();
  const seen = new Set<Term>();
  const visit = (term: Term): void => {
    if (seen.has(term)) return;
    seen.add(term);
    const promise = term.kind === "eventually" || term.kind === "until" ? lastOf(term.children) : undefined; // sound: test/transforms/ltl/conditions.test.ts
    if (promise && !conditions.has(promise)) conditions.set(promise, conditions.size); // sound: test/transforms/ltl/conditions.test.ts
    term.children.forEach(visit);
  };
  visit(formula);
  return conditions;
}
