import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { StepMemory } from "../../step/index.js";

/**
 * Allocates every large array of a search, to count the bytes in use exactly and to enforce a budget. Beyond the budget or the
 * machine's memory, an allocation returns undefined and does not throw.
 */
export class Ledger {
  peakBytes = 0;
  /** Some arrays did not fit into `memory` and have separate buffers. */
  isElsewhere = false;
  /** The search continues as JavaScript, which can use any array. */
  hasLeft = false;
  #own = 0;
  #retired: Int32Array[] = [];
  readonly #budget: number;
  readonly #heldElsewhere: () => number;
  /** The memory that contains the arrays; absent: each array has a separate buffer. */
  readonly #memory: StepMemory | undefined;

  /** `heldElsewhere`: bytes of the search that this ledger did not allocate. */
  constructor(budgetBytes = Infinity, heldElsewhere = () => 0, memory?: StepMemory) {
    this.#budget = budgetBytes;
    this.#heldElsewhere = heldElsewhere;
    this.#memory = memory;
  }

  /** A small array, not counted, that loops in WebAssembly can access: throws if their memory has no room. */
  small(words: number): Int32Array<ArrayBuffer> {
    // sound: test/engines/explicit/leaving.test.ts
    return this.#memory && !this.hasLeft ? this.#memory.require(words) : new Int32Array(words);
  }

  get bytes(): number {
    return this.#own + this.#heldElsewhere();
  }

  /** Checked even without a request: memory held elsewhere may have grown. */
  isWithinBudget(): boolean {
    this.#lookForPeak();
    return this.fits(0);
  }

  /** Would `words` more words stay within the budget once `freed` words are given back? */
  fits(words: number, freed = 0): boolean {
    return this.bytes + 4 * (words - freed) <= this.#budget;
  }

  /** An array of zeros, or undefined when there is no room for it. */
  allocate(words: number): Int32Array<ArrayBuffer> | undefined {
    return this.#enter(words, () => this.#memory?.allocate(words, RESERVE) ?? this.#elsewhere(words));
  }

  #elsewhere(words: number): Int32Array<ArrayBuffer> {
    this.isElsewhere = this.#memory !== undefined;
    return new Int32Array(words);
  }

  /** The same, in memory that threads share. */
  allocateShared(words: number): Int32Array<SharedArrayBuffer> | undefined {
    return this.#enter(words, () => {
      const array = this.#memory?.allocate(words, RESERVE);
      if (array) return array as Int32Array as Int32Array<SharedArrayBuffer>;
      this.isElsewhere = this.#memory !== undefined;
      return new Int32Array(new SharedArrayBuffer(4 * words));
    });
  }

  #enter<T extends Int32Array>(words: number, make: () => T | undefined): T | undefined {
    if (!this.fits(words)) return undefined;
    let array: T | undefined;
    try {
      array = make();
    } catch (error) {
      if (error instanceof RangeError) return undefined; // "Array buffer allocation failed"
      throw error;
    }
    if (!array) return undefined;
    this.#own += array.byteLength;
    this.#lookForPeak();
    return array;
  }

  /** Counts an array that came from elsewhere. */
  note(array: Int32Array): void {
    this.#own += array.byteLength;
    this.#lookForPeak();
  }

  /** The caller has let go of the array. */
  free(array: Int32Array): void {
    this.#own -= array.byteLength;
    if (this.#memory?.isOwn(array) && array.length > 0) return this.#memory.free(array);
    if (array.byteLength >= COLLECTED_BYTES) setImmediate(collectGarbage);
  }

  /** Like `free`, but other threads still read the array: its memory is reused only after `release`. */
  retire(array: Int32Array): void {
    // sound: test/engines/parallel/step-workers.test.ts
    if (!this.#memory?.isOwn(array)) return this.free(array);
    this.#own -= array.byteLength;
    this.#retired.push(array);
  }

  /** No thread reads retired arrays any more. */
  release(): void {
    for (const array of this.#retired) if (array.length > 0) this.#memory?.free(array);
    this.#retired = [];
  }

  #lookForPeak(): void {
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
  }
}

/** Words of the memory reserved for small arrays. */
const RESERVE = 1 << 21;

/** V8 collects large arrays late, because their memory is outside its heap. */
const COLLECTED_BYTES = 1 << 24;

export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("typeof gc === 'function' ? gc : undefined") as (() => void) | undefined;
  }
  collector?.();
}

let collector: (() => void) | undefined;
