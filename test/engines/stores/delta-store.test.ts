/** Searches with the delta store: no state is lost and no two are taken for one; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { search } from "../../../src/engines/explicit/index.js";
import { storeReport } from "../../../src/engines/explicit/stores/report.js";
import { PLAIN } from "../explicit/checking.js";
import { obviousSearch } from "../explicit/obvious.js";
import { toyModel, type Toy } from "../explicit/toys.js";
import { statesOfOneHash } from "./collisions.js";
import { keepsEveryState } from "./every-state.js";

keepsEveryState("every third level", { store: { kind: "delta", distance: 3 } });

/** States of two hashes, by their last word: comparisons are decided by words. */
const twoHashes = (width: number): Toy => {
  const states = statesOfOneHash(90).map((words, i) =>
    Array.from({ length: width }, (_, k) => words[k] ?? (k === width - 1 ? i & 1 : k)),
  );
  return {
    initial: states[0]!,
    width,
    next: ([n = 0]) => [n + 1, n + 7, (3 * n) % 90].filter((i) => i < 90).map((i) => ({ to: states[i]! })),
    isValidEnd: () => true,
  };
};

describe.each(["bfs", "dfs", "random"] as const)("%s", (order) => {
  test.each([2, 3, 25])("%i words, of few hashes", async (width) => {
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
    }
  });
});

test("what a store that could not be had has omitted is not told", async () => {
  const found = await search(toyModel(twoHashes(3)), { ...PLAIN, order: "bfs", store: "flat" });
  const compact = { kind: "compact", cells: 100, width: 32, hash: "murmur", seed: 1 } as const;
  expect(storeReport(compact, found)).toMatchObject({ kind: "compact", omissions: null, delta: null });
});
