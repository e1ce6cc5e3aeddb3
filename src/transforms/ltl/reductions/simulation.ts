/**
 * Direct simulation, forward and backward: merges equivalent states and removes dominated edges.
 *
 * Forward, `r` simulates `q` if it can match every edge of `q`, letter by letter, with at least the same marks, to a state that
 * simulates the target; backward, likewise with incoming edges, and the initial state is simulated only by itself.
 */
import { type LetterSet, none } from "../../../model/letters.js";
import { edgeCount, normalised, type SymbolicAutomaton, type SymbolicEdge } from "../symbolic.js";
import { nth } from "../../../model/known.js";

/** `relation[q * n + r]` is 1 iff `r` simulates `q`. */
type Relation = Uint8Array;

/** Reduces to a fixpoint. `clean` removes useless marks and states after each step. */
export function reduceBySimulation(
  automaton: SymbolicAutomaton,
  clean: (automaton: SymbolicAutomaton) => SymbolicAutomaton,
  colour: (automaton: SymbolicAutomaton, state: number) => number = () => 0,
): SymbolicAutomaton {
  let current = clean(automaton);
  for (;;) {
    const size = sizeOf(current);
    current = clean(forwards(current));
    current = clean(backwards(current, colour));
    if (sizeOf(current) === size) return current; // sound: test/transforms/ltl/reductions/simulation.test.ts
  }
}

const sizeOf = (automaton: SymbolicAutomaton): string => `${automaton.states.length},${edgeCount(automaton)}`;

export function forwards(automaton: SymbolicAutomaton): SymbolicAutomaton {
  const { letters } = automaton;
  const n = automaton.states.length;
  const relation = greatest(
    n,
    () => true, // sound: test/transforms/ltl/reductions/simulation.test.ts
    (q, r, related) =>
      // sound: test/transforms/ltl/reductions/simulation.test.ts
      nth(automaton.states, q).every((edge) => {
        let left = edge.guard;
        // sound: test/transforms/ltl/reductions/simulation.test.ts
        for (const answer of nth(automaton.states, r))
          // sound: test/transforms/ltl/reductions/simulation.test.ts
          if (isAtLeast(answer, edge) && related[edge.to * n + answer.to])
            left = letters.minus(left, answer.guard);
        return left === none; // sound: test/transforms/ltl/reductions/simulation.test.ts
      }),
  );
  const merged = merge(automaton, relation);
  const covers = (e: SymbolicEdge, other: SymbolicEdge): boolean =>
    isAtLeast(other, e) && merged.relation[e.to * merged.count + other.to] === 1; // sound: test/transforms/ltl/reductions/simulation.test.ts
  const states = merged.automaton.states.map(
    (edges) =>
      edges
        .map((edge) => ({
          ...edge,
          guard: without(
            edge,
            edges.filter((e) => e !== edge && covers(edge, e)), // sound: test/transforms/ltl/reductions/simulation.test.ts
            automaton,
          ),
        }))
        .filter(({ guard }) => guard !== none), // sound: test/transforms/ltl/reductions/simulation.test.ts
  );
  return { ...merged.automaton, states };
}

export function backwards(
  automaton: SymbolicAutomaton,
  colour: (automaton: SymbolicAutomaton, state: number) => number,
): SymbolicAutomaton {
  const { letters, initial } = automaton;
  const n = automaton.states.length;
  const incoming = reversed(automaton);
  const mayRelate = (q: number, r: number): boolean =>
    (q !== initial || r === initial) && colour(automaton, q) === colour(automaton, r); // sound: test/transforms/ltl/reductions/simulation.test.ts
  const relation = greatest(n, mayRelate, (q, r, related) =>
    // sound: test/transforms/ltl/reductions/simulation.test.ts
    nth(incoming, q).every((edge) => {
      let left = edge.guard;
      // sound: test/transforms/ltl/reductions/simulation.test.ts
      for (const answer of nth(incoming, r))
        // sound: test/transforms/ltl/reductions/simulation.test.ts
        if (isAtLeast(answer, edge) && related[edge.to * n + answer.to])
          left = letters.minus(left, answer.guard);
      return left === none; // sound: test/transforms/ltl/reductions/simulation.test.ts
    }),
  );
  const merged = merge(automaton, relation);
  const into = reversed(merged.automaton);
  const states = merged.automaton.states.map(
    (edges, from) =>
      edges
        .map((edge) => {
          // sound: test/transforms/ltl/reductions/simulation.test.ts
          const better = nth(into, edge.to).filter(
            (other) =>
              // sound: test/transforms/ltl/reductions/simulation.test.ts
              !(other.to === from && other.marks === edge.marks) &&
              // sound: test/transforms/ltl/reductions/simulation.test.ts
              isAtLeast(other, edge) &&
              merged.relation[from * merged.count + other.to] === 1, // sound: test/transforms/ltl/reductions/simulation.test.ts
          );
          return { ...edge, guard: without(edge, better, automaton) };
        })
        .filter(({ guard }) => guard !== none), // sound: test/transforms/ltl/reductions/simulation.test.ts
  );
  return { ...merged.automaton, states };
}

