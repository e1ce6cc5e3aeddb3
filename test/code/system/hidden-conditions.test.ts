/** Hidden state that no property reaches: the fastest cases of `hidden-state.test.ts`, for `npm run mutate`. */
import { expect, test } from "vitest";
import { late } from "./hidden.js";
import { checkText, propertyOf } from "./small.js";

/** Verdicts of the two properties. */
const verdictsOf = async (text: string): Promise<string[]> => {
  const report = await checkText(text, { maxErrors: Infinity });
  return ["one", "zero"].map((name) => propertyOf(report, name).verdict);
};
const soon = (text: string): string => text.replaceAll("400", "1").replaceAll("401", "2");

test.each([
  ["the target of a weak reference", "", "this.kept = new WeakRef({ value });", "this.kept.deref().value"],
  [
    "a weak map whose key is one of the language's own",
    "const held = new WeakMap<object, number>();",
    "held.set(Array.prototype, value);",
    "held.get(Array.prototype)",
  ],
  [
    "a weak map whose key is a symbol",
    "const held = new WeakMap<any, number>();",
    "held.set(Symbol.iterator, value);",
    "held.get(Symbol.iterator)",
  ],
  [
    "a weak map whose key is the node",
    "const held = new WeakMap<object, number>();",
    "held.set(this, value);",
    "held.get(this)",
  ],
])("is captured: %s", async (_name, declarations, leave, read) =>
  expect(await verdictsOf(late(declarations, leave, read))).toEqual(["violated", "violated"]),
);

test("is captured: what a timer holds that has not gone off", async () =>
  expect(
    await verdictsOf(soon(late("", "setTimeout(() => { this.kept = value; }, 1);", "this.kept"))),
  ).toEqual(["violated", "violated"]));

test("never leads to `holds`: the last match of an expression", async () => {
  const text = late("", "/(\\d)/.exec(String(value));", "Number(RegExp.$1)");
  for (const verdict of await verdictsOf(text)) expect(verdict).toMatch(/violated|unknown/);
});

test("never leads to `holds`: a changed object of the language", async () => {
  const text = soon(late("", "(Array.prototype as any).late = value;", "(Array.prototype as any).late"));
  for (const verdict of await verdictsOf(text)) expect(verdict).toMatch(/violated|unknown/);
});

test("a match of the same step may be asked for", async () =>
  expect(await verdictsOf(late("", "", "(/(\\d)/.exec('1'), Number(RegExp.$1))"))).toEqual([
    "violated",
    "holds",
  ]));

test("a node without any is captured, not replayed", async () => {
  const { diagnostics } = await checkText(late("", "this.kept = value;", "this.kept"));
  expect(diagnostics).toEqual([]);
});
