/**
 * The exact store: every state visited, back to back in typed arrays.
 *
 *   chunks    state `id` is in `chunks[id >>> chunkBits]`, at word `(id & chunkMask) * strides[id >>> chunkBits]`.
 *             A chunk has its own stride: when states get wider only
 *             the last chunk is laid out again, earlier ones count as extended by zeros.
 *   parents   the state from which each state was first reached, in chunks alike (breadth-first only).
 *   table     open addressing with linear probing. An entry is 0 for free, else the id in the low bits that
 *             the table's size needs, with the hash's own bits above them as a tag: a state is only
 *             read when the tag agrees, so a lookup is one cache miss and a match is two.
 *
 * A state's id is its order of discovery, from 1; id 0 is unused, and its place is kept free. Words before `compareFrom` are
 * kept as first stored but do not distinguish states.
 *
 * The search loops read and write these fields through the text that `store-code.ts` emits for one width.
 */
import type { Words } from "../../model/index.js";
import { ALL_OWN, OWN_BITS, hashWords, lowBits } from "./hash.js";
import type { Ledger } from "./ledger.js";
import { flatCode } from "./flat-code.js";
import type { Growth, LoopCode, Renewal, Visited } from "./loop-code.js";
import { rehome } from "./rehome.js";
import { tableFiller, type StoreShape, type TableFiller } from "./store-code.js";

export interface StoreOptions {
  readonly width: number;
  readonly compareFrom: number;
  readonly keepsParents: boolean;
  readonly maxStates: number;
  /** Other threads fill the same chunks and table. */
  readonly isShared?: boolean;
  /** States in a chunk, as a power of two. */
  readonly chunkBits?: number;
  /** The largest table whose entries determine their home, as a power of two. */
  readonly homingBits?: number;
  /** Bits of a hash that distinguish states, fewer than usual for tests of collisions. */
  readonly hashBits?: number;
}

export class ExactStore implements Visited {
  readonly refWords = 1;
  chunks: Int32Array[] = [];
  strides: number[] = [];
  parents: Int32Array[] = [];
  table: Int32Array;
  mask: number;
  /** The hash's bits that do not repeat others (`hash.ts`). */
  ownMask: number;
  count = 0;
  /** States that fit before `grow` has to be called. */
  room = 0;
  width: number;
  readonly compareFrom: number;
  readonly keepsParents: boolean;
  readonly chunkBits: number;
  readonly #isShared: boolean;
  readonly #homingBits: number;
  readonly #maxStates: number;
  readonly #ledger: Ledger;
  readonly #fillers = new Map<number, TableFiller>();

  constructor(options: StoreOptions, ledger: Ledger) {
    this.width = options.width;
    this.compareFrom = options.compareFrom;
    this.keepsParents = options.keepsParents;
    this.chunkBits = options.chunkBits ?? chunkBitsFor(options.width);
    this.#isShared = options.isShared ?? false;
    this.#homingBits = options.homingBits ?? OWN_BITS;
    this.ownMask = lowBits(options.hashBits ?? OWN_BITS);
    this.#maxStates = options.maxStates;
    this.#ledger = ledger;
    this.table = NOTHING;
    this.mask = -1;
  }

  /** Do all states have the current width? Then `strides` need not be read. */
  get isUniform(): boolean {
    // sound: test/engines/stores/conditions.test.ts
    return this.strides.every((stride) => stride === this.width);
  }

