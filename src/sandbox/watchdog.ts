/**
 * Ends this process when its parent dies: a separate thread polls, so that code that blocks the main thread does not stay behind.
 * Signals and the closing of the channel are events, which wait for the main thread.
 */
import { Worker } from "node:worker_threads";

/** `parent`: its process id. */
export function endWith(parent: number): void {
  new Worker(program, {
    eval: true,
    workerData: { parent, everyMs: EVERY_MS },
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
  }).unref();
}

const EVERY_MS = 250;

/** An orphan gets another parent; on Windows, which keeps the id, no process has it any more. */
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
