import { expect, test } from "vitest";
import type { BlockStatement } from "../../../src/languages/promela/ast.js";
import { parsed, positions, run, show, stepsOf } from "./front.js";

const textAt = (text: string, span: { start: number; end: number }): string =>
  text.slice(span.start, span.end);

test("a call is a block with the arguments put in", () => {
  const text = "byte a, b;\ninline swap(x, y) { byte t; t = x; x = y; y = t }\ninit { swap(a, b) }";
  const { model } = parsed(text);
  const block = stepsOf(model)[0] as BlockStatement;
  expect(block).toMatchObject({ kind: "block", inline: { inline: "swap" } });
  expect(textAt(text, block.span)).toBe("swap(a, b)");
  const shown = block.body.steps.map((each) =>
    each.kind === "assign" ? `${show(each.target)} = ${show(each.value)}` : each.kind,
  );
  expect(shown).toEqual(["declaration", "t = a", "a = b", "b = t"]);
});

test("statements point at the body and know the calls that led there", () => {
  const text = "byte a;\ninline inner(x) { x++ }\ninline outer(y) { inner(y) }\ninit { outer(a) }";
  const outer = stepsOf(parsed(text).model)[0] as BlockStatement;
  const inner = outer.body.steps[0] as BlockStatement;
  const step = inner.body.steps[0]!;
  expect(textAt(text, step.span)).toBe("x++");
  expect(step.expandedFrom).toMatchObject({ inline: "inner", outer: { inline: "outer" } });
  expect(textAt(text, step.expandedFrom!.call)).toBe("inner(y)");
  expect(textAt(text, step.expandedFrom!.outer!.call)).toBe("outer(a)");
  expect(step.kind === "increment" && textAt(text, step.target.span)).toBe("a");
});

test("a declaration in an inline is new for each call", () => {
  const { info } = parsed("inline f() { byte t; t = 1 } init { f(); f(); f() }");
  expect(info.processes[0]!.locals.map((each) => each.name)).toEqual(["t", "t", "t"]);
});

test("labels in an inline are new for each call", () => {
  parsed("inline f() { skip; again: skip; goto again } init { f(); f() }");
});

test("`x = f(…)` turns each return into an assignment to x, resolved outside the inline", () => {
  const text = `
byte x;
inline min(a, b) { if :: a < b -> return a :: else -> return b fi }
init { byte y; x = min(x + 1, y) }`;
  const { model, info } = parsed(text);
  const block = stepsOf(model)[1] as BlockStatement;
  const choice = block.body.steps[0]!;
  const returns = choice.kind === "if" ? choice.options.map((option) => option.steps[1]!) : [];
  expect(returns).toMatchObject([
    { kind: "assign", isReturn: true },
    { kind: "assign", isReturn: true },
  ]);
  for (const each of returns) {
    expect(each.kind === "assign" && each.target).toBe(block.returnTarget);
    expect(each.kind === "assign" && info.variables.get(each.target)).toMatchObject({ storage: "global" });
  }
});

test("an argument may be any expression, and is put in as it stands", () => {
  const text = "int x;\ninline set(v, e) { v = e * 2 }\ninit { set(x, 1 + 2) }";
  const block = stepsOf(parsed(text).model)[0] as BlockStatement;
  const assign = block.body.steps[0]!;
  expect(assign.kind === "assign" && show(assign.value)).toBe("(1 + (2 * 2))");
});

test("an inline may be called before it is defined", () => {
  parsed("byte x; init { f(x) } inline f(a) { a++ }");
});

test("an error in an argument points at the argument, with the call as a note", () => {
  const outcome = run("inline f(a) { a++ }\ninit { f(nowhere) }");
  expect(positions(outcome)).toEqual(["promela/undeclared-name 2:10"]);
  expect(outcome.diagnostics[0]!.notes).toMatchObject([{ span: { start: 27, end: 37 } }]);
});

test("inlines that call each other twice over stop at a limit", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `inline f${i + 1}() { f${i}(); f${i}() }`);
  const outcome = run(`inline f0() { skip }\n${lines.join("\n")}\ninit { f30() }`);
  expect(outcome.diagnostics.map((each) => each.code)).toContain("promela/expansion-too-large");
});
