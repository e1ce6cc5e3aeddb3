/** Stores in a check: a lossy one never holds, errors are real, `auto` selects a store. */
import { describe, expect, test } from "vitest";
import { check, checkJson, overallVerdict } from "../../src/index.js";
import type { CheckOptions } from "../../src/session/index.js";

/** Two counters up to 29: some thousand states, with an optional error in one of them. */
const counters = (bad = "false"): string => `
byte x, y;
active proctype X() { do :: x < 29 -> x++ :: else -> break od }
active proctype Y() { do :: y < 29 -> y++ :: else -> break od }
active proctype M() { end: assert(!(${bad})) }
`;

/** Each store accepts only its own settings. */
const AMPLE = {
  delta: {},
  compact: { tableBytes: 1e6 },
  bitstate: { tableBytes: 1e6, hashFunctions: 20 },
};

/** Unreduced: every step of two independent counters can be postponed. */
const run = (text: string, options: CheckOptions = {}) =>
  check({ file: "counters.pml", text }, { isPlain: true, ...options });

describe.each(["bfs", "dfs"] as const)("%s", (search) => {
  test("delta gives the answer and the figures of the exact store", async () => {
    const exact = await run(counters(), { search, store: "exact" });
    for (const deltaDistance of [1, 5, 50]) {
      const delta = await run(counters(), { search, store: "delta", storeRequest: { deltaDistance } });
      expect(overallVerdict(delta)).toBe("holds");
      expect([delta.stats.states, delta.stats.transitions]).toEqual([
        exact.stats.states,
        exact.stats.transitions,
      ]);
      expect(delta.runs[0]!.store!.delta!["longestChain"]).toBeLessThan(deltaDistance);
    }
    expect(exact.stats.states).toBeGreaterThan(5000);
  });

  test.each(["compact", "bitstate"] as const)(
    "%s is unknown with its figures, never holds",
    async (store) => {
      const exact = await run(counters(), { search, store: "exact" });
      const lossy = await run(counters(), { search, store, storeRequest: AMPLE[store] });
      const json = checkJson(lossy);
      expect(json.verdict).toBe("unknown");
      expect(json.scope.kind).toBe("probabilistic");
      expect(json.stats.states).toBe(exact.stats.states);
      expect(json.runs[0]!.store!.omissions!.probability).toBeLessThan(1e-3);
      expect(json.runs[0]!.store!.omissions!.recommendation).toMatch(/--store \w+ --expect-states/);
      expect(json.accepted).toBeNull();
      expect(json.unreached).toBeNull();
      const accepted = await run(counters(), {
        search,
        store,
        accept: "probabilistic",
        storeRequest: AMPLE[store],
      });
      expect([overallVerdict(accepted), accepted.accepted]).toEqual(["unknown", "probabilistic"]);
    },
  );

  test.each(["delta", "compact", "bitstate"] as const)("%s finds the error and its trace", async (store) => {
    const exact = await run(counters("x == 17 && y == 11"), { search, store: "exact" });
    const found = await run(counters("x == 17 && y == 11"), { search, store, storeRequest: AMPLE[store] });
    expect(overallVerdict(found)).toBe("violated"); // the trace was replayed, or the check would have thrown
    const steps = (report: typeof found) => report.properties.find((p) => p.trace)!.trace!.length;
    if (search === "bfs") expect(steps(found)).toBe(steps(exact));
  });

  test("a full table stops the search", async () => {
    const report = await run(counters(), { search, store: "compact", storeRequest: { tableBytes: 20_000 } });
    expect(report.scope.kind).toBe("partial");
    expect(report.properties[0]!.reason).toMatch(/table of the store is full/);
  });

  test("another seed loses other states", async () => {
    const lost = [1, 2, 3, 4].map(async (seed) => {
      const request = { search, store: "bitstate", seed, storeRequest: { tableBytes: 4000 } } as const;
      return (await run(counters(), request)).stats.states;
    });
    expect(new Set(await Promise.all(lost)).size).toBeGreaterThan(1);
  });

  test("memory that runs out anywhere ends in an answer", async () => {
    for (let memoryBytes = 2000; memoryBytes < 1e6; memoryBytes *= 2.3)
      for (const store of ["delta", "compact", "bitstate"] as const) {
        const report = await run(counters(), { search, store, budget: { memoryBytes } });
        expect(["unknown", "holds"]).toContain(overallVerdict(report));
      }
  });
});

describe("auto", () => {
  test("is exact while the memory lasts", async () =>
    expect((await run(counters())).runs[0]!.store!.kind).toBe("exact"));

  test("without leave to be probable it stays unknown, and says what would help", async () => {
    const report = await run(counters(), { budget: { memoryBytes: 60_000 } });
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.properties[0]!.advice).toMatch(/--accept probabilistic/);
  });

  test("auto says so when a lossy store does not leave enough for a deep stack", async () => {
    const chain = "int x; active proctype P() { do :: x < 60000 -> x++ :: else -> break od }";
    const report = await run(chain, {
      search: "dfs",
      accept: "probabilistic",
      budget: { memoryBytes: 500_000 },
    });
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.runs[0]!.store!.kind).not.toBe("bitstate");
    expect(report.runs[0]!.store!.reason).toMatch(/a lossy store left no memory .* after \d+ states/);
  });

  test("with it, it goes on with lossy stores, multiplies their probabilities, and says so", async () => {
    const report = await run(counters(), {
      budget: { memoryBytes: 130_000 },
      accept: "probabilistic",
      storeRequest: { tableBytes: 40_000 },
    });
    const { store } = report.runs[0]!;
    expect(store!.reason).toMatch(/did not fit into the memory/);
    expect(store!.omissions!.runs).toBeGreaterThan(1);
    expect(store!.omissions!.probability).toBeLessThan(1e-3);
    expect([overallVerdict(report), report.accepted]).toEqual(["unknown", "probabilistic"]);
  });
});
