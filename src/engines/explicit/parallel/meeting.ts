/**
 * The barrier at the end of a level, without the coordinator: each worker publishes its figures, waits for the others, and
 * reads theirs. So a level costs one barrier in shared memory instead of messages to and fro, and all workers decide alike
 * how to continue.
 *
 * A late worker may still read while another finishes the next level: reports of odd and of even levels are in different
 * places, and no worker gets two levels ahead.
 */
import { resetShares } from "./items.js";
import { Control, type SharedWords } from "./protocol.js";

/** A worker's report at the end of a level. */
export interface LevelReport {
  readonly errors: number;
  /** Ids of the states it stored, as ranges. */
  readonly stored: readonly number[];
  /** Ids that it still has, as a range. */
  readonly left: readonly [number, number];
}

/** The reports of all workers. */
export interface Gathered {
  readonly errors: number;
  /** Undefined: too many for the place where they meet. */
  readonly stored: readonly number[] | undefined;
  /** Ids that workers still have, as ranges, and how many blocks of ids were taken by then. */
  readonly left: readonly number[];
  readonly taken: number;
}

export class Meeting {
  readonly workers: number;
  readonly #control: Int32Array;
  readonly #words: SharedWords;
  readonly #worker: number;

  constructor(control: Int32Array, words: SharedWords, worker: number) {
    this.#control = control;
    this.#words = words;
    this.#worker = worker;
    this.workers = words.length / (2 * SEGMENT);
  }

  /** Undefined when there is a reason to stop before all are there. */
  meet(level: number, report: LevelReport): Gathered | undefined {
    this.#write(this.#segment(this.#worker, level), report);
    // sound: test/engines/parallel/meeting.test.ts
    return this.#wait() ? this.#gather(level) : undefined;
  }

  #segment(worker: number, level: number): number {
    return (2 * worker + (level & 1)) * SEGMENT;
  }

  #write(at: number, { errors, stored, left }: LevelReport): void {
    // sound: test/engines/parallel/meeting.test.ts
    const fits = stored.length <= SEGMENT - HEADER;
    this.#words[at] = fits ? stored.length : -1;
    this.#words[at + 1] = errors;
    this.#words.set(left, at + 2);
    if (fits) this.#words.set(stored, at + HEADER);
  }

  #wait(): boolean {
    const control = this.#control;
    const phase = Atomics.load(control, Control.phase);
    // sound: test/engines/parallel/meeting.test.ts
    if (Atomics.add(control, Control.arrived, 1) + 1 === this.workers) {
      Atomics.store(control, Control.arrived, 0);
      resetShares(control, this.workers);
      Atomics.store(control, Control.taken, Atomics.load(control, Control.block));
      Atomics.add(control, Control.phase, 1);
      Atomics.notify(control, Control.phase);
      return true;
    }
    // Most waits are shorter than it takes to fall asleep and wake up.
    for (let i = 0; i < SPINS; i++) if (Atomics.load(control, Control.phase) !== phase) return true;
    while (Atomics.load(control, Control.phase) === phase) {
      // Another worker may have completed the meeting and run out of ids in the next level. A worker that stayed behind would
      // take items of that level for items of the current one, and their states would never be expanded.
      // sound: test/engines/parallel/meeting.test.ts
      if (isStopped(control)) return Atomics.load(control, Control.phase) !== phase;
      Atomics.wait(control, Control.phase, phase, LOOK_MS);
    }
    return true;
  }

  #gather(level: number): Gathered {
    let errors = 0;
    let stored: number[] | undefined = [];
    const left: number[] = [];
    for (let worker = 0; worker < this.workers; worker++) {
      const at = this.#segment(worker, level);
      const length = this.#words[at]!;
      errors += this.#words[at + 1]!;
      left.push(this.#words[at + 2]!, this.#words[at + 3]!);
      // sound: test/engines/parallel/meeting.test.ts
      if (length < 0) stored = undefined;
      for (let i = 0; stored && i < length; i++) stored.push(this.#words[at + HEADER + i]!);
    }
    return { errors, stored, left, taken: Atomics.load(this.#control, Control.taken) };
  }
}

/** A worker ran out of ids, or all must stop. */
export const isStopped = (control: Int32Array): boolean =>
  Atomics.load(control, Control.stop) !== 0 || Atomics.load(control, Control.full) !== 0;

/** Shared memory for the meetings of `workers` workers. */
export const meetingPlace = (workers: number): SharedWords =>
  new Int32Array(new SharedArrayBuffer(4 * 2 * SEGMENT * workers));

const HEADER = 4;
const SEGMENT = 1 << 13;
const SPINS = 5000;
const LOOK_MS = 20;
