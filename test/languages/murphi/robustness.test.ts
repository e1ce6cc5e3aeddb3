/** The front end answers any input with diagnostics: it neither throws nor hangs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { run } from "./bad.js";
import { fixtures } from "./fixtures.js";

const texts = fixtures().map(({ text }) => text);
const words = [...new Set(texts.flatMap((text) => text.match(/\w+|[^\s\w]+/g) ?? []))];

describe("the front end survives", () => {
  test("models with words taken out, put in and swapped", () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom("", ...words)), { minLength: 1, maxLength: 4 }),
        (text, edits) => {
          const parts = text.split(/(\b)/);
          for (const [at, word] of edits) parts[at % parts.length] = word;
          expect(run(parts.join(""), "m.m").diagnostics).toBeDefined();
        },
      ),
      { numRuns: 400, seed: 1 },
    ));

  test("models that end early", () => {
    for (const text of texts)
      for (let end = 0; end < text.length; end += 97)
        expect(run(text.slice(0, end), "m.m").diagnostics).toBeDefined();
  });

  test("a thousand parentheses, and a sum of ten thousand terms", () => {
    const rule = (guard: string): string =>
      `var x: 0..1; startstate x := 0; end; rule ${guard} ==> x := 1; end;`;
    const codes = (text: string): string[] => run(text, "m.m").diagnostics.map(({ code }) => code);
    expect(codes(rule(`${"(".repeat(1000)}true${")".repeat(1000)}`))).toEqual(["murphi/nesting-too-deep"]);
    expect(codes(rule(`${"!".repeat(1000)}true`))).toEqual(["murphi/nesting-too-deep"]);
    expect(codes(rule(`${"x + ".repeat(10_000)}x > 0`))).toEqual(["murphi/nesting-too-deep"]);
    expect(codes(rule(`${"x + ".repeat(1000)}x > 0`))).toEqual([]);
  });
});
