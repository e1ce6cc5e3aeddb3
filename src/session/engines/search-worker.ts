/**
 * Threads of a parallel search.
 *
 * This module is both sides: imported, it starts threads; as a thread's program, it serves requests. It refers to itself by
 * `import.meta.url`, wherever a bundler puts it. Import it dynamically, so that bundlers emit a separate file.
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

/** Starts threads for a later search; `dismiss` ends the unused ones. */
export function startEarly(count: number): { dismiss(): Promise<void> } {
  const started = Array.from({ length: count }, newThread);
  for (const thread of started) thread.unref(); // they must not keep the process alive
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
    // Search loops allocate nothing, and first touches of memory are slow.
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });

if (!isMainThread && workerData === ROLE) serveSearch(parentPort!, makeModel);
