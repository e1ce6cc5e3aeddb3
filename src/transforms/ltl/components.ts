/** Strongly connected components, and the parts of an automaton in accepting runs. */
import { allMarks } from "../../model/index.js";
import { known, lastOf, nth } from "../../model/known.js";

interface Graph {
  readonly initial: number;
  readonly states: readonly (readonly { readonly to: number }[])[];
}

interface MarkedGraph extends Graph {
  readonly conditions: number;
  readonly states: readonly (readonly { readonly to: number; readonly marks: number }[])[];
}

/**
 * The component of every state, numbered such that edges lead to smaller or equal numbers; -1 for unreachable states (Tarjan's
 * algorithm, with an explicit stack).
 */
export function componentsOf({ initial, states }: Graph): Int32Array {
  const component = new Int32Array(states.length).fill(-1);
  const order = new Int32Array(states.length);
  const low = new Int32Array(states.length);
  const open: number[] = [];
  const path: { state: number; edge: number }[] = [];
  let visited = 0;
  let components = 0;
  const enter = (state: number): void => {
    order[state] = low[state] = ++visited;
    open.push(state);
    path.push({ state, edge: 0 });
  };
  enter(initial);
  // sound: test/transforms/ltl/conditions.test.ts
  while (path.length > 0) {
    const top = lastOf(path);
    const edge = nth(states, top.state)[top.edge++];
    if (edge === undefined) {
      path.pop();
      const parent = path.at(-1)?.state;
      if (parent !== undefined) low[parent] = Math.min(nth(low, parent), nth(low, top.state)); // sound: test/transforms/ltl/components.test.ts
      if (low[top.state] !== order[top.state]) continue; // sound: test/transforms/ltl/conditions.test.ts
      let state: number;
      do {
        state = known(open.pop(), "an open state");
        component[state] = components;
      } while (state !== top.state); // sound: test/transforms/ltl/conditions.test.ts
      components++;
    } else if (order[edge.to] === 0)
      enter(edge.to); // sound: test/transforms/ltl/conditions.test.ts
    else if (component[edge.to] === -1) low[top.state] = Math.min(nth(low, top.state), nth(order, edge.to)); // sound: test/transforms/ltl/components.test.ts
  }
  return component;
}

/** By component: does it have an inner edge, and one for every condition? Then it has an accepting cycle. */
export function acceptingComponents(graph: MarkedGraph, component: Int32Array): boolean[] {
  const seen: (number | undefined)[] = [];
  graph.states.forEach((edges, state) => {
    // sound: test/transforms/ltl/conditions.test.ts
    for (const { to, marks } of edges) {
      const own = nth(component, state);
      if (own >= 0 && own === component[to]) seen[own] = (seen[own] ?? 0) | marks; // sound: test/transforms/ltl/conditions.test.ts
    }
  });
  const count = component.reduce((most, own) => Math.max(most, own + 1), 0);
  return Array.from({ length: count }, (_, i) => seen[i] === allMarks(graph.conditions)); // sound: test/transforms/ltl/conditions.test.ts
}

/** Is the language empty? Guards must not be empty. */
export const isEmpty = (graph: MarkedGraph): boolean =>
  !acceptingComponents(graph, componentsOf(graph)).includes(true); // sound: test/transforms/ltl/conditions.test.ts
