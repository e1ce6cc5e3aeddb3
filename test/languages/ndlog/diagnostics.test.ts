/** Every mistake is located, all at once. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadNdlog } from "../../../src/languages/ndlog/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/ndlog/bad");

const codesOf = (text: string, options = {}): string[] =>
  loadNdlog("p.ndlog", text, options).diagnostics.map(({ code }) => code);

describe("bad input", () => {
  for (const name of readdirSync(folder))
    test(name, () => {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map(([, found]) => found);
      const found = loadNdlog(name, text).diagnostics.map(({ code, span: { start } }) => {
        const before = text.slice(0, start).split("\n");
        return `${code} ${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      });
      expect(found).toEqual(expected);
    });

  test("constants of the command line", () => {
    const text = "#define N 2\nr1 p(@X) :- b(@X), X > N. property s { p(X) => X > 0 }";
    const codes = (name: string, value: string | undefined): string[] =>
      codesOf(text, { parameters: [{ name, value }] });
    expect(codes("N", "3")).toEqual([]);
    expect(codes("M", "3")).toEqual(["ndlog/unknown-constant"]);
    expect(codes("N", "x")).toEqual(["ndlog/bad-define"]);
    expect(codes("N", undefined)).toEqual(["ndlog/bad-define"]);
  });

  test("deep nesting is refused, not a crash", () => {
    const text = `r1 p(@X) :- b(@X), X == ${"(".repeat(5000)}1${")".repeat(5000)}.`;
    expect(codesOf(text)).toEqual(["ndlog/too-deep"]);
  });

  test("a specification in another file is located there", () => {
    const { diagnostics } = loadNdlog("p.ndlog", "r1 p(@X) :- b(@X).", {
      specifications: [{ file: "p.ndspec", text: "property s { q(X) => X > 0 }" }],
    });
    expect(diagnostics.map(({ code, span }) => [code, span.file])).toEqual([
      ["ndlog/unknown-predicate", "p.ndspec"],
    ]);
  });
});

test("materialize, labels, facts, comments and both ends of declarations are accepted", () => {
  const text = `/* a comment */ materialize(link, infinity, infinity, keys(1,2:int)).
    link(@1,2,3). // a fact
    r1 hop(@X,Y) :- link(@X,Y,_). base link. type hop(node, node).
    property s { forall X, Y: hop(X,Y) => exists C: link(X,Y,C); }`;
  expect(codesOf(text)).toEqual([]);
});

test("predicates that need themselves first are named", () => {
  expect(codesOf("r1 p(@X) :- p(@X). r2 q(@X) :- b(@X). property s { q(X) => X > 0 }")).toEqual([
    "ndlog/underivable",
  ]);
});

test("locations that no tuple connects are named", () => {
  const rule = (body: string): string => `r1 p(@X) :- ${body}. property s { p(X) => X > 0 }`;
  expect(codesOf(rule("b(@X,Z), c(@Y,W)"))).toEqual(["ndlog/locations"]);
  expect(codesOf(rule("b(@X,Y), c(@Y,W)"))).toEqual([]);
});
