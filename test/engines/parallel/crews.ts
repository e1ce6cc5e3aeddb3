/** Threads for tests: `thread.ts`, bundled from the sources as they are now. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { Crew, type WorkerSource } from "../../../src/engines/explicit/parallel/crew.js";
import { searchInParallel } from "../../../src/engines/explicit/parallel/search.js";
import { USUAL_SIZES, type Sizes } from "../../../src/engines/explicit/parallel/protocol.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import type { Model } from "../../../src/model/index.js";
import { inRepository } from "../../repository.js";
import { make } from "./made-models.js";

/** Sizes with which even a small search comes to all borders. */
export const SMALL_SIZES: Sizes = {
  chunkStates: 16,
  blockIds: 4,
  firstTable: 16,
  firstNodes: 8,
  nodeBlock: 2,
  narrow: 2,
};

export interface Threads {
  source(count: number): WorkerSource;
  search(model: Model, options: SearchOptions, using?: Using): Promise<SearchResult & { model: Model }>;
}

export interface Using {
  readonly workers?: number;
  readonly sizes?: Sizes;
}

export function useThreads(): Threads {
  const cache = inRepository("node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "everypath-threads-"));
  const file = join(directory, "thread.mjs");
  beforeAll(() =>
    build({
      entryPoints: [inRepository("test/engines/parallel/thread.ts")],
      outfile: file,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
    }),
  );
  const source = (count: number): WorkerSource => ({ count, make, start: () => new Worker(file) });
  // Threads are slow to start: tests share them, a crew for each number.
  const crews = new Map<number, Crew>();
  afterAll(async () => {
    for (const crew of crews.values()) await crew.dismiss();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    source,
    async search(model, options, { workers = 2, sizes = USUAL_SIZES } = {}) {
      if (!crews.has(workers)) crews.set(workers, new Crew(source(workers)));
      const found = await searchInParallel(model, options, source(workers), crews.get(workers)!, { sizes });
      if (!found) throw new Error("the search was left to one thread");
      return { ...found.result, model: found.model };
    },
  };
}
