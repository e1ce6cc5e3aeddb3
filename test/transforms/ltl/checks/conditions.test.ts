/** Inclusion of automata and stutter invariance, against trying all short words. */
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../../src/model/index.js";
import { accepts, evaluate } from "../../../../src/transforms/ltl/checks/lasso.js";
import { isIncluded } from "../../../../src/transforms/ltl/checks/inclusion.js";
import {
  isStutterInvariant,
  isStutterInvariantAutomaton,
} from "../../../../src/transforms/ltl/checks/stutter.js";
import { translateByAlternation } from "../../../../src/transforms/ltl/checks/alternating.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { hasNext } from "../../../../src/transforms/ltl/formulas/normal-form.js";
import { translate } from "../../../../src/transforms/ltl/translate.js";
import {
  every,
  expectSame,
  formulasBySize,
  names,
  proposition,
  randomAutomata,
  shortWords,
  Words,
} from "../obvious.js";

test("a word satisfies a formula, or an automaton accepts it, as it should", () => {
  const lassos = shortWords.texts.map((text) => {
    const [, prefix, cycle] = /^(.*)\((.*)\)$/.exec(text)!;
    const letters = (list: string): number[] =>
      list
        .split(",")
        .filter((letter) => letter !== "")
        .map(Number);
    return { prefix: letters(prefix!), cycle: letters(cycle!) };
  });
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
  for (const formula of formulas) {
    const truth = shortWords.ofFormula(formula);
    lassos.forEach(({ prefix, cycle }, word) =>
      expect(evaluate(formula, prefix, cycle), format(formula, names)).toBe(truth[word] === 1),
    );
  }
  for (const automaton of randomAutomata(10, names)) {
    const accepted = shortWords.ofAutomaton(automaton);
    lassos.forEach((lasso, word) => expect(accepts(automaton, lasso)).toBe(accepted[word] === 1));
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

describe("stutter invariance", () => {
  /** Words by what is left of them without repetitions. */
  const groups = new Map<string, number[]>();
  const words = new Words(2, 4);
  words.texts.forEach((_, word) => {
    const kept: number[] = [];
    for (let at = word, i = 0; i < 24; at = words.next[at]!, i++)
      if (kept.at(-1) !== words.letters[at]) kept.push(words.letters[at]!);
    const key = kept.slice(0, 6).join();
    groups.set(key, [...(groups.get(key) ?? []), word]);
  });
  const isInvariant = (truth: Uint8Array): boolean =>
    [...groups.values()].every((group) => group.every((word) => truth[word] === truth[group[0]!]));
  const [a, b] = [proposition(0), proposition(1)];
  const leaves: Formula[] = [a, b, { kind: "not", operand: a }];
  const formulas = formulasBySize(
    4,
    leaves,
    ["next", "eventually", "always"],
    ["and", "or", "until", "release"],
  )
    .flat()
    .filter((formula, i) => hasNext(formula) && i % 3 !== 0);

  test("of formulas", () => {
    const invariant = formulas.filter((formula) => {
      const isTrue = isInvariant(words.ofFormula(formula));
      expect(isStutterInvariant(formula), format(formula, names)).toBe(isTrue);
      return isTrue;
    });
    expect(invariant.length).toBe(16);
  });

  test("is not claimed where it takes too much to know", () => {
    const falls: Formula = {
      kind: "eventually",
      operand: { kind: "and", left: a, right: { kind: "next", operand: { kind: "not", operand: a } } },
    };
    expect([1, 5000].map((most) => isStutterInvariant(falls, most))).toEqual([false, true]);
    const automaton = translate(falls, names);
    expect([1, 5000].map((most) => isStutterInvariantAutomaton(automaton, most))).toEqual([false, true]);
    expect([8, 12].map((most) => isStutterInvariantAutomaton(automaton, most))).toEqual([false, false]);
  });

  test("of automata", () => {
    const automata: Automaton[] = [
      ...formulas.filter((_, i) => i % 9 === 0).map((formula) => translate(formula, names)),
      ...randomAutomata(40, names),
    ];
    const invariant = automata.filter((automaton, i) => {
      const isTrue = isInvariant(words.ofAutomaton(automaton));
      expect(isStutterInvariantAutomaton(automaton), `automaton ${i}`).toBe(isTrue);
      return isTrue;
    });
    expect(invariant.length).toBe(32);
  });
});
