/**
 * Stutter invariance: is satisfaction of a formula unaffected by repeating or removing repeated letters? Partial-order reduction is
 * sound only then.
 */
import type { Automaton, Formula } from "../../../model/index.js";
import { isIncluded } from "./inclusion.js";
import { toBuchi } from "../buchi.js";
import { type LetterSet, Letters, none } from "../../../model/letters.js";
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
import { nth } from "../../../model/known.js";

/**
 * A formula without `next` is invariant. Otherwise closes the automata of the formula and of its negation under removal of
 * repetitions; their intersection is nonempty iff two stutter-equivalent words differ in the formula (Michaud and Duret-Lutz, SPIN
 * 2015). Beyond `mostEdges` edges, or for too large automata, the answer is no.
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
 * The same for the language of an automaton: is it closed under stutter equivalence? Constructs an automaton that may skip and repeat
 * letters, and tests inclusion. If an automaton becomes too large, the answer is no.
 */
export function isStutterInvariantAutomaton(automaton: Automaton, mostEdges = 5000): boolean {
  try {
    // Without conditions, infinite repetition of a letter would be accepted.
    const single = toBuchi(automaton);
    const closed = repeating(closure(toSymbolic(single), mostEdges), mostEdges);
    return isIncluded(toAutomaton(closed, automaton.propositions), single);
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return false; // sound: test/transforms/ltl/checks/answers.test.ts
    throw error;
  }
}

/**
 * Adds behind each edge a state that reads its letter again any number of times. Letters that no guard distinguishes count as equal:
 * the automaton cannot observe which of them is repeated.
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
    const { state, last } = nth(found, i);
    const edges: SymbolicEdge[] = last === none ? [] : [{ guard: last, marks: 0, to: i }]; // sound: test/transforms/ltl/checks/stutter.test.ts
    for (const { guard, marks, to } of nth(automaton.states, state))
      for (const letter of classes)
        if (letters.isSubset(letter, guard)) edges.push({ guard: letter, marks, to: numberOf(to, letter) }); // sound: test/transforms/ltl/checks/stutter.test.ts
    if ((count += edges.length) > mostEdges) throw new AutomatonTooLarge("there are too many repetitions"); // sound: test/transforms/ltl/checks/answers.test.ts
    states.push(edges);
  }
  return { ...automaton, initial, states };
}

/** Joins two consecutive edges on the same letter, with the marks of both. */
function closure(automaton: SymbolicAutomaton, mostEdges: number): SymbolicAutomaton {
  const { letters } = automaton;
  let count = 0;
  const states = automaton.states.map((edges) => {
    const closed: SymbolicEdge[] = [...edges];
    for (let i = 0; i < closed.length; i++) {
      const first = nth(closed, i);
      for (const second of nth(automaton.states, first.to)) {
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

/** The letters for which no edge to the same target has at least these marks. */
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
