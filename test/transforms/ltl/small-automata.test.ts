/** The automata of all small formulas against the meaning of the formulas on all short words. */
import { describe, expect, test } from "vitest";
import { type Formula, MOST_PROPOSITIONS } from "../../../src/model/index.js";
import { format } from "../../../src/transforms/ltl/formulas/format.js";
import { AutomatonTooLarge } from "../../../src/transforms/ltl/symbolic.js";
import { translate, translateToBuchi } from "../../../src/transforms/ltl/translate.js";
import { every, expectSame, names, shortWords, sizeOf } from "./obvious.js";

/** Total numbers of states and edges: reductions keep their strength. */
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

test("nothing is simplified if that is asked for", () => {
  const exact = every(6).map((formula) => translate(formula, names, { exact: true }));
  expect(sizeOf(exact)).toEqual([655, 836]);
});

test("there are no more propositions than bits", () => {
  const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `p${i}`);
  const last: Formula = { kind: "proposition", index: MOST_PROPOSITIONS - 1 };
  for (const make of [translate, translateToBuchi]) {
    expect(make(last, many(MOST_PROPOSITIONS)).states.length).toBe(2);
    expect(() => make(last, many(MOST_PROPOSITIONS + 1))).toThrow(AutomatonTooLarge);
  }
});
