/** Searches with the delta store: no state is lost and no two are taken for one; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { search } from "../../../src/engines/explicit/index.js";
import { storeReport } from "../../../src/engines/explicit/stores/report.js";
import { PLAIN } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, type Toy } from "../explicit/toys.js";
import { statesOfOneHash } from "./collisions.js";
import type { DeltaBackend } from "../../../src/engines/explicit/stores/delta-backend.js";
import type { PartialStore } from "../../../src/engines/explicit/stores/partial-store.js";
import { keepsEveryState } from "./every-state.js";

keepsEveryState("every third level", { store: { kind: "delta", distance: 3 } });

/** States of two hashes, by their last word: comparisons are decided by words. */
const statesOf = (width: number): readonly (readonly number[])[] =>
  statesOfOneHash(90).map((words, i) =>
    Array.from({ length: width }, (_, k) => words[k] ?? (k === width - 1 ? i & 1 : k)),
  );

const twoHashes = (width: number): Toy => {
  const states = statesOf(width);
  return {
    initial: states[0]!,
    width,
    next: ([n = 0]) => [n + 1, n + 7, (3 * n) % 90].filter((i) => i < 90).map((i) => ({ to: states[i]! })),
    isValidEnd: () => true,
  };
};

describe.each(["bfs", "dfs", "random"] as const)("%s", (order) => {
  test.each([2, 3, 65])("%i words, of few hashes", async (width) => {
    const toy = twoHashes(width);
    const { states, transitions } = obviousSearch(toy);
    for (const [distance, forgets] of [
      [1, false],
      [3, false],
      [3, true],
      [20, true],
    ] as const) {
      const store = { kind: "delta", distance, forgets } as const;
      const found = await search(toyModel(toy), { ...PLAIN, order, store });
      expect([found.stop, found.stats.states, found.stats.transitions]).toEqual([
        undefined,
        states,
        transitions,
      ]);
      // The store finds by itself the entries of the loops.
      const { backend } = found.store as PartialStore<DeltaBackend>;
      const ids = statesOf(width).map((words) => backend.store.find(Int32Array.from(words), 0));
      expect(ids.filter((id) => id > 0).length).toBe(states);
    }
  });
});

test("depth-first, ways get shorter, and nothing is undone that was met lately", async () => {
  const next: Toy["next"] = ([n = 0]) =>
    [(3 * n) % 90, n + 1, n + 3].filter((i) => i < 90).map((i) => ({ to: [i, 5] }));
  const figuresOf = async (distance: number, forgets: boolean): Promise<readonly number[]> => {
    const model = toyModel({ initial: [1, 5], next, isValidEnd: () => true });
    const store = { kind: "delta", distance, forgets } as const;
    const found = await search(model, { ...PLAIN, order: "dfs", store });
    const { backend } = found.store as PartialStore<DeltaBackend>;
    const { explicit, delta, linksWalked, longestChain, predecessorUpdates } = backend.store.figures();
    return [explicit, delta, linksWalked, longestChain, predecessorUpdates];
  };
  expect([await figuresOf(3, false), await figuresOf(3, true)]).toEqual([
    [30, 60, 0, 0, 9],
    [30, 60, 178, 2, 9],
  ]);
  expect([await figuresOf(20, false), await figuresOf(20, true)]).toEqual([
    [7, 83, 0, 0, 28],
    [7, 83, 738, 18, 28],
  ]);
});

test("a state and its predecessor may be on different pages", async () => {
  // A page has 65536 states; the last two lead back to some whose predecessors are on both pages.
  const states = 65_600;
  const next: Toy["next"] = ([n = 0]) =>
    n < states ? [{ to: [n + 1] }] : [65_535, 65_536, 65_537, 65_538].map((i) => ({ to: [i] }));
  const store = { kind: "delta", distance: 4, forgets: true } as const;
  const { stop, stats } = await search(toyModel({ initial: [1], next }), { ...PLAIN, order: "dfs", store });
  expect([stop, stats.states, stats.transitions]).toEqual([undefined, states, states + 3]);
});

test("each difference is kept once, also behind the words that are looked at one by one", async () => {
  const width = 26;
  const next: Toy["next"] = (state) =>
    [0, 20, 24, 25].map((k) => ({
      to: Array.from({ length: width }, (_, i) => (state[i] ?? 0) ^ (i === k ? 1 << k : 0)),
    }));
  const store = { kind: "delta", distance: 5 } as const;
  const model = toyModel({ initial: [0], width, next });
  const found = await search(model, { ...PLAIN, order: "dfs", store });
  const { backend } = found.store as PartialStore<DeltaBackend>;
  expect([found.stats.states, backend.store.links.largest(0)]).toEqual([16, 4]);
});

test("what a store that could not be had has omitted is not told", async () => {
  const found = await search(toyModel(twoHashes(3)), { ...PLAIN, order: "bfs", store: "flat" });
  const compact = { kind: "compact", cells: 100, width: 32, hash: "murmur", seed: 1 } as const;
  expect(storeReport(compact, found)).toMatchObject({ kind: "compact", omissions: null, delta: null });
});
