/** State that no property reaches is captured, or the check has no verdict, even at first use after many steps. */
import { describe, expect, test } from "vitest";
import { late } from "./hidden.js";
import { checkText, propertyOf } from "./small.js";

const captured: Record<string, [declarations: string, leave: string, read: string]> = {
  "the target of a weak reference": ["", "this.kept = new WeakRef({ value });", "this.kept.deref().value"],
  "the target of a weak reference without a prototype": [
    "const { deref } = WeakRef.prototype;",
    "this.kept = Object.setPrototypeOf(new WeakRef({ value }), null);",
    "deref.call(this.kept).value",
  ],
  "a weak map whose key is one of the language's own": [
    "const held = new WeakMap<object, number>();",
    "held.set(Array.prototype, value);",
    "held.get(Array.prototype)",
  ],
  "a weak set with a function of the language": [
    "const held = new WeakSet<object>();",
    "if (value === 1) held.add(Math.max);",
    "Number(held.has(Math.max))",
  ],
  "a weak map whose key is a symbol": [
    "const held = new WeakMap<any, number>();",
    "held.set(Symbol.iterator, value);",
    "held.get(Symbol.iterator)",
  ],
  "symbols that are named like those of the language": [
    'const [a, b] = [Symbol("Symbol.x"), Symbol("Symbol.x")];',
    "this.kept = value === 1 ? a : b;",
    "Number(this.kept === a)",
  ],
  "a global name": ["", "(globalThis as any).late = value;", "(globalThis as any).late"],
};

const refused: Record<string, [declarations: string, leave: string, read: string]> = {
  "the last match of an expression": ["", "/(\\d)/.exec(String(value));", "Number(RegExp.$1)"],
  "the text of the last match": ["", "/\\d/.exec(String(value));", 'Number((RegExp as any)["$&"])'],
  "a weak map whose key only code holds": [
    "const held = new WeakMap<object, number>(); const same = (s: TemplateStringsArray) => s; const site = () => same`x`;",
    "held.set(site(), value);",
    "held.get(site())",
  ],
  "a changed object of the language": [
    "",
    "(Array.prototype as any).late = value;",
    "(Array.prototype as any).late",
  ],
  "a closure": ["", "this.kept = () => value;", "this.kept()"],
  "a generator": ["", "this.kept = (function* () { yield value; })();", "this.kept.next().value"],
  "an iterator in progress": ["", "this.kept = [value][Symbol.iterator]();", "this.kept.next().value"],
  "a bound function": ["", "this.kept = Number.bind(null, value);", "this.kept()"],
};

describe("hidden state that first shows after 400 steps", () => {
  test.each(Object.keys(captured))("is captured: %s", async (name) => {
    const report = await checkText(late(...captured[name]!), { maxErrors: Infinity });
    for (const value of ["one", "zero"]) expect(propertyOf(report, value).verdict).toBe("violated");
  });

  // Objects of the language are compared after every step.
  const expectNoAnswer = async (name: string): Promise<void> => {
    const report = await checkText(late(...refused[name]!), { maxErrors: Infinity });
    for (const value of ["one", "zero"])
      expect(propertyOf(report, value).verdict).toMatch(/violated|unknown/);
  };
  test.each(Object.keys(refused))("never leads to `holds`: %s", expectNoAnswer, 240_000);
});

test("what a timer holds that has not gone off is told apart", async () => {
  const text = late("", "setTimeout(() => { this.kept = value; }, 1);", "this.kept");
  const report = await checkText(text.replaceAll("400", "1").replaceAll("401", "2"), { maxErrors: Infinity });
  for (const value of ["one", "zero"]) expect(propertyOf(report, value).verdict).toBe("violated");
});

test("a match of the same step may be asked for", async () => {
  const report = await checkText(late("", "", "(/(\\d)/.exec('1'), Number(RegExp.$1))"));
  expect(propertyOf(report, "one").verdict).toBe("violated");
});
