/**
 * The states that a search has inserted, by location vector, and three ways to recognise that a new one adds nothing: by expansion of
 * 2-QBF questions, by decision diagrams of all values found there, and by enumerating the values of the new state, each of which some inserted state must have.
 */
import { Letters, none, type LetterSet } from "../../model/letters.js";
import { nth } from "../../model/known.js";
import { Coverage, type Instance } from "./coverage.js";
import type { Formulas, Lit } from "./formulas.js";
import { groupsOf } from "./groups.js";
import type { Questions } from "./questions.js";
import type { SymbolicState } from "./symbolic.js";

export type Fixpoint = "qbf" | "bdd" | "sat-enum";

export interface Covered {
  /** Number of the covering state; with diagrams, of the last one inserted there. */
  readonly by: number;
  readonly instances: readonly Instance[];
}

interface Vector {
  readonly compared: readonly number[];
  readonly states: { readonly number: number; readonly state: SymbolicState }[];
  union: LetterSet;
  /** Values that some state is known to have. */
  readonly valuations: Set<string>;
}

export class History {
  readonly #formulas: Formulas;
  readonly #questions: Questions;
  readonly #fixpoint: Fixpoint;
  /** Proofs need instances of whole states. */
  readonly #splits: boolean;
  readonly #live: (at: readonly number[]) => readonly number[];
  readonly #vectors = new Map<string, Vector>();
  readonly #letters = new Letters();
  readonly coverage: Coverage;

  constructor(
    formulas: Formulas,
    questions: Questions,
    live: (at: readonly number[]) => readonly number[],
    { fixpoint, splits }: { readonly fixpoint: Fixpoint; readonly splits: boolean },
  ) {
    this.#formulas = formulas;
    this.#questions = questions;
    this.#fixpoint = fixpoint;
    this.#splits = splits;
    this.#live = live;
    this.coverage = new Coverage(formulas, questions);
  }

  get locationVectors(): number {
    return this.#vectors.size;
  }

  /** Locations determine who is inside an atomic section. */
  #vector(at: readonly number[]): Vector {
    const key = at.join(",");
    let vector = this.#vectors.get(key);
    if (!vector)
      this.#vectors.set(
        key,
        (vector = { compared: this.#live(at), states: [], union: none, valuations: new Set() }),
      );
    return vector;
  }

  insert(state: SymbolicState, number: number): void {
    const vector = this.#vector(state.at);
    vector.states.push({ number, state });
    if (this.#fixpoint === "bdd")
      vector.union = this.#letters.or(vector.union, this.#image(state, vector.compared));
  }

  /** The state must not be empty. */
  covered(state: SymbolicState): Covered | undefined {
    const { compared, states, union } = this.#vector(state.at);
    const last = states.at(-1);
    if (!last) return undefined;
    if (this.#fixpoint === "bdd")
      return this.#letters.isSubset(this.#image(state, compared), union) // sound: test/engines/parametric/coverage.test.ts
        ? { by: last.number, instances: [] }
        : undefined;
    if (this.#fixpoint === "sat-enum")
      return this.#isEnumerated(state, this.#vector(state.at))
        ? { by: last.number, instances: [] }
        : undefined;
    // Later states are larger more often than not.
    for (let index = states.length - 1; index >= 0; index--) {
      const { state: known, number } = nth(states, index);
      const instances = this.#cover(state, known, compared);
      if (instances) return { by: number, instances };
    }
    return undefined;
  }

  #cover(fresh: SymbolicState, known: SymbolicState, compared: readonly number[]): Instance[] | undefined {
    if (!this.#splits) return this.coverage.cover(fresh, known, compared);
    for (const group of groupsOf(fresh, known, compared, this.#formulas))
      if (!this.coverage.cover(group.fresh, group.known, group.compared)) return undefined; // sound: test/engines/parametric/coverage.test.ts
    return [];
  }

  /** Asks for each valuation of the new state whether a known one has it; answers that it has are kept. */
  #isEnumerated({ values, guards }: SymbolicState, { compared, states, valuations }: Vector): boolean {
    const own = compared.map((variable) => nth(values, variable));
    const found: Lit[] = [];
    for (;;) {
      this.coverage.figures.expansions++;
      const model = this.#questions.model([...guards, ...found]);
      if (!model) return true;
      const valuation = this.#formulas.evaluate(own, model);
      const key = valuation.map(Number).join("");
      const isKnown = (): boolean =>
        states.some(({ state: known }) => {
          const fits = compared.map((variable, i) => nth(known.values, variable) ^ (valuation[i] ? 0 : 1));
          return this.#questions.isPossible([...known.guards, ...fits]); // sound: test/engines/parametric/coverage.test.ts
        });
      if (!valuations.has(key) && !isKnown()) return false; // sound: test/engines/parametric/coverage.test.ts
      valuations.add(key);
      found.push(this.#formulas.all(own.map((lit, index) => lit ^ (valuation[index] ? 0 : 1))) ^ 1);
    }
  }

  /** The values of a state as a diagram: variables by position, choices below them, each eliminated after its last use. */
  #image({ values, guards }: SymbolicState, compared: readonly number[]): LetterSet {
    const letters = this.#letters;
    const parts = [
      ...guards.map((lit) => ({ lit, position: -1 })),
      ...compared.map((variable, position) => ({ lit: nth(values, variable), position })),
    ].map((part) => ({ ...part, inputs: [...this.#formulas.support([part.lit])] }));
    const ranks = new Map<number, number>();
    const lastUse = new Map<number, number>();
    parts.forEach(({ inputs }, index) => {
      for (const input of inputs) {
        if (!ranks.has(input)) ranks.set(input, compared.length + ranks.size);
        lastUse.set(input, index);
      }
    });
    let image: LetterSet = 1;
    parts.forEach(({ lit, position, inputs }, index) => {
      const set = this.#setOf(lit, ranks);
      const literal = (isPositive: boolean): LetterSet => letters.literal(position, isPositive);
      const relation =
        position < 0
          ? set
          : letters.or(letters.and(literal(true), set), letters.and(literal(false), letters.not(set)));
      image = letters.and(image, relation);
      for (const input of inputs)
        if (lastUse.get(input) === index) image = letters.exists(image, ranks.get(input) ?? 0);
    });
    return image;
  }

  #setOf(lit: Lit, ranks: ReadonlyMap<number, number>): LetterSet {
    const letters = this.#letters;
    const sets = new Map<number, LetterSet>([[0, none]]);
    const of = (operand: Lit): LetterSet => {
      const set = sets.get(operand >> 1) ?? none;
      return operand & 1 ? letters.not(set) : set;
    };
    this.#formulas.cone([lit], (node, left, right) => {
      sets.set(
        node,
        left < 0 ? letters.literal(ranks.get(node) ?? 0, true) : letters.and(of(left), of(right)),
      );
    });
    return of(lit);
  }
}
