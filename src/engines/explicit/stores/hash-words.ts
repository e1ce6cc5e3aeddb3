/**
 * The hash words of a state as positions in a table: reductions of words to any range, without division.
 *
 * A range of up to 2^32 takes one word, a larger one two of them as a fraction of 53 bits, for which the state is
 * hashed a second time with another seed.
 */
import type { HashName, Words } from "../../../model/index.js";
import { derivedSeed, stateHash, type StateHash } from "./hashing.js";

/** Words 0 to 2 of a state, and with `isDouble` words 3 to 5. */
export class HashWords {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly #hash: StateHash;
  readonly #again: StateHash | undefined;

  constructor(name: HashName, seed: number, compareFrom: number, isDouble: boolean) {
    this.#hash = stateHash(name, derivedSeed(seed, 0), compareFrom);
    this.#again = isDouble ? stateHash(name, derivedSeed(seed, 1), compareFrom) : undefined;
    this.first = this.#hash.out;
    this.second = this.#again?.out ?? this.first;
  }

  read(words: Words, at: number, width: number): void {
    this.#hash.hash(words, at, width);
    this.#again?.hash(words, at, width);
  }
}

/** `word`, taken as a fraction of 2^32, of `range`: never `range` itself, for a range up to 2^32. */
export const reduce = (word: number, range: number): number => Math.floor((word >>> 0) * (range / 2 ** 32));

/** The same with 53 bits, for any range that is a safe integer. */
export const reduceTwo = (high: number, low: number, range: number): number =>
  Math.floor((((high >>> 0) * 2 ** 21 + (low >>> 11)) / 2 ** 53) * range);

export const LARGEST_SINGLE = 2 ** 32;
