/**
 * Does a known state cover a new one: for all choices of the new state that satisfy its guards, are there choices of the known one with
 * the same values of the compared variables?
 *
 * A 2-QBF question, decided by expansion. If the known state's value is a choice variable, that choice must be the new
 * state's value: substituting it leaves few choices open. Open choices are instantiated, first by themselves, then by
 * answers to counterexamples, until the instances cover all choices of the new state or a counterexample has no answer.
 *
 * The choices of the two states are different variables even if they are the same nodes: the known state's are always replaced.
 */
import { nth } from "../../model/known.js";
import { FALSE, TRUE, type Formulas, type Lit } from "./formulas.js";
import type { Questions } from "./questions.js";
import type { SymbolicState } from "./symbolic.js";

/** Choices of the known state as formulas over the new state's; choices that are not listed stand for themselves. */
export type Instance = ReadonlyMap<number, Lit>;

export interface CoverageFigures {
  questions: number;
  expansions: number;
}

export class Coverage {
  readonly #formulas: Formulas;
  readonly #questions: Questions;
  /** Variables of inner questions, by the choice that they stand for. */
  readonly #copies = new Map<number, Lit>();
  readonly figures: CoverageFigures = { questions: 0, expansions: 0 };

  constructor(formulas: Formulas, questions: Questions) {
    this.#formulas = formulas;
    this.#questions = questions;
  }

  /** Instances whose union covers the new state, which must not be empty; undefined: it is not covered. */
  cover(fresh: SymbolicState, known: SymbolicState, compared: readonly number[]): Instance[] | undefined {
    this.figures.questions++;
    if (this.#isSame(fresh, known, compared)) return [new Map()];
    const solved = new Map<number, Lit>();
    const rest: number[] = [];
    for (const variable of compared) {
      const [own, other] = [nth(fresh.values, variable), nth(known.values, variable)];
      if (own <= 1 && other <= 1 && own !== other) return undefined;
      if (this.#formulas.isInput(other) && !solved.has(other >> 1)) solved.set(other >> 1, own ^ (other & 1));
      else rest.push(variable); // sound: test/engines/parametric/coverage.test.ts
    }
    return this.#expand(fresh, known, rest, solved);
  }

  /** Equal values under fewer guards: the choices stand for themselves. */
  #isSame(fresh: SymbolicState, known: SymbolicState, compared: readonly number[]): boolean {
    return (
      compared.every((variable) => fresh.values[variable] === known.values[variable]) &&
      known.guards.every((guard) => fresh.guards.includes(guard)) // sound: test/engines/parametric/coverage.test.ts
    );
  }

  #expand(
    fresh: SymbolicState,
    known: SymbolicState,
    rest: readonly number[],
    solved: ReadonlyMap<number, Lit>,
  ): Instance[] | undefined {
    const theirs = [...known.guards, ...rest.map((variable) => nth(known.values, variable))];
    const open = [...this.#formulas.support(theirs)].filter((input) => !solved.has(input));
    const matching = (instance: Instance): Lit => {
      const cache = new Map<number, Lit>();
      const of = (lit: Lit): Lit =>
        this.#formulas.substitute(lit, (input) => instance.get(input) ?? 2 * input, cache);
      const equal = rest.map(
        (variable) => this.#formulas.xor(nth(fresh.values, variable), of(nth(known.values, variable))) ^ 1,
      );
      return this.#formulas.all([...known.guards.map(of), ...equal]);
    };
    const copied = matching(
      new Map([...solved, ...open.map((input) => [input, this.#copy(input)] as const)]),
    );
    const instances: Instance[] = [solved];
    const uncovered: Lit[] = [matching(solved) ^ 1];
    for (;;) {
      this.figures.expansions++;
      const missed = this.#questions.model([...fresh.guards, ...uncovered]); // sound: test/engines/parametric/coverage.test.ts
      if (!missed) return instances;
      if (open.length === 0) return undefined; // sound: test/engines/parametric/coverage.test.ts
      const answer = this.#answer(copied, missed, open);
      if (!answer) return undefined; // sound: test/engines/parametric/coverage.test.ts
      const instance = new Map([...solved, ...answer]);
      instances.push(instance);
      uncovered.push(matching(instance) ^ 1);
    }
  }

  /** Choices of the known state for one assignment of the new one. */
  #answer(
    copied: Lit,
    missed: (input: number) => boolean,
    open: readonly number[],
  ): [number, Lit][] | undefined {
    const copies = new Set(open.map((input) => this.#copy(input) >> 1));
    const fixed = this.#formulas.substitute(copied, (input) =>
      copies.has(input) ? 2 * input : missed(input) ? TRUE : FALSE,
    );
    const model = this.#questions.model([fixed]);
    return model && open.map((input) => [input, model(this.#copy(input) >> 1) ? TRUE : FALSE]);
  }

  #copy(input: number): Lit {
    const known = this.#copies.get(input);
    if (known !== undefined) return known;
    const copy = this.#formulas.input();
    this.#copies.set(input, copy);
    return copy;
  }
}