const isAtLeast = (answer: SymbolicEdge, edge: SymbolicEdge): boolean => (edge.marks & ~answer.marks) === 0; // sound: test/transforms/ltl/reductions/simulation.test.ts

const without = (
  edge: SymbolicEdge,
  others: readonly SymbolicEdge[],
  { letters }: SymbolicAutomaton,
): LetterSet => others.reduce((guard, other) => letters.minus(guard, other.guard), edge.guard);

/** Edges by target; `to` is the source. */
function reversed({ states }: SymbolicAutomaton): SymbolicEdge[][] {
  const incoming: SymbolicEdge[][] = states.map(() => []);
  states.forEach((edges, from) => {
    for (const edge of edges) nth(incoming, edge.to).push({ ...edge, to: from }); // sound: test/transforms/ltl/reductions/simulation.test.ts
  });
  return incoming;
}

/** The greatest relation within `mayRelate` all of whose pairs pass. */
function greatest(
  n: number,
  mayRelate: (q: number, r: number) => boolean,
  passes: (q: number, r: number, related: Relation) => boolean,
): Relation {
  const related = new Uint8Array(n * n);
  for (let q = 0; q < n; q++) for (let r = 0; r < n; r++) related[q * n + r] = mayRelate(q, r) ? 1 : 0;
  for (let changed = true; changed;) {
    changed = false; // sound: test/transforms/ltl/reductions/simulation.test.ts
    for (let q = 0; q < n; q++)
      for (let r = 0; r < n; r++)
        // sound: test/transforms/ltl/reductions/simulation.test.ts
        if (q !== r && related[q * n + r] && !passes(q, r, related)) {
          related[q * n + r] = 0;
          changed = true; // sound: test/transforms/ltl/reductions/simulation.test.ts
        }
  }
  return related;
}

/** Merges states that simulate each other, and maps the relation. */
function merge(
  automaton: SymbolicAutomaton,
  relation: Relation,
): { automaton: SymbolicAutomaton; relation: Relation; count: number } {
  const n = automaton.states.length;
  const isSame = (q: number, r: number): boolean => relation[q * n + r] === 1 && relation[r * n + q] === 1; // sound: test/transforms/ltl/reductions/simulation.test.ts
  const leaders: number[] = [];
  const classOf = automaton.states.map((_, state) => {
    const known = leaders.findIndex((leader) => isSame(leader, state));
    return known >= 0 ? known : leaders.push(state) - 1; // sound: test/transforms/ltl/reductions/simulation.test.ts
  });
  const states: SymbolicEdge[][] = leaders.map(() => []);
  automaton.states.forEach((edges, state) => {
    for (const edge of edges) nth(states, nth(classOf, state)).push({ ...edge, to: nth(classOf, edge.to) }); // sound: test/transforms/ltl/reductions/simulation.test.ts
  });
  const count = leaders.length;
  const lifted = new Uint8Array(count * count);
  leaders.forEach((q, i) => leaders.forEach((r, j) => (lifted[i * count + j] = nth(relation, q * n + r))));
  return {
    automaton: {
      ...automaton,
      initial: nth(classOf, automaton.initial),
      states: states.map((edges) => normalised(edges, automaton.letters)),
    },
    relation: lifted,
    count,
  };
}
