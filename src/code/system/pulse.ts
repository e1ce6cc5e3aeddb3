/**
 * Whether the threads of a search do anything. Each counts its calls of the model in a word of its own of shared memory; the thread that waits
 * for them looks whether any word has changed.
 */
export class Pulse {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  #last = 0;

  constructor(memory = new SharedArrayBuffer(4 * MOST_THREADS)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** One more. Nobody waits for the number, so it need not be atomic. */
  beat(thread: number): void {
    this.#words[thread % MOST_THREADS]!++;
  }

  /** Nothing has happened since this was asked the last time. */
  get isStill(): boolean {
    const before = this.#last;
    this.#last = this.#words.reduce((sum, word) => (sum + word) | 0, 0);
    return this.#last === before;
  }
}

const MOST_THREADS = 1024;

/** Of the search that has threads now. */
let watched: Pulse | undefined;

export function watchThreads(pulse: Pulse | undefined): void {
  watched = pulse;
}

/** There are threads that search, and none of them has done anything since this was asked the last time. */
export const areThreadsStill = (): boolean => watched?.isStill ?? false;
