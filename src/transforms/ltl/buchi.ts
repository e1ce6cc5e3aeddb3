/** Converts an automaton to a Büchi automaton: one condition, on edges or on states. */
import type { Automaton } from "../../model/index.js";
import { degeneralise, type DegeneraliseOptions } from "./degeneralise.js";
import { reduceBySimulation } from "./reductions/simulation.js";
import { isAcceptingState, toStateBased, trimStateBased } from "./state-based.js";
import { toAutomaton, toSymbolic } from "./symbolic.js";
import { trim } from "./reductions/trim.js";

export interface BuchiOptions extends DegeneraliseOptions {
  /** Position of marks; `states`: equal marks on all edges of a state. */
  readonly acceptance?: "edges" | "states";
  /** Reduces the result; on by default. */
  readonly reduce?: boolean;
}

/** One condition, same language. */
export function toBuchi(automaton: Automaton, options: BuchiOptions = {}): Automaton {
  const { acceptance = "edges", reduce = true } = options;
  // sound: test/transforms/ltl/reductions/conditions.test.ts
  if (acceptance === "edges") {
    const single = degeneralise(automaton, options);
    return reduce
      ? withCondition(toAutomaton(reduceBySimulation(toSymbolic(single), trim), single.propositions))
      : single;
  }
  const order = options.order ?? Array.from({ length: automaton.conditions }, (_, i) => i);
  const states = toStateBased(toSymbolic(automaton), { order, collect: "at-end" });
  return toAutomaton(reduce ? reduceStateBased(states) : states, automaton.propositions); // sound: test/transforms/ltl/reductions/conditions.test.ts
}

export const reduceStateBased = (automaton: Parameters<typeof trimStateBased>[0]): typeof automaton =>
  reduceBySimulation(automaton, trimStateBased, (a, state) => (isAcceptingState(a, state) ? 1 : 0)); // sound: test/transforms/ltl/reductions/conditions.test.ts

/** If reduction removed all conditions, marks every edge with the requested one. */
const withCondition = (automaton: Automaton): Automaton =>
  // sound: test/transforms/ltl/reductions/conditions.test.ts
  automaton.conditions > 0
    ? automaton
    : {
        ...automaton,
        conditions: 1,
        states: automaton.states.map((edges) => edges.map((edge) => ({ ...edge, marks: 1 }))),
      };
