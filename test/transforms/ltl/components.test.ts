/** Strongly connected components of graphs of a few states. */
import { expect, test } from "vitest";
import { componentsOf } from "../../../src/transforms/ltl/components.js";

const components = (...targets: readonly number[][]): number[] => [
  ...componentsOf({ initial: 0, states: targets.map((list) => list.map((to) => ({ to }))) }),
];

test("a cycle is one component, however long", () => {
  expect(components([0])).toEqual([0]);
  expect(components([1], [2], [0])).toEqual([0, 0, 0]);
  expect(components([1], [2], [3], [1])).toEqual([1, 0, 0, 0]);
  expect(components([1], [2, 0], [3], [1])).toEqual([0, 0, 0, 0]);
});

test("what leads to a component, but not back, is none of it", () => {
  expect(components([1, 2], [], [1])).toEqual([2, 0, 1]);
  expect(components([1, 2], [1], [3], [2, 1])).toEqual([2, 0, 1, 1]);
});

test("what is not reached has no component", () => {
  expect(components([0], [0, 2], [1])).toEqual([0, -1, -1]);
});
