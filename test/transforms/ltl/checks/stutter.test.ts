/** Stutter invariance, against trying all short words. */
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../../src/model/index.js";
import {
  isStutterInvariant,
  isStutterInvariantAutomaton,
} from "../../../../src/transforms/ltl/checks/stutter.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { hasNext } from "../../../../src/transforms/ltl/formulas/normal-form.js";
import { translate } from "../../../../src/transforms/ltl/translate.js";
import { formulasBySize, names, proposition, randomAutomata, Words } from "../obvious.js";

describe("stutter invariance", () => {
  /** Words grouped by their stutter-free form. */
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

  test("marks seen on repetitions count", () => {
    const twice: Formula = {
      kind: "always",
      operand: {
        kind: "eventually",
        operand: { kind: "and", left: a, right: { kind: "next", operand: a } },
      },
    };
    expect(isStutterInvariant(twice)).toBe(false);
    expect(isStutterInvariantAutomaton(translate(twice, names))).toBe(false);
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
