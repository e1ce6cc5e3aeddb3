/** Degeneralisation: reduces several acceptance conditions to one by copies that wait for each condition in turn. */
import { type Automaton, type AutomatonEdge, allMarks } from "../../model/index.js";
import { nth } from "../../model/known.js";

export interface DegeneraliseOptions {
  /** Order of conditions; by default ascending. */
  readonly order?: readonly number[];
  /** Counts marks common to all edges out of the target as seen on the edge: every run sees them next. */
  readonly lookahead?: boolean;
}

/** Marks on edges, one condition; the size grows at most by the number of conditions. */
export function degeneralise(automaton: Automaton, options: DegeneraliseOptions = {}): Automaton {
  const count = automaton.conditions;
  const order = options.order ?? Array.from({ length: count }, (_, i) => i);
  if ([...order].sort((a, b) => a - b).some((condition, i) => condition !== i) || order.length !== count)
    throw new Error("the order of conditions must name each condition once");
  const common = automaton.states.map(
    (edges) => (options.lookahead ? edges.reduce((marks, edge) => marks & edge.marks, allMarks(count)) : 0), // sound: test/transforms/ltl/reductions/conditions.test.ts
  );
  const numbers = new Map<string, number>();
  const found: { state: number; level: number }[] = [];
  const numberOf = (state: number, level: number): number => {
    const key = `${state} ${level}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = found.push({ state, level }) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  numberOf(automaton.initial, 0);
  const states: AutomatonEdge[][] = [];
  for (let i = 0; i < found.length; i++) {
    const { state, level } = nth(found, i);
    const edges = nth(automaton.states, state).map(({ guard, marks, to }) => {
      const step = advance(level, marks | nth(common, to), order);
      return { guard, marks: step.isAccepting ? 1 : 0, to: numberOf(to, step.level) }; // sound: test/transforms/ltl/reductions/conditions.test.ts
    });
    states.push(withoutDuplicates(edges));
  }
  return { propositions: automaton.propositions, conditions: 1, initial: 0, states };
}

/** The level after an edge with these marks. After a full round, continues up to the level where it started. */
export function advance(
  level: number,
  marks: number,
  order: readonly number[],
): { readonly level: number; readonly isAccepting: boolean } {
  const has = (index: number): boolean => ((marks >>> nth(order, index)) & 1) === 1; // sound: test/transforms/ltl/degeneralise.test.ts
  let next = level;
  while (next < order.length && has(next)) next++; // sound: test/transforms/ltl/degeneralise.test.ts
  if (next < order.length) return { level: next, isAccepting: false }; // sound: test/transforms/ltl/degeneralise.test.ts
  next = 0;
  while (next < level && has(next)) next++; // sound: test/transforms/ltl/degeneralise.test.ts
  return { level: next, isAccepting: true }; // sound: test/transforms/ltl/degeneralise.test.ts
}

/** Joins edges with equal target and marks. */
function withoutDuplicates(edges: readonly AutomatonEdge[]): AutomatonEdge[] {
  const merged = new Map<string, AutomatonEdge>();
  // sound: test/transforms/ltl/reductions/conditions.test.ts
  for (const edge of edges) {
    const key = `${edge.to} ${edge.marks}`;
    const other = merged.get(key);
    merged.set(key, other ? { ...edge, guard: [...other.guard, ...edge.guard] } : edge); // sound: test/transforms/ltl/reductions/conditions.test.ts
  }
  return [...merged.values()];
}
