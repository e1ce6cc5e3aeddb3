/**
 * Stutter invariance: does repeating letters, or taking repetitions away, never change whether a word satisfies a
 * formula? Partial-order reduction is sound only then.
 */
import type { Automaton, Formula } from "../../../model/index.js";
import { isIncluded } from "./inclusion.js";
import { toBuchi } from "../buchi.js";
import { type LetterSet, Letters, none } from "../letters.js";
import { hasNext, negate } from "../formulas/normal-form.js";
import { isProductEmpty } from "../product.js";
import {
  AutomatonTooLarge,
  type SymbolicAutomaton,
  type SymbolicEdge,
  toAutomaton,
  toSymbolic,
} from "../symbolic.js";
import { translate } from "../translate.js";

/**
 * Without `next` it is invariant by its form. Otherwise the automata of the formula and of its negation are closed
 * under taking repetitions away; they have a word in common iff two words that differ only in repetitions differ in
 * the formula (Michaud and Duret-Lutz, SPIN 2015). Where that takes more than `mostEdges` edges, or the automata are
 * too large, the answer is no.
 */
export function isStutterInvariant(formula: Formula, mostEdges = 5000): boolean {
  if (!hasNext(formula)) return true; // sound: test/transforms/ltl/checks/answers.test.ts
  try {
    const letters = new Letters();
    const closed = (f: Formula): SymbolicAutomaton =>
      closure(toSymbolic(translate(f, []), letters), mostEdges);
    return isProductEmpty(closed(formula), closed(negate(formula)));
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return false; // sound: test/transforms/ltl/checks/answers.test.ts
    throw error;
  }
}

/**
 * The same of what an automaton accepts: it is all that differs from an accepted word in repetitions only. Those words are
 * accepted by the automaton that may skip repetitions and may repeat letters, and that is made and compared with it. Where
 * something becomes too large, the answer is no.
 */
export function isStutterInvariantAutomaton(automaton: Automaton, mostEdges = 5000): boolean {
  try {
    // With no condition at all, a letter that is repeated for ever would be accepted.
    const single = toBuchi(automaton);
    const closed = repeating(closure(toSymbolic(single), mostEdges), mostEdges);
    return isIncluded(toAutomaton(closed, automaton.propositions), single);
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return false; // sound: test/transforms/ltl/checks/answers.test.ts
    throw error;
  }
}

/**
 * Behind each edge there is a state that may read the edge's letter again, any number of times. Letters that no guard tells apart
 * count as the same: the automaton does not see whether it was one of them or another that was repeated.
 */
function repeating(automaton: SymbolicAutomaton, mostEdges: number): SymbolicAutomaton {
  const { letters } = automaton;
  const classes = letters.partition(automaton.states.flatMap((edges) => edges.map(({ guard }) => guard)));
  const numbers = new Map<string, number>();
  const found: { readonly state: number; readonly last: LetterSet }[] = [];
  const numberOf = (state: number, last: LetterSet): number => {
    const key = `${state} ${last}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = found.push({ state, last }) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const initial = numberOf(automaton.initial, none);
  const states: SymbolicEdge[][] = [];
  let count = 0;
  for (let i = 0; i < found.length; i++) {
    const { state, last } = found[i]!;
    const edges: SymbolicEdge[] = last === none ? [] : [{ guard: last, marks: 0, to: i }]; // sound: test/transforms/ltl/checks/stutter.test.ts
    for (const { guard, marks, to } of automaton.states[state]!)
      for (const letter of classes)
        if (letters.isSubset(letter, guard)) edges.push({ guard: letter, marks, to: numberOf(to, letter) }); // sound: test/transforms/ltl/checks/stutter.test.ts
    if ((count += edges.length) > mostEdges) throw new AutomatonTooLarge("there are too many repetitions"); // sound: test/transforms/ltl/checks/answers.test.ts
    states.push(edges);
  }
  return { ...automaton, initial, states };
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
        if (guard !== none) closed.push({ guard, marks, to: second.to }); // sound: test/transforms/ltl/checks/stutter.test.ts
      }
      if (count + closed.length > mostEdges) throw new AutomatonTooLarge("the closure has too many edges"); // sound: test/transforms/ltl/checks/answers.test.ts
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
  return (
    edges
      // sound: test/transforms/ltl/checks/stutter.test.ts
      .filter((edge) => edge.to === to && (marks & ~edge.marks) === 0)
      .reduce((left, edge) => letters.minus(left, edge.guard), guard)
  );
}
