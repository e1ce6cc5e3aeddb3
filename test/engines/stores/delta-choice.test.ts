/** When the delta store exchanges links for shorter ways; quick, for mutation testing. */
import { expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { createStore } from "../../../src/engines/explicit/stores/choice.js";
import { DeltaBackend } from "../../../src/engines/explicit/stores/delta-backend.js";
import { Successors } from "../../../src/model/index.js";
import { toyModel } from "../explicit/toys.js";

test("links are exchanged depth-first, where no words are hidden, unless that is not wanted", () => {
  const updates = (order: "bfs" | "dfs", compareFrom: number, updatesPredecessors?: boolean): boolean => {
    const { system } = toyModel({ initial: [0, 0], compareFrom, next: () => [] });
    const choice = {
      kind: "delta",
      distance: 3,
      ...(updatesPredecessors === undefined ? {} : { updatesPredecessors }),
    } as const;
    const how = { order, maxStates: Infinity, offered: () => new Successors(2) };
    const { backend } = createStore(choice, system, how, new Ledger())!;
    if (!(backend instanceof DeltaBackend)) throw new Error("it is another store");
    return backend.store.options.updatesPredecessors;
  };
  expect([updates("dfs", 0), updates("dfs", 1), updates("bfs", 0), updates("bfs", 1)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([updates("dfs", 0, false), updates("dfs", 0, true), updates("dfs", 1, true)]).toEqual([
    false,
    true,
    false,
  ]);
});
