/**
 * Bitstate hashing: a state is `k` bits of an array of `m`; it counts as visited when all of them are set (Holzmann's
 * supertrace; a Bloom filter). A new state whose bits happen to be set counts as visited and is lost; `omissions.ts`
 * estimates how often.
 *
 * The bits of a state come from few hash words: position `x`, stride `y` and, `triple`, the stride's stride `z`, each reduced
 * to 0 … m - 1; a further bit costs two additions (Dillinger and Manolios 2004). `m` is any number. The array is cut into
 * segments of 2^32 bits.
 */
import type { HashName, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { HashWords, LARGEST_SINGLE, reduce, reduceTwo } from "./hash-words.js";

/** `double` is here to be compared with: at high accuracy it loses far more states than the analysis says. */
export const indexings = ["triple", "enhanced", "double"] as const;
export type Indexing = (typeof indexings)[number];

export interface BitstateOptions {
  readonly bits: number;
  readonly functions: number;
  readonly hash: HashName;
  readonly indexing?: Indexing;
  readonly seed: number;
  readonly compareFrom: number;
}

export class BitstateStore {
  count = 0;
  readonly bits: number;
  readonly functions: number;
  readonly #segments: readonly Int32Array[];
  readonly #words: HashWords;
  readonly #indexing: Indexing;
  #x = 0;
  #y = 0;
  #z = 0;

  private constructor(options: BitstateOptions, segments: readonly Int32Array[]) {
    this.bits = options.bits;
    this.functions = options.functions;
    this.#indexing = options.indexing ?? "triple";
    this.#words = new HashWords(options.hash, options.seed, options.compareFrom, this.#isLarge);
    this.#segments = segments;
  }

  /** Undefined when there is no memory for it. */
  static create(options: BitstateOptions, ledger: Ledger): BitstateStore | undefined {
    const segments: Int32Array[] = [];
    for (let start = 0; start < options.bits; start += LARGEST_SINGLE) {
      const segment = ledger.allocate(Math.ceil(Math.min(options.bits - start, LARGEST_SINGLE) / 32));
      if (!segment) return undefined;
      segments.push(segment);
    }
    return new BitstateStore(options, segments);
  }

  get bytes(): number {
    return this.#segments.reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  /** Enters the state; false if it was there, or is taken to have been. */
  addIfNew(words: Words, at: number, width: number): boolean {
    this.#start(words, at, width);
    const isNew = this.#visit(true);
    if (isNew) this.count++;
    return isNew;
  }

  has(words: Words, at: number, width: number): boolean {
    this.#start(words, at, width);
    return !this.#visit(false);
  }

  /** Enters the state that `has` denied last. */
  addLast(): void {
    this.#visit(true);
    this.count++;
  }

  get #isLarge(): boolean {
    return this.bits > LARGEST_SINGLE;
  }

  #start(words: Words, at: number, width: number): void {
    const { first, second } = this.#words;
    this.#words.read(words, at, width);
    const m = this.bits;
    if (this.#isLarge) {
      this.#x = reduceTwo(first[0]!, second[0]!, m);
      this.#y = reduceTwo(first[1]!, second[1]!, m);
      this.#z = reduceTwo(first[2]!, second[2]!, m);
    } else {
      this.#x = reduce(first[0]!, m);
      this.#y = reduce(first[1]!, m);
      this.#z = reduce(first[2]!, m);
    }
    if (this.#indexing !== "triple") this.#z = this.#indexing === "double" ? 0 : 1;
  }

  /** Is some bit of the state not set? With `sets` all are afterwards. */
  #visit(sets: boolean): boolean {
    return this.bits <= LARGEST_SIGNED ? this.#visitSmall(sets) : this.#visitLarge(sets);
  }

  /**
   * Reduces sums without branches, which are unpredictable: with 24 functions whole searches took 1.9 times as long as with 3
   * (`bench/probabilistic.ts`). 32-bit wrapping arithmetic, so that 2^31 bits also work.
   */
  #visitSmall(sets: boolean): boolean {
    const { functions: k } = this;
    const m = this.bits | 0;
    const segment = this.#segments[0]!;
    const growth = this.#indexing === "enhanced" ? 1 : 0;
    let x = this.#x | 0;
    let y = this.#y | 0;
    let z = this.#z | 0;
    let isNew = false;
    for (let i = 0; i < k; i++) {
      const word = segment[x >>> 5]!;
      const bit = 1 << (x & 31);
      if ((word & bit) === 0) {
        if (!sets) return true;
        isNew = true;
        segment[x >>> 5] = word | bit;
      }
      x = (x + y - m) | 0;
      x = (x + (m & (x >> 31))) | 0;
      y = (y + z - m) | 0;
      y = (y + (m & (y >> 31))) | 0;
      z += growth;
    }
    return isNew;
  }

  #visitLarge(sets: boolean): boolean {
    const { bits: m, functions: k } = this;
    const growth = this.#indexing === "enhanced" ? 1 : 0;
    let [x, y, z] = [this.#x, this.#y, this.#z];
    let isNew = false;
    for (let i = 0; i < k; i++) {
      const segment = this.#segments[Math.floor(x / LARGEST_SINGLE)]!;
      const place = (x >>> 0) >>> 5;
      const bit = 1 << (x & 31);
      if ((segment[place]! & bit) === 0) {
        if (!sets) return true;
        isNew = true;
        segment[place] = segment[place]! | bit;
      }
      x += y;
      if (x >= m) x -= m;
      y += z;
      if (y >= m) y -= m;
      z += growth;
    }
    return isNew;
  }
}

/** Up to this number of bits a position is a signed word. */
const LARGEST_SIGNED = 2 ** 31;
