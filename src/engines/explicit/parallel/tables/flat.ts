/** Whole states with a hash table over them: `../../store.ts` in shared memory. */
import type { Words } from "../../../../model/index.js";
import { ALL_OWN, OWN_BITS, SOME_OWN, hashWords } from "../../hash.js";
import { collectGarbage, type Ledger } from "../../ledger.js";
import { ExactStore, LARGEST_TABLE, MAX_LOAD } from "../../store.js";
import type { Growth, SharedWords } from "../protocol.js";
import { fillPart, hasher, type HashOf } from "../rehash.js";
import { claimPages } from "./pages.js";
import type { SharedTable, TableGrowth, WorkerStore } from "./table.js";

/** A larger table. */
export interface FlatGrowth {
  readonly kind: "flat";
  readonly table: SharedWords;
  readonly ownMask: number;
  /** The entries are taken from the table before, otherwise from the states with ids in these ranges. */
  readonly isDoubled: boolean;
  readonly used: Int32Array;
}

export class FlatTable implements SharedTable {
  readonly keepsPositions = false;
  readonly isWanting = false;
  readonly entryWords: number;
  readonly #compareFrom: number;
  readonly #firstTable: number;
  readonly #ledger: Ledger;
  #table: SharedWords | undefined;
  #ownMask = SOME_OWN;

  constructor(state: { width: number; compareFrom: number }, firstTable: number, ledger: Ledger) {
    this.entryWords = state.width;
    this.#compareFrom = state.compareFrom;
    this.#firstTable = firstTable;
    this.#ledger = ledger;
  }

  get bytes(): number {
    return this.#table?.byteLength ?? 0;
  }

  get room(): number {
    return Math.floor((this.#table?.length ?? 0) * MAX_LOAD);
  }

  grow(_isFull: boolean, used: () => Int32Array): FlatGrowth | "no memory" {
    const old = this.#table;
    const size = old ? 2 * old.length : firstSize(this.#firstTable, this.#ledger);
    // sound: test/engines/parallel/tables.test.ts
    if (size > LARGEST_TABLE) return "no memory";
    // From then on every bit of the hash is needed to distinguish states, and none is left to be repeated.
    // sound: test/engines/parallel/tables.test.ts
    if (size > 2 ** OWN_BITS) this.#ownMask = ALL_OWN;
    // sound: test/engines/parallel/tables.test.ts
    const isDoubled = old !== undefined && this.#ownMask === SOME_OWN && this.#ledger.fits(size);
    if (!isDoubled && !this.#ledger.fits(size, old?.length ?? 0)) return "no memory";
    if (old && !isDoubled) this.#ledger.free(old);
    const table = this.#ledger.allocateShared(size);
    if (!table) return "no memory";
    if (old && isDoubled) this.#ledger.retire(old);
    this.#table = table;
    return { kind: "flat", table, ownMask: this.#ownMask, isDoubled, used: used() };
  }

  enterFirst(words: Words): Words {
    const table = this.#table!;
    const hash = hashWords(words, 0, this.entryWords, this.#compareFrom, this.#ownMask);
    table[hash & (table.length - 1)] = (hash & -table.length) | 1;
    return words;
  }

  restore(kept: Words): Words {
    return kept;
  }
}

export class FlatWorkerStore extends ExactStore implements WorkerStore {
  readonly #hashOf: HashOf;

  constructor(state: { width: number; compareFrom: number }, chunkBits: number, ledger: Ledger) {
    super({ ...state, keepsParents: true, maxStates: Infinity, isShared: true, chunkBits }, ledger);
    this.#hashOf = hasher(this.chunks, state, chunkBits);
  }

  adopt({ chunks, parents, table }: Growth): void {
    this.chunks.push(...chunks);
    this.strides.push(...chunks.map(() => this.width));
    this.parents.push(...parents);
    if (table) this.#adoptTable(table);
  }

  #adoptTable(growth: TableGrowth): void {
    if (growth.kind !== "flat") throw new Error(`a flat table cannot grow by a ${growth.kind} one`);
    const old = this.table;
    this.table = growth.table;
    this.mask = growth.table.length - 1;
    this.ownMask = growth.ownMask;
    // Entries of a part of the old table go to the same part of either half of the new one.
    const halves = growth.isDoubled ? 2 : 1;
    for (let half = 0; half < halves; half++)
      claimPages(growth.table, half * growth.parts + growth.part, halves * growth.parts);
    fillPart(old, growth, this.#hashOf);
    if (old.length >= COLLECTED_WORDS) setImmediate(collectGarbage);
  }
}

/** Large, since all workers wait while it grows, but a small share of the memory. */
export function firstSize(wanted: number, ledger: Ledger): number {
  let size = wanted;
  while (size > SMALLEST_TABLE && !ledger.fits(4 * size)) size /= 2;
  return size;
}

const SMALLEST_TABLE = 2 ** 18;
const COLLECTED_WORDS = 1 << 24;
