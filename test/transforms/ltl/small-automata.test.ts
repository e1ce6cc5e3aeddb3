/** The automata of all small formulas against the meaning of the formulas on all short words. */
import { describe, expect, test } from "vitest";
import type { Formula } from "../../../src/model/index.js";
import { format } from "../../../src/transforms/ltl/formulas/format.js";
import { translate, translateToBuchi } from "../../../src/transforms/ltl/translate.js";
import { every, expectSame, names, shortWords, sizeOf } from "./obvious.js";

/** Numbers of states and edges, summed up: reductions reduce, and by as much as they did. */
const sizes: Readonly<Record<string, readonly number[]>> = {
  translate: [623, 745],
  translateToBuchi: [636, 760],
};

describe("an automaton accepts the words that satisfy its formula", () => {
  for (const [name, formulas, translation] of [
    ["translate", every(6), (f: Formula) => translate(f, names)],
    ["translateToBuchi", every(6), (f: Formula) => translateToBuchi(f, names)],
  ] as const)
    test(name, () => {
      const automata = formulas.map((formula) => {
        const automaton = translation(formula);
        expectSame(automaton, shortWords.ofFormula(formula), format(formula, names));
        return automaton;
      });
      expect(sizeOf(automata), name).toEqual(sizes[name]);
    });
});
