/**
 * AG EF: the first state from which the goal is unreachable, with and without a root before the start states. And states from
 * which nothing is reachable at all.
 */
import { expect, test } from "vitest";
import { alwaysReachable } from "../../../src/engines/explicit/index.js";
import type { Budget, Control, Model, Successors, Words } from "../../../src/model/index.js";
import { checkModel, verdictOn } from "./checking.js";
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
  expect(await stuckAt(2, false, 1)).toEqual([undefined, "depth"]);
  expect(await stuckAt(2, false, 2)).toEqual([undefined, "depth"]);
  expect(await stuckAt(2, false, 3)).toEqual([undefined, undefined]);
});

test("a search that was stopped from outside says nothing", async () => {
  const endless: Toy = {
    initial: [0],
    next: ([n = 0]) => [{ to: [n + 1] }],
    invariants: [([n = 0]) => n === 5],
    kinds: ["agef"],
  };
  const end = async (budget: Budget, control: Control) => {
    const { paths, stop } = await alwaysReachable(toyModel(endless), [0], budget, control);
    return [paths, stop];
  };
  expect(await end({}, { isStopped: () => true })).toEqual([[], "interrupted"]);
  expect(await end({ timeMs: 1 }, {})).toEqual([[], "time"]);
  expect(await end({ maxStates: 100 }, {})).toEqual([[], "states"]);
  expect(await end({ memoryBytes: 1 << 14 }, {})).toEqual([[], "memory"]);
});

test.each(["bfs", "dfs", "random", "guided"] as const)(
  "%s: a state with a way on is not stuck",
  async (order) => {
    const going = toyModel({
      initial: [0],
      next: ([n = 0]) => (n === 0 ? [{ to: [1], intermediate: true }] : n === 1 ? [{ to: [2] }] : []),
      isValidEnd: ([n = 0]) => n === 2,
    });
    expect(verdictOn(await checkModel(going, { order }), "deadlock").kind).toBe("holds");
  },
);

test.each(["bfs", "dfs", "random", "guided"] as const)(
  "%s: a state that only makes states wider is stuck",
  async (order) => {
    const model = toyModel({ initial: [0], next: ([n = 0]) => (n === 0 ? [{ to: [1] }] : []) });
    let { width } = model.system;
    const system: Model["system"] = Object.defineProperties(Object.create(model.system) as Model["system"], {
      width: { get: () => width },
      successors: {
        value: (state: Words, at: number, out: Successors) => {
          if (state[at] === 1) out.widen((width = 2));
          else {
            out.words.set([1], 0);
            out.flags[out.count++] = 0;
          }
        },
      },
      status: { value: () => 0 },
    });
    const steps = {
      ...model.steps,
      width: 2,
      successors: system.successors,
      status: () => 0,
      compareFrom: 0,
      initial: model.steps.initial,
    };
    const result = await checkModel({ ...model, system, steps }, { order });
    expect(verdictOn(result, "deadlock").kind).toBe("violated");
  },
);
