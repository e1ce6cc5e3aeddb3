/** Weakness, inclusion in weak automata, and stutter invariance with nothing or too much to compare. */
import { expect, test } from "vitest";
import type { Automaton, Formula } from "../../../../src/model/index.js";
import { isWeak } from "../../../../src/transforms/ltl/checks/breakpoints.js";
import { isIncluded } from "../../../../src/transforms/ltl/checks/inclusion.js";
import {
  isStutterInvariant,
  isStutterInvariantAutomaton,
} from "../../../../src/transforms/ltl/checks/stutter.js";
import { toSymbolic } from "../../../../src/transforms/ltl/symbolic.js";
import { translate } from "../../../../src/transforms/ltl/translate.js";
import { names, proposition, randomAutomata, Words } from "../obvious.js";

const a = proposition(0);
const eventually = (operand: Formula): Formula => ({ kind: "eventually", operand });
const falls = eventually({
  kind: "and",
  left: a,
  right: { kind: "next", operand: { kind: "not", operand: a } },
});

const always = [{ care: 0, value: 0 }];

test("weak is what accepts on all cycles of a component or on none", () => {
  const withMarks = (...marks: readonly number[]): Automaton => ({
    propositions: ["a"],
    conditions: 1,
    initial: 0,
    states: [
      [0, 0, 1].map((to, i) => ({ guard: always, marks: marks[i]!, to })),
      [{ guard: always, marks: marks[3]!, to: 1 }],
    ],
  });
  const isWeakWith = (...marks: readonly number[]): boolean => isWeak(toSymbolic(withMarks(...marks)));
  expect(isWeakWith(0, 0, 1, 1)).toBe(true);
  expect(isWeakWith(1, 1, 0, 0)).toBe(true);
  expect(isWeakWith(0, 1, 0, 1)).toBe(false);
});

const repeating = (...guards: Automaton["states"][0][0]["guard"][]): Automaton => ({
  propositions: names,
  conditions: 0,
  initial: 0,
  states: guards.map((guard, i) => [{ guard, marks: 0, to: (i + 1) % guards.length }]),
});

test("inclusion is found as all short words show it", () => {
  const words = new Words(1, 5);
  const automata = randomAutomata(12, ["a"]);
  const accepted = automata.map((automaton) => words.ofAutomaton(automaton));
  automata.forEach((one, i) =>
    automata.forEach((other, j) =>
      expect(isIncluded(one, other), `${i} in ${j}`).toBe(
        accepted[i]!.every((value, word) => value <= accepted[j]![word]!),
      ),
    ),
  );
});

test("runs that stay accepting for a letter each are no run that stays so", () => {
  const [on, off] = [1, 0].map((value) => [{ care: 1, value }]);
  const inTheEndConstant: Automaton = {
    propositions: names,
    conditions: 1,
    initial: 0,
    states: [
      [0, 1, 2].map((to) => ({ guard: always, marks: 0, to })),
      [{ guard: on!, marks: 1, to: 1 }],
      [{ guard: off!, marks: 1, to: 2 }],
    ],
  };
  expect(isWeak(toSymbolic(inTheEndConstant))).toBe(true);
  expect(isIncluded(repeating(on!, off!), inTheEndConstant)).toBe(false);
  expect(isIncluded(repeating(on!), inTheEndConstant)).toBe(true);
  expect(isIncluded(repeating(off!), inTheEndConstant)).toBe(true);
});

test("runs that end are forgotten, however many marks they have seen", () => {
  const [first, second, neither] = [
    [{ care: 1, value: 1 }],
    [{ care: 3, value: 2 }],
    [{ care: 3, value: 0 }],
  ];
  const inTheEndNotNeither: Automaton = {
    propositions: names,
    conditions: 1,
    initial: 0,
    states: [
      [0, 1].map((to) => ({ guard: always, marks: 0, to })),
      [
        { guard: first!, marks: 1, to: 1 },
        { guard: second!, marks: 0, to: 1 },
      ],
    ],
  };
  expect(isWeak(toSymbolic(inTheEndNotNeither))).toBe(false);
  expect(isIncluded(repeating(first!, first!, first!, neither!), inTheEndNotNeither)).toBe(false);
  expect(isIncluded(repeating(second!), inTheEndNotNeither)).toBe(false);
  expect(isIncluded(repeating(first!, second!), inTheEndNotNeither)).toBe(true);
});

test("a cycle that is not accepted is found inside of one that is", () => {
  const [on, off] = [1, 0].map((value) => [{ care: 1, value }]);
  const again: Automaton = {
    propositions: names,
    conditions: 1,
    initial: 0,
    states: [
      [
        { guard: on!, marks: 1, to: 0 },
        { guard: off!, marks: 0, to: 0 },
      ],
    ],
  };
  expect(isWeak(toSymbolic(again))).toBe(false);
  expect(isIncluded(repeating(always), again)).toBe(false);
  expect(isIncluded(repeating(off!, on!), again)).toBe(true);
});

test("stutter invariance is not claimed where it takes too much to know", () => {
  const least = (isKnown: (most: number) => boolean): number => {
    for (let most = 0; most < 30; most++) if (isKnown(most)) return most;
    return 30;
  };
  expect(least((most) => isStutterInvariant(falls, most))).toBe(5);
  const automaton = translate(falls, names);
  expect(least((most) => isStutterInvariantAutomaton(automaton, most))).toBe(20);
});

test("stutter invariance takes nothing to know without a next", () => {
  expect(isStutterInvariant(eventually(a), 0)).toBe(true);
});

test("mistakes are no answer", () => {
  const mistake = (): never => {
    throw new RangeError("no such thing");
  };
  const formula = Object.defineProperty({ kind: "next", operand: a } as const, "operand", { get: mistake });
  expect(() => isStutterInvariant(formula)).toThrow(RangeError);
  const automaton = Object.defineProperty(translate(a, names), "states", { get: mistake });
  expect(() => isStutterInvariantAutomaton(automaton)).toThrow(RangeError);
});
