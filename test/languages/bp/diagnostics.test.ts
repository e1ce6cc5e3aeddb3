/** Every mistake is located, all at once. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BpGrammar } from "../../../src/languages/bp/grammar.js";
import { loadBp } from "../../../src/languages/bp/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/bp/bad");
const codes = (text: string, options: Parameters<typeof loadBp>[2] = {}): string[] =>
  loadBp("t.bp", text, options).diagnostics.map(({ code }) => code);

test("the grammar has no ambiguities", () => {
  expect(() => new BpGrammar({ validate: true })).not.toThrow();
});

describe("bad input", () => {
  for (const name of readdirSync(folder))
    test(name, () => {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map(([, found]) => found);
      const found = loadBp(name, text).diagnostics.map(({ code, span: { start } }) => {
        const before = text.slice(0, start).split("\n");
        return `${code} ${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      });
      expect(found).toEqual(expected);
    });

  test("recursion names the cycle of calls", () => {
    const text = "void f() { g(); } void g() { f(); } thread T { f(); ERROR: skip; }";
    expect(loadBp("t.bp", text).diagnostics.map(({ message }) => message)).toEqual([
      "calls are inlined, and this one is recursive: f -> g -> f",
    ]);
  });

  test("questions", () => {
    const ask = (text: string): string[] =>
      codes("thread T { L: skip; }", { targets: [{ text, file: "--target" }] });
    expect(ask("T:L")).toEqual([]);
    expect(ask("U:L")).toEqual(["bp/bad-target"]);
    expect(ask("T:M")).toEqual(["bp/bad-target"]);
    expect(ask("nonsense")).toEqual(["bp/bad-target"]);
    expect(codes("thread T { L: skip; }")).toEqual(["bp/no-property"]);
  });

  test("deep nesting and huge inlining are refused, not a crash", () => {
    for (const [open, close] of [
      ["(", ")"],
      ["!", ""],
    ] as const)
      expect(codes(`thread T { assert(${open.repeat(5000)}1${close.repeat(5000)}); }`)).toEqual([
        "bp/too-deep",
      ]);
    expect(codes(`thread T { ${"if (*) { ".repeat(5000)}${"} ".repeat(5000)} }`)).toEqual(["bp/too-deep"]);
    const calls = Array.from({ length: 20 }, (_, n) => `void f${n + 1}() { f${n}(); f${n}(); }`).join(" ");
    expect(codes(`void f0() { skip; } ${calls} thread T { f20(); ERROR: skip; }`)).toEqual(["bp/too-large"]);
  });
});

test("both spellings have the same meaning", () => {
  const shape = (text: string): unknown => {
    const { program, diagnostics } = loadBp("t.bp", text);
    expect(diagnostics).toEqual([]);
    return program?.threads.map(({ locations }) =>
      locations.map(({ steps }) =>
        steps.map(({ to, assignments, constraint }) => ({ to, assignments, constraint })),
      ),
    );
  };
  expect(shape("bool x, y; void f() { x = *; } thread T { y = x; f(); assert(x == y); }")).toEqual(
    shape("decl x, y; void f() begin x := *; end thread T begin y := x; f(); assert(x = y); end"),
  );
});

test("without threads, the function main runs", () => {
  const { program } = loadBp("t.bp", "void main() { assert(0); }");
  expect(program?.threads.map(({ name }) => name)).toEqual(["main"]);
});
