import { expect, test } from "vitest";
import { Sources, type Diagnostic } from "../../src/model/index.js";
import { palette, renderDiagnostics } from "../../src/report/index.js";

const text = "byte x;\n\tif :: x == 3 -> skip\nfi\n";
const sources = new Sources();
sources.add("m.pml", text);

const at = (part: string): Diagnostic["span"] => {
  const start = text.indexOf(part);
  return { file: "m.pml", start, end: start + part.length };
};

const diagnostic: Diagnostic = {
  code: "promela/example",
  severity: "error",
  message: "something is wrong with this condition",
  span: at("x == 3"),
  hint: "write another one",
  notes: [{ span: at("byte x"), message: "declared here" }],
};

test("a diagnostic shows the place, the line, what to do, and related places", () => {
  expect(renderDiagnostics([diagnostic], sources)).toBe(
    [
      "m.pml:2:8: error[promela/example]: something is wrong with this condition",
      "   2 | \tif :: x == 3 -> skip",
      "     | \t      ^^^^^^",
      "     = hint: write another one",
      "m.pml:1:1: note: declared here",
      "   1 | byte x;",
      "     | ^^^^^^",
      "",
    ].join("\n"),
  );
});

test("a span over several lines is underlined to the end of its first line", () => {
  const span = { file: "m.pml", start: text.indexOf("skip"), end: text.length };
  const lines = renderDiagnostics([{ ...diagnostic, span, notes: [] }], sources).split("\n");
  expect(lines[2]).toBe(`     | \t${" ".repeat(16)}^^^^`);
});

test("a file whose text is not known has no excerpt", () => {
  const span = { file: "gone.pml", start: 0, end: 0 };
  const { hint: _, notes: __, ...bare } = diagnostic;
  expect(renderDiagnostics([{ ...bare, span }], sources)).toBe(
    "gone.pml:1:1: error[promela/example]: something is wrong with this condition\n",
  );
});

test("a very long line is cut to what surrounds the place", () => {
  const long = new Sources();
  long.add("m.pml", `${"a".repeat(5000)}HERE${"b".repeat(5000)}`);
  const span = { file: "m.pml", start: 5000, end: 5004 };
  const [, line, carets] = renderDiagnostics([{ ...diagnostic, span, notes: [] }], long).split("\n");
  expect(line!.length).toBeLessThan(180);
  expect(line!.slice(carets!.indexOf("^"), carets!.lastIndexOf("^") + 1)).toBe("HERE");
});

test("control characters in the source do not reach the terminal", () => {
  const hostile = new Sources();
  hostile.add("m.pml", "x\u001b[2Jy");
  const span = { file: "m.pml", start: 0, end: 1 };
  // eslint-disable-next-line no-control-regex
  expect(renderDiagnostics([{ ...diagnostic, span, notes: [] }], hostile)).not.toMatch(/\u001b/);
});

test("colour only when asked", () => {
  expect(renderDiagnostics([diagnostic], sources, palette(true))).toContain("\u001b[31m");
  expect(renderDiagnostics([diagnostic], sources, palette(false))).not.toContain("\u001b");
});
