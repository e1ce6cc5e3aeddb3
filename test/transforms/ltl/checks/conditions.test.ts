/** The meaning of formulas and inclusion of automata, against trying all short words. */
import { describe, expect, test } from "vitest";
import type { Formula } from "../../../../src/model/index.js";
import { evaluate } from "../../../../src/transforms/ltl/checks/lasso.js";
import { isIncluded } from "../../../../src/transforms/ltl/checks/inclusion.js";
import { translateByAlternation } from "../../../../bench/automata/alternating.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import {
  every,
  expectSame,
  names,
  proposition,
  randomAutomata,
  shortLassos,
  shortWords,
  Words,
} from "../obvious.js";

test("a word satisfies a formula as it should", () => {
  const binary = [
    "until",
    "weak-until",
    "release",
    "strong-release",
    "implies",
    "equivalent",
    "xor",
  ] as const;
  const formulas = [
    ...every(60),
    ...binary.map((kind): Formula => ({ kind, left: proposition(0), right: proposition(1) })),
  ];
  const lassos = shortLassos();
  for (const formula of formulas) {
    const truth = shortWords.ofFormula(formula);
    lassos.forEach(({ prefix, cycle }, word) =>
      expect(evaluate(formula, prefix, cycle), format(formula, names)).toBe(truth[word] === 1),
    );
  }
  expect(() => evaluate({ kind: "true" }, [], [])).toThrow();
});

test("the second translation accepts the words that satisfy its formula", () => {
  for (const formula of every(12))
    expectSame(translateByAlternation(formula, names), shortWords.ofFormula(formula), format(formula, names));
});

describe("inclusion", () => {
  const longer = new Words(1, 7);
  const isWithin = (a: Uint8Array, b: Uint8Array): boolean => a.every((value, word) => value <= b[word]!);

  test("of automata of which all short words are tried", () => {
    const automata = randomAutomata(24, ["a"]);
    const accepted = automata.map((automaton) => longer.ofAutomaton(automaton));
    let included = 0;
    automata.forEach((a, i) =>
      automata.forEach((b, j) => {
        const isTrue = isWithin(accepted[i]!, accepted[j]!);
        if (isTrue) included++;
        expect(isIncluded(a, b), `${i} in ${j}`).toBe(isTrue);
      }),
    );
    expect(included).toBe(468);
  });
});
