/**
 * Hash functions for the lossy stores: three words of 32 bits per state, from one pass over it.
 *
 *   jenkins  LOOKUP2 (Jenkins 1996) with all three words of its inner state. Fast, uniform by experience only. Jenkins
 *            vouches for the last word alone, so one round of mixing is added for the two others: without it bitstate
 *            hashing lost a quarter of the 384 states of a sieve (`bench/nets.ts`) that it should have kept.
 *   h3       the exclusive or of a random word for each bit set (Carter and Wegman 1979). Universal, so that the
 *            analysis of omissions is a theorem; a successor's hash follows from its differences alone.
 *   murmur   MurmurHash3 with 128 bits (Appleby 2011), of which three words are used.
 *
 * Always true: a state extended by zeros has the same hash, since systems widen their states while they run. Words before
 * `compareFrom` do not distinguish states and are omitted.
 */
import type { HashName, Words } from "../../../model/index.js";

export interface StateHash {
  readonly name: HashName;
  /** The words of the last hash. */
  readonly out: Int32Array;
  /** Hashes the state of `width` words at `words[at…]` into `out`. */
  hash(words: Words, at: number, width: number): void;
}

export function stateHash(name: HashName, seed: number, compareFrom: number): StateHash {
  switch (name) {
    case "jenkins":
      return new Jenkins(seed, compareFrom);
    case "h3":
      return new UniversalHash(seed, compareFrom);
    case "murmur":
      return new Murmur(seed, compareFrom);
  }
}

/** A seed for each of several hash functions of one run, and for each run of several: `index` distinguishes them. */
export const derivedSeed = (seed: number, index: number): number =>
  finalise(Math.imul(seed | 0, 0x9e3779b1) ^ finalise((index + 1) | 0));

class Jenkins implements StateHash {
  readonly name = "jenkins";
  readonly out = new Int32Array(3);
  readonly #seed: number;
  readonly #from: number;

  constructor(seed: number, compareFrom: number) {
    this.#seed = seed | 0;
    this.#from = compareFrom;
  }

  hash(words: Words, at: number, width: number): void {
    const start = at + this.#from;
    const end = endOfState(words, start, at + width);
    let a = GOLDEN_RATIO;
    let b = GOLDEN_RATIO;
    let c = this.#seed;
    let i = start;
    for (let rounds = Math.floor((end - start) / 3) + 2; rounds > 0; rounds--) {
      if (rounds > 2) {
        a = (a + words[i]!) | 0;
        b = (b + words[i + 1]!) | 0;
        c = (c + words[i + 2]!) | 0;
        i += 3;
      } else if (rounds === 2) {
        // The lowest byte of `c` is kept for the length in bytes; whole words never reach the others.
        c = (c + 4 * (end - start)) | 0;
        if (end - i >= 1) a = (a + words[i]!) | 0;
        if (end - i === 2) b = (b + words[i + 1]!) | 0;
      }
      a = (a - b - c) ^ (c >>> 13);
      b = (b - c - a) ^ (a << 8);
      c = (c - a - b) ^ (b >>> 13);
      a = (a - b - c) ^ (c >>> 12);
      b = (b - c - a) ^ (a << 16);
      c = (c - a - b) ^ (b >>> 5);
      a = (a - b - c) ^ (c >>> 3);
      b = (b - c - a) ^ (a << 10);
      c = (c - a - b) ^ (b >>> 15);
    }
    this.out[0] = a;
    this.out[1] = b;
    this.out[2] = c;
  }
}

/**
 * `tables` has, for each part of a state (a byte; in wide states four bits, to keep the tables small) and each value of
 * that part, three words: the exclusive or of the random words of its set bits.
 */
export class UniversalHash implements StateHash {
  readonly name = "h3";
  readonly out = new Int32Array(3);
  readonly #seed: number;
  readonly #from: number;
  #tables = new Int32Array(0);
  #width = 0;
  #partBits = 8;

  constructor(seed: number, compareFrom: number) {
    this.#seed = seed;
    this.#from = compareFrom;
  }

