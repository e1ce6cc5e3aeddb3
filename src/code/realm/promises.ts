/** Promise hooks of V8 for realms, which also cover promises created by the engine. */
import { promiseHooks } from "node:v8";

/** Functions of a realm, called synchronously with its promises. */
export interface PromiseListener {
  init(promise: object, parent: object | undefined): void;
  settled(promise: object): void;
  before(promise: object): void;
  after(promise: object): void;
}

/** Calls `onJob` before each promise job of any realm; returns a function that stops this. */
export const watchJobs = (onJob: () => void): (() => void) =>
  promiseHooks.onBefore(() => onJob()) as unknown as () => void;

export function watchingPromises<T>(listener: PromiseListener, run: () => T): T {
  const stop = promiseHooks.createHook({
    init: (promise, parent) => listener.init(promise, parent),
    settled: (promise) => listener.settled(promise),
    before: (promise) => listener.before(promise),
    after: (promise) => listener.after(promise),
  }) as unknown as () => void;
  try {
    return run();
  } finally {
    stop();
  }
}
