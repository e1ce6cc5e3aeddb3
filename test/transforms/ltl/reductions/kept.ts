/** Reductions keep the language of any automaton: shown on all short words. */
import { expect, test } from "vitest";
import type { Formula } from "../../../../src/model/index.js";
import { couvreur } from "../../../../src/transforms/ltl/couvreur.js";
import { format } from "../../../../src/transforms/ltl/formulas/format.js";
import { negate } from "../../../../src/transforms/ltl/formulas/normal-form.js";
import { Terms } from "../../../../src/transforms/ltl/formulas/terms.js";
import { Letters } from "../../../../src/model/letters.js";
import { isAcceptingState } from "../../../../src/transforms/ltl/state-based.js";
import { type SymbolicAutomaton, toAutomaton, toSymbolic } from "../../../../src/transforms/ltl/symbolic.js";
import { every, expectSame, names, randomAutomata, shortWords, sizeOf } from "../obvious.js";

export const automata = randomAutomata(200, names);
let words: readonly Uint8Array[] | undefined;
export const accepted = (): readonly Uint8Array[] =>
  (words ??= automata.map((automaton) => shortWords.ofAutomaton(automaton)));

/** The last condition first. */
export const reversed = ({ conditions }: { readonly conditions: number }): number[] =>
  Array.from({ length: conditions }, (_, i) => conditions - 1 - i);

/** Total numbers of states and edges: reductions keep their strength. */
export type Sizes = readonly [states: number, edges: number];

/** A test of each. `hasAcceptingStates`: marks are the same on all edges of a state. */
export function testReductions(
  reductions: Readonly<Record<string, readonly [(automaton: SymbolicAutomaton) => SymbolicAutomaton, Sizes]>>,
  hasAcceptingStates = false,
): void {
  for (const [name, [reduce, sizes]] of Object.entries(reductions))
    test(name, () => {
      const reduced = automata.map((automaton, i) => {
        const result = reduce(toSymbolic(automaton));
        expectSame(toAutomaton(result, names), accepted()[i]!, `automaton ${i}`);
        if (hasAcceptingStates)
          result.states.forEach((edges, state) => {
            for (const { marks } of edges) expect(marks !== 0).toBe(isAcceptingState(result, state));
          });
        return result;
      });
      expect(sizeOf(reduced), name).toEqual(sizes);
    });
}

const limits = { states: 1000, edges: 1000 };

/** The automata of a formula and of its negation, over the same letters. */
export function sidesOf(formula: Formula): [own: SymbolicAutomaton, other: SymbolicAutomaton] {
  const letters = new Letters();
  const of = (f: Formula): SymbolicAutomaton => couvreur(new Terms().from(f), limits, letters);
  return [of(formula), of(negate(formula))];
}

/** A test of a reduction that needs the automaton of the negation; undefined: there is no smaller one. */
export function testWithNegation(
  name: string,
  reduce: (automaton: SymbolicAutomaton, complement: SymbolicAutomaton) => SymbolicAutomaton | undefined,
  sizes: Sizes,
  hasAcceptingStates: boolean,
): void {
  test(name, () => {
    const reduced = every(7).flatMap((formula) => {
      const result = reduce(...sidesOf(formula));
      if (!result) return [];
      expectSame(toAutomaton(result, names), shortWords.ofFormula(formula), format(formula, names));
      if (hasAcceptingStates)
        for (const edges of result.states)
          expect(new Set(edges.map(({ marks }) => marks)).size).toBeLessThan(2);
      return [result];
    });
    expect(sizeOf(reduced), name).toEqual(sizes);
  });
}
