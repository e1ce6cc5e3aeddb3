/** Letters, products and the translation before anything is reduced, against their meaning on all short words. */
import { describe, expect, test } from "vitest";
import { type Automaton, type Formula, MOST_CONDITIONS } from "../../../src/model/index.js";
import { isEmpty } from "../../../src/transforms/ltl/components.js";
import { couvreur } from "../../../src/transforms/ltl/couvreur.js";
import { format } from "../../../src/transforms/ltl/formulas/format.js";
import { Terms } from "../../../src/transforms/ltl/formulas/terms.js";
import { Letters, type LetterSet } from "../../../src/model/letters.js";
import { areDisjoint, product } from "../../../src/transforms/ltl/product.js";
import {
  AutomatonTooLarge,
  edgeCount,
  type SymbolicAutomaton,
  toAutomaton,
  toSymbolic,
} from "../../../src/transforms/ltl/symbolic.js";
import {
  every,
  expectSame,
  names,
  proposition,
  randomAutomata,
  shortWords,
  sizeOf,
  Words,
} from "./obvious.js";

const limits = { states: 1000, edges: 1000 };

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

describe("Couvreur's translation accepts the words that satisfy its formula", () => {
  const translated = (formula: Formula, terms: Terms): SymbolicAutomaton => {
    const automaton = couvreur(terms.from(formula), limits);
    expectSame(toAutomaton(automaton, names), shortWords.ofFormula(formula), format(formula, names));
    return automaton;
  };
  const [a, b] = [proposition(0), proposition(1)];
  const eventually = (operand: Formula): Formula => ({ kind: "eventually", operand });
  const always = (operand: Formula): Formula => ({ kind: "always", operand });
  const next = (operand: Formula): Formula => ({ kind: "next", operand });
  const either = (left: Formula, right: Formula): Formula => ({ kind: "or", left, right });
  const until = (left: Formula, right: Formula): Formula => ({ kind: "until", left, right });

  test("of all small formulas", () => {
    const automata = every(4).map((formula) => translated(formula, new Terms()));
    const conditions = automata.reduce((sum, one) => sum + one.conditions, 0);
    expect([...sizeOf(automata), conditions]).toEqual([963, 1216, 185]);
  });

  test("of formulas that promise the same in several ways", () => {
    const some = [eventually(a), until(b, a), until(a, b), always(eventually(a)), next(eventually(a))];
    const formulas = some.flatMap((left) =>
      some.flatMap((right): Formula[] => [
        { kind: "and", left, right },
        { kind: "release", left, right },
      ]),
    );
    const automata = formulas.map((formula) => translated(formula, new Terms()));
    expect(sizeOf(automata)).toEqual([147, 310]);
  });

  // Obligations are first distinguished by a few bits of the numbers of their formulas.
  test.each<[Formula, Formula]>([
    [a, always(either(next(eventually(a)), eventually(a)))],
    [a, always(either(next(until(b, a)), until(b, a)))],
    [eventually(a), either(next(eventually(a)), next(always(b)))],
    [until(a, b), either(next(until(a, b)), next(always(b)))],
    [always(b), either(next(eventually(a)), next(always(b)))],
    [eventually(b), either(until(a, b), eventually(always(a)))],
  ])("whatever their numbers are", (first, formula) => {
    for (let padding = 0; padding < 32; padding++) {
      const terms = new Terms();
      terms.from(first);
      for (let i = 0; i < padding; i++) terms.literal(100 + i, true);
      translated(formula, terms);
    }
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

  const looping = (conditions: number, guard: Automaton["states"][0][0]["guard"]): Automaton => ({
    propositions: ["a"],
    conditions,
    initial: 0,
    states: [[{ guard, marks: 2 ** conditions - 1, to: 0 }]],
  });

  test("have no more conditions than there are bits", () => {
    const every = [{ care: 0, value: 0 }];
    const one = looping(1, every);
    expect(product(looping(MOST_CONDITIONS - 1, every), one).conditions).toBe(MOST_CONDITIONS);
    expect(() => product(looping(MOST_CONDITIONS, every), one)).toThrow(AutomatonTooLarge);
  });

  test("have no edge that no letter takes", () => {
    expect(isEmpty(toSymbolic(looping(1, [])))).toBe(true);
    expect(edgeCount(toSymbolic(looping(0, [])))).toBe(0);
  });
});
