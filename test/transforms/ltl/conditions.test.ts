/** Letters, products and the translation before anything is reduced, against their meaning on all short words. */
import { describe, expect, test } from "vitest";
import type { Formula } from "../../../src/model/index.js";
import { isEmpty } from "../../../src/transforms/ltl/components.js";
import { couvreur } from "../../../src/transforms/ltl/couvreur.js";
import { format } from "../../../src/transforms/ltl/formulas/format.js";
import { Terms } from "../../../src/transforms/ltl/formulas/terms.js";
import { Letters, type LetterSet } from "../../../src/transforms/ltl/letters.js";
import { areDisjoint, product } from "../../../src/transforms/ltl/product.js";
import { toAutomaton, toSymbolic } from "../../../src/transforms/ltl/symbolic.js";
import { every, expectSame, names, randomAutomata, shortWords, sizeOf, Words } from "./obvious.js";

const limits = { states: 1000, edges: 1000 };
/** Numbers of states and edges, summed up: as many as they were. */
const sizes: Readonly<Record<string, readonly number[]>> = {
  "Couvreur's translation": [963, 1216],
};

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
    for (let a = 0; a < 256; a += 7)
      for (let b = 0; b < 256; b += 11) {
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
    for (let a = 1; a < 256; a += 13)
      for (let b = 0; b < 256; b += 11) {
        const parts = letters.partition([sets[a]!, sets[b]!]).map(bitsOf);
        const expected = [a & b, a & ~b, ~a & b, ~a & ~b]
          .map((bits) => bits & 255)
          .filter((bits) => bits > 0);
        expect(parts.sort()).toEqual(expected.sort());
      }
  });
});

describe("an automaton accepts the words that satisfy its formula", () => {
  for (const [name, formulas, translation] of [
    [
      "Couvreur's translation",
      every(4),
      (f: Formula) => toAutomaton(couvreur(new Terms().from(f), limits), names),
    ],
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

describe("products", () => {
  test("products", () => {
    const longer = new Words(1, 6);
    const ofOne = randomAutomata(80, ["a"]);
    const accepted = ofOne.map((automaton) => longer.ofAutomaton(automaton));
    ofOne.slice(0, 40).forEach((a, i) => {
      const b = ofOne[i + 40]!;
      const both = accepted[i]!.map((value, word) => value & accepted[i + 40]![word]!);
      expectSame(product(a, b), both, `automata ${i}`, longer);
      const isDisjoint = both.every((value) => value === 0);
      expect(areDisjoint(a, b), `automata ${i}`).toBe(isDisjoint);
      expect(isEmpty(product(a, b))).toBe(isDisjoint);
      expect(isEmpty(toSymbolic(a))).toBe(accepted[i]!.every((value) => value === 0));
    });
  });
});
