import { expect, test } from "vitest";
import { MissingValue, nth, entryOf, known, lastOf } from "../../src/model/known.js";

test("reads values that exist, falsy ones and null included", () => {
  expect(nth([0, 1], 0)).toBe(0);
  expect(nth([null], 0)).toBe(null);
  expect(nth(Int32Array.of(7), 0)).toBe(7);
  expect(nth("ab", 1)).toBe("b");
  expect(lastOf([1, 2])).toBe(2);
  expect(entryOf(new Map([["a", ""]]), "a")).toBe("");
  expect(known(false, "it")).toBe(false);
});

test("throws instead of returning undefined", () => {
  for (const index of [-1, 2, 0.5, Number.NaN]) expect(() => nth([1, 2], index)).toThrow(MissingValue);
  expect(() => nth([undefined, 1], 0)).toThrow("no element 0 in a list of 2");
  expect(() => lastOf([])).toThrow("no element -1 in a list of 0");
  expect(() => entryOf(new Map<string, number>(), "a")).toThrow("no entry for a");
  expect(() => known(undefined, "the trace")).toThrow("the trace is missing");
});
