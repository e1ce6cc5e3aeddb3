/**
 * States as they are, with a hash table over them: `../../store.ts` says how entries look. The state's words and its parent are
 * written to a place that only the worker knows before the slot is claimed: whoever sees the entry sees the state.
 */
import type { Words } from "../../../../model/index.js";
import { ALL_OWN, OWN_BITS, SOME_OWN, emitHash, hashMultipliers, hashWords } from "../../hash.js";
import { collectGarbage, type Ledger } from "../../ledger.js";
import { emitCopy, emitFind, emitLocate, emitTouch, type StoreShape } from "../../store-code.js";
import type { SharedWords } from "../protocol.js";
import { fillPart, hasher, type HashOf } from "../rehash.js";
import { claimPages } from "./pages.js";
import type { SharedCode, SharedTable, TableGrowth, WorkerStore, WorkerTable } from "./table.js";

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
    // From then on every bit of the hash is needed to tell states apart, none is left to be repeated.
    // sound: test/engines/parallel/tables.test.ts
    if (size > 2 ** OWN_BITS) this.#ownMask = ALL_OWN;
    // sound: test/engines/parallel/tables.test.ts
    const isDoubled = old !== undefined && this.#ownMask === SOME_OWN && this.#ledger.fits(size);
    if (!isDoubled && !this.#ledger.fits(size, old?.length ?? 0)) return "no memory";
    if (old && !isDoubled) this.#ledger.free(old);
    const table = this.#ledger.allocateShared(size);
    if (!table) return "no memory";
    if (old && isDoubled) this.#ledger.free(old);
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

export class FlatWorkerTable implements WorkerTable {
  table: SharedWords = new Int32Array(new SharedArrayBuffer(0));
  mask = -1;
  ownMask = 0;
  readonly #shape: StoreShape;
  readonly #hashOf: HashOf;

  constructor(store: WorkerStore, state: { width: number; compareFrom: number }, chunkBits: number) {
    const { width, compareFrom } = state;
    this.#shape = { width, compareFrom, chunkBits, isUniform: true, keepsParents: true };
    this.#hashOf = hasher(store.chunks, state, chunkBits);
  }

  grow(growth: TableGrowth): void {
    if (growth.kind !== "flat") throw new Error(`a flat table cannot grow by a ${growth.kind} one`);
    const old = this.table;
    this.table = growth.table;
    this.mask = growth.table.length - 1;
    this.ownMask = growth.ownMask;
    // What comes from a part of the old table goes to the same part of either half of the new one.
    const halves = growth.isDoubled ? 2 : 1;
    for (let half = 0; half < halves; half++)
      claimPages(growth.table, half * growth.parts + growth.part, halves * growth.parts);
    fillPart(old, growth, this.#hashOf);
    if (old.length >= COLLECTED_WORDS) setImmediate(collectGarbage);
  }

  code(): SharedCode {
    const shape = this.#shape;
    const { width, compareFrom } = shape;
    return {
      bindings: { multipliers: hashMultipliers(width), scratch: { hashes: new Int32Array(256) } },
      head: "",
      locals:
        "const table = visited.table, mask = visited.mask, tagMask = ~mask, ownMask = visited.ownMask, chunks = store.chunks;",
      load: emitLocate(shape),
      note: "",
      prepare: `
// sound: test/engines/parallel/tables.test.ts
if (length > scratch.hashes.length) scratch.hashes = new Int32Array(2 * length);
const hashes = scratch.hashes;
// sound: test/engines/parallel/tables.test.ts
for (let i = 0, at = 0; i < length; i++, at += ${width}) {
  ${emitHash(width, compareFrom)}
  hashes[i] = hash;
}
${emitTouch(shape)}`,
      prepared: "const hashes = scratch.hashes;",
      entry: `const at = i * ${width}, hash = hashes[i];`,
      find: (onFound) => emitFind(shape, onFound),
      foundId: "id",
      keep: () => emitCopy(width, "ownChunk", "there", "words", "at"),
      claim: (onClaimed) =>
        // sound: test/engines/parallel/tables.test.ts
        `if (Atomics.compareExchange(table, slot, 0, (hash & tagMask) | nextId) === 0) ${onClaimed}`,
    };
  }
}

/** A large one, since all wait while it grows; but little of what there is. */
export function firstSize(wanted: number, ledger: Ledger): number {
  let size = wanted;
  while (size > SMALLEST_TABLE && !ledger.fits(4 * size)) size /= 2;
  return size;
}

/** Ids are 31 bits. */
const LARGEST_TABLE = 2 ** 31;
const MAX_LOAD = 0.75;
const SMALLEST_TABLE = 2 ** 18;
const COLLECTED_WORDS = 1 << 24;
