/** Operations on automata, one after the other, against the short words that are accepted. */
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../../src/model/index.js";
import { reduceStateBased, toBuchi } from "../../../../src/transforms/ltl/buchi.js";
import { couvreur } from "../../../../src/transforms/ltl/couvreur.js";
import { degeneralise } from "../../../../src/transforms/ltl/degeneralise.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { negate } from "../../../../src/transforms/ltl/formulas/normal-form.js";
import { Terms } from "../../../../src/transforms/ltl/formulas/terms.js";
import { all, Letters } from "../../../../src/transforms/ltl/letters.js";
import { mergeByLanguage } from "../../../../src/transforms/ltl/reductions/merge.js";
import { smallestWeakDeterministic } from "../../../../src/transforms/ltl/reductions/obligation.js";
import {
  backwards,
  forwards,
  reduceBySimulation,
} from "../../../../src/transforms/ltl/reductions/simulation.js";
import { trim, withUsefulStates } from "../../../../src/transforms/ltl/reductions/trim.js";
import {
  collectings,
  isAcceptingState,
  toStateBased,
  trimStateBased,
  withEqualMarks,
} from "../../../../src/transforms/ltl/state-based.js";
import { type SymbolicAutomaton, toAutomaton, toSymbolic } from "../../../../src/transforms/ltl/symbolic.js";
import { every, expectSame, names, proposition, randomAutomata, shortWords, sizeOf } from "../obvious.js";

const limits = { states: 1000, edges: 1000 };
/** Numbers of states and edges, summed up: reductions reduce, and by as much as they did. */
const sizes: Readonly<Record<string, readonly number[]>> = {
  "no change": [580, 1266],
  "useful states": [463, 976],
  trimming: [463, 919],
  "forward simulation": [538, 1040],
  "backward simulation": [577, 1127],
  "simulation and trimming": [394, 684],
  "accepting states, never": [878, 1875],
  "accepting states, after-end": [832, 1868],
  "accepting states, at-end": [933, 2160],
  "accepting states, trimmed": [898, 2038],
  "accepting states, simulated": [715, 1382],
  degeneralised: [742, 1658],
  "degeneralised, lookahead": [719, 1600],
  "one condition, edges": [546, 1063],
  "one condition, edges as they are": [742, 1658],
  "one condition, states": [677, 1343],
  "one condition, states as they are": [933, 2160],
  "states are merged": [558, 713],
  "states are merged, and accept": [551, 668],
  "the smallest deterministic automaton is found": [485, 566],
};

