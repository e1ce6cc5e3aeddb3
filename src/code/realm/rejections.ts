/**
 * Unhandled rejections of realms, at the moment at which Node would report them: when nothing is left to run.
 *
 * Node tells them to the process, whatever realm the promise is of, and only when its own queues are drained;
 * `process._tickCallback` does that on demand. It is old and undocumented, but there is no other way to learn of them
 * without letting go of the thread between two turns.
 */

interface Tickable {
  _tickCallback(): void;
}

let collected: unknown[] = [];

/** Within `run`, unhandled rejections of realms are collected, not reported to others. */
export function collectingRejections<T>(run: () => T): T {
  const others = process.listeners("unhandledRejection");
  if (others.includes(collect)) return run();
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", collect);
  // A late handler would otherwise be a warning on standard error.
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

/** The reasons since the last time: objects of the realm that must not be looked at here. */
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
