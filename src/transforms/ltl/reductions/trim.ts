/**
 * Removes states, edges, marks and conditions that no accepting run uses. Adds marks that every cycle through an edge sees anyway, so
 * that states that differ only in the position of marks become equal.
 */
import { allMarks } from "../../../model/index.js";
import { acceptingComponents, componentsOf } from "../components.js";
import { normalised, type SymbolicAutomaton, type SymbolicEdge } from "../symbolic.js";
import { entryOf, nth } from "../../../model/known.js";

/** Same language, without useless parts. If no run accepts, leaves one state without edges. */
export const trim = (automaton: SymbolicAutomaton): SymbolicAutomaton =>
  withFewMarks(withUsefulStates(automaton));

/** Removes unreachable states and states without an accepting continuation. Numbers follow the order of discovery. */
export function withUsefulStates(automaton: SymbolicAutomaton): SymbolicAutomaton {
  const component = componentsOf(automaton);
  const isLive = acceptingComponents(automaton, component);
  // Edges lead to smaller components, so one pass in this order suffices.
  const byComponent = automaton.states
    .map((_, state) => state)
    .sort((p, q) => nth(component, p) - nth(component, q));
  const leadsToLive = (state: number): boolean =>
    nth(automaton.states, state).some(({ to }) => isLive[nth(component, to)]); // sound: test/transforms/ltl/reductions/trim.test.ts
  // sound: test/transforms/ltl/reductions/trim.test.ts
  for (const state of byComponent)
    // sound: test/transforms/ltl/reductions/trim.test.ts
    if (nth(component, state) >= 0 && leadsToLive(state)) isLive[nth(component, state)] = true; // sound: test/transforms/ltl/reductions/trim.test.ts
  const { initial, letters } = automaton;
  const number = new Map([[initial, 0]]);
  const states: SymbolicEdge[][] = [];
  // sound: test/transforms/ltl/reductions/trim.test.ts
  for (const state of number.keys()) {
    const edges = nth(automaton.states, state).filter(({ to }) => isLive[nth(component, to)]); // sound: test/transforms/ltl/reductions/trim.test.ts
    for (const { to } of edges) if (!number.has(to)) number.set(to, number.size); // sound: test/transforms/ltl/reductions/trim.test.ts
    states.push(
      normalised(
        edges.map((edge) => ({ ...edge, to: entryOf(number, edge.to) })),
        letters,
      ),
    );
  }
  return { ...automaton, initial: 0, states };
}

/** Renumbers the marks of each accepting component to the fewest conditions; removes marks elsewhere. */
function withFewMarks(automaton: SymbolicAutomaton): SymbolicAutomaton {
  const component = componentsOf(automaton);
  const isAccepting = acceptingComponents(automaton, component);
  const saturated = saturate(automaton, component);
  const needed = isAccepting.map(
    (accepting, own) =>
      accepting ? neededConditions(innerMarks(saturated, component, own), automaton.conditions) : [], // sound: test/transforms/ltl/reductions/trim.test.ts
  );
  const conditions = Math.max(0, ...needed.map((list) => list.length));
  const renumber = (marks: number, list: readonly number[]): number =>
    list.reduce(
      (result, old, index) => ((marks >>> old) & 1 ? result : result & ~(1 << index)), // sound: test/transforms/ltl/reductions/trim.test.ts
      allMarks(conditions),
    );
  const states = saturated.states.map((edges, state) =>
    normalised(
      edges.map((edge) => {
        const own = nth(component, state);
        const isInside = own === component[edge.to] && isAccepting[own]; // sound: test/transforms/ltl/reductions/trim.test.ts
        return { ...edge, marks: isInside ? renumber(edge.marks, nth(needed, own)) : 0 }; // sound: test/transforms/ltl/reductions/trim.test.ts
      }),
      automaton.letters,
    ),
  );
  // A single needed condition may stem from rejecting cycles elsewhere: without conditions all would accept.
  // sound: test/transforms/ltl/reductions/trim.test.ts
  if (conditions > 0 || !hasRejectingCycle(states, component, isAccepting))
    return { ...automaton, conditions, states };
  return { ...automaton, conditions: 1, states: markAccepting(states, component, isAccepting) };
}

