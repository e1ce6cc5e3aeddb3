/** What is always to stay reachable: the first state from which it is not, with and without a root before the start states. */
import { expect, test } from "vitest";
import { alwaysReachable } from "../../../src/engines/explicit/index.js";
import { toyModel, type Toy } from "./toys.js";

/** A chain 0, 1, 2; the goal is one of its states. */
const chain = (goal: number, hasRoot: boolean): Toy => ({
  initial: [0],
  hasRoot,
  next: ([n = 0]) => (n < 2 ? [{ to: [n + 1] }] : []),
  isValidEnd: () => true,
  invariants: [([n = 0]) => n === goal],
  kinds: ["agef"],
});

const stuckAt = async (goal: number, hasRoot: boolean, maxDepth = Infinity) => {
  const { paths, stop } = await alwaysReachable(toyModel(chain(goal, hasRoot)), [0], { maxDepth }, {});
  return [paths[0]?.map(([state]) => state), stop];
};

test("the last state can reach nothing, so that only it may be the goal", async () => {
  expect(await stuckAt(2, false)).toEqual([undefined, undefined]);
  expect(await stuckAt(1, false)).toEqual([[0, 1, 2], undefined]);
  expect(await stuckAt(9, false)).toEqual([[0], undefined]);
});

test("a root is no state, and is never told", async () => {
  expect(await stuckAt(9, true)).toEqual([[0, 1], undefined]);
});

test("a search that was cut off says nothing", async () => {
  expect(await stuckAt(1, false, 1)).toEqual([undefined, "depth"]);
  expect(await stuckAt(2, false, 2)).toEqual([undefined, "depth"]);
  expect(await stuckAt(2, false, 3)).toEqual([undefined, undefined]);
});
