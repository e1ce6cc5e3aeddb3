/**
 * The meaning of formulas and automata on all short words that repeat, without any of the code under test.
 *
 * `Words` holds every word of at most `longest` letters, prefix and cycle together. It is closed under removal of the first
 * letter, so that the truth of a formula on all words follows from its parts.
 */
import type { Automaton, AutomatonEdge, Formula } from "../../../src/model/index.js";
import { expect } from "vitest";
import { edgeCount } from "../../../src/transforms/ltl/symbolic.js";
import type { Term } from "../../../src/transforms/ltl/formulas/terms.js";

/** One entry a word: 1 where it belongs. */
export type Truth = Uint8Array;

export class Words {
  readonly letters: number[] = [];
  /** The word without its first letter. */
  readonly next: number[] = [];
  readonly texts: string[] = [];

  constructor(propositions: number, longest: number) {
    const numbers = new Map<string, number>();
    const followers: string[] = [];
    const words = (length: number): number[][] =>
      length === 0
        ? [[]]
        : words(length - 1).flatMap((word) =>
            Array.from({ length: 1 << propositions }, (_, letter) => [...word, letter]),
          );
    for (let length = 1; length <= longest; length++)
      for (const word of words(length))
        for (let start = 0; start < length; start++) {
          const cycle = word.slice(start);
          const rest =
            start > 0 ? `${word.slice(1, start)}(${cycle})` : `(${[...cycle.slice(1), cycle[0]!]})`;
          numbers.set(`${word.slice(0, start)}(${cycle})`, this.letters.push(word[0]!) - 1);
          followers.push(rest);
        }
    this.texts.push(...numbers.keys());
    this.next.push(...followers.map((text) => numbers.get(text)!));
  }

  get count(): number {
    return this.letters.length;
  }

  /** Where a formula is true whose parts are true where `parts` say. */
  #truth(kind: Formula["kind"], [f, g]: readonly Truth[]): Truth {
    const each = (is: (word: number) => boolean | number): Truth =>
      Uint8Array.from(this.letters, (_, word) => (is(word) ? 1 : 0));
    const fixpoint = (start: number, step: (word: number, next: number) => number): Truth => {
      const value = new Uint8Array(this.count).fill(start);
      for (let changed = true; changed;) {
        changed = false;
        for (let word = 0; word < this.count; word++) {
          const now = step(word, value[this.next[word]!]!);
          if (now !== value[word]) changed = true;
          value[word] = now;
        }
      }
      return value;
    };
    switch (kind) {
      case "true":
      case "false":
        return each(() => kind === "true");
      case "not":
        return each((w) => !f![w]);
      case "and":
        return each((w) => f![w]! & g![w]!);
      case "or":
        return each((w) => f![w]! | g![w]!);
      case "implies":
        return each((w) => !f![w] || g![w]!);
      case "equivalent":
        return each((w) => f![w] === g![w]);
      case "xor":
        return each((w) => f![w] !== g![w]);
      case "next":
        return each((w) => f![this.next[w]!]!);
      case "eventually":
        return fixpoint(0, (w, later) => f![w]! | later);
      case "always":
        return fixpoint(1, (w, later) => f![w]! & later);
      case "until":
        return fixpoint(0, (w, later) => g![w]! | (f![w]! & later));
      case "weak-until":
        return fixpoint(1, (w, later) => g![w]! | (f![w]! & later));
      case "release":
        return fixpoint(1, (w, later) => g![w]! & (f![w]! | later));
      case "strong-release":
        return fixpoint(0, (w, later) => g![w]! & (f![w]! | later));
      case "proposition":
        throw new Error("a proposition has no parts");
    }
  }

  #literal(index: number, isPositive: boolean): Truth {
    return Uint8Array.from(this.letters, (letter) =>
      (((letter >>> index) & 1) === 1) === isPositive ? 1 : 0,
    );
  }

  readonly #formulas = new Map<Formula, Truth>();

  ofFormula(formula: Formula): Truth {
    let truth = this.#formulas.get(formula);
    if (!truth) {
      if (formula.kind === "proposition") truth = this.#literal(formula.index, true);
      else {
        const parts =
          "left" in formula ? [formula.left, formula.right] : "operand" in formula ? [formula.operand] : [];
        truth = this.#truth(
          formula.kind,
          parts.map((part) => this.ofFormula(part)),
        );
      }
      this.#formulas.set(formula, truth);
    }
    return truth;
  }

  readonly #terms = new Map<Term, Truth>();

  ofTerm(term: Term): Truth {
    let truth = this.#terms.get(term);
    if (!truth) {
      const { kind } = term;
      const parts = term.children.map((child) => this.ofTerm(child));
      if (kind === "literal") truth = this.#literal(term.proposition, term.isPositive);
      else if (kind === "and" || kind === "or")
        truth = parts.reduce((left, right) => this.#truth(kind, [left, right]));
      else truth = this.#truth(kind, parts);
      this.#terms.set(term, truth);
    }
    return truth;
  }

  /** The words that an automaton accepts: from some state on, every condition can be seen again and again. */
  ofAutomaton({ states, conditions, initial }: Automaton): Truth {
    const { count } = this;
    const edges: { readonly from: number; readonly to: number; readonly marks: number }[] = [];
    states.forEach((out, state) => {
      for (const { guard, marks, to } of out)
        for (let word = 0; word < count; word++)
          if (guard.some(({ care, value }) => (this.letters[word]! & care) === value))
            edges.push({ from: state * count + word, to: to * count + this.next[word]!, marks });
    });
    let good = new Uint8Array(states.length * count).fill(1);
    for (let changed = true; changed;) {
      changed = false;
      for (let condition = 0; condition < Math.max(1, conditions); condition++) {
        const able = new Uint8Array(good.length);
        for (let grows = true; grows;) {
          grows = false;
          for (const { from, to, marks } of edges) {
            if (!good[from] || !good[to] || able[from]) continue;
            const isSeen = conditions === 0 || (marks >>> condition) & 1;
            if (isSeen || able[to]) able[from] = 1;
            if (able[from]) grows = true;
          }
        }
        if (able.some((value, at) => value !== good[at])) changed = true;
        good = able;
      }
    }
    return good.slice(initial * count, (initial + 1) * count);
  }

  /** The first word on which the two differ. */
  difference(first: Truth, second: Truth): string | undefined {
    const at = first.findIndex((value, word) => value !== second[word]);
    return at < 0 ? undefined : this.texts[at];
  }
}

