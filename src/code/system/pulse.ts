/**
 * Liveness of searching threads. Each counts its calls of the model in a separate word of shared memory; the
 * coordinating thread detects whether any word has changed.
 */
export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  #last = 0;

  constructor(memory = new SharedArrayBuffer(4 * MOST_THREADS)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** Not atomic, because the exact number is irrelevant. */
  beat(thread: number): void {
    this.#words[thread % MOST_THREADS]!++;
  }

  /** Whether no thread has made progress since the last call. */
  get isStill(): boolean {
    const before = this.#last;
    this.#last = this.#words.reduce((sum, word) => (sum + word) | 0, 0);
    return this.#last === before;
  }
}

const MOST_THREADS = 1024;

/** Pulse of the current parallel search. */
let watched: Pulse | undefined;

export function watchThreads(pulse: Pulse | undefined): void {
  watched = pulse;
}

/** Whether threads are searching and none has made progress since the last call. */
export const areThreadsStill = (): boolean => watched?.isStill ?? false;
