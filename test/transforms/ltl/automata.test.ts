/** Operations on automata against the words they accept. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Automaton } from "../../../src/model/index.js";
import {
  accepts,
  areDisjoint,
  degeneralise,
  isEmpty,
  isIncluded,
  type Lasso,
  product,
} from "../../../src/transforms/ltl/index.js";
import { anyAutomaton, anyLasso } from "../../generators/ltl.js";

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
