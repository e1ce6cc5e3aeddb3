/** Operations on automata against the words they accept. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../src/model/index.js";
import {
  accepts,
  areDisjoint,
  degeneralise,
  format,
  isEmpty,
  isIncluded,
  type Lasso,
  negate,
  type ParsedFormula,
  parseLtl,
  product,
  toBuchi,
  translate,
} from "../../../src/transforms/ltl/index.js";
import {
  backwards,
  forwards,
  reduceBySimulation,
} from "../../../src/transforms/ltl/reductions/simulation.js";
import { trim } from "../../../src/transforms/ltl/reductions/trim.js";
import { type SymbolicAutomaton, toAutomaton, toSymbolic } from "../../../src/transforms/ltl/symbolic.js";
import { anyAutomaton, anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";

const words = fc.array(anyLasso(3), { minLength: 20, maxLength: 20 });
const alike = (a: Automaton, b: Automaton, tried: readonly Lasso[]): void => {
  for (const word of tried) expect(accepts(a, word), JSON.stringify(word)).toBe(accepts(b, word));
};

test("a product accepts what both accept, and is empty if the two are disjoint", () =>
  fc.assert(
    fc.property(anyAutomaton(), anyAutomaton(), words, (a, b, tried) => {
      const both = product(a, b);
      for (const word of tried) expect(accepts(both, word)).toBe(accepts(a, word) && accepts(b, word));
      expect(areDisjoint(a, b)).toBe(isEmpty(both));
    }),
    { numRuns: 150 },
  ));

describe("degeneralising keeps the language", () => {
  test("in any order, with and without lookahead", () =>
    fc.assert(
      fc.property(
        anyAutomaton(),
        fc.boolean(),
        fc.boolean(),
        words,
        (automaton, lookahead, isReversed, tried) => {
          const order = Array.from({ length: automaton.conditions }, (_, i) => i);
          if (isReversed) order.reverse();
          const single = degeneralise(automaton, { order, lookahead });
          expect(single.conditions).toBe(1);
          expect(single.states.length).toBeLessThanOrEqual(
            automaton.states.length * Math.max(1, order.length),
          );
          alike(automaton, single, tried);
        },
      ),
      { numRuns: 150 },
    ));
});

test("the example by hand: two conditions on one state", () => {
  const loop = (marks: number, value: number) => ({ guard: [{ care: 3, value }], marks, to: 0 });
  const states = [[loop(0, 0), loop(1, 1), loop(2, 2), loop(3, 3)]];
  const single = degeneralise({ propositions: ["a", "b"], conditions: 2, initial: 0, states });
  const shape = single.states.map((edges) => edges.map(({ marks, to }) => `${marks}>${to}`).sort());
  // At level 0, an edge with both ends the round and starts at 0 again; at level 1, its first counts for the next round.
  expect(shape).toEqual([
    ["0>0", "0>1", "1>0"],
    ["0>1", "1>0", "1>1"],
  ]);
});

describe("reductions keep the language of any automaton", () => {
  const reductions: Readonly<Record<string, (automaton: SymbolicAutomaton) => SymbolicAutomaton>> = {
    trimming: trim,
    "forward simulation": forwards,
    "backward simulation": (automaton) => backwards(automaton, () => 0),
    "all of them": (automaton) => reduceBySimulation(automaton, trim),
  };
  for (const [name, reduce] of Object.entries(reductions))
    test(name, () =>
      fc.assert(
        fc.property(anyAutomaton(), words, (automaton, tried) => {
          alike(automaton, toAutomaton(reduce(toSymbolic(automaton)), automaton.propositions), tried);
        }),
        { numRuns: 300 },
      ),
    );
  for (const acceptance of ["edges", "states"] as const)
    test(`with one condition, on ${acceptance}`, () =>
      fc.assert(
        fc.property(anyAutomaton(), fc.boolean(), words, (automaton, lookahead, tried) => {
          const single = toBuchi(automaton, { acceptance, lookahead });
          expect(single.conditions).toBe(1);
          alike(automaton, single, tried);
        }),
        { numRuns: 150 },
      ));
});

test("inclusion of formulas is disjointness from the negation", () => {
  const exact = (formula: Formula): Automaton => translate(formula, names, { exact: true });
  let included = 0;
  fc.assert(
    fc.property(anyFormula(2), anyFormula(2), (f, g) => {
      const [smaller, larger] = [exact(f), exact(g)];
      fc.pre(larger.states.length * Math.max(1, larger.conditions) <= 8);
      const expected = areDisjoint(smaller, exact(negate(g)));
      expect(isIncluded(smaller, larger), `${format(f, names)} in ${format(g, names)}`).toBe(expected);
      if (expected) included++;
    }),
    { numRuns: 400 },
  );
  expect(included).toBeGreaterThan(20);
});

test.each([
  // Runs that guess again and again, and fail each time: a set of runs that is lost must not count as renewed.
  ["G F !p & G F (p & q & X(p & q & X(p & q & X(p & q))))", "F G p & G F q", false],
  ["F G p & G F q", "F G p & G F q", true],
  ["F G (p & q)", "F G p & G F q", true],
  ["G F (p & q)", "F G p & G F q", false],
  ["G F p & F G q", "(G F p & F G q) | (G F q & F G r)", true],
  ["G F p & G F q", "(G F p & F G q) | (G F q & F G r)", false],
])("%s in %s: %s", (f, g, expected) => {
  const formulas = [f, g].map((text) => parseLtl(text, "formula", ["p", "q", "r"]) as ParsedFormula);
  const [smaller, larger] = formulas.map(({ formula, propositions }) => translate(formula, propositions));
  expect(isIncluded(smaller!, larger!)).toBe(expected);
});

test("inclusion agrees with the words tried; an automaton includes itself and its products", () => {
  let included = 0;
  fc.assert(
    fc.property(anyAutomaton(3, 2), anyAutomaton(3, 2), words, (a, b, tried) => {
      const isWithin = isIncluded(a, b);
      if (isWithin) included++;
      const escape = tried.find((word) => accepts(a, word) && !accepts(b, word));
      if (isWithin) expect(escape).toBeUndefined();
      expect(isIncluded(a, a)).toBe(true);
      expect(isIncluded(product(a, b), b)).toBe(true);
    }),
    { numRuns: 150 },
  );
  expect(included).toBeGreaterThan(10);
});
