/**
 * Promises as things that turns touch. The host tells of each that is made, waited for, settled, and of each job; combinators and
 * functions that settle a promise are replaced by ones that tell which promise they are about.
 */
import { Location, type Job, type Tracker } from "./tracker.js";

interface Known {
  readonly location: Location;
  readonly parent: Promise<unknown> | undefined;
  /** What came before the waiting, and before the settling. */
  readonly made: bigint;
  settled: bigint;
  isSettled: boolean;
  /** Of a combinator: what its answers had before them, as long as none decided by itself. */
  answers: bigint | undefined;
}

export class PromiseTracker {
  readonly #tracker: Tracker;
  readonly #known = new WeakMap<object, Known>();
  readonly #suspended: Job[] = [];

  constructor(tracker: Tracker) {
    this.#tracker = tracker;
  }

  /** A promise is there; with a parent, it waits for that. */
  init(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (parent) {
      const { location, isSettled } = this.#of(parent);
      // Who waits for a pending promise first goes on first.
      this.#tracker.touch(location, isSettled ? "read" : "write");
    }
    this.#known.set(promise, {
      location: new Location(),
      parent,
      made: this.#tracker.clock,
      settled: 0n,
      isSettled: false,
      answers: undefined,
    });
  }

  settled(promise: Promise<unknown>): void {
    const known = this.#of(promise);
    this.#tracker.touch(known.location, "write");
    known.settled |= this.#tracker.clock | (known.answers ?? 0n);
    known.isSettled = true;
  }

  before(promise: Promise<unknown>): void {
    const { made, parent } = this.#of(promise);
    this.#suspended.push(this.#tracker.begin(made | (parent ? this.#of(parent).settled : 0n)));
  }

  after(): void {
    const before = this.#suspended.pop();
    if (before !== undefined) this.#tracker.resume(before);
  }

  /** Functions that settle a promise: the first call counts, so the order of calls does. */
  executor(executor: unknown): unknown {
    if (typeof executor !== "function") return executor;
    return (resolve: (value: unknown) => void, reject: (reason: unknown) => void): void => {
      const location = new Location();
      Reflect.apply(executor, undefined, [this.#telling(location, resolve), this.#telling(location, reject)]);
    };
  }

  withResolvers(made: {
    promise: unknown;
    resolve: (value: unknown) => void;
    reject: (reason: unknown) => void;
  }): object {
    const location = new Location();
    return {
      promise: made.promise,
      resolve: this.#telling(location, made.resolve),
      reject: this.#telling(location, made.reject),
    };
  }

  /**
   * `Promise.all` and its like. `commuting`: answers of that kind, of which all are needed; one of the other kind decides at once.
   */
  combined(
    native: (values: unknown) => Promise<unknown>,
    values: readonly unknown[],
    commuting: "fulfilled" | "rejected" | "both" | "none",
  ): Promise<unknown> {
    const location = new Location();
    const state: { known: Known | undefined } = { known: undefined };
    const promises = values.map((value) => Promise.resolve(value));
    const told = (kind: "fulfilled" | "rejected") => (): void => {
      const isCommuting = commuting === kind || commuting === "both";
      this.#tracker.touch(location, isCommuting ? "add" : "write");
      if (!state.known) return;
      if (!isCommuting) state.known.answers = 0n;
      else if (state.known.answers !== 0n)
        state.known.answers = (state.known.answers ?? 0n) | this.#tracker.clock;
    };
    for (const promise of promises) void then.call(promise, told("fulfilled"), told("rejected"));
    const result = native(promises);
    state.known = this.#of(result);
    return result;
  }

  #telling<T>(location: Location, settle: (value: T) => void): (value: T) => void {
    return told((value: T) => {
      this.#tracker.touch(location, "write");
      settle(value);
    });
  }

  #of(promise: Promise<unknown>): Known {
    let known = this.#known.get(promise);
    if (!known) {
      this.init(promise, undefined);
      known = this.#known.get(promise)!;
    }
    return known;
  }
}

const then = Promise.prototype.then;

/** Functions of ours that tell what they touch themselves. */
const telling = new WeakSet<object>();
export const isTelling = (value: object): boolean => telling.has(value);
export function told<F extends object>(value: F): F {
  telling.add(value);
  return value;
}
