/** The chunks of the depth-first stack by themselves: made, dropped and laid out again; quick, for mutation testing. */
import { expect, test } from "vitest";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { SearchStack } from "../../../src/engines/explicit/stack.js";

// A chunk has 16384 levels, or 4096 siblings.
const LEVELS = 1 << 14;
const SIBLINGS = 1 << 12;

const stackOf = (budget = Infinity): { readonly stack: SearchStack; readonly ledger: Ledger } => {
  const ledger = new Ledger(budget);
  return { stack: new SearchStack(1, 2, ledger), ledger };
};

const bytesOf = ({ frames, siblings }: SearchStack): number =>
  [...frames, ...siblings].reduce((sum, { byteLength }) => sum + byteLength, 0);

test("there is room for one more level and so many siblings, in as many chunks as that takes", () => {
  const { stack, ledger } = stackOf();
  const rooms = (siblings: number): readonly (number | boolean)[] => [
    stack.reserve(siblings),
    stack.frames.length,
    stack.frameRoom,
    stack.siblings.length,
    stack.siblingRoom,
  ];
  expect(rooms(0)).toEqual([true, 1, LEVELS, 0, 0]);
  expect(rooms(SIBLINGS)).toEqual([true, 1, LEVELS, 1, SIBLINGS]);
  expect(rooms(SIBLINGS + 1)).toEqual([true, 1, LEVELS, 2, 2 * SIBLINGS]);
  stack.pending = 2 * SIBLINGS - 5;
  expect(rooms(5)).toEqual([true, 1, LEVELS, 2, 2 * SIBLINGS]);
  expect(rooms(6)).toEqual([true, 1, LEVELS, 3, 3 * SIBLINGS]);
  stack.height = LEVELS - 1;
  expect(rooms(0)).toEqual([true, 1, LEVELS, 3, 3 * SIBLINGS]);
  stack.height = LEVELS;
  expect(rooms(0)).toEqual([true, 2, 2 * LEVELS, 3, 3 * SIBLINGS]);
  expect(ledger.bytes).toBe(bytesOf(stack));
});

test("without memory there is no room", () => {
  expect(stackOf(8 * LEVELS - 1).stack.reserve(0)).toBe(false);
  expect(stackOf(8 * LEVELS).stack.reserve(0)).toBe(true);
  expect(stackOf(8 * LEVELS).stack.reserve(1)).toBe(false);
});

test("the chunk on top gets wider, those above it are dropped, those below stay", () => {
  const { stack, ledger } = stackOf();
  stack.reserve(3 * SIBLINGS);
  expect(stack.isUniform).toBe(true);
  stack.pending = SIBLINGS + 2;
  const [below, top] = stack.siblings;
  top!.set([1, 2, 3, 4, 5, 6]);
  expect(stack.widen(3, "none")).toBe(true);
  expect([stack.strides, stack.siblingRoom, stack.isUniform]).toEqual([[2, 3], 2 * SIBLINGS, false]);
  expect(stack.siblings[0]).toBe(below);
  expect([...stack.siblings[1]!.subarray(0, 7)]).toEqual([1, 2, 0, 3, 4, 0, 0]);
  const wide = stack.siblings[1];
  expect(stack.widenTop()).toBe(true);
  expect(stack.siblings[1]).toBe(wide);
  stack.pending = SIBLINGS;
  expect(stack.widenTop()).toBe(true);
  expect([stack.strides, stack.siblingRoom, stack.isUniform]).toEqual([[3], SIBLINGS, true]);
  expect(ledger.bytes).toBe(bytesOf(stack));
});

test("a stack on which nothing waits gets wider, and one for which there is no memory does not", () => {
  const { stack } = stackOf();
  expect([stack.widen(3, "none"), stack.isUniform]).toEqual([true, true]);
  const { stack: tight } = stackOf(8 * LEVELS + 8 * SIBLINGS);
  expect([tight.reserve(1), tight.widen(3, "none")]).toEqual([true, false]);
});

test("whatever refers to a state is renewed, once, unless there is no memory for one of them", () => {
  const { stack } = stackOf();
  stack.reserve(SIBLINGS + 2);
  for (const ref of [7, 8, 9]) stack.push([ref]);
  stack.pending = SIBLINGS + 1;
  const seen: string[] = [];
  const most = (count: number) => (words: Int32Array, at: number) => {
    const chunk = stack.siblings.indexOf(words);
    return seen.push(`${chunk < 0 ? "frame" : chunk} ${at}`) <= count;
  };
  expect(stack.widen(2, most(Infinity))).toBe(true);
  expect(seen.slice(0, 4)).toEqual(["frame 0", "frame 2", "frame 4", "0 0"]);
  expect([seen.length, seen.at(-2), seen.at(-1)]).toEqual([SIBLINGS + 4, "0 8190", "1 0"]);
  for (const count of [0, 2, 3, SIBLINGS + 3]) {
    seen.length = 0;
    expect([stack.widen(2, most(count)), seen.length]).toEqual([false, count + 1]);
  }
});
