/** The tree store keeps every state; it is used where states can be taken to pieces. */
import { expect, test } from "vitest";
import { search } from "../../../src/engines/explicit/index.js";
import { TreeStore } from "../../../src/engines/explicit/tree-store.js";
import { PLAIN, counters } from "../explicit/checking.js";
import { toyModel } from "../explicit/toys.js";
import { keepsEveryState } from "./every-state.js";

keepsEveryState("tree", { store: "tree", storeSizes: { chunkBits: 5 } });

test("a tree is used where it was asked for, and for states whose every word tells them apart", async () => {
  const isUsed = async (store: "flat" | "tree", compareFrom: number) => {
    const model = toyModel({ ...counters(2, 3), compareFrom });
    return (await search(model, { ...PLAIN, order: "bfs", store })).store instanceof TreeStore;
  };
  expect([await isUsed("tree", 0), await isUsed("tree", 1), await isUsed("flat", 0)]).toEqual([
    true,
    false,
    false,
  ]);
});
