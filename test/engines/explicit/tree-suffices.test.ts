/** Automatic choice stops at the first store that has room for all states. */
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/engines/explicit/index.js";
import { check } from "./checking.js";
import type { Toy } from "./toys.js";

test("an exact answer from a tree is not exchanged for a probable one", async () => {
  const width = 32;
  const toy: Toy = {
    width,
    initial: Array<number>(width).fill(1),
    next: (state) =>
      [0, width - 1].map((k) => ({ to: state.map((value, i) => (i === k ? 1 + (value % 70) : value)) })),
  };
  const result = await check(toy, {
    budget: { memoryBytes: 1 << 20 },
    storeSettings: { ...DEFAULT_SETTINGS, tableBytes: 1 << 14 },
    takesProbable: true,
  });
  expect([result.stop, result.isComplete, result.store.kind]).toEqual([undefined, true, "tree"]);
});
