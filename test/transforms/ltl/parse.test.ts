/** Formulas as text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_PROPOSITIONS } from "../../../src/model/index.js";
import { evaluate, format, parseLtl } from "../../../src/transforms/ltl/index.js";
import { anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";
import { collected, parsed } from "./literature.js";

/** The text, and the same with every parenthesis and in one spelling. */
test.each([
  ["pUq", "p U q"],
  ["XFp2", "X F p2"],
  ["GFp -> GFq", "G F p -> G F q"],
  ["p=1 & q=0", "p & !q"],
  ["[](p -> <>q)", "G (p -> F q)"],
  ["always (p implies eventually q)", "G (p -> F q)"],
  ["p weakuntil q until r release s stronguntil t", "p W q U r R s U t"],
  ["p equivalent next q", "p <-> X q"],
  ["p V q", "p R q"],
  ["a + b * c ^ d", "a | b & c ^ d"],
  ["a | b & c U d", "a | b & c U d"],
  ["(a | b) & c", "(a | b) & c"],
  ["a -> b -> c", "a -> b -> c"],
  ["(a -> b) -> c", "(a -> b) -> c"],
  ["a <-> b <-> c", "a <-> b <-> c"],
  ["(a U b) U c", "(a U b) U c"],
  ["a U (b U c)", "a U b U c"],
  ["!a U b", "!a U b"],
  ["!(a U b)", "!(a U b)"],
  ["true & 0", "1 & 0"],
  ["N U Z", "N U Z"],
  ['"READY" U "x == 3"', '"READY" U "x == 3"'],
  ['"true" U until_now', '"true" U until_now'],
])("%s is %s", (text, expected) => {
  const [{ formula, propositions }] = parsed(text);
  expect(format(formula, propositions)).toBe(expected);
});

test("U, R, W and M bind tighter than &, and & tighter than ^, and ^ tighter than |", () => {
  const [{ formula }] = parsed("a | b ^ c & d U e");
  expect(formula).toMatchObject({
    kind: "or",
    right: { kind: "xor", right: { kind: "and", right: { kind: "until" } } },
  });
});

test("what is printed reads back as the same formula", () =>
  fc.assert(
    fc.property(anyFormula(4), (formula) => {
      const again = parseLtl(format(formula, names), "formula", names);
      expect(again).toEqual({ formula, propositions: names });
    }),
    { numRuns: 1000 },
  ));

test("propositions are numbered as they are met, after those that are known", () => {
  expect(parsed("q U p & q")[0].propositions).toEqual(["q", "p"]);
  expect(parseLtl("q U p", "formula", ["p"])).toMatchObject({ propositions: ["p", "q"] });
});

test("every formula of the literature reads", () =>
  expect(collected().map((text) => parsed(text)).length).toBe(94));

describe("mistakes are diagnostics with a place", () => {
  const tooMany = Array.from({ length: MOST_PROPOSITIONS + 1 }, (_, i) => `p${i}`).join(" & ");
  const cases: readonly (readonly [text: string, code: string, start: number])[] = [
    ["", "ltl/syntax", 0],
    ["p U", "ltl/syntax", 3],
    ["p q", "ltl/syntax", 2],
    ["(p & q", "ltl/syntax", 6],
    ["p & q)", "ltl/syntax", 5],
    ["p=2", "ltl/strange-character", 2],
    ["p=q", "ltl/syntax", 2],
    ["p # q", "ltl/strange-character", 2],
    ['p & "', "ltl/open-quote", 4],
    [tooMany, "ltl/too-many-propositions", tooMany.lastIndexOf("p")],
    [`${"!".repeat(300)}p`, "ltl/too-deep", 201],
    ["(".repeat(1e5), "ltl/too-long", 0],
  ];
  for (const [text, code, start] of cases)
    test(`'${text.slice(0, 20)}': ${code}`, () => {
      const result = parseLtl(text);
      if (!("diagnostics" in result)) throw new Error("read without a mistake");
      expect(result.diagnostics[0]).toMatchObject({
        code,
        severity: "error",
        span: { file: "formula", start },
      });
    });

  test("several at once", () => {
    const result = parseLtl("p # q @");
    expect("diagnostics" in result && result.diagnostics.map(({ code }) => code)).toEqual([
      "ltl/strange-character",
      "ltl/strange-character",
      "ltl/syntax",
    ]);
  });

  test("no text throws", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'pqUVXFG[]<>()!&|-=01 "é#') }), (text) => {
        expect(parseLtl(text)).toBeDefined();
      }),
      { numRuns: 2000 },
    ));
});

test("the spellings of an operator mean the same on words", () =>
  fc.assert(
    fc.property(anyLasso(), ({ prefix, cycle }) => {
      const value = (text: string): boolean => {
        const result = parseLtl(text, "formula", names);
        return "formula" in result && evaluate(result.formula, prefix, cycle);
      };
      expect(value("a W b")).toBe(value("(a U b) | G a"));
      expect(value("a R b")).toBe(value("!(!a U !b)"));
      expect(value("a M b")).toBe(value("b U (a & b)"));
      expect(value("F a")).toBe(value("true U a"));
      expect(value("G a")).toBe(value("!F!a"));
      expect(value("a U b")).toBe(value("b | (a & X(a U b))"));
    }),
    { numRuns: 300 },
  ));
