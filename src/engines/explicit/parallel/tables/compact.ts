/**
 * Hash compaction in shared memory: keeps a signature of `b` bits for each state, as in `../../stores/compact.ts`.
 *
 * A signature may cross two words, which no atomic operation writes at once. So it is kept in two parts. The *mark* has the
 * largest power of two up to `b` bits (at most 32), so that it lies within a word: it claims a free cell. The *rest*, if any,
 * is in a separate array, across words; the claiming thread writes it while the mark is all ones, and a thread that reads
 * that mark waits. So a few of `2^b - 1` signatures are lost; `values` gives the number left.
 *
 * States wait whole in a queue to be expanded; its chunks are reused (`../shared-store.ts`).
 */
import type { Words } from "../../../../model/index.js";
import type { Ledger } from "../../ledger.js";
import { emitCopy } from "../../store-code.js";
import type { CompactChoice } from "../../stores/choice.js";
import { primeUpTo } from "../../stores/compact.js";
import { HashWords, LARGEST_SINGLE, reduce, reduceTwo } from "../../stores/hash-words.js";
import type { Lossy } from "../../stores/omissions.js";
import type { SharedCode } from "../../loop-code.js";
import type { Growth, SharedWords } from "../protocol.js";
import type { SharedTable, WorkerStore } from "./table.js";

/** All of the table, at the beginning: it never grows. */
export interface CompactGrowth {
  readonly kind: "compact";
  readonly marks: readonly SharedWords[];
  readonly rests: readonly SharedWords[];
}

export interface CellShape {
  readonly cells: number;
  readonly markBits: number;
  readonly restBits: number;
}

export function cellShape({ cells, width }: Pick<CompactChoice, "cells" | "width">): CellShape {
  const markBits = Math.min(32, 2 ** Math.floor(Math.log2(width)));
  return { cells: primeUpTo(cells), markBits, restBits: width - markBits };
}

/** Different signatures. */
export const signatureValues = ({ markBits, restBits }: CellShape): number =>
  restBits === 0 ? 2 ** markBits - 1 : (2 ** markBits - 2) * 2 ** restBits;

export class CompactTable implements SharedTable {
  readonly keepsPositions = true;
  readonly isWanting = false;
  readonly entryWords: number;
  readonly lossy: Lossy;
  readonly #shape: CellShape;
  readonly #choice: CompactChoice;
  readonly #compareFrom: number;
  readonly #ledger: Ledger;
  #marks: SharedWords[] = [];
  #rests: SharedWords[] = [];

