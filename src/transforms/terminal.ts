/**
 * Automata that accept by reaching a state from which everything is accepted: then a violation is a finite execution,
 * and a plain search finds a shortest one.
 */
import { allMarks, type Automaton } from "../model/index.js";
import { nth } from "../model/known.js";

/** States from which every word is accepted, as far as it shows: they lead to themselves on every letter. */
export function acceptingSinks({ states, conditions }: Automaton): ReadonlySet<number> {
  const all = allMarks(conditions);
  return new Set(
    [...states.keys()].filter((state) =>
      nth(states, state).some(
        // sound: test/transforms/product.test.ts
        ({ guard, marks, to }) => to === state && marks === all && guard.some(({ care }) => care === 0),
      ),
    ),
  );
}

/** Is every word that the automaton accepts accepted by reaching a sink? */
export function isTerminal(automaton: Automaton): boolean {
  const sinks = acceptingSinks(automaton);
  return components(automaton, sinks).every((component) => !isAccepting(automaton, component));
}

function isAccepting({ states, conditions }: Automaton, component: ReadonlySet<number>): boolean {
  const inner = [...component].flatMap((state) =>
    nth(states, state).filter(({ to, guard }) => component.has(to) && guard.length > 0),
  );
  // sound: test/transforms/product.test.ts
  return inner.length > 0 && inner.reduce((marks, edge) => marks | edge.marks, 0) === allMarks(conditions);
}

/** Strongly connected components outside `left`: mutual reachability, for automata are small. */
function components({ states }: Automaton, left: ReadonlySet<number>): ReadonlySet<number>[] {
  const reach = states.map((_, state) => reachable(state));
  const found = new Map<number, Set<number>>();
  for (const state of states.keys()) {
    if (left.has(state)) continue;
    const members = [...nth(reach, state)].filter((other) => nth(reach, other).has(state));
    const root = Math.min(state, ...members);
    found.set(root, (found.get(root) ?? new Set()).add(state));
  }
  return [...found.values()];

  /** States reachable by one edge or more. */
  function reachable(from: number): Set<number> {
    const seen = new Set<number>();
    const queue = [from];
    for (let state = queue.pop(); state !== undefined; state = queue.pop())
      for (const { to, guard } of nth(states, state))
        if (guard.length > 0 && !left.has(to) && !seen.has(to)) {
          seen.add(to);
          queue.push(to);
        }
    return seen;
  }
}