describe("reductions keep the language of any automaton", () => {
  const automata = randomAutomata(200, names);
  const accepted = automata.map((automaton) => shortWords.ofAutomaton(automaton));
  const order = ({ conditions }: { readonly conditions: number }): number[] =>
    Array.from({ length: conditions }, (_, i) => conditions - 1 - i);
  type Reduction = (automaton: SymbolicAutomaton) => SymbolicAutomaton;
  const withStates: Readonly<Record<string, Reduction>> = Object.fromEntries(
    collectings.map((collect): [string, Reduction] => [
      `accepting states, ${collect}`,
      (automaton) => toStateBased(automaton, { order: order(automaton), collect }),
    ]),
  );
  const reductions: Readonly<Record<string, Reduction>> = {
    "no change": (automaton) => automaton,
    "useful states": withUsefulStates,
    trimming: trim,
    "forward simulation": forwards,
    "backward simulation": (automaton) => backwards(automaton, () => 0),
    "simulation and trimming": (automaton) => reduceBySimulation(automaton, trim),
    ...withStates,
    "accepting states, trimmed": (automaton) =>
      trimStateBased(withStates["accepting states, at-end"]!(automaton)),
    "accepting states, simulated": (automaton) =>
      reduceStateBased(withStates["accepting states, never"]!(automaton)),
  };
  for (const [name, reduce] of Object.entries(reductions))
    test(name, () => {
      const reduced = automata.map((automaton, i) => {
        const result = reduce(toSymbolic(automaton));
        expectSame(toAutomaton(result, names), accepted[i]!, `automaton ${i}`);
        if (name.startsWith("accepting"))
          result.states.forEach((edges, state) => {
            for (const { marks } of edges) expect(marks !== 0).toBe(isAcceptingState(result, state));
          });
        return result;
      });
      expect(sizeOf(reduced), name).toEqual(sizes[name]);
    });

  test("trimming leaves few conditions", () => {
    const trimmed = automata.map((automaton) => trim(toSymbolic(automaton)));
    const counts = [0, 1, 2, 3].map(
      (count) => trimmed.filter(({ conditions }) => conditions === count).length,
    );
    expect(counts).toEqual([94, 63, 38, 5]);
  });

  test("without conditions all states accept", () => {
    const [letters, edge] = [new Letters(), { guard: all, marks: 0, to: 0 }];
    const isAccepting = (conditions: number): boolean =>
      isAcceptingState({ letters, conditions, initial: 0, states: [[edge]] }, 0);
    expect([0, 1].map(isAccepting)).toEqual([true, false]);
  });

  const single: Readonly<Record<string, (automaton: Automaton) => Automaton>> = {
    degeneralised: (automaton) => degeneralise(automaton),
    "degeneralised, lookahead": (automaton) =>
      degeneralise(automaton, { lookahead: true, order: order(automaton) }),
    "one condition, edges": (automaton) => toBuchi(automaton),
    "one condition, edges as they are": (automaton) => toBuchi(automaton, { reduce: false }),
    "one condition, states": (automaton) => toBuchi(automaton, { acceptance: "states" }),
    "one condition, states as they are": (automaton) =>
      toBuchi(automaton, { acceptance: "states", reduce: false, order: order(automaton) }),
  };
  for (const [name, make] of Object.entries(single))
    test(name, () => {
      const made = automata.map((automaton, i) => {
        const result = make(automaton);
        expect(result.conditions).toBe(1);
        expectSame(result, accepted[i]!, `automaton ${i}`);
        return result;
      });
      expect(sizeOf(made), name).toEqual(sizes[name]);
    });
});

describe("with the automaton of the negation", () => {
  const sides = every(7).map((formula) => {
    const letters = new Letters();
    const of = (f: Formula): SymbolicAutomaton => couvreur(new Terms().from(f), limits, letters);
    return { formula, automaton: of(formula), complement: of(negate(formula)) };
  });
  const order = ({ conditions }: SymbolicAutomaton): number[] =>
    Array.from({ length: conditions }, (_, i) => i);

  for (const [name, reduce] of Object.entries({
    "states are merged": mergeByLanguage,
    "states are merged, and accept": (automaton: SymbolicAutomaton, complement: SymbolicAutomaton) =>
      mergeByLanguage(
        toStateBased(automaton, { order: order(automaton), collect: "never" }),
        complement,
        withEqualMarks,
      ),
    "the smallest deterministic automaton is found": (
      automaton: SymbolicAutomaton,
      complement: SymbolicAutomaton,
    ) => smallestWeakDeterministic(automaton, complement, 100),
  }))
    test(name, () => {
      const reduced = sides.flatMap(({ formula, automaton, complement }) => {
        const result = reduce(automaton, complement);
        if (!result) return [];
        expectSame(toAutomaton(result, names), shortWords.ofFormula(formula), format(formula, names));
        if (name !== "states are merged")
          for (const edges of result.states)
            expect(new Set(edges.map(({ marks }) => marks)).size).toBeLessThan(2);
        return [result];
      });
      expect(sizeOf(reduced), name).toEqual(sizes[name]);
    });

  test("where infinitely many letters count, none is deterministic and weak", () => {
    const always = (operand: Formula): Formula => ({ kind: "always", operand });
    const eventually = (operand: Formula): Formula => ({ kind: "eventually", operand });
    const literals = [0, 1].flatMap((index): Formula[] => [
      proposition(index),
      { kind: "not", operand: proposition(index) },
    ]);
    for (const literal of literals)
      for (const formula of [always(eventually(literal)), eventually(always(literal))]) {
        const letters = new Letters();
        const [own, other] = [formula, negate(formula)].map((f) =>
          couvreur(new Terms().from(f), limits, letters),
        );
        expect(smallestWeakDeterministic(own!, other!, 100), format(formula, names)).toBeUndefined();
      }
  });
});
