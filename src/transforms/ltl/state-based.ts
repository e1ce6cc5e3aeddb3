/** Büchi automata with accepting states, represented by equal marks on all edges of a state. */
import { allMarks } from "../../model/index.js";
import { acceptingComponents, componentsOf } from "./components.js";
import { advance } from "./degeneralise.js";
import { normalised, type SymbolicAutomaton, type SymbolicEdge } from "./symbolic.js";
import { saturate, withUsefulStates } from "./reductions/trim.js";
import { nth } from "../../model/known.js";

/** Is the state accepting? Requires equal marks on all edges of a state. */
export const isAcceptingState = ({ states, conditions }: SymbolicAutomaton, state: number): boolean =>
  conditions === 0 || nth(states, state).some(({ marks }) => marks !== 0); // sound: test/transforms/ltl/reductions/state-based.test.ts

/**
 * Treatment of marks at the end of a round: on the edge that ends it they may count for the next round (`at-end`) or not; on edges
 * out of the accepting copy they may count (`after-end`) or not (`never`). All are correct, and each is the smallest for some
 * automata.
 */
export type Collecting = "at-end" | "after-end" | "never";

/** Order as in `DegeneraliseOptions`. Lookahead has no effect, since marks are saturated before. */
export interface Waiting {
  readonly order: readonly number[];
  readonly collect: Collecting;
}

export const collectings: readonly Collecting[] = ["never", "after-end", "at-end"];

/**
 * Copies wait for the conditions in `order`, with an accepting copy for every completed round. A component whose cycles all accept,
 * or all reject, needs one copy.
 */
export function toStateBased(automaton: SymbolicAutomaton, { order, collect }: Waiting): SymbolicAutomaton {
  const component = componentsOf(automaton);
  const isAccepting = acceptingComponents(automaton, component);
  const full = allMarks(automaton.conditions);
  const { states: rows } = saturate(automaton, component);
  const inside = (state: number): readonly SymbolicEdge[] =>
    nth(rows, state).filter(({ to }) => component[to] === component[state]); // sound: test/transforms/ltl/reductions/state-based.test.ts
  const isWeak = isAccepting.map(() => true); // sound: test/transforms/ltl/reductions/state-based.test.ts
  rows.forEach((_, state) => {
    if (inside(state).some(({ marks }) => marks !== full)) isWeak[nth(component, state)] = false; // sound: test/transforms/ltl/reductions/state-based.test.ts
  });
  /** Level after an edge, and whether it completes a round. */
  const enter = (from: Copy, { marks, to }: SymbolicEdge): [level: number, isDone: boolean] => {
    const own = nth(component, to);
    if (!isAccepting[own]) return [0, false]; // sound: test/transforms/ltl/reductions/state-based.test.ts
    if (isWeak[own]) return [0, true]; // sound: test/transforms/ltl/reductions/state-based.test.ts
    if (own !== component[from.state] || (from.isDone && collect === "never")) return [0, false]; // sound: test/transforms/ltl/reductions/state-based.test.ts
    const step = advance(from.level, marks, order);
    return [step.isAccepting && collect !== "at-end" ? 0 : step.level, step.isAccepting]; // sound: test/transforms/ltl/reductions/state-based.test.ts
  };
  const numbers = new Map<string, number>();
  const found: Copy[] = [];
  const numberOf = (state: number, level: number, isDone: boolean): number => {
    const key = `${state} ${level} ${isDone}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = found.push({ state, level, isDone }) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const first = nth(component, automaton.initial);
  numberOf(automaton.initial, 0, nth(isAccepting, first) && nth(isWeak, first)); // sound: test/transforms/ltl/reductions/state-based.test.ts
  const states: SymbolicEdge[][] = [];
  for (let i = 0; i < found.length; i++) {
    const copy = nth(found, i);
    const edges = nth(rows, copy.state).map((edge) => ({
      guard: edge.guard,
      marks: copy.isDone ? 1 : 0, // sound: test/transforms/ltl/reductions/state-based.test.ts
      to: numberOf(edge.to, ...enter(copy, edge)),
    }));
    states.push(normalised(edges, automaton.letters));
  }
  return { letters: automaton.letters, conditions: 1, initial: 0, states };
}

interface Copy {
  readonly state: number;
  readonly level: number;
  readonly isDone: boolean;
}

/** Removes useless states; marks as accepting all states on accepting cycles that the language allows. */
export function trimStateBased(automaton: SymbolicAutomaton): SymbolicAutomaton {
  const useful = withUsefulStates(automaton);
  const component = componentsOf(useful);
  const isLive = acceptingComponents(useful, component);
  const { states } = saturate(useful, component);
  return {
    ...useful,
    states: useful.states.map((edges, state) => {
      const inside = nth(states, state).filter(({ to }) => component[to] === component[state]); // sound: test/transforms/ltl/reductions/state-based.test.ts
      const isAccepting = isLive[nth(component, state)] && inside.every(({ marks }) => marks !== 0); // sound: test/transforms/ltl/reductions/state-based.test.ts
      return edges.map((edge) => ({ ...edge, marks: isAccepting ? 1 : 0 })); // sound: test/transforms/ltl/reductions/state-based.test.ts
    }),
  };
}

/** Marks the whole state if any of its edges is marked, as a merged state requires. */
export function withEqualMarks(automaton: SymbolicAutomaton, state: number): SymbolicAutomaton {
  if (!isAcceptingState(automaton, state)) return automaton; // sound: test/transforms/ltl/reductions/state-based.test.ts
  const states = automaton.states.map((edges, own) =>
    // sound: test/transforms/ltl/reductions/state-based.test.ts
    own === state
      ? normalised(
          edges.map((edge) => ({ ...edge, marks: 1 })),
          automaton.letters,
        )
      : edges,
  );
  return { ...automaton, states };
}
