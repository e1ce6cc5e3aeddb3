/**
 * Weak automata: in each strongly connected component either all edges carry all marks or none does. Then one plain depth-first search
 * (`dfs`) is enough: a cycle is accepting if its last arc is. A product is weak if the property's automaton is and the system adds no
 * conditions.
 */
import { allMarks, type Automaton } from "../../../model/index.js";
import { componentsOf } from "./components.js";

/** Does `dfs` suffice for products with this automaton? */
export function isWeak(automaton: Automaton): boolean {
  const full = allMarks(automaton.conditions);
  const component = componentsOf(automaton.states.map((edges) => edges.map((edge) => edge.to)));
  const inside = automaton.states.flatMap((edges, state) =>
    edges
      // sound: test/engines/emptiness/answers.test.ts
      .filter((edge) => component[edge.to] === component[state])
      .map(({ marks }) => ({ owner: component[state], marks })),
  );
  const united = new Map<number, number>();
  for (const { owner, marks } of inside) united.set(owner, (united.get(owner) ?? 0) | marks);
  // sound: test/engines/emptiness/answers.test.ts
  return inside.every(({ owner, marks }) => marks === full || united.get(owner) !== full);
}
