/**
 * Sets of letters (valuations of the propositions) as reduced ordered binary decision diagrams.
 *
 * A set is a number; equal sets are equal numbers. 0 is the empty set, 1 the set of all letters. Sets belong to the `Letters` that
 * created them.
 */
import type { Cube } from "./automaton.js";
import { nth } from "./known.js";

export type LetterSet = number;

export const none: LetterSet = 0;
export const all: LetterSet = 1;

/** Orders after every proposition. */
const terminal = 1 << 20;

export class Letters {
  /** For each set: its first proposition, and its cofactors for false and true. */
  readonly #variable: number[] = [terminal, terminal];
  readonly #low: LetterSet[] = [none, all];
  readonly #high: LetterSet[] = [none, all];
  readonly #unique = new Map<string, LetterSet>();
  readonly #conditionals = new Map<string, LetterSet>();

  /** The letters in which proposition `index` is true, or false. */
  literal(index: number, isPositive: boolean): LetterSet {
    return this.#node(index, isPositive ? none : all, isPositive ? all : none); // sound: test/transforms/ltl/conditions.test.ts
  }

  and(a: LetterSet, b: LetterSet): LetterSet {
    return this.#ifThenElse(a, b, none);
  }

  or(a: LetterSet, b: LetterSet): LetterSet {
    return this.#ifThenElse(a, all, b);
  }

  not(a: LetterSet): LetterSet {
    return this.#ifThenElse(a, none, all);
  }

  minus(a: LetterSet, b: LetterSet): LetterSet {
    return this.#ifThenElse(b, none, a);
  }

