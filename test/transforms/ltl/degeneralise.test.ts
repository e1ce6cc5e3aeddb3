/** Waiting for conditions in turn, edge by edge. */
import { expect, test } from "vitest";
import { advance } from "../../../src/transforms/ltl/degeneralise.js";

test.each<[order: readonly number[], level: number, marks: number, next: number, isAccepting: boolean]>([
  [[], 0, 0b000, 0, true],
  [[0, 1, 2], 0, 0b000, 0, false],
  [[0, 1, 2], 0, 0b001, 1, false],
  [[0, 1, 2], 0, 0b010, 0, false],
  [[0, 1, 2], 0, 0b011, 2, false],
  [[0, 1, 2], 0, 0b111, 0, true],
  [[0, 1, 2], 1, 0b010, 2, false],
  [[0, 1, 2], 1, 0b110, 0, true],
  [[0, 1, 2], 1, 0b111, 1, true],
  [[0, 1, 2], 2, 0b011, 2, false],
  [[0, 1, 2], 2, 0b100, 0, true],
  [[0, 1, 2], 2, 0b101, 1, true],
  [[0, 1, 2], 2, 0b111, 2, true],
  [[1, 0], 0, 0b01, 0, false],
  [[1, 0], 0, 0b10, 1, false],
])(
  "in the order %j from level %j, marks %j lead to level %j, accepting %j",
  (order, level, marks, next, is) => {
    expect(advance(level, marks, order)).toEqual({ level: next, isAccepting: is });
  },
);
