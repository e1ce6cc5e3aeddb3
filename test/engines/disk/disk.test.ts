/** The search on disk against the obvious one: undisturbed, broken off at any point and resumed, with other memory. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Folder } from "../../../src/engines/explicit/disk/folder.js";
import { searchOnDisk, type DiskSizes } from "../../../src/engines/explicit/disk/search.js";
import type { SearchOptions, SearchResult } from "../../../src/engines/explicit/search.js";
import type { Model } from "../../../src/model/index.js";
import { obviousSearch } from "../explicit/obvious.js";
import { randomGraph } from "../parallel/graphs.js";
import { ALL_ERRORS, NO_ERRORS, makeToy, recipeOf, toyOf, type MadeModel } from "../parallel/made-models.js";
import { expectFound, figures } from "../parallel/results.js";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "everypath-disk-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("random graphs: the same as the obvious search, and every trace replays", () =>
  fc.assert(
    fc.asyncProperty(randomGraph(), randomSizes(), async (nodes, sizes) => {
      const data: MadeModel = { kind: "graph", nodes };
      const result = await inFolder((directory) => searchIn(directory, false, data, ALL_ERRORS, sizes));
      expectFound(result, obviousSearch(toyOf(data)));
    }),
    { numRuns: 50 },
  ));

test("broken off again and again, then resumed with other sizes", () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        randomGraph().map((nodes): MadeModel => ({ kind: "graph", nodes })),
        fc.constant<MadeModel>({ kind: "counters", n: 3, limit: 5 }),
      ),
      fc.array(fc.tuple(randomSizes(), fc.integer({ min: 1, max: 100 })), { maxLength: 6 }),
      randomSizes(),
      async (data, attempts, sizes) => {
        const options = data.kind === "graph" ? ALL_ERRORS : NO_ERRORS;
        const result = await inFolder(async (directory) => {
          let isBegun = false;
          for (const [attempt, calls] of attempts) {
            const broken = searchIn(directory, isBegun, data, options, attempt, calls);
            const end = await broken.catch((error: unknown) => String(error));
            if (typeof end === "string") expect(end).toContain("broken off");
            isBegun = true;
          }
          return searchIn(directory, isBegun, data, options, sizes);
        });
        expectFound(result, obviousSearch(toyOf(data)));
      },
    ),
    { numRuns: 50 },
  ));

test("thousands of states in many runs, few of them in memory", async () => {
  const data: MadeModel = { kind: "counters", n: 4, limit: 9 };
  const sizes = { checkpointMs: 0, residentStates: 300, recentStates: 150 };
  const result = await inFolder(async (directory) => {
    const found = await searchIn(directory, false, data, NO_ERRORS, sizes);
    const { checkpoint } = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")) as {
      checkpoint: { states: number; resident: number; runs: unknown[]; isComplete: boolean };
    };
    expect(checkpoint.isComplete).toBe(true);
    expect(checkpoint.states).toBe(9 ** 4);
    expect(checkpoint.runs.length).toBeGreaterThan(1);
    return found;
  });
  expect(figures(result)).toEqual([9 ** 4, 4 * 9 ** 4, 32]);
});

test("a search that is over says the same again, and one with enough errors too", async () => {
  const data: MadeModel = { kind: "counters", n: 3, limit: 8 };
  const directory = join(root, "twice");
  const first = await searchIn(directory, false, data, NO_ERRORS, { checkpointMs: 0 });
  const second = await searchIn(directory, true, data, NO_ERRORS, { checkpointMs: 0 }, 1);
  expect([second.stop, ...figures(second)]).toEqual([first.stop, ...figures(first)]);
});

test("a spent budget leaves a search that goes on", async () => {
  const data: MadeModel = { kind: "counters", n: 4, limit: 8 };
  const sizes = { checkpointMs: 1e9, residentStates: 100, recentStates: 100 };
  const directory = join(root, "budgets");
  for (const [index, budget] of [{ maxStates: 50 }, { maxStates: 900 }, { maxDepth: 12 }].entries()) {
    const { stop } = await searchIn(directory, index > 0, data, { ...NO_ERRORS, budget }, sizes);
    expect(stop).toBe("maxDepth" in budget ? "depth" : "states");
  }
  const stopped = { isStopped: () => true };
  const interrupted = await searchIn(directory, true, data, { ...NO_ERRORS, control: stopped }, sizes);
  expect(interrupted.stop).toBe("interrupted");
  const last = await searchIn(directory, true, data, NO_ERRORS, sizes);
  expect([last.stop, ...figures(last)]).toEqual([undefined, 8 ** 4, 4 * 8 ** 4, 28]);
});

/** Searches in the folder; after a number of expansions an error ends it, as a kill would. */
async function searchIn(
  directory: string,
  resumes: boolean,
  data: MadeModel,
  options: SearchOptions,
  sizes: DiskSizes,
  calls = Infinity,
): Promise<SearchResult & { readonly model: Model }> {
  const folder = new Folder({ directory, resumes, identity: "test", isDurable: false });
  try {
    const model = makeToy(recipeOf(data), folder.manifest.checkpoint?.width ?? 0);
    const { system } = model;
    const { successors } = system;
    let left = calls;
    system.successors = (state, at, out) => {
      if (left-- <= 0) throw new Error("broken off");
      successors.call(system, state, at, out);
    };
    return { ...(await searchOnDisk(model, options, folder, sizes)), model };
  } finally {
    folder.release();
  }
}

async function inFolder<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(root, "search-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const randomSizes = (): fc.Arbitrary<DiskSizes> =>
  fc.record({
    checkpointMs: fc.constantFrom(0, 1e9),
    residentStates: fc.integer({ min: 1, max: 20 }),
    recentStates: fc.integer({ min: 1, max: 10 }),
  });
