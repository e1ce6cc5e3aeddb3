/** Language inclusion of automata. */
import { allMarks, type Automaton } from "../../../model/index.js";
import { componentsOf } from "../components.js";
import { degeneralise } from "../degeneralise.js";
import { Breakpoints, isWeak } from "./breakpoints.js";
import { type Deterministic, SafraTrees } from "./determinise.js";
import { Letters, none } from "../../../model/letters.js";
import { type SymbolicAutomaton, toSymbolic } from "../symbolic.js";
import { trim } from "../reductions/trim.js";
import { entryOf, nth } from "../../../model/known.js";

/**
 * Does `larger` accept every word that `smaller` accepts? Determinises `larger`, with exponentially many states in the worst case:
 * throws `AutomatonTooLarge` beyond `mostStates`, or for more than 15 states of `larger`.
 */
export function isIncluded(smaller: Automaton, larger: Automaton, mostStates = 50_000): boolean {
  const letters = new Letters();
  const right = determinise(toSymbolic(degeneralise(larger), letters), mostStates);
  const left = toSymbolic(smaller, letters);
  const states = pairs(left, right);
  return !hasEscape({ states, conditions: left.conditions }, [...states.keys()]);
}

function determinise(automaton: SymbolicAutomaton, mostStates: number): Deterministic {
  const trimmed = withOneCondition(trim(automaton));
  return isWeak(trimmed) ? new Breakpoints(trimmed, mostStates) : new SafraTrees(trimmed, mostStates); // sound: test/transforms/ltl/checks/answers.test.ts
}

/** If every run accepts, marks every edge. */
const withOneCondition = (automaton: SymbolicAutomaton): SymbolicAutomaton =>
  // sound: test/transforms/ltl/checks/answers.test.ts
  automaton.conditions === 1
    ? automaton
    : {
        ...automaton,
        conditions: 1,
        states: automaton.states.map((edges) => edges.map((edge) => ({ ...edge, marks: 1 }))),
      };

interface PairEdge {
  readonly to: number;
  readonly marks: number;
  readonly renewed: number;
  readonly lost: number;
}

function pairs(left: SymbolicAutomaton, right: Deterministic): PairEdge[][] {
  const numbers = new Map<string, number>();
  const found: { p: number; q: number }[] = [];
  const numberOf = (p: number, q: number): number => {
    const key = `${p} ${q}`;
    if (!numbers.has(key)) numbers.set(key, found.push({ p, q }) - 1);
    return entryOf(numbers, key);
  };
  numberOf(left.initial, 0);
  const states: PairEdge[][] = [];
  for (let i = 0; i < found.length; i++) {
    const { p, q } = nth(found, i);
    const edges = nth(left.states, p).flatMap((edge) =>
      right
        .edges(q)
        // sound: test/transforms/ltl/checks/answers.test.ts
        .filter(({ guard }) => left.letters.and(guard, edge.guard) !== none)
        .map(({ to, renewed, lost }) => ({ to: numberOf(edge.to, to), marks: edge.marks, renewed, lost })),
    );
    states.push(edges);
  }
  return states;
}

interface PairGraph {
  readonly states: readonly (readonly PairEdge[])[];
  readonly conditions: number;
}

/**
 * Is there a cycle among these states that the left side accepts and the right side rejects: on which every renewed name is also
 * lost? (Emptiness check of Streett automata.)
 */
function hasEscape(graph: PairGraph, among: readonly number[]): boolean {
  return componentsAmong(graph, among).some((members) => {
    const own = new Set(members);
    const inner = members.flatMap((state) => nth(graph.states, state).filter(({ to }) => own.has(to)));
    if (inner.length === 0) return false; // sound: test/transforms/ltl/checks/answers.test.ts
    const union = (of: (edge: PairEdge) => number): number => inner.reduce((set, edge) => set | of(edge), 0);
    if (union(({ marks }) => marks) !== allMarks(graph.conditions)) return false; // sound: test/transforms/ltl/checks/answers.test.ts
    const accepted = union(({ renewed }) => renewed) & ~union(({ lost }) => lost);
    if (accepted === 0) return true; // sound: test/transforms/ltl/checks/answers.test.ts
    const states = graph.states.map(
      (edges, state) =>
        own.has(state) ? edges.filter(({ to, renewed }) => own.has(to) && (renewed & accepted) === 0) : [], // sound: test/transforms/ltl/checks/answers.test.ts
    );
    return hasEscape({ ...graph, states }, members);
  });
}

/** The strongly connected components of a part of the graph. */
function componentsAmong({ states }: PairGraph, among: readonly number[]): number[][] {
  const own = new Set(among);
  const rows: { readonly to: number }[][] = states.map((edges, state) =>
    own.has(state) ? edges.filter(({ to }) => own.has(to)) : [],
  );
  rows.push(among.map((to) => ({ to })));
  const component = componentsOf({ initial: states.length, states: rows });
  const groups = new Map<number, number[]>();
  for (const state of among) {
    const group = groups.get(nth(component, state));
    if (group) group.push(state);
    else groups.set(nth(component, state), [state]);
  }
  return [...groups.values()];
}
