/** Products: accept the intersection of two languages. */
import { allMarks, type Automaton } from "../../model/index.js";
import { componentsOf } from "./components.js";
import { Letters, none } from "../../model/letters.js";
import { refuseConditions, type SymbolicAutomaton, toAutomaton, toSymbolic } from "./symbolic.js";
import { nth } from "../../model/known.js";

/** The conditions of the second follow the first's. Both have the same propositions. */
export function product(first: Automaton, second: Automaton): Automaton {
  refuseConditions(first.conditions + second.conditions);
  const [a, b] = together(first, second);
  const { states } = pairs(a, b);
  return toAutomaton(
    {
      letters: a.letters,
      conditions: a.conditions + b.conditions,
      initial: 0,
      states: states.map((edges) =>
        edges.map(({ guard, left, right, to }) => ({ guard, marks: left | (right << a.conditions), to })),
      ),
    },
    first.propositions,
  );
}

/** Is the intersection empty? */
export const areDisjoint = (first: Automaton, second: Automaton): boolean =>
  isProductEmpty(...together(first, second));

/** The same for automata over the same `Letters`, with any number of conditions. */
export function isProductEmpty(a: SymbolicAutomaton, b: SymbolicAutomaton): boolean {
  const graph = pairs(a, b);
  const component = componentsOf(graph);
  const seen: ({ left: number; right: number } | undefined)[] = [];
  graph.states.forEach((edges, state) => {
    // sound: test/transforms/ltl/conditions.test.ts
    for (const { left, right, to } of edges) {
      const own = nth(component, state);
      if (own !== component[to]) continue; // sound: test/transforms/ltl/conditions.test.ts
      const marks = (seen[own] ??= { left: 0, right: 0 }); // sound: test/transforms/ltl/conditions.test.ts
      marks.left |= left;
      marks.right |= right;
    }
  });
  const [fullLeft, fullRight] = [allMarks(a.conditions), allMarks(b.conditions)];
  return !seen.some((marks) => marks && marks.left === fullLeft && marks.right === fullRight); // sound: test/transforms/ltl/conditions.test.ts
}

const together = (first: Automaton, second: Automaton): [SymbolicAutomaton, SymbolicAutomaton] => {
  const letters = new Letters();
  return [toSymbolic(first, letters), toSymbolic(second, letters)];
};

interface PairEdge {
  readonly guard: number;
  readonly left: number;
  readonly right: number;
  readonly to: number;
}

/** Reachable pairs of states, the initial one first. */
function pairs(a: SymbolicAutomaton, b: SymbolicAutomaton): { initial: 0; states: PairEdge[][] } {
  const { letters } = a;
  const width = b.states.length;
  const numbers = new Map<number, number>();
  const found: number[] = [];
  const numberOf = (p: number, q: number): number => {
    const pair = p * width + q;
    let number = numbers.get(pair);
    if (number === undefined) {
      number = found.push(pair) - 1;
      numbers.set(pair, number);
    }
    return number;
  };
  numberOf(a.initial, b.initial);
  const states: PairEdge[][] = [];
  for (let i = 0; i < found.length; i++) {
    const edges: PairEdge[] = [];
    // sound: test/transforms/ltl/conditions.test.ts
    for (const left of nth(a.states, Math.floor(nth(found, i) / width)))
      // sound: test/transforms/ltl/conditions.test.ts
      for (const right of nth(b.states, nth(found, i) % width)) {
        const guard = letters.and(left.guard, right.guard);
        if (guard === none) continue; // sound: test/transforms/ltl/conditions.test.ts
        edges.push({ guard, left: left.marks, right: right.marks, to: numberOf(left.to, right.to) });
      }
    states.push(edges);
  }
  return { initial: 0, states };
}
