/** Useless states, edges, marks and conditions are taken away, and the language stays. */
import { expect, test } from "vitest";
import type { AutomatonEdge } from "../../../../src/model/index.js";
import { trim, withUsefulStates } from "../../../../src/transforms/ltl/reductions/trim.js";
import { toSymbolic } from "../../../../src/transforms/ltl/symbolic.js";
import { names } from "../obvious.js";
import { automata, testReductions } from "./kept.js";

testReductions({
  "no change": [(automaton) => automaton, [580, 1266]],
  "useful states": [withUsefulStates, [463, 976]],
  trimming: [trim, [463, 919]],
});

test("trimming leaves few conditions", () => {
  const trimmed = automata.map((automaton) => trim(toSymbolic(automaton)));
  const counts = [0, 1, 2, 3].map((count) => trimmed.filter(({ conditions }) => conditions === count).length);
  expect(counts).toEqual([94, 63, 38, 5]);
});

test("edges between components need no conditions", () => {
  const edge = (value: number, marks: number, to: number): AutomatonEdge => ({
    guard: [{ care: 1, value }],
    marks,
    to,
  });
  const conditionsOf = (conditions: number, ...states: AutomatonEdge[][]): number =>
    trim(toSymbolic({ propositions: names, conditions, initial: 0, states })).conditions;
  expect(conditionsOf(0, [edge(0, 0, 1)], [edge(0, 0, 2)], [edge(0, 0, 2)])).toBe(0);
  expect(conditionsOf(1, [edge(0, 1, 0), edge(1, 0, 1)], [edge(0, 1, 1)])).toBe(0);
});
