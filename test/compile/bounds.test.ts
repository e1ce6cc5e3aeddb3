/** Bounds of assigned values, which layouts leave room for before a search finds them. */
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/compile/analyse.js";
import { boundsOf, isBounded, withBounds } from "../../src/compile/bounds.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { Sources, type Program } from "../../src/model/index.js";

function programOf(text: string): Program {
  const sources = new Sources();
  const request = { file: "bounds.pml", text, defines: [], readFile: () => undefined, sources };
  return loadPromela(request).program!;
}

/** `low..high` of the globals, then of the locals of each template, then of each channel type; `?` without bounds. */
function shown(text: string): string {
  const program = programOf(text);
  const { globals, records, channels } = boundsOf(program, analyse(program));
  const list = (ranges: typeof globals): string =>
    ranges.map((r) => (r ? `${r.low}..${r.high}` : "?")).join(" ");
  return [list(globals), ...records.map(list), list(channels)].join(" | ");
}

test.each([
  ["every value is bounded", "byte x, y; active proctype A() { x = 1; y = 9 }", true],
  ["a sum without a guard", "byte x; int y; active proctype A() { do :: x = 1; y++ od }", false],
  ["the length of a channel", "chan c = [2] of { byte }; byte x; active proctype A() { c!1; c?x }", false],
])("walks are needed unless all values seen have bounds: %s", (_, text, expected) => {
  const program = programOf(text);
  const bounds = boundsOf(program, analyse(program));
  const leaves = [bounds.globals, ...bounds.records, bounds.channels].flat().length;
  const seen = (ranges: number) => ({ plan: undefined, ranges: Array(ranges).fill({ low: 0, high: 0 }) });
  expect(isBounded(seen(leaves), bounds)).toBe(expected);
  expect(isBounded({ plan: undefined, ranges: [undefined, ...seen(leaves - 1).ranges] }, bounds)).toBe(false);
});

describe("bounds", () => {
  test.each([
    ["constants, rare or not", "byte x; active proctype A() { if :: x = 116 :: x = 3 fi }", "0..116"],
    ["sums and products", "byte x, y; active proctype A() { x = 3; y = 4 + 8 * x }", "0..3 0..28"],
    ["remainders", "byte x; active proctype A() { do :: x = (x + 1) % 6 od }", "0..5"],
    ["guards before a sum", "byte x; active proctype A() { do :: x < 7 -> x++ od }", "0..7"],
    [
      "guards of an atomic sequence",
      "byte x, y; active proctype A() { do :: d_step { x != 4; y = 1; x = x + 1 } od }",
      "0..4 0..1",
    ],
    ["guards with the constant first", "byte x; active proctype A() { do :: 7 > x -> x++ od }", "0..7"],
    ["no bound without a guard", "int x; active proctype A() { do :: x++ od }", "?"],
    ["no bound where a value is truncated", "byte x; active proctype A() { x = 300 }", "?"],
    [
      "messages",
      "chan c = [2] of { byte, byte }; byte x; active proctype A() { c!5,6; c!1,9; c?_,x }",
      "? 0..9",
    ],
    ["elements together", "byte a[3]; active proctype A() { a[0] = 4; a[2] = 9 }", "0..9"],
    [
      "fields apart",
      "typedef R { byte x; byte y }; R r; active proctype A() { r.x = 4; r.y = 9 }",
      "0..4 0..9",
    ],
  ])("%s", (_, text, expected) => {
    expect(shown(text).split(" | ")[0]).toBe(expected);
  });

  test("of locals, parameters and fields of messages", () => {
    const text =
      "chan c = [1] of { byte }; proctype P(byte k) { byte l; l = k + 1; c!l } init { run P(3); run P(8) }";
    expect(shown(text)).toMatch(/\| 3\.\.8 0\.\.9 \|.* 0\.\.9$/);
  });

  test("widen observed ranges alone", () => {
    const program = programOf("byte x, y; active proctype A() { x = 9; y = 2 }");
    const seen = { plan: undefined, ranges: [{ low: 0, high: 1 }, undefined] };
    const { ranges } = withBounds(seen, boundsOf(program, analyse(program)));
    expect(ranges).toEqual([{ low: 0, high: 9 }, undefined]);
  });
});
