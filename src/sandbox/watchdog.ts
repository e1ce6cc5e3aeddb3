/**
 * Ends this process when the one that started it is gone, however that ended, and whatever this one does: a thread of its own looks, so code that
 * never gives the main thread back does not stay behind. Signals and the closing of the channel are events, which wait for the main thread.
 */
import { Worker } from "node:worker_threads";

/** `parent`: its number, as it gave it. */
export function endWith(parent: number): void {
  new Worker(program, {
    eval: true,
    workerData: { parent, everyMs: EVERY_MS },
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
  }).unref();
}

const EVERY_MS = 250;

/** A process whose parent is gone gets another; where it does not (Windows), nobody has the number any more. */
const program = `
  const { workerData: { parent, everyMs } } = require("node:worker_threads");
  const isGone = () => {
    if (process.ppid !== parent) return true;
    try {
      process.kill(parent, 0);
      return false;
    } catch (error) {
      return error.code === "ESRCH";
    }
  };
  setInterval(() => {
    if (isGone()) process.kill(process.pid, "SIGKILL");
  }, everyMs);
`;
