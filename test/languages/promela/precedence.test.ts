import { describe, expect, test } from "vitest";
import { parsed, show, showFormula, steps } from "./front.js";

const VARIABLES = "int a, b, c, d, e;";

function expression(text: string): string {
  const [step] = steps(`assert(${text})`, VARIABLES);
  return step?.kind === "assert" ? show(step.condition) : "?";
}

function formula(text: string): string {
  const { model } = parsed(`${VARIABLES} init { skip } ltl f { ${text} }`);
  const unit = model.units.find((each) => each.kind === "ltl");
  return unit ? showFormula(unit.formula) : "?";
}

describe("operators bind as in Spin's grammar", () => {
  test.each([
    ["a + b * c", "(a + (b * c))"],
    ["a - b - c", "((a - b) - c)"],
    ["a / b % c", "((a / b) % c)"],
    ["a << b + c", "(a << (b + c))"],
    ["a < b << c", "(a < (b << c))"],
    ["a == b < c", "(a == (b < c))"],
    ["a & b == c", "(a & (b == c))"],
    ["a ^ b & c", "(a ^ (b & c))"],
    ["a | b ^ c", "(a | (b ^ c))"],
    ["a && b | c", "(a && (b | c))"],
    ["a || b && c", "(a || (b && c))"],
    ["a && b || c && d", "((a && b) || (c && d))"],
    ["!a == b", "(!a == b)"],
    ["-a * b", "(-a * b)"],
    ["~a & b", "(~a & b)"],
    ["!!a", "!!a"],
    ["- -a", "--a"],
    ["a - -b", "(a - -b)"],
    ["(a -> b : c)", "(a -> b : c)"],
    ["(a > b -> b + 1 : (c -> d : e))", "((a > b) -> (b + 1) : (c -> d : e))"],
    ["a >= b != c <= d", "((a >= b) != (c <= d))"],
  ])("%s", (text, expected) => expect(expression(text)).toBe(expected));
});

describe("temporal operators bind as in Spin's grammar", () => {
  test.each([
    ["[] a -> <> b", "(always a implies eventually b)"],
    ["a U b && c", "((a until b) and c)"],
    ["a && b U c", "(a and (b until c))"],
    ["a U b U c", "((a until b) until c)"],
    ["a -> b -> c", "((a implies b) implies c)"],
    ["a <-> b || c", "(a equivalent (b or c))"],
    ["[] a U b", "(always a until b)"],
    ["! a U b", "(not a until b)"],
    ["X a && b", "(next a and b)"],
    ["a == b U c < d", "((a == b) until (c < d))"],
    ["a W b V c", "((a weakUntil b) release c)"],
    ["always eventually a", "always eventually a"],
    ["a until b", "(a until b)"],
    ["a stronguntil b", "(a until b)"],
    ["a weakuntil b", "(a weakUntil b)"],
    ["a release b", "(a release b)"],
    ["next a implies b", "(next a implies b)"],
    ["a equivalent b", "(a equivalent b)"],
    ["a /\\ b \\/ c", "((a and b) or c)"],
    ["[]<>(a && !b)", "always eventually (a and not b)"],
  ])("%s", (text, expected) => expect(formula(text)).toBe(expected));
});

test("temporal words are names outside formulas", () => {
  parsed("byte U, X, always; init { U = X + always; next: goto next }");
});

test("a long disjunction is balanced, in the order of the text", () => {
  const text = Array.from({ length: 1000 }, (_, i) => `a == ${i}`).join(" || ");
  const shown = expression(text);
  const order = [...shown.matchAll(/== (\d+)/g)].map((match) => Number(match[1]));
  expect(order).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  expect(shown.match(/^\(+/)![0].length).toBeLessThan(20);
});
