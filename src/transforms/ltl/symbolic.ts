/**
 * Automata while they are worked on: guards are sets of letters, so that they can be compared and combined.
 *
 * Always true: of two edges between the same states with the same marks there is one, with both guards; no guard
 * is empty. `normalised` makes it so.
 */
import { type Automaton, MOST_CONDITIONS } from "../../model/index.js";
import { type LetterSet, Letters, none } from "./letters.js";

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

/** A formula whose automaton is beyond what we build: a limit, no bug. */
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

/** Edges with equal target and marks become one. The order is that of first appearance. */
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

/** How many edges there are in all. */
export const edgeCount = (automaton: { readonly states: readonly (readonly unknown[])[] }): number =>
  automaton.states.reduce((sum, edges) => sum + edges.length, 0);
