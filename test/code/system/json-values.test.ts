/** Values that JSON would change are located: a message is copied by JSON, and the copy must equal the original. */
import { expect, test } from "vitest";
import { nonJsonIn } from "../../../src/code/system/json-values.js";

const cyclic: Record<string, unknown> = {};
cyclic["o"] = { back: cyclic };
const shared = {};

test.each<[string, unknown, string | undefined]>([
  ["data", { a: [1, "x", null, true], b: { c: 0.5 }, d: undefined }, undefined],
  ["an instance of a class", new (class { a = 1; })(), undefined],
  ["what has words of its own", { toJSON: () => 1, f: () => 1 }, undefined],
  ["what has no words", { toJSON: () => undefined }, "nothing"],
  ["one object at two places", [shared, shared], undefined],
  ["nothing", undefined, "undefined"],
  ["nothing in a list", [1, undefined], "undefined at [1]"],
  ["a hole", new Array(1), "undefined at [0]"],
  ["no number", { v: NaN }, "NaN at .v"],
  ["no end", [{ v: -Infinity }], "-Infinity at [0].v"],
  ["a negative zero", -0, "-0"],
  ["a large integer", { v: 1n }, "a bigint at .v"],
  ["a function", { v: () => 1 }, "a function at .v"],
  ["a symbol", Symbol("x"), "a symbol"],
  ["a map", { a: 1, v: new Map() }, "a Map at .v"],
  ["a date", new Date(0), "a Date"],
  ["bytes", new Uint8Array(1), "a Uint8Array"],
  ["an error", new Error("x"), "a Error"],
  ["a key that is a symbol", { [Symbol("x")]: 1 }, "a key that is a symbol"],
  ["a cycle", cyclic, "a cycle at .o.back"],
])("%s", (_name, value, expected) => {
  expect(nonJsonIn(value)).toBe(expected);
}); // prettier-ignore
