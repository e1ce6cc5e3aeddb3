/**
 * Merges states by language: any two, if the result does not accept more.
 *
 * Merging only adds runs, so the result accepts no less; it accepts no more if its product with an automaton of the complement is
 * empty. For formulas that automaton is available. Stronger than any simulation, and feasible because automata of formulas are small.
 */
import { isProductEmpty } from "../product.js";
import { normalised, type SymbolicAutomaton } from "../symbolic.js";
import { nth } from "../../../model/known.js";

/** `combine` computes the marks of a merged state, such as equal marks on all its edges. */
export function mergeByLanguage(
  automaton: SymbolicAutomaton,
  complement: SymbolicAutomaton,
  combine: (automaton: SymbolicAutomaton, state: number) => SymbolicAutomaton = (same) => same,
): SymbolicAutomaton {
  let current = automaton;
  for (let p = 0; p < current.states.length; p++)
    for (let q = p + 1; q < current.states.length;) {
      const merged = combine(withMerged(current, p, q), p);
      // sound: test/transforms/ltl/reductions/obligation.test.ts
      if (isProductEmpty(merged, complement)) current = merged;
      else q++;
    }
  return current;
}

/** Replaces `q` by `p`; states above `q` move down by one. */
function withMerged(automaton: SymbolicAutomaton, p: number, q: number): SymbolicAutomaton {
  const { letters, states, initial } = automaton;
  const renamed = (state: number): number => (state === q ? p : state > q ? state - 1 : state); // sound: test/transforms/ltl/reductions/obligation.test.ts
  const rows = states.map((edges) => edges.map((edge) => ({ ...edge, to: renamed(edge.to) })));
  nth(rows, p).push(...nth(rows, q));
  rows.splice(q, 1);
  return {
    ...automaton,
    initial: renamed(initial),
    states: rows.map((edges) => normalised(edges, letters)),
  };
}
