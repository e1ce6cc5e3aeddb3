/**
 * Budget and interruption of a procedure. Procedures are generators that yield regularly, so that the caller can check
 * the clock, report progress and react to Ctrl-C, and tests can run them to the end.
 */
import type { Budget, Control } from "../../model/index.js";

export class Spent extends Error {
  readonly why: Exhausted;

  constructor(why: Exhausted) {
    super(`spent: ${why}`);
    this.why = why;
  }
}

export type Exhausted = "states" | "time" | "memory" | "interrupted";

export class Work {
  /** Vectors kept. */
  vectors = 0;
  /** Steps computed. */
  steps = 0;
  /** Largest depth of a tree, or last parameter of the approximation. */
  depth = 0;
  /** Words of the vectors kept at present. */
  words = 0;
  readonly started = performance.now();
  readonly #budget: Budget;
  readonly #control: Control;
  #peakWords = 0;
  #nextLook = 0;

  constructor(budget: Budget = {}, control: Control = {}) {
    this.#budget = budget;
    this.#control = control;
  }

  get seconds(): number {
    return (performance.now() - this.started) / 1000;
  }

  get peakBytes(): number {
    return Math.max(this.#peakWords, this.words) * 4;
  }

  /** Throws `Spent` when the budget is used up. Cheap: reads the clock every few hundred calls. */
  check(): void {
    if (this.vectors >= (this.#budget.maxStates ?? Infinity)) throw new Spent("states");
    if (--this.#nextLook > 0) return;
    this.#nextLook = 256;
    this.#peakWords = Math.max(this.#peakWords, this.words);
    const elapsed = performance.now() - this.started;
    if (elapsed >= (this.#budget.timeMs ?? Infinity)) throw new Spent("time");
    if (this.words * BYTES_PER_WORD >= (this.#budget.memoryBytes ?? Infinity)) throw new Spent("memory");
    if (this.#control.isStopped?.()) throw new Spent("interrupted");
  }

  tellProgress(frontier: number): void {
    this.#control.onProgress?.({
      states: this.vectors,
      transitions: this.steps,
      depth: this.depth,
      frontier,
      bytes: this.peakBytes,
      seconds: this.seconds,
    });
  }
}

/** Includes the data beside each vector. */
const BYTES_PER_WORD = 6;

/** Runs a procedure in slices, so that signals and timers are served in between. */
export async function runInSlices<T>(procedure: Generator<number, T>, work: Work): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = procedure.next();
    if (done) return value;
    if (performance.now() < sliceEnd) continue;
    work.tellProgress(value);
    await new Promise((resolve) => setImmediate(resolve));
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Runs a procedure to its end at once. */
export function runAtOnce<T>(procedure: Generator<number, T>): T {
  for (;;) {
    const { done, value } = procedure.next();
    if (done) return value;
  }
}

const SLICE_MS = 40;
