/** Assertions inside realms accept and reject the same values as the originals. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { vendoredEquality } from "../../scripts/vendor-equality.mjs";
import { AssertionError, default as inside } from "../../src/code/builtins/assert.js";
import { expect as insideExpect } from "../../src/code/collect/expect.js";
import { inRepository } from "../repository.js";
import { compareAssertions } from "./compare-assertions.js";

test("equality is that of the installed Vitest", async () => {
  expect(readFileSync(inRepository("src/code/collect/vitest-equality.ts"), "utf8")).toBe(
    await vendoredEquality(),
  );
});

test("on random pairs of values", async () => {
  process.on("unhandledRejection", ignore);
  let [accepted, refused] = [0, 0];
  // The last two seeds: a rejection with a promise, and `toThrow(null)` of a function that throws nothing.
  for (const seed of [...Array.from({ length: 60 }, (_, i) => i + 1), 18560, 18985])
    for (const { name, accepts, isSame } of await compareAssertions(seed)) {
      expect(isSame, `seed ${seed}: ${name}`).toBe(true);
      if (accepts) accepted++;
      else refused++;
    }
  process.off("unhandledRejection", ignore);
  expect(Math.min(accepted, refused)).toBeGreaterThan(500);
});

const ignore = (): void => undefined;

const thrower = (value: unknown) => (): never => {
  throw value;
};

test.each<[string, () => unknown]>([
  ["throws of a text", () => inside.throws(thrower("s"), new Error("abc"))],
  ["match of a number", () => inside.match(1 as never, /1/)],
  ["errors with another code", () => inside.deepEqual(coded("A"), coded("B"))],
  ["aggregate errors", () => inside.deepStrictEqual(new AggregateError([1]), new AggregateError([2]))],
  ["a legacy comparison with another key", () => inside.deepEqual({ a: undefined }, {})],
  ["resolves of a number", () => insideExpect(1)["resolves"]],
  [
    "nested objectContaining",
    () =>
      (insideExpect({ a: { b: 1, c: 2 } })["toEqual"] as (value: unknown) => void)(
        insideExpect.objectContaining({ a: insideExpect.objectContaining({ b: 2 }) }),
      ),
  ],
])("%s is refused", (_, run) => {
  expect(run).toThrow();
});

test("legacy equality is the loose one", () => {
  inside.deepEqual({ a: "1" }, { a: 1 });
  expect(() => inside.strict.deepEqual({ a: "1" }, { a: 1 })).toThrow(AssertionError);
});

const coded = (code: string): Error => Object.assign(new Error("x"), { code });
