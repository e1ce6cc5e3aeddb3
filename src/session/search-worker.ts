/**
 * The threads of a parallel search.
 *
 * This module is both sides of it: imported, it starts threads; run as a thread by itself, it answers. It refers
 * to itself by its own address, so that it is found wherever a bundler puts it. It must be imported dynamically, which
 * makes it a file of its own there.
 */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { serveSearch, type WorkerSource } from "../engines/explicit/index.js";
import { makeModel } from "./make-model.js";

const ROLE = "everypath search worker";

export const searchWorkers = (count: number): WorkerSource => ({
  count,
  make: makeModel,
  start: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
});

if (!isMainThread && workerData === ROLE) serveSearch(parentPort!, makeModel);
