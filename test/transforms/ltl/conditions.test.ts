/** Letters, the translation and operations on automata, one after the other, against their meaning on all short words. */
import { describe, expect, test } from "vitest";
import type { Automaton, Formula } from "../../../src/model/index.js";
import { reduceStateBased, toBuchi } from "../../../src/transforms/ltl/buchi.js";
import { isEmpty } from "../../../src/transforms/ltl/components.js";
import { couvreur } from "../../../src/transforms/ltl/couvreur.js";
import { degeneralise } from "../../../src/transforms/ltl/degeneralise.js";
import { format } from "../../../src/transforms/ltl/formulas/format.js";
import { negate } from "../../../src/transforms/ltl/formulas/normal-form.js";
import { Terms } from "../../../src/transforms/ltl/formulas/terms.js";
import { Letters, type LetterSet } from "../../../src/transforms/ltl/letters.js";
import { areDisjoint, product } from "../../../src/transforms/ltl/product.js";
import { mergeByLanguage } from "../../../src/transforms/ltl/reductions/merge.js";
import { smallestWeakDeterministic } from "../../../src/transforms/ltl/reductions/obligation.js";
import {
  backwards,
  forwards,
  reduceBySimulation,
} from "../../../src/transforms/ltl/reductions/simulation.js";
import { trim, withUsefulStates } from "../../../src/transforms/ltl/reductions/trim.js";
import {
  collectings,
  isAcceptingState,
  toStateBased,
  trimStateBased,
  withEqualMarks,
} from "../../../src/transforms/ltl/state-based.js";
import {
  edgeCount,
  type SymbolicAutomaton,
  toAutomaton,
  toSymbolic,
} from "../../../src/transforms/ltl/symbolic.js";
import { translate, translateToBuchi } from "../../../src/transforms/ltl/translate.js";
import { formulasBySize, proposition, randomAutomata, Words } from "./obvious.js";

const names = ["a", "b"];
const words = new Words(2, 3);

describe("sets of letters", () => {
  /** Every set over three propositions, with the letters it should have as a bit set. */
  const letters = new Letters();
  const sets: LetterSet[] = Array.from({ length: 256 }, (_, bits) =>
    letters.fromCubes(
      Array.from({ length: 8 }, (_, letter) => ({ care: 7, value: letter })).filter(
        ({ value }) => (bits >>> value) & 1,
      ),
    ),
  );
  const bitsOf = (set: LetterSet): number =>
    [0, 1, 2, 3, 4, 5, 6, 7].reduce((bits, letter) => bits | (letters.has(set, letter) ? 1 << letter : 0), 0);

  test("have the letters they are made of, and are known by them", () => {
    expect(sets.map(bitsOf)).toEqual(sets.map((_, bits) => bits));
    expect(new Set(sets).size).toBe(256);
    expect(bitsOf(letters.literal(1, true))).toBe(0b11001100);
    expect(bitsOf(letters.literal(1, false))).toBe(0b00110011);
  });

  test("are combined letter by letter", () => {
    for (let a = 0; a < 256; a += 3)
      for (let b = 0; b < 256; b += 5) {
        expect(letters.and(sets[a]!, sets[b]!)).toBe(sets[a & b]);
        expect(letters.or(sets[a]!, sets[b]!)).toBe(sets[a | b]);
        expect(letters.minus(sets[a]!, sets[b]!)).toBe(sets[a & ~b]);
        expect(letters.isSubset(sets[a]!, sets[b]!)).toBe((a & ~b) === 0);
      }
    for (let a = 0; a < 256; a++) expect(letters.not(sets[a]!)).toBe(sets[~a & 255]);
  });

  test("as cubes are the same, none of which can be left out", () => {
    for (let a = 0; a < 256; a++) {
      const cubes = letters.toCubes(sets[a]!);
      expect(letters.fromCubes(cubes)).toBe(sets[a]);
      for (const cube of cubes)
        expect(letters.fromCubes(cubes.filter((other) => other !== cube))).not.toBe(sets[a]);
      if (a > 0) expect((a >>> letters.some(sets[a]!)) & 1).toBe(1);
    }
  });

  test("partition all letters", () => {
    for (let a = 1; a < 256; a += 7)
      for (let b = 0; b < 256; b += 11) {
        const parts = letters.partition([sets[a]!, sets[b]!]).map(bitsOf);
        const expected = [a & b, a & ~b, ~a & b, ~a & ~b]
          .map((bits) => bits & 255)
          .filter((bits) => bits > 0);
        expect(parts.sort()).toEqual(expected.sort());
      }
  });
});

