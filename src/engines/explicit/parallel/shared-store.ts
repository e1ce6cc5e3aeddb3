/**
 * The exact store in shared memory, as its owner sees it: the coordinator allocates, the workers fill
 * (`worker-loops.ts`). Laid out as `store.ts` says, except that all states have one width and chunks are whole.
 *
 * Ids are given out in blocks, so an id is no order of discovery; those that were given out and not used come back and
 * are given out again.
 */
import type { Words } from "../../../model/index.js";
import { ALL_OWN, OWN_BITS, SOME_OWN, hashWords } from "../hash.js";
import type { Ledger } from "../ledger.js";
import type { Path } from "../monitor.js";
import type { Growth, SharedWords, Sizes, TableGrowth } from "./protocol.js";

export interface SharedStoreOptions {
  readonly width: number;
  readonly compareFrom: number;
  readonly maxStates: number;
  readonly workers: number;
  readonly sizes: Sizes;
}

export class SharedStore {
  /** Ids below this are given out; those in `returned` are to be given out again. */
  freshIds = 1;
  /** Ids from here on may not be given out before the store grows. */
  endIds = 1;
  returned: number[] = [];
  readonly #chunks: SharedWords[] = [];
  readonly #parents: SharedWords[] = [];
  #table: SharedWords | undefined;
  #ownMask = SOME_OWN;
  readonly #options: SharedStoreOptions;
  readonly #ledger: Ledger;

  constructor(options: SharedStoreOptions, ledger: Ledger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /** States stored, once all unused ids are returned. */
  get count(): number {
    let unused = 0;
    for (let i = 0; i < this.returned.length; i += 2) unused += this.returned[i + 1]! - this.returned[i]!;
    return this.freshIds - 1 - unused;
  }

  /** More room: what each worker is told, or why there is none. */
  grow(): { readonly growths: readonly Growth[] } | "no memory" | "no states" {
    const { maxStates, workers, sizes } = this.#options;
    if (this.endIds > maxStates) return "no states";
    const table = this.endIds >= this.#tableRoom() ? this.#growTable() : undefined;
    if (table === "no memory") return table;
    const firstChunk = this.#chunks.length;
    if (this.endIds >= firstChunk * sizes.chunkStates) {
      // A third more at a time: few stops, and what is not used yet takes no real memory.
      const wanted = 4 + Math.floor(this.#chunks.length / 3);
      while (this.#chunks.length < firstChunk + wanted && this.#addChunk());
      if (this.#chunks.length === firstChunk) return "no memory";
    }
    this.endIds = Math.min(maxStates + 1, this.#tableRoom(), this.#chunks.length * sizes.chunkStates);
    const chunks = this.#chunks.slice(firstChunk);
    const parents = this.#parents.slice(firstChunk);
    return {
      growths: Array.from({ length: workers }, (_, part) => ({
        chunks,
        parents,
        ...(table ? { table: { ...table, part } } : {}),
      })),
    };
  }

  /** Enters the first state, before any worker runs. Its id is 1. */
  insertInitial(words: Words): void {
    const { width, compareFrom } = this.#options;
    const table = this.#table!;
    const hash = hashWords(words, 0, width, compareFrom, this.#ownMask);
    table[hash & (table.length - 1)] = (hash & -table.length) | 1;
    this.#chunks[0]!.set(words.subarray(0, width), width);
    this.freshIds = Math.min(this.endIds, this.#options.sizes.blockIds); // blocks are aligned: none goes over the end of a chunk
    if (this.freshIds > 2) this.returned = [2, this.freshIds];
  }

  get width(): number {
    return this.#options.width;
  }

  /** A copy of state `id`. */
  numbered(id: number): Words {
    const { width, sizes } = this.#options;
    const at = (id % sizes.chunkStates) * width;
    return Int32Array.from(this.#chunks[Math.floor(id / sizes.chunkStates)]!.subarray(at, at + width));
  }

  /** The states from the initial one to `id`. */
  pathTo(id: number): Path {
    const { chunkStates } = this.#options.sizes;
    const parent = (of: number): number => this.#parents[Math.floor(of / chunkStates)]![of % chunkStates]!;
    const path: number[] = [];
    for (let at = id; at > 0; at = parent(at)) path.push(at);
    path.reverse();
    return { length: path.length, state: (index) => this.numbered(path[index]!) };
  }

  /** Ids below this leave enough of the table free; a multiple of a block. */
  #tableRoom(): number {
    return Math.floor((this.#table?.length ?? 0) * MAX_LOAD);
  }

  #growTable(): Omit<TableGrowth, "part"> | "no memory" {
    const old = this.#table;
    const size = old ? 2 * old.length : this.#firstTable();
    if (size > LARGEST_TABLE) return "no memory";
    // From then on every bit of the hash is needed to tell states apart, none is left to be repeated.
    if (size > 2 ** OWN_BITS) this.#ownMask = ALL_OWN;
    const isDoubled = old !== undefined && this.#ownMask === SOME_OWN && this.#ledger.fits(size);
    if (!isDoubled && !this.#ledger.fits(size, old?.length ?? 0)) return "no memory";
    if (old && !isDoubled) this.#ledger.free(old);
    const table = this.#ledger.allocateShared(size);
    if (!table) return "no memory";
    if (old && isDoubled) this.#ledger.free(old);
    this.#table = table;
    return { table, ownMask: this.#ownMask, isDoubled, used: this.#used(), parts: this.#options.workers };
  }

  /** A large one, since all wait while it grows; but little of what there is. */
  #firstTable(): number {
    let size = this.#options.sizes.firstTable;
    while (size > SMALLEST_TABLE && !this.#ledger.fits(4 * size)) size /= 2;
    return size;
  }

  /** The ids of states, as ranges. */
  #used(): Int32Array {
    const gaps: [number, number][] = [];
    for (let i = 0; i < this.returned.length; i += 2) gaps.push([this.returned[i]!, this.returned[i + 1]!]);
    gaps.sort(([a], [b]) => a - b);
    const used: number[] = [];
    let from = 1;
    for (const [start, end] of [...gaps, [this.freshIds, this.freshIds] as const]) {
      if (start > from) used.push(from, start);
      from = end;
    }
    return Int32Array.from(used);
  }

  #addChunk(): boolean {
    const words = this.#ledger.allocateShared(this.#options.width * this.#options.sizes.chunkStates);
    if (!words) return false;
    const parents = this.#ledger.allocateShared(this.#options.sizes.chunkStates);
    if (!parents) {
      this.#ledger.free(words);
      return false;
    }
    this.#chunks.push(words);
    this.#parents.push(parents);
    return true;
  }
}

/** Ids are 31 bits. */
const LARGEST_TABLE = 2 ** 31;
const MAX_LOAD = 0.75;
const SMALLEST_TABLE = 2 ** 18;