  constructor(choice: CompactChoice, state: { width: number; compareFrom: number }, ledger: Ledger) {
    this.#choice = choice;
    this.#shape = cellShape(choice);
    this.#compareFrom = state.compareFrom;
    this.entryWords = state.width;
    this.#ledger = ledger;
    const { cells } = this.#shape;
    this.lossy = { kind: "compact", cells, width: choice.width, values: signatureValues(this.#shape) };
  }

  get bytes(): number {
    return [...this.#marks, ...this.#rests].reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  get room(): number {
    return this.#marks.length === 0 ? 0 : this.#shape.cells + 1;
  }

  grow(): CompactGrowth | "no memory" | "full" {
    if (this.#marks.length > 0) return "full";
    const { cells, markBits, restBits } = this.#shape;
    for (let first = 0; first < cells; first += SEGMENT_CELLS) {
      const own = Math.min(SEGMENT_CELLS, cells - first);
      const marks = this.#ledger.allocateShared(Math.ceil((own * markBits) / 32));
      const rests = this.#ledger.allocateShared(restBits === 0 ? 0 : Math.ceil((own * restBits) / 32) + 1);
      if (!marks || !rests) return "no memory";
      this.#marks.push(marks);
      this.#rests.push(rests);
    }
    return { kind: "compact", marks: this.#marks, rests: this.#rests };
  }

  enterFirst(words: Words): Words {
    const cells = new Cells(this.#choice, this.#compareFrom);
    cells.use(this.#marks, this.#rests);
    cells.prepare(words, 1, this.entryWords);
    cells.has(0);
    cells.claim();
    return words;
  }
}

export class CompactWorkerStore implements WorkerStore {
  count = 0;
  room = 0;
  /** States that wait to be expanded: state `id` is in `chunks[id >>> chunkBits]`. */
  readonly chunks: SharedWords[] = [];
  readonly parents: SharedWords[] = [];
  readonly cells: Cells;
  readonly #width: number;
  readonly #chunkBits: number;
  /** In chunks, like parents. */
  readonly #positions: Uint8Array[] = [];
  #far: number[] = [];

  constructor(choice: CompactChoice, state: { width: number; compareFrom: number }, chunkBits: number) {
    this.cells = new Cells(choice, state.compareFrom);
    this.#width = state.width;
    this.#chunkBits = chunkBits;
  }

  adopt({ released, chunks, parents, table }: Growth): void {
    for (const index of released) this.chunks[index] = NOTHING;
    this.chunks.push(...chunks);
    this.parents.push(...parents);
    if (!table) return;
    if (table.kind !== "compact") throw new Error(`a compacting table cannot grow by a ${table.kind} one`);
    this.cells.use(table.marks, table.rests);
  }

  numbered(id: number, width: number): Words {
    const at = (id & ((1 << this.#chunkBits) - 1)) * this.#width;
    return this.chunks[id >>> this.#chunkBits]!.slice(at, at + width);
  }

  /** Notes the state's place among its parent's successors. */
  keepPosition(id: number, position: number): void {
    const index = id >>> this.#chunkBits;
    this.#positions[index] ??= positionsOf(this.parents[index]!, 1 << this.#chunkBits);
    this.#positions[index][id & ((1 << this.#chunkBits) - 1)] = Math.min(position, FAR);
    if (position >= FAR) this.#far.push(id, position);
  }

  takePositions(): readonly number[] {
    const taken = this.#far;
    this.#far = [];
    return taken;
  }

  code(): SharedCode {
    const width = this.#width;
    const chunkMask = (1 << this.#chunkBits) - 1;
    return {
      bindings: { cells: this.cells },
      head: "",
      locals: `
const chunks = store.chunks, room = store.room;
const ownIndex = room >>> ${this.#chunkBits}, ownFirst = ownIndex << ${this.#chunkBits};
const ownChunk = chunks[ownIndex], ownParents = store.parents[ownIndex];
let count = store.count;`,
      loadNumbered: `const from = chunks[id >>> ${this.#chunkBits}], fromAt = (id & ${chunkMask}) * ${width};`,
      note: "",
      prepare: () => `const touched = cells.prepare(words, length, ${width});`,
      entry: (i) => `const at = ${i} * ${width};`,
      find: (onFound) => `if (cells.has(i)) ${onFound}`,
      isFull: "count === room",
      insert: (parent, position, onLost = "") => `
const there = (count + 1 - ownFirst) * ${width};
${emitCopy(width, "ownChunk", "there", "words", "at")}
ownParents[count + 1 - ownFirst] = ${parent};
store.keepPosition(count + 1, ${position});
if (!cells.claim()) ${onLost}
count++;`,
    };
  }
}

/** The cells as one thread sees them. */
export class Cells {
  readonly #shape: CellShape;
  readonly #hash: HashWords;
  readonly #isWide: boolean;
  readonly #markMask: number;
  readonly #restMask: number;
  #marks: readonly SharedWords[] = [];
  #rests: readonly SharedWords[] = [];
  /** By entry of the list at hand: the first cell, how far it is to the next, and the signature. */
  #firsts = new Float64Array(256);
  #strides = new Float64Array(256);
  #signatures = new Int32Array(512);
  /** The free cell that `has` reached, the word of its mark, and the signature. */
  #free = 0;
  #word = 0;
  #mark = 0;
  #rest = 0;

  constructor(choice: CompactChoice, compareFrom: number) {
    this.#shape = cellShape(choice);
    const { cells, markBits, restBits } = this.#shape;
    this.#isWide = cells > LARGEST_SINGLE;
    this.#hash = new HashWords(choice.hash, choice.seed, compareFrom, this.#isWide || choice.width > 32);
    this.#markMask = lowBits(markBits);
    this.#restMask = lowBits(restBits);
  }

  use(marks: readonly SharedWords[], rests: readonly SharedWords[]): void {
    this.#marks = marks;
    this.#rests = rests;
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
      this.#sign(words, i * width, width, i);
      touched ^= this.#wordOf(this.#firsts[i]!);
    }
    return touched;
  }

  #sign(words: Words, at: number, width: number, i: number): void {
    const { cells, markBits, restBits } = this.#shape;
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
    const { cells, markBits, restBits } = this.#shape;
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
    const { markBits, restBits } = this.#shape;
    const cell = this.#free;
    if (cell < 0) return false;
    const marks = this.#marks[segmentOf(cell)]!;
    const at = markAt(cell, markBits);
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
    return this.#marks[segmentOf(cell)]![markAt(cell, this.#shape.markBits)]!;
  }

  #awaitMark(cell: number): number {
    const { markBits } = this.#shape;
    const marks = this.#marks[segmentOf(cell)]!;
    for (;;) {
      const word = Atomics.load(marks, markAt(cell, markBits));
      const mark = (word >>> markShift(cell, markBits)) & this.#markMask;
      if (mark !== this.#markMask) return mark;
    }
  }

  /** The mark agrees. If the rest does not, it may be that it was written before it is seen here: looks again with ceremony. */
  #hasRest(cell: number): boolean {
    const rests = this.#rests[segmentOf(cell)]!;
    const bit = restBit(cell, this.#shape.restBits);
    const at = bit >>> 5;
    const shift = bit & 31;
    const low = rests[at]!;
    const high = rests[at + 1]!;
    if (this.#agrees(low, high, shift)) return true;
    this.#awaitMark(cell);
    return this.#agrees(Atomics.load(rests, at), Atomics.load(rests, at + 1), shift);
  }

  #agrees(low: number, high: number, shift: number): boolean {
    const rest = shift === 0 ? low : (low >>> shift) | (high << (32 - shift));
    return (rest & this.#restMask) === this.#rest;
  }

  #writeRest(cell: number): void {
    const rests = this.#rests[segmentOf(cell)]!;
    const bit = restBit(cell, this.#shape.restBits);
    const shift = bit & 31;
    Atomics.or(rests, bit >>> 5, this.#rest << shift);
    if (shift > 0) Atomics.or(rests, (bit >>> 5) + 1, this.#rest >>> (32 - shift));
  }
}

const NOTHING: SharedWords = new Int32Array(new SharedArrayBuffer(0));
const lowBits = (count: number): number => (count >= 32 ? -1 : (1 << count) - 1);
/** Where in its segment. */
const within = (cell: number): number => (cell < SEGMENT_CELLS ? cell : cell % SEGMENT_CELLS);
const segmentOf = (cell: number): number => (cell < SEGMENT_CELLS ? 0 : Math.floor(cell / SEGMENT_CELLS));
const markAt = (cell: number, bits: number): number => ((within(cell) * bits) / 32) >>> 0;
const markShift = (cell: number, bits: number): number => (within(cell) * bits) & 31;
/** Less than 2^32. */
const restBit = (cell: number, bits: number): number => (within(cell) * bits) >>> 0;

/** Cells of a segment: of up to 32 bits, less than 2^32 together. */
const SEGMENT_CELLS = 2 ** 26;

/** The bytes behind a chunk of parents. */
export const positionsOf = (parents: SharedWords, states: number): Uint8Array =>
  new Uint8Array(parents.buffer, 4 * states, states);
/** A position that is not in a byte. */
export const FAR = 0xff;
