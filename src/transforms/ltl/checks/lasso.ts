/**
 * Semantics of formulas and automata on ultimately periodic words, independent of all translations, to validate translations and
 * counterexamples.
 */
import type { Automaton, Formula } from "../../../model/index.js";
import { isEmpty } from "../components.js";
import { nth } from "../../../model/known.js";

/** A letter is a bit set of true propositions. The cycle is not empty. */
export interface Lasso {
  readonly prefix: readonly number[];
  readonly cycle: readonly number[];
}

/** Does the word satisfy the formula? */
export const evaluate = (formula: Formula, prefix: readonly number[], cycle: readonly number[]): boolean => {
  if (cycle.length === 0) throw new Error("the cycle of a word is empty");
  return nth(truth(formula, { prefix, cycle }), 0);
};

/** Does the automaton accept the word? */
export function accepts(automaton: Automaton, { prefix, cycle }: Lasso): boolean {
  const word = [...prefix, ...cycle];
  const states = word.length * automaton.states.length;
  const graph = Array.from({ length: states }, (_, at) => {
    const position = Math.floor(at / automaton.states.length);
    const next = position + 1 === word.length ? prefix.length : position + 1; // sound: test/transforms/ltl/checks/lasso.test.ts
    return nth(automaton.states, at % automaton.states.length)
      .filter(
        ({ guard }) => guard.some(({ care, value }) => (nth(word, position) & care) === value), // sound: test/transforms/ltl/checks/lasso.test.ts
      )
      .map(({ marks, to }) => ({ marks, to: next * automaton.states.length + to }));
  });
  return !isEmpty({ conditions: automaton.conditions, initial: automaton.initial, states: graph }); // sound: test/transforms/ltl/checks/lasso.test.ts
}

/** Truth of the formula at each position of prefix and cycle, by the semantics of the operators. */
function truth(formula: Formula, word: Lasso): boolean[] {
  const letters = [...word.prefix, ...word.cycle];
  const of = (f: Formula): boolean[] => truth(f, word);
  const pointwise = (f: Formula, g: Formula, op: (a: boolean, b: boolean) => boolean): boolean[] => {
    const [a, b] = [of(f), of(g)];
    return a.map((value, i) => op(value, nth(b, i)));
  };
  switch (formula.kind) {
    case "true":
    case "false":
      return letters.map(() => formula.kind === "true");
    case "proposition":
      return letters.map((letter) => ((letter >>> formula.index) & 1) === 1);
    case "not":
      return of(formula.operand).map((value) => !value);
    case "and":
      return pointwise(formula.left, formula.right, (a, b) => a && b);
    case "or":
      return pointwise(formula.left, formula.right, (a, b) => a || b);
    case "implies":
      return pointwise(formula.left, formula.right, (a, b) => !a || b);
    case "equivalent":
      return pointwise(formula.left, formula.right, (a, b) => a === b);
    case "xor":
      return pointwise(formula.left, formula.right, (a, b) => a !== b);
    case "next": {
      const value = of(formula.operand);
      return value.map((_, i) => nth(value, successor(i, word)));
    }
    case "eventually":
      return until(of({ kind: "true" }), of(formula.operand), word, false);
    case "always":
      return until(of(formula.operand), of({ kind: "false" }), word, true);
    case "until":
      return until(of(formula.left), of(formula.right), word, false);
    case "weak-until":
      return until(of(formula.left), of(formula.right), word, true);
    case "release": // right holds until both do, or forever
      return until(of(formula.right), pointwise(formula.left, formula.right, both), word, true);
    case "strong-release":
      return until(of(formula.right), pointwise(formula.left, formula.right, both), word, false);
  }
}

const both = (a: boolean, b: boolean): boolean => a && b;

const successor = (i: number, { prefix, cycle }: Lasso): number =>
  i + 1 === prefix.length + cycle.length ? prefix.length : i + 1;

/** `hold` until `end`: the least fixpoint; with `forever` the greatest. */
function until(hold: readonly boolean[], end: readonly boolean[], word: Lasso, forever: boolean): boolean[] {
  const value = hold.map(() => forever);
  for (let changed = true; changed;) {
    changed = false;
    for (let i = value.length - 1; i >= 0; i--) {
      const now = nth(end, i) || (nth(hold, i) && nth(value, successor(i, word)));
      if (now === value[i]) continue;
      value[i] = now;
      changed = true;
    }
  }
  return value;
}
