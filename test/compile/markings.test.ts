/** Conditions on markings: relations, sums, connectives, and sums beyond floating-point precision. */
import { expect, test } from "vitest";
import { markingJudge } from "../../src/compile/markings.js";
import { MOST_TOKENS, type MarkingCondition, type MarkingRelation } from "../../src/model/index.js";

const compare = (
  relation: MarkingRelation,
  constant: number,
  ...terms: readonly (readonly [number, number])[]
): MarkingCondition => ({ kind: "compare", terms, constant, relation });

/** The marking lies behind a word of another state. */
const holds = (condition: MarkingCondition, ...marking: number[]): boolean =>
  markingJudge(condition)(Int32Array.from([7, ...marking]), 1);

test.each([
  [">=", [false, true, true]],
  ["<=", [true, true, false]],
  [">", [false, false, true]],
  ["<", [true, false, false]],
  ["==", [false, true, false]],
  ["!=", [true, false, true]],
] as const)("p %s 2", (relation, expected) => {
  const condition = compare(relation, -2, [0, 1]);
  expect([1, 2, 3].map((count) => holds(condition, count))).toEqual(expected);
  // The same by big integers.
  const large = compare(relation, -2 * MOST_TOKENS, [0, MOST_TOKENS], [1, MOST_TOKENS]);
  expect([1, 2, 3].map((count) => holds(large, count, 0))).toEqual(expected);
});

test("sums of places with factors", () => {
  const condition = compare("==", -7, [0, 2], [1, -1]);
  expect([holds(condition, 4, 1), holds(condition, 4, 0), holds(condition, 3, 1)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("sums that a floating-point number rounds", () => {
  const terms = [
    [0, MOST_TOKENS],
    [1, MOST_TOKENS],
    [2, 1],
  ] as const;
  // MOST_TOKENS ** 2 is beyond 2 ** 53: one more is lost in the sum of numbers.
  const isMore = compare(">", 0, [0, MOST_TOKENS], [1, -MOST_TOKENS], [2, 1]);
  expect([0, 1].map((last) => holds(isMore, MOST_TOKENS, MOST_TOKENS, last))).toEqual([false, true]);
  expect(holds(compare("==", 0, ...terms), 0, 0, 0)).toBe(true);
  const isLess = compare("<", 0, [2, -1], [0, MOST_TOKENS], [1, -MOST_TOKENS]);
  expect([0, 1].map((last) => holds(isLess, MOST_TOKENS, MOST_TOKENS, last))).toEqual([false, true]);
  const rounded = compare(">", -MOST_TOKENS, [0, MOST_TOKENS], [2, 1]);
  expect([0, 1].map((last) => holds(rounded, 1, 0, last))).toEqual([false, true]);
});

test("connectives", () => {
  const [p, q] = [compare(">=", -1, [0, 1]), compare(">=", -1, [1, 1])];
  const all = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ] as const;
  const table = (condition: MarkingCondition): boolean[] =>
    all.map((marking) => holds(condition, ...marking));
  expect(table({ kind: "and", left: p, right: q })).toEqual([false, false, false, true]);
  expect(table({ kind: "or", left: p, right: q })).toEqual([false, true, true, true]);
  expect(table({ kind: "not", operand: p })).toEqual([true, true, false, false]);
  expect([true, false].map((value) => holds({ kind: "constant", value }, 0))).toEqual([true, false]);
});
