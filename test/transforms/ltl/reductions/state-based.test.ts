/** Automata with accepting states: marks are the same on all edges of a state, and the language stays. */
import { expect, test } from "vitest";
import { reduceStateBased } from "../../../../src/transforms/ltl/buchi.js";
import { all, Letters } from "../../../../src/model/letters.js";
import { mergeByLanguage } from "../../../../src/transforms/ltl/reductions/merge.js";
import {
  type Collecting,
  isAcceptingState,
  toStateBased,
  trimStateBased,
  withEqualMarks,
} from "../../../../src/transforms/ltl/state-based.js";
import type { SymbolicAutomaton } from "../../../../src/transforms/ltl/symbolic.js";
import { reversed, testReductions, testWithNegation } from "./kept.js";

const collecting =
  (collect: Collecting) =>
  (automaton: SymbolicAutomaton): SymbolicAutomaton =>
    toStateBased(automaton, { order: reversed(automaton), collect });

testReductions(
  {
    "accepting states, never": [collecting("never"), [878, 1875]],
    "accepting states, after-end": [collecting("after-end"), [832, 1868]],
    "accepting states, at-end": [collecting("at-end"), [933, 2160]],
    "accepting states, trimmed": [
      (automaton) => trimStateBased(collecting("at-end")(automaton)),
      [898, 2038],
    ],
    "accepting states, simulated": [
      (automaton) => reduceStateBased(collecting("never")(automaton)),
      [715, 1382],
    ],
  },
  true,
);

test("without conditions all states accept", () => {
  const [letters, edge] = [new Letters(), { guard: all, marks: 0, to: 0 }];
  const isAccepting = (conditions: number): boolean =>
    isAcceptingState({ letters, conditions, initial: 0, states: [[edge]] }, 0);
  expect([0, 1].map(isAccepting)).toEqual([true, false]);
});

/** The edges of each state: one on a proposition, one on its negation. */
const withMarks = (...rows: readonly (readonly [to: number, marks: number])[][]): SymbolicAutomaton => {
  const letters = new Letters();
  const guards = [letters.literal(0, true), letters.literal(0, false)];
  const states = rows.map((row) => row.map(([to, marks], i) => ({ guard: guards[i]!, marks, to })));
  return { letters, conditions: 1, initial: 0, states };
};
const marksOf = ({ states }: SymbolicAutomaton): number[][] =>
  states.map((edges) => edges.map(({ marks }) => marks));

test("a state accepts if all its cycles do, wherever else it leads", () => {
  const automaton = withMarks(
    [
      [1, 0],
      [2, 0],
    ],
    [[0, 1]],
    [[2, 1]],
  );
  expect(marksOf(trimStateBased(automaton))).toEqual([[1, 1], [1], [1]]);
});

test("a state of which an edge is marked is marked, and no other", () => {
  const automaton = withMarks(
    [
      [1, 0],
      [0, 1],
    ],
    [
      [0, 0],
      [1, 0],
    ],
  );
  expect([0, 1].map((state) => marksOf(withEqualMarks(automaton, state)))).toEqual([
    [
      [1, 1],
      [0, 0],
    ],
    [
      [0, 1],
      [0, 0],
    ],
  ]);
});

testWithNegation(
  "states are merged, and accept",
  (automaton, complement) => {
    const order = reversed(automaton).reverse();
    const states = toStateBased(automaton, { order, collect: "never" });
    return mergeByLanguage(states, complement, withEqualMarks);
  },
  [551, 668],
  true,
);