  hash(words: Words, at: number, width: number): void {
    if (width > this.#width) this.#extend(width);
    this.out.fill(0);
    for (let k = this.#from; k < width; k++) if (words[at + k] !== 0) this.#flip(k, words[at + k]!);
  }

  /** Differential: updates `out` from the hash of a state to the hash of the state whose word `k` differs by `difference`. */
  update(k: number, difference: number): void {
    if (k >= this.#from) this.#flip(k, difference);
  }

  get tableBytes(): number {
    return this.#tables.byteLength;
  }

  #flip(k: number, difference: number): void {
    const tables = this.#tables;
    const bits = this.#partBits;
    const mask = (1 << bits) - 1;
    let [a, b, c] = [this.out[0]!, this.out[1]!, this.out[2]!];
    for (let part = 0, rest = difference; rest !== 0; part++, rest >>>= bits) {
      const entry = 3 * ((((k * 32) / bits + part) << bits) + (rest & mask));
      a ^= tables[entry]!;
      b ^= tables[entry + 1]!;
      c ^= tables[entry + 2]!;
    }
    this.out[0] = a;
    this.out[1] = b;
    this.out[2] = c;
  }

  #extend(width: number): void {
    this.#width = Math.max(width, 2 * this.#width);
    this.#partBits = this.#width > LARGEST_BYTEWISE ? 4 : 8;
    const values = 1 << this.#partBits;
    this.#tables = new Int32Array(this.#width * (32 / this.#partBits) * values * 3);
    for (let bit = 0; bit < 32 * this.#width; bit++) this.#enterBit(bit, values);
  }

  /** A bit's random words depend on the seed and its place alone: wider tables continue narrower ones. */
  #enterBit(bit: number, values: number): void {
    const first = values * Math.floor(bit / this.#partBits);
    const value = 1 << (bit % this.#partBits);
    for (let word = 0; word < 3; word++) {
      const random = derivedSeed(this.#seed, 3 * bit + word);
      for (let known = 0; known < value; known++)
        this.#tables[3 * (first + value + known) + word] = this.#tables[3 * (first + known) + word]! ^ random;
    }
  }
}

/** Wider states have tables of four bits: 1.5 kB a word instead of 12. */
const LARGEST_BYTEWISE = 256;

class Murmur implements StateHash {
  readonly name = "murmur";
  readonly out = new Int32Array(3);
  readonly #seed: number;
  readonly #from: number;

  constructor(seed: number, compareFrom: number) {
    this.#seed = seed | 0;
    this.#from = compareFrom;
  }

  hash(words: Words, at: number, width: number): void {
    const start = at + this.#from;
    const end = endOfState(words, start, at + width);
    let h1 = this.#seed;
    let h2 = h1;
    let h3 = h1;
    let h4 = h1;
    let i = start;
    for (; end - i >= 4; i += 4) {
      h1 = rotate(h1 ^ Math.imul(rotate(Math.imul(words[i]!, C1), 15), C2), 19);
      h1 = (Math.imul((h1 + h2) | 0, 5) + 0x561ccd1b) | 0;
      h2 = rotate(h2 ^ Math.imul(rotate(Math.imul(words[i + 1]!, C2), 16), C3), 17);
      h2 = (Math.imul((h2 + h3) | 0, 5) + 0x0bcaa747) | 0;
      h3 = rotate(h3 ^ Math.imul(rotate(Math.imul(words[i + 2]!, C3), 17), C4), 15);
      h3 = (Math.imul((h3 + h4) | 0, 5) + 0x96cd1c35) | 0;
      h4 = rotate(h4 ^ Math.imul(rotate(Math.imul(words[i + 3]!, C4), 18), C1), 13);
      h4 = (Math.imul((h4 + h1) | 0, 5) + 0x32ac3b17) | 0;
    }
    if (end - i >= 3) h3 ^= Math.imul(rotate(Math.imul(words[i + 2]!, C3), 17), C4);
    if (end - i >= 2) h2 ^= Math.imul(rotate(Math.imul(words[i + 1]!, C2), 16), C3);
    if (end - i >= 1) h1 ^= Math.imul(rotate(Math.imul(words[i]!, C1), 15), C2);
    const length = 4 * (end - start);
    h2 ^= length;
    h3 ^= length;
    h4 ^= length;
    h1 = ((h1 ^ length) + h2 + h3 + h4) | 0;
    h1 = finalise(h1);
    h2 = finalise((h2 + h1) | 0);
    h3 = finalise((h3 + h1) | 0);
    h4 = finalise((h4 + h1) | 0);
    h1 = (h1 + h2 + h3 + h4) | 0;
    this.out[0] = h1;
    this.out[1] = h2 + h1;
    this.out[2] = h3 + h1;
  }
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;
const GOLDEN_RATIO = 0x9e3779b9 | 0;

/** End of the state without trailing zeros. */
function endOfState(words: Words, start: number, end: number): number {
  while (end > start && words[end - 1] === 0) end--;
  return end;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** MurmurHash3's finaliser: every bit reaches every bit. */
function finalise(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}