  /** The letters that some value of the proposition adds to the set. */
  exists(set: LetterSet, index: number, known = new Map<LetterSet, LetterSet>()): LetterSet {
    const variable = nth(this.#variable, set);
    if (variable > index) return set;
    if (variable === index) return this.or(nth(this.#low, set), nth(this.#high, set)); // sound: test/engines/parametric/coverage.test.ts
    let found = known.get(set);
    if (found === undefined) {
      const [low, high] = [nth(this.#low, set), nth(this.#high, set)];
      found = this.#node(variable, this.exists(low, index, known), this.exists(high, index, known));
      known.set(set, found);
    }
    return found;
  }

  isSubset(a: LetterSet, b: LetterSet): boolean {
    return this.minus(a, b) === none; // sound: test/transforms/ltl/conditions.test.ts
  }

  /** Does the set contain this letter? Bit `i` is proposition `i`. */
  has(set: LetterSet, letter: number): boolean {
    let at = set;
    while (at > 1) at = (letter >>> nth(this.#variable, at)) & 1 ? nth(this.#high, at) : nth(this.#low, at); // sound: test/transforms/ltl/conditions.test.ts
    return at === all; // sound: test/transforms/ltl/conditions.test.ts
  }

  /** Some letter of a set that is not empty. */
  some(set: LetterSet): number {
    let letter = 0;
    for (let at = set; at > 1;) {
      // sound: test/transforms/ltl/conditions.test.ts
      if (this.#low[at] !== none) at = nth(this.#low, at);
      else {
        letter |= 1 << nth(this.#variable, at);
        at = nth(this.#high, at);
      }
    }
    return letter;
  }

  fromCubes(cubes: readonly Cube[]): LetterSet {
    let union = none;
    // sound: test/transforms/ltl/conditions.test.ts
    for (const { care, value } of cubes) {
      let set = all;
      for (let i = 0; i < 31; i++)
        if ((care >>> i) & 1) set = this.and(set, this.literal(i, ((value >>> i) & 1) === 1)); // sound: test/transforms/ltl/conditions.test.ts
      union = this.or(union, set);
    }
    return union;
  }

  /** The set as an irredundant union of cubes (Minato and Morreale). */
  toCubes(set: LetterSet): Cube[] {
    return this.#cover(set, set).cubes;
  }

  /** The coarsest partition of all letters such that every given set is a union of its blocks. */
  partition(sets: readonly LetterSet[]): LetterSet[] {
    let parts = [all];
    // sound: test/transforms/ltl/conditions.test.ts
    for (const set of new Set(sets))
      parts = parts.flatMap((part) => [this.and(part, set), this.minus(part, set)].filter((p) => p !== none)); // sound: test/transforms/ltl/conditions.test.ts
    return parts;
  }

  /** Cubes whose union lies between `lower` and `upper`, and their union. */
  #cover(lower: LetterSet, upper: LetterSet): { cubes: Cube[]; set: LetterSet } {
    if (lower === none) return { cubes: [], set: none }; // sound: test/transforms/ltl/conditions.test.ts
    if (upper === all) return { cubes: [{ care: 0, value: 0 }], set: all }; // sound: test/transforms/ltl/conditions.test.ts
    const variable = Math.min(nth(this.#variable, lower), nth(this.#variable, upper));
    const [lowerLow, lowerHigh] = this.#cofactors(lower, variable);
    const [upperLow, upperHigh] = this.#cofactors(upper, variable);
    const low = this.#cover(this.minus(lowerLow, upperHigh), upperLow);
    const high = this.#cover(this.minus(lowerHigh, upperLow), upperHigh);
    const rest = this.or(this.minus(lowerLow, low.set), this.minus(lowerHigh, high.set));
    const both = this.#cover(rest, this.and(upperLow, upperHigh));
    const bit = 1 << variable;
    return {
      cubes: [
        ...high.cubes.map(({ care, value }) => ({ care: care | bit, value: value | bit })),
        ...low.cubes.map(({ care, value }) => ({ care: care | bit, value })),
        ...both.cubes,
      ],
      set: this.or(this.#node(variable, low.set, high.set), both.set),
    };
  }

  #ifThenElse(condition: LetterSet, then: LetterSet, otherwise: LetterSet): LetterSet {
    if (condition === all) return then; // sound: test/transforms/ltl/conditions.test.ts
    if (condition === none) return otherwise; // sound: test/transforms/ltl/conditions.test.ts
    if (then === otherwise) return then; // sound: test/transforms/ltl/conditions.test.ts
    if (then === all && otherwise === none) return condition; // sound: test/transforms/ltl/conditions.test.ts
    const key = `${condition},${then},${otherwise}`;
    const known = this.#conditionals.get(key);
    if (known !== undefined) return known;
    const [a, b, c] = [
      nth(this.#variable, condition),
      nth(this.#variable, then),
      nth(this.#variable, otherwise),
    ];
    const variable = Math.min(a, b, c);
    const [conditionLow, conditionHigh] = this.#cofactors(condition, variable);
    const [thenLow, thenHigh] = this.#cofactors(then, variable);
    const [otherwiseLow, otherwiseHigh] = this.#cofactors(otherwise, variable);
    const low = this.#ifThenElse(conditionLow, thenLow, otherwiseLow);
    const high = this.#ifThenElse(conditionHigh, thenHigh, otherwiseHigh);
    const result = this.#node(variable, low, high);
    this.#conditionals.set(key, result);
    return result;
  }

  #cofactors(set: LetterSet, variable: number): readonly [low: LetterSet, high: LetterSet] {
    return this.#variable[set] === variable ? [nth(this.#low, set), nth(this.#high, set)] : [set, set]; // sound: test/transforms/ltl/conditions.test.ts
  }

  #node(variable: number, low: LetterSet, high: LetterSet): LetterSet {
    if (low === high) return low; // sound: test/transforms/ltl/conditions.test.ts
    const key = `${variable},${low},${high}`;
    let id = this.#unique.get(key);
    if (id === undefined) {
      id = this.#variable.length;
      this.#unique.set(key, id);
      this.#variable.push(variable);
      this.#low.push(low);
      this.#high.push(high);
    }
    return id;
  }
}