type Unary = "not" | "next" | "eventually" | "always";
type Binary = Extract<Formula, { left: Formula }>["kind"];

/** All formulas by size: the number of operators, propositions and constants is the index; parts are shared. */
export function formulasBySize(
  largest: number,
  leaves: readonly Formula[],
  unary: readonly Unary[],
  binary: readonly Binary[],
): Formula[][] {
  const bySize: Formula[][] = [[], [...leaves]];
  for (let size = 2; size <= largest; size++) {
    const formulas: Formula[] = [];
    for (const kind of unary) for (const operand of bySize[size - 1]!) formulas.push({ kind, operand });
    for (const kind of binary)
      for (let left = 1; left < size - 1; left++)
        for (const f of bySize[left]!)
          for (const g of bySize[size - 1 - left]!) formulas.push({ kind, left: f, right: g });
    bySize.push(formulas);
  }
  return bySize;
}

export const proposition = (index: number): Formula => ({ kind: "proposition", index });

/** The same ones each time: two to four states, up to three conditions, most of them with accepting runs. */
export function randomAutomata(count: number, propositions: readonly string[]): Automaton[] {
  let seed = 1;
  const below = (n: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >>> 12) % n;
  };
  const letters = 1 << propositions.length;
  return Array.from({ length: count }, () => {
    const conditions = below(4);
    const size = 2 + below(3);
    const edge = (): AutomatonEdge => {
      const care = below(letters);
      return {
        guard: [{ care, value: below(letters) & care }],
        marks: below(1 << conditions),
        to: below(size),
      };
    };
    const states = Array.from({ length: size }, () => Array.from({ length: 1 + below(4) }, edge));
    return { propositions, conditions, initial: below(size), states };
  });
}

export const shortWords = new Words(2, 3);
export const names = ["a", "b"];

/** The short words as prefix and cycle. */
export const shortLassos = (): { prefix: number[]; cycle: number[] }[] =>
  shortWords.texts.map((text) => {
    const [, prefix, cycle] = /^(.*)\((.*)\)$/.exec(text)!;
    const letters = (list: string): number[] =>
      list
        .split(",")
        .filter((letter) => letter !== "")
        .map(Number);
    return { prefix: letters(prefix!), cycle: letters(cycle!) };
  });

/** Fails on the first word that one accepts alone. */
export function expectSame(automaton: Automaton, expected: Uint8Array, what: string, by = shortWords): void {
  const difference = by.difference(by.ofAutomaton(automaton), expected);
  if (difference !== undefined) expect.fail(`${what}: ${difference}`);
}

const literals: Formula[] = [0, 1].flatMap((index) => [
  proposition(index),
  { kind: "not", operand: proposition(index) } as const,
]);
const unary = ["next", "eventually", "always"] as const;
const binary = ["and", "or", "until", "release"] as const;
const constants: Formula[] = [{ kind: "true" }, { kind: "false" }];
export const small = [...constants, ...formulasBySize(4, literals.slice(0, 3), unary, binary).flat()];
/** Two obligations at once, one of which may be postponed. */
const conjunctions = small
  .slice(0, 60)
  .flatMap((left, i) =>
    small.slice(40, 60).map((right): Formula => ({ kind: i % 2 ? "and" : "or", left, right })),
  );
export const every = (step: number): Formula[] =>
  [...small, ...conjunctions].filter((_, i) => i % step === 0);

export function sizeOf(automata: readonly { readonly states: readonly (readonly unknown[])[] }[]): number[] {
  return [
    automata.reduce((sum, { states }) => sum + states.length, 0),
    automata.reduce((sum, one) => sum + edgeCount(one), 0),
  ];
}
