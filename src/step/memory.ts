/**
 * The memory that step code and its host share: arrays are allocated and freed.
 *
 * It is shared memory, so that views of it stay valid when it grows, and other threads can see it. The word before an array
 * holds its length.
 *
 * Several threads allocate from one memory: a word of the memory holds the end of the allocated part, and each thread reuses
 * the arrays it freed itself. An array that another thread reads is freed only when no thread uses it any more.
 */

import { NotStepCode } from "./syntax.js";

/** Words before the first one of each array; the last of them holds its length. Arrays begin on a cache line. */
const HEAD = 16;
const PAGE_WORDS = 1 << 14;
/** The word that holds the end of the allocated part. Word 0 stays zero: address 0 is never an array. */
const END = 1;
/** Addresses of 32 bits reach 4 GiB, except the last 16 MiB. */
const MOST_PAGES = (1 << 16) - 256;
/** The address of arrays outside of the memory: indices below 2^22 trap from there on, and do not wrap around to the first words. */
export const OUTSIDE = MOST_PAGES * PAGE_WORDS;

interface Gap {
  at: number;
  words: number;
}

/** An array, for another thread that has the memory. */
export interface PlacedArray {
  readonly address: number;
  readonly length: number;
}

export class StepMemory {
  readonly memory: WebAssembly.Memory;
  readonly maximumPages: number;
  /** Given back, in order. */
  readonly #gaps: Gap[] = [];
  #words: Int32Array;
  /** Arrays of this memory: their buffers do not tell, since V8 makes other objects for the same bytes. */
  readonly #own = new WeakSet<Int32Array>();

  /** Undefined where the runtime has no room for it. */
  static create(maximumPages = MOST_PAGES): StepMemory | undefined {
    try {
      return new StepMemory(
        new WebAssembly.Memory({ initial: 1, maximum: maximumPages, shared: true }),
        maximumPages,
      );
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private constructor(memory: WebAssembly.Memory, maximumPages: number) {
    this.memory = memory;
    this.maximumPages = maximumPages;
    this.#words = new Int32Array(memory.buffer);
    Atomics.compareExchange(this.#words, END, 0, HEAD);
  }

  static join(memory: WebAssembly.Memory, maximumPages: number): StepMemory {
    return new StepMemory(memory, maximumPages);
  }

  /** All words there are now; others may be added behind them. */
  get words(): Int32Array {
    return this.#words;
  }

  /** An array of zeros; undefined when the memory is spent, or would be down to `reserve` words. */
  allocate(length: number, reserve = 0): Int32Array<ArrayBuffer> | undefined {
    const needed = HEAD + Math.ceil(length / HEAD) * HEAD;
    const at = this.#fromGap(needed) ?? this.#fromEnd(needed, reserve);
    if (at === undefined) return undefined;
    this.#words[at + HEAD - 1] = length;
    return this.at({ address: at + HEAD, length });
  }

  /** An array that some thread has allocated. */
  at({ address, length }: PlacedArray): Int32Array<ArrayBuffer> {
    this.#reach(address + length);
    const array = new Int32Array(this.memory.buffer, 4 * address, length) as Int32Array<ArrayBuffer>;
    this.#own.add(array);
    return array;
  }

  /** The same; throws when the memory is spent. */
  require(length: number): Int32Array<ArrayBuffer> {
    const array = this.allocate(length);
    // sound: test/engines/explicit/leaving.test.ts
    if (!array) throw new NotStepCode("the memory of step code is spent");
    return array;
  }

  free(array: Int32Array): void {
    const at = this.addressOf(array) - HEAD;
    const words = HEAD + Math.ceil(array.length / HEAD) * HEAD;
    const next = this.#gaps.findIndex((gap) => gap.at > at);
    this.#gaps.splice(next < 0 ? this.#gaps.length : next, 0, { at, words });
    this.#join();
  }

  isOwn(array: Int32Array): boolean {
    return this.#own.has(array);
  }

  /** The number of the array's first word. */
  addressOf(array: Int32Array): number {
    if (!this.isOwn(array)) throw new Error("an array outside of the memory of step code");
    return array.byteOffset >>> 2;
  }

  #fromGap(needed: number): number | undefined {
    const index = this.#gaps.findIndex((gap) => gap.words >= needed);
    const gap = this.#gaps[index];
    if (!gap) return undefined;
    const { at } = gap;
    if (gap.words === needed) this.#gaps.splice(index, 1);
    else {
      gap.at += needed;
      gap.words -= needed;
    }
    this.#words.fill(0, at, at + needed);
    return at;
  }

  #fromEnd(needed: number, reserve: number): number | undefined {
    for (;;) {
      const at = Atomics.load(this.#words, END);
      if (at + needed + reserve > this.maximumPages * PAGE_WORDS) return undefined;
      this.#reach(at + needed);
      if (at + needed > this.#words.length && !this.#grow(at + needed - this.#words.length)) return undefined;
      // sound: test/step/memory.test.ts
      if (Atomics.compareExchange(this.#words, END, at, at + needed) === at) return at;
    }
  }

  /** Sees the words up to `end`, if another thread has added them. */
  #reach(end: number): void {
    if (end <= this.#words.length) return;
    this.memory.grow(0); // another thread's growth is visible at once then
    this.#words = new Int32Array(this.memory.buffer);
  }

  /** By an eighth at least: each growth takes its time. */
  #grow(words: number): boolean {
    const pages = this.#words.length / PAGE_WORDS;
    const least = Math.ceil(words / PAGE_WORDS);
    const wanted = Math.min(Math.max(least, pages >> 3, 16), this.maximumPages - pages);
    if (wanted < least) return false;
    try {
      this.memory.grow(wanted);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#words = new Int32Array(this.memory.buffer);
    return true;
  }

  #join(): void {
    for (let i = this.#gaps.length - 1; i > 0; i--) {
      const [before, gap] = [this.#gaps[i - 1]!, this.#gaps[i]!];
      if (before.at + before.words !== gap.at) continue;
      before.words += gap.words;
      this.#gaps.splice(i, 1);
    }
    const last = this.#gaps.at(-1);
    const end = Atomics.load(this.#words, END);
    if (last && last.at + last.words === end) {
      this.#words.fill(0, last.at, end);
      // Unless another thread has allocated behind it meanwhile.
      // sound: test/step/memory.test.ts
      if (Atomics.compareExchange(this.#words, END, end, last.at) === end) this.#gaps.pop();
    }
  }
}
