/** Stutter invariance against trying it out. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../src/model/index.js";
import {
  evaluate,
  format,
  hasNext,
  isStutterInvariant,
  isStutterInvariantAutomaton,
  translate,
  type Lasso,
} from "../../../src/transforms/ltl/index.js";
import { anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";
import { parsed } from "./literature.js";

test.each([
  ["X p", false],
  ["G X p", false],
  ["F(p & X !p)", true],
  ["F(p & X(!p & X p))", false],
  ["p U (q & X !q)", false],
  ["F(p & X F q)", false],
  ["X F p", false],
  ["F X F p", false],
  ["G F X p", true],
  ["X p | !X p", true],
  ["G(p | (Xq & X!q))", true],
  ["(Xp U Xq) | !X(p U q)", true],
  ["p U q", true],
  ["G F (p & X p)", false],
  ["G F (p & X !p)", true],
  ["G F (p & X(q & X p)) & G F r", false],
  ["F G (p | X p)", false],
  ["G(p -> X X p)", false],
])("%s: %s", (text, expected) => {
  const [{ formula }] = parsed(text);
  expect(isStutterInvariant(formula)).toBe(expected);
});

/** Repeats each letter the given number of times, in turn; the word stays the same up to stuttering. */
const stretched = ({ prefix, cycle }: Lasso, times: readonly number[]): Lasso => {
  const stretch = (letters: readonly number[], from: number): number[] =>
    letters.flatMap((letter, i) => new Array<number>(1 + times[(from + i) % times.length]!).fill(letter));
  return { prefix: stretch(prefix, 0), cycle: stretch(cycle, prefix.length) };
};

const differs = (formula: Formula, word: Lasso, times: readonly number[]): boolean => {
  const other = stretched(word, times);
  return evaluate(formula, word.prefix, word.cycle) !== evaluate(formula, other.prefix, other.cycle);
};

test("repeating letters never changes an invariant formula, and changes most others", () => {
  let changed = 0;
  let variant = 0;
  const trial = fc.tuple(anyLasso(3), fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(
      anyFormula().filter(hasNext),
      fc.array(trial, { minLength: 60, maxLength: 60 }),
      (formula, trials) => {
        const isChanged = trials.some(([word, times]) => differs(formula, word, times));
        if (isStutterInvariant(formula)) expect(isChanged, format(formula, names)).toBe(false);
        else {
          variant++;
          if (isChanged) changed++;
        }
      },
    ),
    { numRuns: 120 },
  );
  expect(changed / variant).toBeGreaterThan(0.7);
});

test("where deciding it takes too much, the answer is no", () => {
  const [{ formula }] = parsed("F(p & X !p)");
  expect(isStutterInvariant(formula, 1)).toBe(false);
});

describe("of automata", () => {
  test.each([
    ["X p", false],
    ["F(p & X !p)", true],
    ["F(p & X(!p & X p))", false],
    ["G F X p", true],
    ["p U q", true],
    ["G F (p & X p)", false],
    ["G F p & G F q", true],
    ["F G (p | X p)", false],
  ])("%s: %s", (text, expected) => {
    const { formula, propositions } = parsed(text)[0];
    expect(isStutterInvariantAutomaton(translate(formula, propositions))).toBe(expected);
  });

  test("what repeats its letters forever is no word of an automaton without conditions that ends", () => {
    const once: Automaton = {
      propositions: ["p"],
      conditions: 0,
      initial: 0,
      states: [[{ guard: [{ care: 1, value: 1 }], marks: 0, to: 1 }], []],
    };
    expect(isStutterInvariantAutomaton(once)).toBe(true);
  });

  test("random formulas: the same answer by the formula and by its automaton", () => {
    fc.assert(
      fc.property(anyFormula(3), (formula) => {
        const ofAutomaton = isStutterInvariantAutomaton(translate(formula, names));
        expect(ofAutomaton, format(formula, names)).toBe(isStutterInvariant(formula));
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