  /** Makes room for at least one more state. */
  grow(): Growth {
    // sound: test/engines/stores/flat-states.test.ts
    if (this.count >= this.#maxStates) return "no states";
    // sound: test/engines/stores/flat-states.test.ts
    if (this.count >= this.#tableRoom() && !this.#growTable()) return "no memory";
    // sound: test/engines/stores/flat-states.test.ts
    if (this.count >= this.#chunkRoom() && !this.#growChunks()) return "no memory";
    this.room = Math.min(this.#maxStates, this.#tableRoom(), this.#chunkRoom());
    return "grown";
  }

  get tableBytes(): number {
    return this.chunks.reduce((bytes, chunk) => bytes + chunk.byteLength, this.table.byteLength);
  }

  get waitingWords(): number {
    return this.width;
  }

  enter(words: Words): readonly number[] | undefined {
    const id = this.insert(words, 0);
    return id === undefined ? undefined : [id];
  }

  referred(refs: Int32Array, at: number): Words {
    return this.state(refs[at]!);
  }

  numbered(id: number, width: number): Words {
    return this.state(id, width);
  }

  code(): LoopCode {
    return flatCode(this.shape(), (length) => this.#ledger.small(length));
  }

  shape(): StoreShape {
    const { width, compareFrom, chunkBits, isUniform, keepsParents } = this;
    return { width, compareFrom, chunkBits, isUniform, keepsParents, isShared: this.#isShared };
  }

  widen(width: number): Renewal | undefined {
    this.width = width;
    const last = this.chunks.length - 1;
    // sound: test/engines/stores/conditions.test.ts
    if (last < 0) return "none";
    const stride = this.strides[last]!;
    const capacity = this.chunks[last]!.length / stride;
    const words = this.#ledger.allocate(capacity * width);
    // sound: test/engines/stores/exact-store.test.ts
    if (!words) return undefined;
    restride(this.chunks[last]!, stride, words, width, this.count + 1 - (last << this.chunkBits));
    this.#ledger.free(this.chunks[last]!);
    this.chunks[last] = words;
    this.strides[last] = width;
    return "none";
  }

  /** The id of the state at `words[at…]`, or `~id` if it was there before; undefined when it does not fit. */
  insert(words: Words, at: number): number | undefined {
    const { table, mask } = this;
    const hash = hashWords(words, at, this.width, this.compareFrom, this.ownMask);
    let slot = hash & mask;
    // sound: test/engines/stores/conditions.test.ts
    for (let entry = table[slot] ?? 0; entry !== 0; entry = table[slot]!) {
      const id = entry & mask;
      // sound: test/engines/stores/conditions.test.ts
      if (((entry ^ hash) & ~mask) === 0 && this.#isEqual(id, words, at)) return ~id;
      slot = (slot + 1) & mask;
    }
    // sound: test/engines/stores/flat-states.test.ts
    if (this.count === this.room) return this.grow() === "grown" ? this.insert(words, at) : undefined;
    const id = ++this.count;
    table[slot] = (hash & ~mask) | id;
    const chunk = this.chunks[id >>> this.chunkBits]!;
    const there = (id & this.#chunkMask) * this.width;
    // sound: test/engines/stores/conditions.test.ts
    for (let k = 0; k < this.width; k++) chunk[there + k] = words[at + k]!;
    return id;
  }

  /** A copy of state `id`, extended by zeros. */
  state(id: number, width = this.width): Words {
    const words = new Int32Array(width);
    const stride = this.strides[id >>> this.chunkBits]!;
    const there = (id & this.#chunkMask) * stride;
    words.set(this.chunks[id >>> this.chunkBits]!.subarray(there, there + stride));
    return words;
  }

  parent(id: number): number {
    return this.parents[id >>> this.chunkBits]![id & this.#chunkMask]!;
  }

  get #chunkMask(): number {
    return (1 << this.chunkBits) - 1;
  }

  #isEqual(id: number, words: Words, at: number): boolean {
    const index = id >>> this.chunkBits;
    const chunk = this.chunks[index]!;
    const stride = this.strides[index]!;
    const there = (id & this.#chunkMask) * stride;
    // sound: test/engines/stores/exact-store.test.ts
    for (let k = this.compareFrom; k < this.width; k++)
      // sound: test/engines/stores/exact-store.test.ts
      if ((k < stride ? chunk[there + k] : 0) !== words[at + k]) return false;
    return true;
  }

  #tableRoom(): number {
    return Math.floor(this.table.length * MAX_LOAD);
  }

  #growTable(): boolean {
    const size = Math.max(FIRST_TABLE, 2 * this.table.length);
    // sound: test/engines/stores/conditions.test.ts
    if (size > LARGEST_TABLE) return false;
    // From then on every bit of the hash is needed to distinguish states, and none is left to be repeated.
    // sound: test/engines/stores/conditions.test.ts
    if (size > 2 ** this.#homingBits) this.ownMask = ALL_OWN;
    // sound: test/engines/stores/exact-store.test.ts
    return this.ownMask !== ALL_OWN ? this.#doubleTable(size) : this.#rebuildTable(size);
  }

  #doubleTable(size: number): boolean {
    const table = this.#ledger.allocate(size);
    // sound: test/engines/stores/conditions.test.ts
    if (!table) return this.#rebuildTable(size);
    rehome(this.table, table, (id) => {
      const index = id >>> this.chunkBits;
      const stride = this.strides[index]!;
      const at = (id & this.#chunkMask) * stride;
      return hashWords(this.chunks[index]!, at, stride, this.compareFrom, this.ownMask);
    });
    this.#ledger.free(this.table);
    this.table = table;
    this.mask = size - 1;
    return true;
  }

  /** Fills a new table from the chunks alone: the old one is let go first, where there is no memory for both. */
  #rebuildTable(size: number): boolean {
    // sound: test/engines/stores/conditions.test.ts
    if (!this.#ledger.fits(size, this.table.length)) return false;
    this.#ledger.free(this.table);
    this.table = NOTHING;
    const table = this.#ledger.allocate(size);
    // sound: test/engines/stores/conditions.test.ts
    if (!table) return false;
    this.table = table;
    this.mask = size - 1;
    this.chunks.forEach((chunk, index) => {
      const start = index << this.chunkBits;
      const first = Math.max(1, start);
      const end = Math.min(this.count + 1, start + (1 << this.chunkBits));
      this.#filler(this.strides[index]!)(chunk, start, first, end, this);
    });
    return true;
  }

  #filler(stride: number): TableFiller {
    let filler = this.#fillers.get(stride);
    if (!filler) this.#fillers.set(stride, (filler = tableFiller(stride, this.compareFrom)));
    return filler;
  }

  #chunkRoom(): number {
    const last = this.chunks.length - 1;
    // sound: test/engines/stores/conditions.test.ts
    return last < 0 ? 0 : (last << this.chunkBits) + this.chunks[last]!.length / this.strides[last]! - 1;
  }

  /** The first chunk grows by doubling, so that a small search stays small; the others are full-sized at once. */
  #growChunks(): boolean {
    const full = 1 << this.chunkBits;
    // sound: test/engines/stores/flat-states.test.ts
    const isFirst = this.count + 1 < full;
    const capacity = isFirst ? Math.min(full, Math.max(FIRST_CHUNK, 2 * (this.count + 1))) : full;
    const words = this.#ledger.allocate(capacity * this.width);
    // sound: test/engines/stores/conditions.test.ts
    if (!words) return false;
    const parents = this.keepsParents ? this.#ledger.allocate(capacity) : NOTHING;
    if (!parents) {
      this.#ledger.free(words);
      return false;
    }
    // sound: test/engines/stores/conditions.test.ts
    if (isFirst && this.chunks.length > 0) {
      words.set(this.chunks[0]!);
      this.#ledger.free(this.chunks[0]!);
      if (this.keepsParents) {
        parents.set(this.parents[0]!);
        this.#ledger.free(this.parents[0]!);
      }
    }
    // sound: test/engines/stores/conditions.test.ts
    const index = isFirst ? 0 : this.chunks.length;
    this.chunks[index] = words;
    this.strides[index] = this.width;
    if (this.keepsParents) this.parents[index] = parents;
    return true;
  }
}

/** Copies `count` states of `from`, one every `fromStride` words, to one every `toStride` words. */
export function restride(
  from: Int32Array,
  fromStride: number,
  to: Int32Array,
  toStride: number,
  count: number,
): void {
  // sound: test/engines/stores/conditions.test.ts
  for (let i = 0; i < count; i++) to.set(from.subarray(i * fromStride, (i + 1) * fromStride), i * toStride);
}

const NOTHING = new Int32Array(0);
/** A chunk has up to 2^17 words: of wide states few, so that little room is left empty. */
const chunkBitsFor = (width: number): number => Math.max(10, 17 - Math.ceil(Math.log2(width)));
const FIRST_CHUNK = 256;
const FIRST_TABLE = 1024;
/** Ids are 31 bits. */
export const LARGEST_TABLE = 2 ** 31;
export const MAX_LOAD = 0.75;
