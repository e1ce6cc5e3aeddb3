/** fast-check's scheduler on code that waits by `pause` alone. */
import fc from "fast-check";
import type { Pause } from "./snippets.js";

export interface FastChecked {
  readonly shortest: number | undefined;
  readonly failures: number;
  /** Of processor time. */
  readonly seconds: number;
}

/** A thousand random orders, as users write it; the length is the number of scheduled items before the failure. */
export async function fastCheckOn(buggy: (pause: Pause) => Promise<void>): Promise<FastChecked> {
  const before = process.cpuUsage();
  let shortest: number | undefined;
  let failures = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      let completed = 0;
      const pause = (label: string): Promise<void> =>
        scheduler.schedule(Promise.resolve(), label).then(() => void completed++);
      let failedAt: number | undefined;
      const run = buggy(pause).catch(() => (failedAt ??= completed));
      await scheduler.waitIdle();
      await Promise.race([run, Promise.resolve()]);
      await new Promise((resolve) => setImmediate(resolve));
      if (failedAt === undefined) return;
      failures++;
      shortest = Math.min(shortest ?? Infinity, failedAt);
    }),
    { numRuns: 1000, seed: 1 },
  );
  const { user, system } = process.cpuUsage(before);
  return { shortest, failures, seconds: (user + system) / 1e6 };
}
