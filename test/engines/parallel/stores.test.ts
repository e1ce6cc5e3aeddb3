/** Tree and compacted stores by several threads: against the obvious search, and against one thread with the same store. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search, type SearchOptions, type StoreKind } from "../../../src/engines/explicit/search.js";
import type { SharedStore } from "../../../src/engines/explicit/parallel/shared-store.js";
import type { CompactChoice } from "../../../src/engines/explicit/stores/choice.js";
import { storeReport } from "../../../src/engines/explicit/stores/report.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { obviousSearch } from "../explicit/obvious.js";
import type { GraphNode } from "../explicit/toys.js";
import { SMALL_SIZES, useThreads } from "./crews.js";
import { randomGraph } from "./graphs.js";
import { ALL_ERRORS, NO_ERRORS, modelOf, toyOf } from "./made-models.js";
import { compareOnRandomPrograms, expectFound, nameOf, stepsTo } from "./results.js";

const threads = useThreads();

const compact = (width: number, cells = 5_000): CompactChoice => ({
  kind: "compact",
  cells,
  width,
  hash: "murmur",
  seed: 1,
});

const KINDS: readonly (readonly [string, StoreKind])[] = [
  ["tree", "tree"],
  ["compact", compact(64)],
];

const options = (store: StoreKind, more: Partial<SearchOptions> = {}): SearchOptions => ({
  ...ALL_ERRORS,
  store,
  ...more,
});
const quiet = (store: StoreKind, more: Partial<SearchOptions> = {}): SearchOptions => ({
  ...NO_ERRORS,
  store,
  ...more,
});

for (const [name, store] of KINDS)
  describe(name, () => {
    for (const workers of [2, 3])
      test(`random graphs: ${workers} workers find what the obvious search finds`, () =>
        fc.assert(
          fc.asyncProperty(randomGraph(), async (nodes) => {
            const expected = obviousSearch(toyOf({ kind: "graph", nodes }));
            const model = modelOf({ kind: "graph", nodes });
            const result = await threads.search(model, options(store), { workers, sizes: SMALL_SIZES });
            expectFound(result, expected);
          }),
          { numRuns: 60 },
        ));

    test("random programs: two workers find what one thread finds", { timeout: 240_000 }, async () => {
      const compared = await compareOnRandomPrograms(threads, options(store), 30, 4_000);
      expect(compared).toBeGreaterThan(12);
    });

    test("so many states and no more; Ctrl-C", async () => {
      const large = options(store, { ...quiet(store), store: store === "tree" ? store : compact(64, 1e6) });
      const model = modelOf({ kind: "counters", n: 4, limit: 10 });
      const limited = await threads.search(model, { ...large, budget: { maxStates: 5_003 } });
      expect([limited.stop, limited.stats.states, limited.store.count]).toEqual(["states", 5_003, 5_003]);
      let looks = 0;
      const stopped = await threads.search(modelOf({ kind: "counters", n: 6, limit: 30 }), {
        ...large,
        control: { isStopped: () => ++looks > 5 },
      });
      expect(stopped.stop).toBe("interrupted");
      expect(stopped.stats.states).toBe(stopped.store.count);
    });
  });

describe("the shared tree", () => {
  const word = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
  const lists = fc
    .integer({ min: 1, max: 9 })
    .chain((width) =>
      fc.array(fc.array(word, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 80 }),
    );

  test("has what a set has, and gives every state back, when two threads fill it", () =>
    fc.assert(
      fc.asyncProperty(lists, async (states) => {
        const result = await threads.search(modelOf({ kind: "list", states }), quiet("tree"), {
          sizes: { ...SMALL_SIZES, narrow: 1 },
        });
        const reached = new Set(states.map(String));
        expect(result.stats.states).toBe(reached.size);
        expect(new Set(allOf(result.store as SharedStore).map(String))).toEqual(reached);
      }),
      { numRuns: 100 },
    ));

  test("stays within its memory", async () => {
    const memoryBytes = 100_000;
    const { stop, stats } = await threads.search(
      modelOf({ kind: "counters", n: 4, limit: 10 }),
      quiet("tree", { budget: { memoryBytes } }),
      { sizes: SMALL_SIZES },
    );
    expect(stop).toBe("memory");
    expect(stats.peakBytes).toBeLessThanOrEqual(memoryBytes);
    expect(stats.states).toBeGreaterThan(1_000);
  });
});

describe("shared compaction", () => {
  test("a full table is said to be full", async () => {
    const model = modelOf({ kind: "counters", n: 4, limit: 6 });
    for (const width of [1, 4, 5, 64]) {
      const { stop, stats } = await threads.search(model, quiet(compact(width, 997)), { sizes: SMALL_SIZES });
      // With few signatures most states are taken for others long before.
      expect(stop).toBe(width === 64 ? "full" : stop);
      if (stop === "full") expect(stats.states).toBe(997);
      else expect(stats.states).toBeLessThanOrEqual(997);
    }
  });

  test("omissions are told as with one thread", async () => {
    const model = modelOf({ kind: "counters", n: 4, limit: 8 });
    const [narrow, wide] = [compact(16, 9_000), compact(64, 9_000)];
    const two = await threads.search(model, quiet(wide), { sizes: SMALL_SIZES });
    const one = await search(model, quiet(wide));
    const [ours, theirs] = [storeReport(wide, two).omissions!, storeReport(wide, one).omissions!];
    expect(ours.probability).toBeCloseTo(theirs.probability, 12);
    expect(ours.missedState).toBeCloseTo(theirs.missedState!, 12);
    expect(ours).toMatchObject({ estimatedStates: 8 ** 4, reliability: theirs.reliability });
    const lossy = storeReport(narrow, await threads.search(model, quiet(narrow), { sizes: SMALL_SIZES }));
    const known = storeReport(narrow, await search(model, quiet(narrow)));
    expect(lossy.omissions!.probability).toBeCloseTo(known.omissions!.probability, 2);
  });

  test("the queue's memory is used again, and the way to an error is found all the same", async () => {
    const model = modelOf({ kind: "graph", nodes: chain(3_000) });
    const {
      violations,
      stats,
      model: searched,
    } = await threads.search(model, options(compact(64)), {
      sizes: SMALL_SIZES,
    });
    expect(violations.map(stepsTo)).toEqual([2_999]);
    traceTo(violations[0]!, searched);
    // Parents and positions take 5 bytes per state, the table 8 per cell; the states would take 24 each.
    expect(stats.peakBytes).toBeLessThan(5_000 * 8 + 3_000 * 8);
  });

  test("a state with hundreds of successors", async () => {
    const model = modelOf({ kind: "graph", nodes: fan(400) });
    const { violations, model: searched } = await threads.search(model, options(compact(64)));
    expect(violations.map(nameOf)).toEqual(["i0"]);
    expect([...violations[0]!.path.state(1)].slice(0, 1)).toEqual([390]);
    traceTo(violations[0]!, searched);
  });
});

function allOf(store: SharedStore): number[][] {
  const unused = new Set<number>();
  for (let i = 0; i < store.returned.length; i += 2)
    for (let id = store.returned[i]!; id < store.returned[i + 1]!; id++) unused.add(id);
  const states: number[][] = [];
  for (let id = 1; id < store.freshIds; id++) if (!unused.has(id)) states.push([...store.numbered(id)]);
  return states;
}

const node = (to: readonly number[], isGood: boolean): GraphNode => ({
  edges: to.map((target) => ({ to: target, fault: null, isDead: false })),
  isIntermediate: false,
  isValidEnd: true,
  words: [1, 2, 3, 4, 5],
  isGood,
});

/** One after the other; the last one breaks the invariant. */
const chain = (length: number): GraphNode[] =>
  Array.from({ length }, (_, i) => node(i + 1 < length ? [i + 1] : [], i + 1 < length));

/** All from the first; the last but nine breaks the invariant. */
const fan = (width: number): GraphNode[] => [
  node(
    Array.from({ length: width - 1 }, (_, i) => i + 1),
    true,
  ),
  ...Array.from({ length: width - 1 }, (_, i) => node([0], i + 1 !== width - 10)),
];