/** Fails on the first word that one accepts alone. */
function expectSame(automaton: Automaton, expected: Uint8Array, what: string, by = words): void {
  const difference = by.difference(by.ofAutomaton(automaton), expected);
  if (difference !== undefined) expect.fail(`${what}: ${difference}`);
}

const literals: Formula[] = [0, 1].flatMap((index) => [proposition(index), negate(proposition(index))]);
const unary = ["next", "eventually", "always"] as const;
const binary = ["and", "or", "until", "release"] as const;
const constants: Formula[] = [{ kind: "true" }, { kind: "false" }];
const small = [...constants, ...formulasBySize(4, literals.slice(0, 3), unary, binary).flat()];
/** Two things at once, one of which may be put off. */
const conjunctions = small
  .slice(0, 60)
  .flatMap((left, i) =>
    small.slice(40, 60).map((right): Formula => ({ kind: i % 2 ? "and" : "or", left, right })),
  );
const every = (step: number): Formula[] => [...small, ...conjunctions].filter((_, i) => i % step === 0);
const limits = { states: 1000, edges: 1000 };

/** Numbers of states and edges, summed up: reductions reduce, and by as much as they did. */
const sizes: Readonly<Record<string, readonly number[]>> = {
  "Couvreur's translation": [1938, 2467],
  translate: [623, 745],
  translateToBuchi: [636, 760],
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

function sizeOf(automata: readonly { readonly states: readonly (readonly unknown[])[] }[]): number[] {
  return [
    automata.reduce((sum, { states }) => sum + states.length, 0),
    automata.reduce((sum, one) => sum + edgeCount(one), 0),
  ];
}

describe("an automaton accepts the words that satisfy its formula", () => {
  for (const [name, formulas, translation] of [
    [
      "Couvreur's translation",
      every(2),
      (f: Formula) => toAutomaton(couvreur(new Terms().from(f), limits), names),
    ],
    ["translate", every(6), (f: Formula) => translate(f, names)],
    ["translateToBuchi", every(6), (f: Formula) => translateToBuchi(f, names)],
  ] as const)
    test(name, () => {
      const automata = formulas.map((formula) => {
        const automaton = translation(formula);
        expectSame(automaton, words.ofFormula(formula), format(formula, names));
        return automaton;
      });
      expect(sizeOf(automata), name).toEqual(sizes[name]);
    });
});

describe("reductions keep the language of any automaton", () => {
  const automata = randomAutomata(200, names);
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
        expectSame(toAutomaton(result, names), words.ofAutomaton(automaton), `automaton ${i}`);
        if (name.startsWith("accepting"))
          result.states.forEach((edges, state) => {
            for (const { marks } of edges) expect(marks !== 0).toBe(isAcceptingState(result, state));
          });
        return result;
      });
      expect(sizeOf(reduced), name).toEqual(sizes[name]);
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
        expectSame(result, words.ofAutomaton(automaton), `automaton ${i}`);
        return result;
      });
      expect(sizeOf(made), name).toEqual(sizes[name]);
    });

  test("products", () => {
    const longer = new Words(1, 6);
    const ofOne = randomAutomata(160, ["a"]);
    const accepted = ofOne.map((automaton) => longer.ofAutomaton(automaton));
    ofOne.slice(0, 80).forEach((a, i) => {
      const b = ofOne[i + 80]!;
      const both = accepted[i]!.map((value, word) => value & accepted[i + 80]![word]!);
      expectSame(product(a, b), both, `automata ${i}`, longer);
      const isDisjoint = both.every((value) => value === 0);
      expect(areDisjoint(a, b), `automata ${i}`).toBe(isDisjoint);
      expect(isEmpty(product(a, b))).toBe(isDisjoint);
      expect(isEmpty(toSymbolic(a))).toBe(accepted[i]!.every((value) => value === 0));
    });
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
        expectSame(toAutomaton(result, names), words.ofFormula(formula), format(formula, names));
        if (name !== "states are merged")
          for (const edges of result.states)
            expect(new Set(edges.map(({ marks }) => marks)).size).toBeLessThan(2);
        return [result];
      });
      expect(sizeOf(reduced), name).toEqual(sizes[name]);
    });
});
