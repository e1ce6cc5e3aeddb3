/**
 * Hash compaction: keeps a signature of `b` bits for each state, in a table with open addressing (Wolper and Leroy 1993,
 * Stern and Dill 1995). A new state whose signature is on its probe sequence counts as visited and is lost; `omissions.ts`
 * estimates how often.
 *
 * `t` cells of `b` bits, 4 ≤ b ≤ 64, lie back to back across the words of the array; 0 is a free cell, and signatures are 1 …
 * 2^b - 1. `t` is a prime, so that every stride visits every cell. Cell and stride come from other hash words than the
 * signature: a correlation would make signatures effectively shorter.
 *
 * `isOrdered`: the signatures on any probe sequence are kept in falling order (Amble and Knuth 1974), so that a search ends
 * at the first smaller one and is compared with fewer of them. A displaced signature must continue by itself, so its stride
 * follows from the signature.
 */
import type { HashName, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import { HashWords, LARGEST_SINGLE, reduce, reduceTwo } from "./hash-words.js";
import { derivedSeed } from "./hashing.js";

export interface CompactOptions {
  /** The table uses the largest prime up to this. */
  readonly cells: number;
  /** Bits of a signature. */
  readonly width: number;
  readonly hash: HashName;
  readonly seed: number;
  readonly compareFrom: number;
  readonly isOrdered?: boolean;
}

export type CompactAnswer = "new" | "known" | "full";

export class CompactStore {
  count = 0;
  /** Comparisons with occupied cells, over all calls. */
  comparisons = 0;
  readonly cells: number;
  readonly width: number;
  readonly #segments: readonly Int32Array[];
  readonly #segmentCells: number;
  readonly #words: HashWords;
  readonly #isOrdered: boolean;
  readonly #lowMask: number;
  readonly #highMask: number;
  /** The current state's signature, first cell and stride. */
  #low = 0;
  #high = 0;
  #cell = 0;
  #stride = 0;
  /** The signature in the cell last read. */
  #cellLow = 0;
  #cellHigh = 0;

  private constructor(options: CompactOptions, segments: readonly Int32Array[]) {
    this.width = options.width;
    this.cells = primeUpTo(options.cells);
    this.#segments = segments;
    this.#segmentCells = segmentCells(options.width);
    this.#isOrdered = options.isOrdered ?? false;
    this.#lowMask = lowBits(Math.min(32, this.width));
    this.#highMask = lowBits(Math.max(0, this.width - 32));
    const isDouble = this.width > 32 || this.cells > LARGEST_SINGLE;
    this.#words = new HashWords(options.hash, options.seed, options.compareFrom, isDouble);
  }

  /** Undefined when there is no memory for it. */
  static create(options: CompactOptions, ledger: Ledger): CompactStore | undefined {
    const all = primeUpTo(options.cells);
    const step = segmentCells(options.width);
    const segments: Int32Array[] = [];
    for (let start = 0; start < all; start += step) {
      const bits = Math.min(all - start, step) * options.width;
      const segment = ledger.allocate(Math.ceil(bits / 32) + 1);
      if (!segment) return undefined;
      segments.push(segment);
    }
    return new CompactStore(options, segments);
  }

  get bytes(): number {
    return this.#segments.reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  addIfNew(words: Words, at: number, width: number): CompactAnswer {
    this.#start(words, at, width);
    return this.#isOrdered ? this.#addOrdered() : this.#add();
  }

  has(words: Words, at: number, width: number): boolean {
    this.#start(words, at, width);
    let cell = this.#cell;
    for (let probe = 0; probe < this.cells; probe++) {
      this.#read(cell);
      if (this.#isFree || (this.#isOrdered && this.#isBelow)) return false;
      this.comparisons++;
      if (this.#isSame) return true;
      cell += this.#stride;
      if (cell >= this.cells) cell -= this.cells;
    }
    return false;
  }

  /** Enters the state that `has` denied last. */
  addLast(): void {
    if (this.#isOrdered) this.#addOrdered();
    else this.#add();
  }

  #start(words: Words, at: number, width: number): void {
    const { first, second } = this.#words;
    this.#words.read(words, at, width);
    this.#low = first[2]! & this.#lowMask;
    this.#high = this.width > 32 ? second[2]! & this.#highMask : 0;
    if (this.#low === 0 && this.#high === 0) this.#low = 1; // 0 is a free cell
    if (this.cells > LARGEST_SINGLE) {
      this.#cell = reduceTwo(first[0]!, second[0]!, this.cells);
      this.#stride = 1 + reduceTwo(first[1]!, second[1]!, this.cells - 1);
    } else {
      this.#cell = reduce(first[0]!, this.cells);
      this.#stride = 1 + reduce(first[1]!, this.cells - 1);
    }
    if (this.#isOrdered) this.#stride = this.#strideOf(this.#low, this.#high);
  }

  #add(): CompactAnswer {
    let cell = this.#cell;
    for (let probe = 0; probe < this.cells; probe++) {
      this.#read(cell);
      if (this.#isFree) {
        this.#write(cell, this.#low, this.#high);
        this.count++;
        return "new";
      }
      this.comparisons++;
      if (this.#isSame) return "known";
      cell += this.#stride;
      if (cell >= this.cells) cell -= this.cells;
    }
    return "full";
  }

  #addOrdered(): CompactAnswer {
    if (this.count === this.cells) return "full"; // a displaced signature would have nowhere to go
    let cell = this.#cell;
    for (let isMoving = false; ;) {
      this.#read(cell);
      if (this.#isFree) break;
      if (!isMoving) this.comparisons++;
      if (!isMoving && this.#isSame) return "known";
      // Equal displaced signatures are adjacent.
      if (this.#isBelow) {
        const [low, high] = [this.#cellLow, this.#cellHigh];
        this.#write(cell, this.#low, this.#high);
        this.#low = low;
        this.#high = high;
        this.#stride = this.#strideOf(low, high);
        isMoving = true;
      }
      cell += this.#stride;
      if (cell >= this.cells) cell -= this.cells;
    }
    this.#write(cell, this.#low, this.#high);
    this.count++;
    return "new";
  }

  #strideOf(low: number, high: number): number {
    return 1 + reduce(derivedSeed(low, high), Math.min(this.cells - 1, LARGEST_SINGLE));
  }

  get #isFree(): boolean {
    return this.#cellLow === 0 && this.#cellHigh === 0;
  }

  get #isSame(): boolean {
    return this.#cellLow === this.#low && this.#cellHigh === this.#high;
  }

  /** Is the cell's signature smaller than the state's? */
  get #isBelow(): boolean {
    if (this.#cellHigh !== this.#high) return this.#cellHigh >>> 0 < this.#high >>> 0;
    return this.#cellLow >>> 0 < this.#low >>> 0;
  }

  #read(cell: number): void {
    const segment = this.#segmentOf(cell);
    const bit = this.#bitOf(cell);
    this.#cellLow = readBits(segment, bit) & this.#lowMask;
    this.#cellHigh = this.width > 32 ? readBits(segment, bit + 32) & this.#highMask : 0;
  }

  #write(cell: number, low: number, high: number): void {
    const segment = this.#segmentOf(cell);
    const bit = this.#bitOf(cell);
    writeBits(segment, bit, low, this.#lowMask);
    if (this.width > 32) writeBits(segment, bit + 32, high, this.#highMask);
  }

  #segmentOf(cell: number): Int32Array {
    const segments = this.#segments;
    return segments.length === 1 ? segments[0]! : segments[Math.floor(cell / this.#segmentCells)]!;
  }

  #bitOf(cell: number): number {
    return (this.#segments.length === 1 ? cell : cell % this.#segmentCells) * this.width;
  }
}

/** 32 bits from `bit` on, which is less than 2^32; bits behind the words of the array are 0. */
function readBits(words: Int32Array, bit: number): number {
  const at = (bit >>> 0) >>> 5;
  const shift = bit & 31;
  return shift === 0 ? words[at]! : (words[at]! >>> shift) | (words[at + 1]! << (32 - shift));
}

function writeBits(words: Int32Array, bit: number, value: number, mask: number): void {
  const at = (bit >>> 0) >>> 5;
  const shift = bit & 31;
  words[at] = (words[at]! & ~(mask << shift)) | (value << shift);
  if (shift === 0) return;
  const spill = mask >>> (32 - shift);
  if (spill !== 0) words[at + 1] = (words[at + 1]! & ~spill) | (value >>> (32 - shift));
}

const lowBits = (count: number): number => (count >= 32 ? -1 : (1 << count) - 1);

/** Cells of a segment: whole words, and less than 2^32 bits. */
const segmentCells = (width: number): number => 32 * Math.floor((2 ** 27 - 2) / width);

/** The largest prime up to `n`, which is at least 3. */
export function primeUpTo(n: number): number {
  let candidate = Math.max(3, Math.floor(n));
  if (candidate % 2 === 0) candidate--;
  while (!isPrime(candidate)) candidate -= 2;
  return candidate;
}

/** Of an odd number. */
function isPrime(n: number): boolean {
  for (let divisor = 3; divisor * divisor <= n; divisor += 2) if (n % divisor === 0) return false;
  return true;
}
