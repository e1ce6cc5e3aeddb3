/** The parallel search against the obvious one and against the search by one thread. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Crew } from "../../../src/engines/explicit/parallel/crew.js";
import { searchInParallel } from "../../../src/engines/explicit/parallel/search.js";
import { search } from "../../../src/engines/explicit/search.js";
import { obviousSearch } from "../explicit/obvious.js";
import { SMALL_SIZES, useThreads } from "./crews.js";
import { randomGraph } from "./graphs.js";
import type { GraphNode } from "../explicit/toys.js";
import { ALL_ERRORS, NO_ERRORS, modelOf, toyOf } from "./made-models.js";
import { compareOnRandomPrograms, expectFound, figures, promela } from "./results.js";

const threads = useThreads();

describe("random graphs", () => {
  for (const workers of [1, 2, 3])
    test(`${workers} workers find what the obvious search finds`, () =>
      fc.assert(
        fc.asyncProperty(randomGraph(), async (nodes) => {
          const expected = obviousSearch(toyOf({ kind: "graph", nodes }));
          const model = modelOf({ kind: "graph", nodes });
          const result = await threads.search(model, ALL_ERRORS, { workers, sizes: SMALL_SIZES });
          expectFound(result, expected);
        }),
        { numRuns: 100 },
      ));
});

describe("random programs", () => {
  test("two workers find what one thread finds", { timeout: 240_000 }, async () => {
    const compared = await compareOnRandomPrograms(threads, ALL_ERRORS, 60, 20_000);
    expect(compared).toBeGreaterThan(30);
  });

  test("a value that needs more room, and processes that come and go, begin the search again", async () => {
    const model = promela(`
      byte n; int far;
      proctype child(byte level) { byte own = level; do :: own > 0 -> own--; n = own :: else -> break od }
      init { byte i; do :: i < 4 -> run child(i * 3); i++ :: i >= 4 -> break od; d_step { far = 70000; far = 0 }; n = 0 }
    `)!; // its value inside a d_step is in no visible state
    const options = { ...NO_ERRORS, checksSite: model.sites.map(() => true) };
    const one = await search(model, options);
    const seen = model.compact!((index) => one.store.numbered(index + 1, one.store.width), 20);
    const two = await threads.search(seen, options, { sizes: SMALL_SIZES });
    expect(figures(two)).toEqual(figures(one));
    expect(two.model).not.toBe(seen);
  });
});

describe("budgets", () => {
  const model = modelOf({ kind: "counters", n: 4, limit: 10 });

  test("so many states and no more", async () => {
    const budget = { maxStates: 5_003 };
    const { stop, stats, store } = await threads.search(model, { ...NO_ERRORS, budget });
    expect([stop, stats.states, store.count]).toEqual(["states", 5_003, 5_003]);
  });

  test("depth", async () => {
    const one = await search(model, { ...NO_ERRORS, budget: { maxDepth: 7 } });
    const two = await threads.search(model, { ...NO_ERRORS, budget: { maxDepth: 7 } });
    expect([two.stop, ...figures(two)]).toEqual(["depth", ...figures(one)]);
  });

  test("memory", async () => {
    const budget = { memoryBytes: 100_000 };
    const { stop, stats } = await threads.search(model, { ...NO_ERRORS, budget }, { sizes: SMALL_SIZES });
    expect(stop).toBe("memory");
    expect(stats.peakBytes).toBeLessThanOrEqual(100_000);
    expect(stats.states).toBeGreaterThan(1_000);
  });

  test("time, and Ctrl-C", async () => {
    const large = modelOf({ kind: "counters", n: 6, limit: 30 });
    const time = await threads.search(large, { ...NO_ERRORS, budget: { timeMs: 200 } });
    expect(time.stop).toBe("time");
    let looks = 0;
    const control = { isStopped: () => ++looks > 5, onProgress: () => {} };
    const stopped = await threads.search(large, { ...NO_ERRORS, control });
    expect(stopped.stop).toBe("interrupted");
    expect(stopped.stats.states).toBe(stopped.store.count);
  });

  test("so many errors", async () => {
    const nodes = chainWithErrors(50);
    const result = await threads.search(modelOf({ kind: "graph", nodes }), { ...ALL_ERRORS, maxErrors: 3 });
    expect(result.stop).toBe("errors");
    expect(result.violations.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(3);
  });
});

describe("a worker that breaks", () => {
  for (const how of ["throw", "exit"] as const)
    test(`by ${how} ends the search with an error`, async () => {
      const source = threads.source(2);
      const crew = new Crew(source);
      const model = modelOf({ kind: "failing", sum: 9, how });
      try {
        await expect(
          searchInParallel(model, NO_ERRORS, source, crew, { sizes: SMALL_SIZES }),
        ).rejects.toThrow(how === "throw" ? "broken on purpose" : "ended with code 7");
      } finally {
        await crew.dismiss();
      }
    });
});

const chainWithErrors = (length: number): GraphNode[] =>
  Array.from({ length }, (_, i) => ({
    edges: [{ to: (i + 1) % length, fault: null, isDead: false }],
    isIntermediate: false,
    isValidEnd: true,
    words: [1],
    isGood: false,
  }));
