/**
 * The cells of hash compaction: a signature of `b` bits for each state, in a table with open addressing (Wolper and Leroy 1993,
 * Stern and Dill 1995), for one thread or several. A new state whose signature is on its probe sequence counts as visited and is
 * lost; `omissions.ts` estimates how often.
 *
 * `t` cells, a prime, so that every stride visits every cell. Cell and stride come from other hash words than the signature: a
 * correlation would make signatures effectively shorter.
 *
 * A signature may cross two words, which no atomic operation writes at once. So it is kept in two parts. The *mark* has the
 * largest power of two up to `b` bits (at most 32), so that it lies within a word: it claims a free cell. The *rest*, if any,
 * may lie across words; the claiming thread writes it while the mark is all ones, and a thread that reads that mark waits. So a few
 * of `2^b - 1` signatures are lost; `signatureValues` gives the number left.
 *
 *   group   32 cells are `b` words: their marks, then their rests.
 */
import type { Words } from "../../../model/index.js";
import type { CompactChoice } from "./choice.js";
import { HashWords, LARGEST_SINGLE, reduce, reduceTwo } from "./hash-words.js";

export interface CellShape {
  readonly cells: number;
  readonly markBits: number;
  readonly restBits: number;
}

/** The table uses the largest prime up to the wanted number of cells. */
export function cellShape({ cells, width }: Pick<CompactChoice, "cells" | "width">): CellShape {
  const markBits = Math.min(32, 2 ** Math.floor(Math.log2(width)));
  return { cells: primeUpTo(cells), markBits, restBits: width - markBits };
}

/** Different signatures. */
export const signatureValues = ({ markBits, restBits }: CellShape): number =>
  restBits === 0 ? 2 ** markBits - 1 : (2 ** markBits - 2) * 2 ** restBits;

/** All segments of the table, which never grows; undefined without memory. */
export function allocateCells<T extends Int32Array>(
  { cells, markBits, restBits }: CellShape,
  allocate: (words: number) => T | undefined,
): T[] | undefined {
  const segments: T[] = [];
  for (let first = 0; first < cells; first += SEGMENT_CELLS) {
    const own = Math.min(SEGMENT_CELLS, cells - first);
    const segment = allocate(Math.ceil(own / 32) * (markBits + restBits) + 1);
    if (!segment) return undefined;
    segments.push(segment);
  }
  return segments;
}

/** The cells as one thread sees them. */
export class Cells {
  readonly shape: CellShape;
  segments: readonly Int32Array[] = [];
  readonly #hash: HashWords;
  readonly #isWide: boolean;
  readonly #groupWords: number;
  readonly #markMask: number;
  readonly #restMask: number;
  /** By entry of the current list: the first cell, how far it is to the next, and the signature. */
  #firsts = new Float64Array(256);
  #strides = new Float64Array(256);
  #signatures = new Int32Array(512);
  /** The free cell that `has` reached, the word of its mark, and the signature. */
  #free = 0;
  #word = 0;
  #mark = 0;
  #rest = 0;

  constructor(choice: Omit<CompactChoice, "kind">, compareFrom: number) {
    this.shape = cellShape(choice);
    const { cells, markBits, restBits } = this.shape;
    this.#isWide = cells > LARGEST_SINGLE;
    this.#hash = new HashWords(choice.hash, choice.seed, compareFrom, this.#isWide || choice.width > 32);
    this.#groupWords = markBits + restBits;
    this.#markMask = lowBits(markBits);
    this.#restMask = lowBits(restBits);
  }

  /** Hashes a list of states and touches their cells. */
  prepare(words: Words, length: number, width: number): number {
    if (length > this.#firsts.length) {
      this.#firsts = new Float64Array(2 * length);
      this.#strides = new Float64Array(2 * length);
      this.#signatures = new Int32Array(4 * length);
    }
    let touched = 0;
    for (let i = 0; i < length; i++) {
      this.sign(words, i * width, width, i);
      touched ^= this.#wordOf(this.#firsts[i]!);
    }
    return touched;
  }

