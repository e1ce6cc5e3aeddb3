/** Depth-first: everything on the stack is visited, over its chunks and while states get wider; quick, for mutation testing. */
import { expect, test } from "vitest";
import { search, type StoreKind } from "../../../src/engines/explicit/search.js";
import { PLAIN } from "./checking.js";
import { obviousSearch } from "./obvious.js";
import { toyModel, type Toy, type ToyStep } from "./toys.js";

const STORES: readonly StoreKind[] = ["flat", "tree", { kind: "delta", distance: 5 }];

async function expectWhole(toy: Toy): Promise<void> {
  const { states, transitions } = obviousSearch(toy);
  for (const store of STORES) {
    const { stop, stats } = await search(toyModel(toy), { ...PLAIN, order: "dfs", store });
    expect([stop, stats.states, stats.transitions]).toEqual([undefined, states, transitions]);
  }
}

const to = (...states: (readonly number[])[]): ToyStep[] => states.map((state) => ({ to: state }));

// A chunk has 4096 siblings.
test.each([4095, 4096, 4097, 4098, 8300])("%i successors, of which some make states wider", (count) =>
  expectWhole({
    initial: [9999],
    next: ([n = 0, a = 0, b = 0]) => {
      if (n === 9999) return Array.from({ length: count }, (_, i) => ({ to: [i + 1] }));
      if (a !== 0 || b !== 0) return b === 0 ? to([n, 0, 2], [n]) : [];
      return n % 1000 === 3 ? to([n, 1], [n + 1]) : [];
    },
    isValidEnd: () => true,
  }),
);

// A chunk has 16384 levels.
test("a path longer than a chunk of the stack, with something left behind on the way", () =>
  expectWhole({
    initial: [1],
    next: ([n = 0]) => {
      if (n > 17_000 || n < 0) return [];
      return n % 1000 === 0 ? to([n + 1], [-n], [-n - 1]) : to([n + 1]);
    },
    isValidEnd: () => true,
  }));

test("states get wider deep in the stack, and those on it are what they were", () =>
  expectWhole({
    initial: [1],
    next: ([n = 0, ...rest]) => {
      if (rest.length > 0) return n < 60 ? to([n + 1, ...rest], [n]) : [];
      if (n >= 40) return n === 40 ? to([41], [n, 7], [n, 7, 8]) : [];
      return to([n + 1], [n + 100 * (n % 3)], [n + 2]);
    },
    isValidEnd: () => true,
  }));

test("a limit on depth is kept, and what lies behind it is not held to be absent", async () => {
  const line: Toy = { initial: [0], next: ([n = 0]) => (n < 9 ? to([n + 1]) : []), isValidEnd: () => true };
  const within = async (maxDepth: number) => {
    const { stop, stats } = await search(toyModel(line), { ...PLAIN, order: "dfs", budget: { maxDepth } });
    return [stop, stats.states, stats.depth];
  };
  expect([await within(4), await within(9), await within(10)]).toEqual([
    ["depth", 5, 4],
    ["depth", 10, 9],
    [undefined, 10, 9],
  ]);
});
