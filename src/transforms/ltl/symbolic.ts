/**
 * Automata under construction: guards are sets of letters, for comparison and combination.
 *
 * Always true: edges between the same states with the same marks are joined; no guard is empty. `normalised` establishes this.
 */
import { type Automaton, MOST_CONDITIONS } from "../../model/index.js";
import { type LetterSet, Letters, none } from "../../model/letters.js";

export interface SymbolicAutomaton {
  readonly letters: Letters;
  readonly conditions: number;
  readonly initial: number;
  readonly states: readonly (readonly SymbolicEdge[])[];
}

export interface SymbolicEdge {
  readonly guard: LetterSet;
  readonly marks: number;
  readonly to: number;
}

/** The automaton exceeds our limits: not an internal error. */
export class AutomatonTooLarge extends Error {}

export function refuseConditions(count: number): void {
  // sound: test/transforms/ltl/conditions.test.ts
  if (count > MOST_CONDITIONS)
    throw new AutomatonTooLarge(
      `the automaton needs ${count} acceptance conditions; ${MOST_CONDITIONS} are possible`,
    );
}

export function toSymbolic(automaton: Automaton, letters = new Letters()): SymbolicAutomaton {
  const { conditions, initial } = automaton;
  const states = automaton.states.map((edges) =>
    normalised(
      edges.map(({ guard, marks, to }) => ({ guard: letters.fromCubes(guard), marks, to })),
      letters,
    ),
  );
  return { letters, conditions, initial, states };
}

export const toAutomaton = (
  { letters, conditions, initial, states }: SymbolicAutomaton,
  propositions: readonly string[],
): Automaton => ({
  propositions,
  conditions,
  initial,
  states: states.map((edges) =>
    edges.map(({ guard, marks, to }) => ({ guard: letters.toCubes(guard), marks, to })),
  ),
});

/** Joins edges with equal target and marks, in order of first occurrence. */
export function normalised(edges: readonly SymbolicEdge[], letters: Letters): SymbolicEdge[] {
  const merged = new Map<string, SymbolicEdge>();
  // sound: test/transforms/ltl/conditions.test.ts
  for (const edge of edges) {
    if (edge.guard === none) continue; // sound: test/transforms/ltl/conditions.test.ts
    const key = `${edge.to} ${edge.marks}`;
    const other = merged.get(key);
    merged.set(key, other ? { ...edge, guard: letters.or(other.guard, edge.guard) } : edge); // sound: test/transforms/ltl/conditions.test.ts
  }
  return [...merged.values()];
}

/** Total number of edges. */
export const edgeCount = (automaton: { readonly states: readonly (readonly unknown[])[] }): number =>
  automaton.states.reduce((sum, edges) => sum + edges.length, 0);