  /** Makes the state at `words[at…]` entry `i`. */
  sign(words: Words, at: number, width: number, i: number): void {
    const { cells, markBits, restBits } = this.shape;
    this.#hash.read(words, at, width);
    const { first, second } = this.#hash;
    let mark = first[2]! & this.#markMask;
    if (mark === 0) mark = 1;
    if (restBits > 0 && mark === this.#markMask) mark ^= 1; // all ones: being written
    const rest = (markBits === 32 ? second[2]! : first[2]! >>> markBits) & this.#restMask;
    this.#signatures[2 * i] = mark;
    this.#signatures[2 * i + 1] = rest;
    this.#firsts[i] = this.#isWide ? reduceTwo(first[0]!, second[0]!, cells) : reduce(first[0]!, cells);
    this.#strides[i] =
      1 + (this.#isWide ? reduceTwo(first[1]!, second[1]!, cells - 1) : reduce(first[1]!, cells - 1));
  }

  /** Is the signature of entry `i` on its way? Otherwise `claim` enters it, if a cell is free. */
  has(i: number): boolean {
    const { cells, markBits, restBits } = this.shape;
    const stride = this.#strides[i]!;
    this.#mark = this.#signatures[2 * i]!;
    this.#rest = this.#signatures[2 * i + 1]!;
    let cell = this.#firsts[i]!;
    for (let probe = 0; probe < cells; probe++) {
      const word = this.#wordOf(cell);
      let mark = (word >>> markShift(cell, markBits)) & this.#markMask;
      if (mark === 0) {
        this.#free = cell;
        this.#word = word;
        return false;
      }
      if (restBits > 0 && mark === this.#markMask) mark = this.#awaitMark(cell);
      if (mark === this.#mark && (restBits === 0 || this.#hasRest(cell))) return true;
      cell += stride;
      if (cell >= cells) cell -= cells;
    }
    this.#free = -1;
    return false;
  }

  /** False when another worker was faster with this cell, or with another one in its word. */
  claim(): boolean {
    const { markBits, restBits } = this.shape;
    const cell = this.#free;
    if (cell < 0) return false;
    const marks = this.segments[segmentOf(cell)]!;
    const at = this.#markAt(cell);
    const shift = markShift(cell, markBits);
    const entered = (restBits === 0 ? this.#mark : this.#markMask) << shift;
    if (Atomics.compareExchange(marks, at, this.#word, this.#word | entered) !== this.#word) return false;
    if (restBits === 0) return true;
    this.#writeRest(cell);
    // From all ones to the mark: changes only its own bits, regardless of its neighbours.
    Atomics.and(marks, at, ~((this.#markMask & ~this.#mark) << shift));
    return true;
  }

  #wordOf(cell: number): number {
    return this.segments[segmentOf(cell)]![this.#markAt(cell)]!;
  }

  #markAt(cell: number): number {
    const place = within(cell);
    return (place >>> 5) * this.#groupWords + (((place & 31) * this.shape.markBits) >>> 5);
  }

  /** The first bit of a cell's rest, less than 2^32. */
  #restBit(cell: number): number {
    const { markBits, restBits } = this.shape;
    const place = within(cell);
    return 32 * ((place >>> 5) * this.#groupWords + markBits) + (place & 31) * restBits;
  }

  #awaitMark(cell: number): number {
    const { markBits } = this.shape;
    const marks = this.segments[segmentOf(cell)]!;
    for (;;) {
      const word = Atomics.load(marks, this.#markAt(cell));
      const mark = (word >>> markShift(cell, markBits)) & this.#markMask;
      if (mark !== this.#markMask) return mark;
    }
  }

  /** The mark agrees. If the rest does not, it may be that it was written before it is seen here: looks again with ceremony. */
  #hasRest(cell: number): boolean {
    const segment = this.segments[segmentOf(cell)]!;
    const bit = this.#restBit(cell);
    const at = bit >>> 5;
    const shift = bit & 31;
    if (this.#agrees(segment[at]!, segment[at + 1]!, shift)) return true;
    this.#awaitMark(cell);
    return this.#agrees(Atomics.load(segment, at), Atomics.load(segment, at + 1), shift);
  }

  #agrees(low: number, high: number, shift: number): boolean {
    const rest = shift === 0 ? low : (low >>> shift) | (high << (32 - shift));
    return (rest & this.#restMask) === this.#rest;
  }

  #writeRest(cell: number): void {
    const segment = this.segments[segmentOf(cell)]!;
    const bit = this.#restBit(cell);
    const shift = bit & 31;
    Atomics.or(segment, bit >>> 5, this.#rest << shift);
    // Not if all of it is written: the next word may be a mark.
    if (shift + this.shape.restBits > 32) Atomics.or(segment, (bit >>> 5) + 1, this.#rest >>> (32 - shift));
  }
}

const lowBits = (count: number): number => (count >= 32 ? -1 : (1 << count) - 1);
/** Position in its segment. */
const within = (cell: number): number => (cell < SEGMENT_CELLS ? cell : cell % SEGMENT_CELLS);
const segmentOf = (cell: number): number => (cell < SEGMENT_CELLS ? 0 : Math.floor(cell / SEGMENT_CELLS));
const markShift = (cell: number, bits: number): number => ((within(cell) & 31) * bits) & 31;

/** Cells of a segment: whole groups of up to 64 bits per cell, not more than 2^32 together. */
const SEGMENT_CELLS = 2 ** 26;

/** The largest prime up to `n`, which is at least 3. */
function primeUpTo(n: number): number {
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
