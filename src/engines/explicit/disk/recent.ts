/**
 * Recently met states, in memory: states waiting to be looked up on disk, new states that are in no run yet, and, while
 * memory lasts, states found to be old, which need no second lookup.
 */
import type { Words } from "../../../model/index.js";
import { hashWords } from "../hash.js";
import { Ledger } from "../ledger.js";
import { ExactStore } from "../store.js";

export type Insertion = "known" | "waiting" | "full";

export class Recent {
  /** States that wait. */
  waiting = 0;
  readonly #compareFrom: number;
  readonly #budgetBytes: number;
  readonly #most: number;
  /** Those behind it may wait. */
  #settledId = 0;
  #ledger: Ledger;
  #store: ExactStore;
  #standing = new Uint8Array(FIRST_STATES);
  #parents = new Int32Array(FIRST_STATES);

  constructor(width: number, compareFrom: number, budgetBytes: number, most = MOST_STATES) {
    this.#compareFrom = compareFrom;
    this.#budgetBytes = budgetBytes;
    this.#most = most;
    this.#ledger = new Ledger(budgetBytes);
    this.#store = this.#newStore(width);
  }

  get bytes(): number {
    return this.#ledger.peakBytes + 5 * this.#standing.length;
  }

  widen(width: number): boolean {
    return this.#store.widen(width) !== undefined;
  }

  /** Enters a state that waits to be looked up, or is known to be new. */
  insert(words: Words, at: number, parent: number, isNew = false): Insertion {
    // sound: test/engines/disk/runs.test.ts
    if (this.#store.count >= this.#most) return "full";
    const id = this.#store.insert(words, at);
    // sound: test/engines/disk/runs.test.ts
    if (id === undefined) return "full";
    // sound: test/engines/disk/runs.test.ts
    if (id < 0) return "known";
    // sound: test/engines/disk/runs.test.ts
    if (id >= this.#standing.length) this.#extend();
    // sound: test/engines/disk/runs.test.ts
    this.#standing[id] = isNew ? Standing.new : Standing.waiting;
    this.#parents[id] = parent;
    // sound: test/engines/disk/runs.test.ts
    if (!isNew) this.waiting++;
    return "waiting";
  }

  /** Settles the waiting states in the order of their hashes: `isOld` decides, `onNew` receives the new ones. */
  settle(
    isOld: (hash: number, words: Words, at: number, width: number) => boolean,
    onNew: (words: Words, parent: number) => void,
  ): void {
    for (const { hash, id } of this.#sorted(Standing.waiting, this.#settledId + 1)) {
      const { chunk, at, stride } = this.#place(id);
      const isKnown = isOld(hash, chunk, at, stride);
      // sound: test/engines/disk/runs.test.ts
      this.#standing[id] = isKnown ? Standing.old : Standing.new;
      // sound: test/engines/disk/runs.test.ts
      if (!isKnown) onNew(this.#store.state(id), this.#parents[id]!);
    }
    this.waiting = 0;
    this.#settledId = this.#store.count;
  }

  /** Yields all new states in the order of their hashes, and clears itself. */
  drain(onState: (hash: number, words: Words, at: number, width: number) => void): void {
    for (const { hash, id } of this.#sorted(Standing.new)) {
      const { chunk, at, stride } = this.#place(id);
      onState(hash, chunk, at, stride);
    }
    this.#ledger = new Ledger(this.#budgetBytes);
    this.#store = this.#newStore(this.#store.width);
    this.#settledId = 0;
  }

  /** Position of a state, which may have fewer words than states have now. */
  #place(id: number): { readonly chunk: Words; readonly at: number; readonly stride: number } {
    const { chunks, strides, chunkBits } = this.#store;
    const index = id >>> chunkBits;
    const stride = strides[index]!;
    return { chunk: chunks[index]!, at: (id - (index << chunkBits)) * stride, stride };
  }

  #newStore(width: number): ExactStore {
    const options = { width, compareFrom: this.#compareFrom, keepsParents: false, maxStates: Infinity };
    return new ExactStore(options, this.#ledger);
  }

  #extend(): void {
    const standing = this.#standing;
    this.#standing = new Uint8Array(2 * standing.length);
    this.#standing.set(standing);
    const parents = this.#parents;
    this.#parents = new Int32Array(2 * parents.length);
    this.#parents.set(parents);
  }

  /** The states of that standing by their hashes. Hash and id together are one number, which sorts fast. */
  *#sorted(standing: number, first = 1): Generator<{ readonly hash: number; readonly id: number }> {
    const keys = new Float64Array(this.#store.count + 1 - first);
    let count = 0;
    // sound: test/engines/disk/runs.test.ts
    for (let id = first; id <= this.#store.count; id++) {
      // sound: test/engines/disk/runs.test.ts
      if (this.#standing[id] !== standing) continue;
      const { chunk, at, stride } = this.#place(id);
      const hash = hashWords(chunk, at, stride, this.#compareFrom) >>> 0;
      keys[count++] = hash * ID_RANGE + id;
    }
    for (const key of keys.subarray(0, count).sort()) {
      const hash = Math.floor(key / ID_RANGE);
      yield { hash, id: key - hash * ID_RANGE };
    }
  }
}

const Standing = { waiting: 0, new: 1, old: 2 } as const;
const FIRST_STATES = 1024;
/** With 32 bits of a hash, ids of 21 bits are exact in a number. */
const ID_RANGE = 2 ** 21;
const MOST_STATES = ID_RANGE - 2;