function hasRejectingCycle(
  states: readonly (readonly SymbolicEdge[])[],
  component: Int32Array,
  isAccepting: readonly boolean[],
): boolean {
  // sound: test/transforms/ltl/reductions/trim.test.ts
  return states.some(
    (edges, state) =>
      edges.some(({ to }) => component[to] === component[state] && !isAccepting[nth(component, to)]), // sound: test/transforms/ltl/reductions/trim.test.ts
  );
}

const markAccepting = (
  states: readonly (readonly SymbolicEdge[])[],
  component: Int32Array,
  isAccepting: readonly boolean[],
): SymbolicEdge[][] =>
  states.map((edges, state) =>
    edges.map((edge) => {
      const own = nth(component, state);
      return { ...edge, marks: own === component[edge.to] && isAccepting[own] ? 1 : 0 }; // sound: test/transforms/ltl/reductions/trim.test.ts
    }),
  );

/** Adds a condition to every edge that lies on no cycle without it. */
export function saturate(automaton: SymbolicAutomaton, component: Int32Array): SymbolicAutomaton {
  let { states } = automaton;
  for (let bit = 0; bit < automaton.conditions; bit++) {
    const without = states.map(
      (edges, state) =>
        edges.filter(({ marks, to }) => !((marks >>> bit) & 1) && component[to] === component[state]), // sound: test/transforms/ltl/reductions/trim.test.ts
    );
    const cycles = allComponents(without);
    states = states.map((edges, state) =>
      edges.map((edge) =>
        // sound: test/transforms/ltl/reductions/trim.test.ts
        component[edge.to] === component[state] && cycles[edge.to] !== cycles[state]
          ? { ...edge, marks: edge.marks | (1 << bit) }
          : edge,
      ),
    );
  }
  return { ...automaton, states };
}

/** Components of a graph without an initial state, as if it had edges to all states. */
function allComponents(states: readonly (readonly { readonly to: number }[])[]): Int32Array {
  const everywhere = states.map((_, to) => ({ to }));
  return componentsOf({ initial: states.length, states: [...states, everywhere] });
}

/** Combinations of marks on the inner edges of a component. */
function innerMarks({ states }: SymbolicAutomaton, component: Int32Array, own: number): number[] {
  const marks = states.flatMap(
    (edges, state) =>
      component[state] === own
        ? edges.filter(({ to }) => component[to] === own).map((edge) => edge.marks)
        : [], // sound: test/transforms/ltl/reductions/trim.test.ts
  );
  return [...new Set(marks)];
}

/** A condition is redundant if every edge has it, or every edge with another needed condition has it. */
function neededConditions(marks: readonly number[], conditions: number): number[] {
  const has = (bit: number, set: number): boolean => ((set >>> bit) & 1) === 1; // sound: test/transforms/ltl/reductions/trim.test.ts
  const implies = (a: number, b: number): boolean => marks.every((set) => !has(a, set) || has(b, set)); // sound: test/transforms/ltl/reductions/trim.test.ts
  const needed: number[] = [];
  for (let bit = 0; bit < conditions; bit++) {
    if (marks.every((set) => has(bit, set))) continue; // sound: test/transforms/ltl/reductions/trim.test.ts
    const isImplied = Array.from({ length: conditions }, (_, other) => other).some(
      (other) => other !== bit && implies(other, bit) && (other < bit || !implies(bit, other)), // sound: test/transforms/ltl/reductions/trim.test.ts
    );
    if (!isImplied) needed.push(bit); // sound: test/transforms/ltl/reductions/trim.test.ts
  }
  return needed;
}
