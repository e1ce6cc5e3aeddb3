/**
 * The threads of a parallel search.
 *
 * This module is both sides of it: imported, it starts threads; run as a thread by itself, it answers. It refers
 * to itself by its own address, so that it is found wherever a bundler puts it. It must be imported dynamically, which
 * makes it a file of its own there.
 */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { serveSearch, type WorkerSource } from "../engines/explicit/index.js";
import type { MakeModel } from "../model/index.js";

const make: MakeModel = async (recipe, width) => {
  const { COMPILER, compileRecipe } = await import("../compile/index.js");
  if (recipe.maker !== COMPILER) throw new Error(`nobody here makes models by '${recipe.maker}'`);
  return compileRecipe(recipe, width);
};

const ROLE = "everypath search worker";

export const searchWorkers = (count: number): WorkerSource => ({
  count,
  make,
  start: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
});

if (!isMainThread && workerData === ROLE) serveSearch(parentPort!, make);
