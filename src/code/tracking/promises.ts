/**
 * Promises as shared locations. The host reports creation, waiting, settling and jobs; replacements of combinators and
 * of functions that settle a promise identify the promise.
 */
import { Location, type Job, type Tracker } from "./tracker.js";

interface Known {
  readonly location: Location;
  readonly parent: Promise<unknown> | undefined;
  /** Clocks before waiting and before settling. */
  readonly made: bigint;
  settled: bigint;
  isSettled: boolean;
  /** Of a combinator: clocks of its results, unless a single one decided. */
  answers: bigint | undefined;
}

export class PromiseTracker {
  readonly #tracker: Tracker;
  readonly #known = new WeakMap<object, Known>();
  readonly #suspended: Job[] = [];

  constructor(tracker: Tracker) {
    this.#tracker = tracker;
  }

  /** Registers a promise; with a parent, it waits for the parent. */
  init(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (parent) {
      const { location, isSettled } = this.#of(parent);
      // The first to wait for a pending promise continues first.
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

  /** Functions that settle a promise: only the first call counts, so their order matters. */
  executor(executor: unknown): unknown {
    if (typeof executor !== "function") return executor;
    return (resolve: (value: unknown) => void, reject: (reason: unknown) => void): void => {
      const location = new Location();
      Reflect.apply(executor, undefined, [this.#tracked(location, resolve), this.#tracked(location, reject)]);
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
      resolve: this.#tracked(location, made.resolve),
      reject: this.#tracked(location, made.reject),
    };
  }

  /**
   * `Promise.all` and similar functions. `commuting`: the outcome of which all are needed; one of the other kind
   * decides.
   */
  combined(
    native: (values: unknown) => Promise<unknown>,
    values: readonly unknown[],
    commuting: "fulfilled" | "rejected" | "both" | "none",
  ): Promise<unknown> {
    const location = new Location();
    const state: { known: Known | undefined } = { known: undefined };
    const promises = values.map((value) => Promise.resolve(value));
    const report = (kind: "fulfilled" | "rejected") => (): void => {
      const isCommuting = commuting === kind || commuting === "both";
      this.#tracker.touch(location, isCommuting ? "add" : "write");
      if (!state.known) return;
      if (!isCommuting) state.known.answers = 0n;
      else if (state.known.answers !== 0n)
        state.known.answers = (state.known.answers ?? 0n) | this.#tracker.clock;
    };
    for (const promise of promises) void then.call(promise, report("fulfilled"), report("rejected"));
    const result = native(promises);
    state.known = this.#of(result);
    return result;
  }

  #tracked<T>(location: Location, settle: (value: T) => void): (value: T) => void {
    return markTracked((value: T) => {
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

/** Functions of the checker that report their accesses. */
const trackedFunctions = new WeakSet<object>();
export const isMarkedTracked = (value: object): boolean => trackedFunctions.has(value);
export function markTracked<F extends object>(value: F): F {
  trackedFunctions.add(value);
  return value;
}
