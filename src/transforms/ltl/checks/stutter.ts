/**
 * Stutter invariance: does repeating letters, or taking repetitions away, never change whether a word satisfies a
 * formula? Partial-order reduction is sound only then.
 */
import type { Formula } from "../../../model/index.js";
import { Letters, none } from "../letters.js";
import { hasNext, negate } from "../formulas/normal-form.js";
import { isProductEmpty } from "../product.js";
import { AutomatonTooLarge, type SymbolicAutomaton, type SymbolicEdge, toSymbolic } from "../symbolic.js";
import { translate } from "../translate.js";

/**
 * Without `next` it is invariant by its form. Otherwise the automata of the formula and of its negation are closed
 * under taking repetitions away; they have a word in common iff two words that differ only in repetitions differ in
 * the formula (Michaud and Duret-Lutz, SPIN 2015). Where that takes more than `mostEdges` edges, or the automata are
 * too large, the answer is no.
 */
export function isStutterInvariant(formula: Formula, mostEdges = 5000): boolean {
  if (!hasNext(formula)) return true;
  try {
    const letters = new Letters();
    const closed = (f: Formula): SymbolicAutomaton =>
      closure(toSymbolic(translate(f, []), letters), mostEdges);
    return isProductEmpty(closed(formula), closed(negate(formula)));
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return false;
    throw error;
  }
}

/** Two edges on the same letter may be taken as one, with the marks of both. */
function closure(automaton: SymbolicAutomaton, mostEdges: number): SymbolicAutomaton {
  const { letters } = automaton;
  let count = 0;
  const states = automaton.states.map((edges) => {
    const closed: SymbolicEdge[] = [...edges];
    for (let i = 0; i < closed.length; i++) {
      const first = closed[i]!;
      for (const second of automaton.states[first.to]!) {
        const marks = first.marks | second.marks;
        const guard = uncovered(letters.and(first.guard, second.guard), marks, second.to, closed, letters);
        if (guard !== none) closed.push({ guard, marks, to: second.to });
      }
      if (count + closed.length > mostEdges) throw new AutomatonTooLarge("the closure has too many edges");
    }
    count += closed.length;
    return closed;
  });
  return { ...automaton, states };
}

/** The letters for which no edge to the same target has as many marks. */
function uncovered(
  guard: number,
  marks: number,
  to: number,
  edges: readonly SymbolicEdge[],
  letters: Letters,
): number {
  return edges
    .filter((edge) => edge.to === to && (marks & ~edge.marks) === 0)
    .reduce((left, edge) => letters.minus(left, edge.guard), guard);
}
