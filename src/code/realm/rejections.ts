/**
 * Unhandled rejections of realms, at the moment at which Node would report them: when no job remains.
 *
 * Node reports them to the process, for every realm, and only after draining its queues; `process._tickCallback` does
 * this on demand. It is old and undocumented, but no other way avoids yielding the thread between two turns.
 */

interface Tickable {
  _tickCallback(): void;
}

let collected: unknown[] = [];

/** Collects unhandled rejections during `run`, and hides them from other listeners. */
export function collectingRejections<T>(run: () => T): T {
  const others = process.listeners("unhandledRejection");
  if (others.includes(collect)) return run();
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", collect);
  // A late handler would otherwise print a warning on standard error.
  const late = process.listeners("rejectionHandled");
  process.removeAllListeners("rejectionHandled");
  process.on("rejectionHandled", ignore);
  try {
    return run();
  } finally {
    takeRejections();
    process.removeListener("unhandledRejection", collect);
    process.removeListener("rejectionHandled", ignore);
    for (const listener of others) process.on("unhandledRejection", listener);
    for (const listener of late) process.on("rejectionHandled", listener);
  }
}

/** The reasons since the last call: objects of the realm, which the host must not inspect. */
export function takeRejections(): readonly unknown[] {
  (process as unknown as Tickable)._tickCallback();
  if (collected.length === 0) return none;
  const taken = collected;
  collected = [];
  return taken;
}

const none: readonly unknown[] = [];
const collect = (reason: unknown): void => void collected.push(reason);
const ignore = (): void => {};
