/** What happens to promises of realms, told by V8 itself: also of those that no code of ours makes. */
import { promiseHooks } from "node:v8";

/** Functions of a realm, called with its promises; they run inside what it is doing. */
export interface PromiseListener {
  init(promise: object, parent: object | undefined): void;
  settled(promise: object): void;
  before(promise: object): void;
  after(promise: object): void;
}

/** Calls `onJob` before each promise job, of whatever realm, until the function that it answers with is called. */
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
