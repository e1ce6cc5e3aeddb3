/** Budgets share words without interference. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { StateWords } from "../../../src/code/system/state-words.js";

test("what is counted is counted apart, and stays off the other parts", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(5), fc.constantFrom(0, 1.5, 1000, 2 ** 20, 2 ** 31 - 1)), { maxLength: 9 }),
      fc.boolean(),
      fc.array(fc.nat(8)),
      (limits, mayFallApart, uses) => {
        const layout = new StateWords(3, limits, mayFallApart);
        const words = new Int32Array(layout.width);
        words.fill(7, 0, mayFallApart ? 5 : 4);
        const before = words.slice();
        const used = limits.map(() => 0);
        for (const budget of uses) {
          if (!(layout.used(words, 0, budget) < limits[budget]!)) continue;
          layout.use(words, budget, 1);
          used[budget]!++;
        }
        expect(limits.map((_, budget) => layout.used(words, 0, budget))).toEqual(used);
        const fixed = mayFallApart ? 5 : 4;
        expect(words.slice(0, fixed)).toEqual(before.slice(0, fixed));
      },
    ),
  );
});

test("four nodes with seven budgets of which three are used take six words", () => {
  expect(new StateWords(4, [0, 0, 0, 0, 1, 3, 2], false).width).toBe(6);
  expect(new StateWords(4, [0, 0], false).width).toBe(5);
  expect(new StateWords(4, [0, 1], true).width).toBe(7);
  expect(new StateWords(1, [2 ** 30, 2 ** 30], false).width).toBe(4);
});

test("counters are as narrow as their limits, and as many to a word as fit", () => {
  // One node and the network come first.
  const widthOf = (limits: readonly number[]): number => new StateWords(1, limits, false).width;
  expect(widthOf([])).toBe(2);
  expect(widthOf([0, -1, 0])).toBe(2);
  expect(widthOf(Array.from({ length: 31 }, () => 1))).toBe(3);
  expect(widthOf(Array.from({ length: 32 }, () => 1))).toBe(4);
  expect(widthOf([2 ** 30 - 1, 1])).toBe(3);
  expect(widthOf([2 ** 30, 1])).toBe(4);
});

test("a budget that allows nothing is used up, and cannot be used", () => {
  const words = new StateWords(1, [0, 2], false);
  const state = new Int32Array(words.width);
  words.use(state, 0, 0);
  expect(() => words.use(state, 0, 1)).toThrow("allows nothing");
  expect([words.used(state, 0, 0), ...state]).toEqual([0, 0, 0, 0]);
});
