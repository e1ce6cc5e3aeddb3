/** Equal texts mean equal data. */
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { copyOfData, dataText } from "../../src/model/data-text.js";

const same = (a: unknown, b: unknown): boolean => dataText(a, "ignored") === dataText(b, "ignored");

describe("data as text", () => {
  test.each([
    ["a value with a class", new (class A {})()],
    ["a Date", new Date(0)],
    ["a value with a class", { [Symbol.iterator]: 1 }],
  ])("there is none of %s", (what, value) => {
    expect(() => dataText(value, "seen")).toThrow(`${what} cannot be compared`);
  });

  test("objects that say they are something else have none", () => {
    expect(() =>
      dataText(
        {
          get [Symbol.toStringTag]() {
            return "Other";
          },
        },
        "seen",
      ),
    ).toThrow("Other");
    const inherited = Object.assign(Object.create({ [Symbol.toStringTag]: "Other" }) as object, { a: 1 });
    expect(() => dataText(inherited, "seen")).toThrow("cannot be compared");
    const dated = Object.setPrototypeOf(new Date(0), Object.prototype) as object;
    expect(() => dataText(dated, "seen")).toThrow("a Date cannot be compared");
    const bare = Object.create(null, { [Symbol.toStringTag]: { value: "Other" } }) as object;
    expect(() => dataText(bare, "seen")).toThrow("Other cannot be compared");
  });

  test.each([
    [NaN, null],
    [-0, 0],
    [Infinity, null],
    [1, 1n],
    [1n, 2n],
    [1, "1"],
    [undefined, null],
    [undefined, "undefined"],
    [[undefined], [null]],
    [
      [1, 2],
      [2, 1],
    ],
    [["a,b"], ["a", "b"]],
    [{ a: 1 }, { a: 2 }],
    [{}, []],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [new Map(), {}],
    [new Set([1]), new Set([2])],
    [new Set([1]), [1]],
  ])("%o is not %o", (a, b) => {
    expect(same(a, b)).toBe(false);
  });

  test.each([
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [{ a: undefined }, {}],
    [
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
      new Map([
        ["b", 2],
        ["a", 1],
      ]),
    ],
    [runInNewContext("({ a: [new Map([[1, 2]])] })") as unknown, { a: [new Map([[1, 2]])] }],
    [Object.create(null) as unknown, {}],
  ])("%o is %o", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  test("keeps the order of keys and entries where it is seen", () => {
    const texts = [{ a: 1, b: 2 }, { b: 2, a: 1 }, new Set([1, 2]), new Set([2, 1])].map((value) =>
      dataText(value, "seen"),
    );
    expect(new Set(texts).size).toBe(4);
  });

  test.each([
    [new Date(0)],
    [new Error("a")],
    [/a/],
    [() => 1],
    [Symbol("a")],
    [
      new (class Point {
        x = 1;
      })(),
    ],
    [{ [Symbol("a")]: 1 }],
    [{ [Symbol.toStringTag]: "Thing" }],
    [new Uint8Array(1)],
    [{ inside: [new Date(0)] }],
  ])("%o is none", (value) => {
    expect(() => dataText(value, "ignored")).toThrow("cannot be compared");
  });

  test("a copy is not changed by what is done with the original", () => {
    const original = { list: [1], map: new Map([["a", [1]]]), set: new Set([1]), date: new Date(0) };
    const copy = copyOfData(original);
    original.list.push(2);
    original.map.get("a")!.push(2);
    original.set.add(2);
    expect(copy).toEqual({ list: [1], map: new Map([["a", [1]]]), set: new Set([1]), date: original.date });
    expect(copy.date).toBe(original.date);
  });
});
