/**
 * The threads of a parallel search.
 *
 * This module is both sides of it: imported, it starts threads; run as a thread by itself, it answers. It refers
 * to itself by its own address, so that it is found wherever a bundler puts it. It must be imported dynamically, which
 * makes it a file of its own there.
 */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { serveSearch, type WorkerSource } from "../../engines/explicit/index.js";
import { makeModel } from "./make-model.js";

const ROLE = "everypath search worker";

export const searchWorkers = (count: number): WorkerSource => ({
  count,
  make: makeModel,
  start: () => takeThread(),
});

/** Starts threads for a search to come; those that no search has taken are to be dismissed. */
export function startEarly(count: number): { dismiss(): Promise<void> } {
  const started = Array.from({ length: count }, newThread);
  for (const thread of started) thread.unref(); // nobody waits for them to end
  waiting.push(...started);
  return {
    async dismiss() {
      const unused = started.filter((thread) => waiting.includes(thread));
      waiting = waiting.filter((thread) => !unused.includes(thread));
      await Promise.all(unused.map((thread) => thread.terminate()));
    },
  };
}

let waiting: Worker[] = [];

function takeThread(): Worker {
  const thread = waiting.shift() ?? newThread();
  thread.ref();
  return thread;
}

const newThread = (): Worker =>
  new Worker(new URL(import.meta.url), {
    workerData: ROLE,
    // A search allocates nothing in its loops, and memory that is touched for the first time is slow.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });

if (!isMainThread && workerData === ROLE) serveSearch(parentPort!, makeModel);
