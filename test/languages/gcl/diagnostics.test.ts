/** Every mistake is located, all at once. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadGcl } from "../../../src/languages/gcl/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/gcl/bad");

describe("bad input", () => {
  for (const name of readdirSync(folder))
    test(name, () => {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map(([, found]) => found);
      const found = loadGcl(name, text).diagnostics.map(({ code, span: { start } }) => {
        const before = text.slice(0, start).split("\n");
        return `${code} ${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      });
      expect(found).toEqual(expected);
    });

  test("parameters", () => {
    const text = "param N = 2; var x : int = 0; safety s: x == N;";
    const codes = (name: string, value: string | undefined): string[] =>
      loadGcl("p.gcl", text, { parameters: [{ name, value }] }).diagnostics.map(({ code }) => code);
    expect(codes("N", "3")).toEqual([]);
    expect(codes("M", "3")).toEqual(["gcl/unknown-constant"]);
    expect(codes("N", "x")).toEqual(["gcl/bad-define"]);
    expect(codes("N", undefined)).toEqual(["gcl/bad-define"]);
  });

  test("deep nesting is refused, not a crash", () => {
    for (const [open, close] of [
      ["(", ")"],
      ["!", ""],
      ["-", ""],
    ] as const) {
      const text = `var x : int = 0; safety s: ${open.repeat(5000)}x == 0${close.repeat(5000)};`;
      expect(loadGcl("deep.gcl", text).diagnostics.map(({ code }) => code)).toEqual(["gcl/too-deep"]);
    }
    const implies = `var x : int = 0; safety s: ${"x == 0 => ".repeat(5000)}x == 0;`;
    expect(loadGcl("deep.gcl", implies).diagnostics.map(({ code }) => code)).toEqual(["gcl/too-deep"]);
  });
});

describe("meaning", () => {
  test("templates, quantifiers, arrays and local variables unfold", () => {
    const { program } = loadGcl(
      "t.gcl",
      `param N = 2; var a[1..N] : int = 0;
       process P(i in 1..N) { var pc : pc = 1; go: pc == 1 -> a[i] := i, pc := 2; }
       error e: forall i in 1..N : exists j in 1..N, j != i : a[j] == 1 && P[i].pc == 2;`,
    );
    expect(program?.variables.map(({ name }) => name)).toEqual(["a[1]", "a[2]", "P[1].pc", "P[2].pc"]);
    expect(program?.transitions.map(({ process }) => process)).toEqual(["P[1]", "P[2]"]);
  });

  test("nondet of a variable with a range is one transition per value", () => {
    const { program } = loadGcl("n.gcl", "var f : 0..2 = 0; t: f == 0 -> f := nondet; safety s: f <= 2;");
    expect(program?.transitions).toHaveLength(3);
  });
});
