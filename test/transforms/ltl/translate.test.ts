/** Translations against the meaning of formulas on words, and against each other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accepts,
  areDisjoint,
  evaluate,
  format,
  negate,
  translate,
  translateByAlternation,
  translateToBuchi,
} from "../../../src/transforms/ltl/index.js";
import { anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";

const translations = {
  "the default": translate,
  "the exact one": (formula, propositions) => translate(formula, propositions, { exact: true }),
  "to Büchi automata": translateToBuchi,
  "the second one": translateByAlternation,
} satisfies Record<string, typeof translate>;

describe("an automaton accepts the words that satisfy its formula", () => {
  for (const [name, translation] of Object.entries(translations))
    test(`translated by ${name}`, () => {
      fc.assert(
        fc.property(anyFormula(), fc.array(anyLasso(), { minLength: 10, maxLength: 10 }), (formula, words) => {
          const automaton = translation(formula, names);
          for (const word of words)
            expect(accepts(automaton, word), `${format(formula, names)} on ${JSON.stringify(word)}`).toBe(
              evaluate(formula, word.prefix, word.cycle),
            );
        }),
        { numRuns: 400 },
      );
    });
});
