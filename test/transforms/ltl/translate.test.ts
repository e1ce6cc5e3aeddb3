/** Translations against the meaning of formulas on words, against each other, and against figures of the literature. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../src/model/index.js";
import {
  accepts,
  areDisjoint,
  AutomatonTooLarge,
  edgeCount,
  evaluate,
  format,
  isIncluded,
  isStateBased,
  negate,
  simplify,
  toBuchi,
  translate,
  translateToBuchi,
} from "../../../src/transforms/ltl/index.js";
import { translateByAlternation } from "../../../bench/automata/alternating.js";
import { anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";
import { collected, parsed } from "./literature.js";

type Translation = (formula: Formula, propositions: readonly string[]) => Automaton;

const translations: Readonly<Record<string, Translation>> = {
  "the default": translate,
  "the exact one": (formula, propositions) => translate(formula, propositions, { exact: true }),
  "the one to Büchi automata": translateToBuchi,
  "the second one": translateByAlternation,
  "the default, then with one condition": (formula, propositions) =>
    toBuchi(translate(formula, propositions)),
  "the default, then with accepting states": (formula, propositions) =>
    toBuchi(translate(formula, propositions), { acceptance: "states" }),
};

const tenWords = fc.array(anyLasso(), { minLength: 10, maxLength: 10 });

describe("an automaton accepts the words that satisfy its formula", () => {
  for (const [name, translation] of Object.entries(translations))
    test(`translated by ${name}`, () =>
      fc.assert(
        fc.property(anyFormula(), tenWords, (formula, words) => {
          const automaton = translation(formula, names);
          for (const word of words)
            expect(accepts(automaton, word), `${format(formula, names)} on ${JSON.stringify(word)}`).toBe(
              evaluate(formula, word.prefix, word.cycle),
            );
        }),
        { numRuns: 150 },
      ));
});

test("rewriting keeps the meaning", () =>
  fc.assert(
    fc.property(anyFormula(4), tenWords, (formula, words) => {
      const simpler = simplify(formula);
      for (const { prefix, cycle } of words)
        expect(evaluate(simpler, prefix, cycle), format(simpler, names)).toBe(
          evaluate(formula, prefix, cycle),
        );
    }),
    { numRuns: 2000 },
  ));

test("the two translations accept the same words, by proof", () =>
  fc.assert(
    fc.property(anyFormula(), (formula) => {
      const [ours, second] = [translate(formula, names), translateByAlternation(formula, names)];
      fc.pre(ours.states.length <= 5 && ours.conditions <= 2);
      expect(areDisjoint(ours, translateByAlternation(negate(formula), names))).toBe(true);
      expect(areDisjoint(translate(negate(formula), names), second)).toBe(true);
      expect(isIncluded(second, ours)).toBe(true);
    }),
    { numRuns: 100 },
  ));

test("a Büchi automaton of a formula has accepting states", () =>
  fc.assert(
    fc.property(anyFormula(), (formula) => {
      expect(isStateBased(translateToBuchi(formula, names))).toBe(true);
    }),
  ));

test("the exact translation has the published numbers of conditions (EC-13)", () => {
  const counts = new Array<number>(7).fill(0);
  for (const { formula, propositions } of collected().flatMap(parsed))
    for (const f of [formula, negate(formula)])
      counts[translate(f, propositions, { exact: true }).conditions]!++;
  expect(counts).toEqual([20, 61, 71, 18, 6, 7, 5]);
});

test.each([
  // Formula D of the leader election, the client-server property, and textbook cases.
  ["!(GFp)", 2, 1],
  ["!(G(p -> Fq))", 2, 1],
  ["GFp & GFq", 1, 2],
  ["p U q", 2, 1],
  ["Gp", 1, 0],
  ["Xp", 3, 0],
  ["false", 1, 0],
  ["true", 1, 0],
])("%s has %i states and %i conditions", (text, states, conditions) => {
  const [{ formula, propositions }] = parsed(text) as [{ formula: Formula; propositions: readonly string[] }];
  const automaton = translate(formula, propositions);
  expect([automaton.states.length, automaton.conditions]).toEqual([states, conditions]);
});

/** `<> X (a R b)`: rewritten to `X <> (a R b)` it has a state more. */
const largerByRewriting: Formula = {
  kind: "eventually",
  operand: {
    kind: "next",
    operand: {
      kind: "release",
      left: { kind: "proposition", index: 0 },
      right: { kind: "proposition", index: 1 },
    },
  },
};

test("reductions never make an automaton larger than the exact translation", () =>
  fc.assert(
    fc.property(anyFormula(), (formula) => {
      const [small, exact] = [translate(formula, names), translate(formula, names, { exact: true })];
      expect(small.states.length).toBeLessThanOrEqual(exact.states.length);
      if (small.states.length === exact.states.length && small.conditions === exact.conditions)
        expect(edgeCount(small)).toBeLessThanOrEqual(edgeCount(exact));
    }),
    { numRuns: 200, examples: [[largerByRewriting]] },
  ));

test("limits are errors of their own kind", () => {
  const eventually = (index: number): Formula => ({
    kind: "eventually",
    operand: {
      kind: "and",
      left: { kind: "proposition", index: index % 31 },
      right: { kind: "next", operand: { kind: "proposition", index: (index * 7 + 1) % 30 } },
    },
  });
  const many = Array.from({ length: 40 }, (_, i) => eventually(i)).reduce((left, right) => ({
    kind: "and",
    left,
    right,
  }));
  expect(() => translate(many, [], { exact: true })).toThrow(AutomatonTooLarge);
  const some = Array.from({ length: 8 }, (_, i) => eventually(i)).reduce((left, right) => ({
    kind: "and",
    left,
    right,
  }));
  expect(() => translate(some, [], { exact: true, mostStates: 20 })).toThrow(AutomatonTooLarge);
  expect(() => translate({ kind: "true" }, new Array<string>(32).fill("p"))).toThrow(AutomatonTooLarge);
});
