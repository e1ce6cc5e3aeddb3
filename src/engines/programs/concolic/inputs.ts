/** Inputs of concolic runs: values of variables, kept from run to run where a solver does not change them; new ones are random. */
import type { Term } from "../../../model/terms.js";
import type { PathState } from "../state.js";

export class Inputs {
  /** Values of the current run, by the id of the variable. */
  model = new Map<number, bigint>();
  #random: number;
  readonly #first: readonly bigint[];
  #given: number;

  constructor(seed: number, first: readonly bigint[]) {
    this.#random = seed >>> 0;
    this.#first = first;
    this.#given = 0;
  }

  /** A run from the start of the program. */
  begin(isFresh: boolean): void {
    if (isFresh) this.model = new Map();
  }

  /** The other variables keep their values. */
  update(values: ReadonlyMap<number, bigint>): void {
    this.model = new Map([...this.model, ...values]);
  }

  randomise(variables: readonly Term[]): void {
    for (const { id, sort } of variables)
      this.model.set(id, this.random(typeof sort === "number" ? sort : 1));
  }

  request(state: PathState, variables: readonly Term[]): void {
    state.model = this.model;
    for (const { id, sort } of variables)
      if (!this.model.has(id)) {
        const bits = typeof sort === "number" ? sort : 1;
        const given = this.#first[this.#given++];
        this.model.set(id, given === undefined ? this.random(bits) : BigInt.asUintN(bits, given));
      }
  }

  /** Any value of the type; every other one small or at a boundary. */
  random(bits: number): bigint {
    if (this.below(2) === 0) {
      const small = [0n, 1n, 2n, -1n, 1n << BigInt(bits - 1), (1n << BigInt(bits - 1)) - 1n];
      const index = this.below(small.length + 1);
      return BigInt.asUintN(bits, small[index] ?? BigInt(this.below(256)));
    }
    let value = 0n;
    for (let n = 0; n < bits; n += 16) value = (value << 16n) | BigInt(this.below(65_536));
    return BigInt.asUintN(bits, value);
  }

  below(most: number): number {
    this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * most);
  }
}
