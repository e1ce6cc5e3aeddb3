/**
 * Products for measurements: a system explored once, and a property's automaton. Labels belong to source states; the
 * order of the automaton's edges within a step of the system can be chosen.
 */
import { InternedGraph } from "../../src/engines/explicit/emptiness/index.js";
import { Ledger } from "../../src/engines/explicit/ledger.js";
import {
  Arcs,
  type AcceptanceGraph,
  type Automaton,
  type System,
  type Words,
} from "../../src/model/index.js";

/** An explicit system: the arcs of state `s` are `firsts[s]` … `firsts[s + 1] - 1`. */
export interface SystemGraph {
  readonly states: number;
  readonly transitions: number;
  readonly firsts: Int32Array;
  readonly targets: Int32Array;
  /** Movers, or conditions of the system. */
  readonly labels: Int32Array;
  /** By state: the propositions that hold. */
  readonly valuations: Int32Array;
}

export function exploreSystem(system: System, valuation: (state: Words) => number): SystemGraph {
  const ledger = new Ledger();
  const graph = new InternedGraph(system, { conditions: 0, labelMask: -1, maxStates: Infinity }, ledger);
  const arcs = new Arcs();
  const firsts = [0];
  const targets: number[] = [];
  const labels: number[] = [];
  const valuations: number[] = [];
  for (let state = 0; state < graph.count; state++) {
    graph.successors(state, arcs);
    for (let i = 0; i < arcs.count; i++) {
      targets.push(arcs.targets[i]);
      labels.push(arcs.marks[i]);
    }
    firsts.push(targets.length);
    valuations.push(valuation(graph.words(state)));
  }
  return {
    states: graph.count,
    transitions: targets.length,
    firsts: Int32Array.from(firsts),
    targets: Int32Array.from(targets),
    labels: Int32Array.from(labels),
    valuations: Int32Array.from(valuations),
  };
}

/** Converts agent labels to conditions, one for each agent: it moves, or it cannot. */
export function weaklyFair(graph: SystemGraph, agents: number): SystemGraph {
  const all = 2 ** agents - 1;
  const labels = new Int32Array(graph.labels.length);
  for (let state = 0; state < graph.states; state++) {
    let enabled = 0;
    for (let arc = graph.firsts[state]; arc < graph.firsts[state + 1]; arc++) enabled |= graph.labels[arc];
    for (let arc = graph.firsts[state]; arc < graph.firsts[state + 1]; arc++)
      labels[arc] = graph.labels[arc] | (all & ~enabled);
  }
  return { ...graph, labels };
}

export interface ProductOptions {
  /** Number of the system's conditions, given by its labels and numbered before the automaton's; 0 ignores the labels. */
  readonly systemConditions?: number;
  /** Order of the automaton's edges within each step of the system. */
  readonly edges: "more marks first" | "fewer marks first";
}

export function product(system: SystemGraph, automaton: Automaton, options: ProductOptions): AcceptanceGraph {
  const { systemConditions = 0 } = options;
  const sign = options.edges === "more marks first" ? -1 : 1;
  const edges = automaton.states.map((out) =>
    [...out].sort((a, b) => sign * (bits(a.marks) - bits(b.marks))),
  );
  const size = automaton.states.length;
  /** By pair: its number + 1. */
  const numbers = new Int32Array(system.states * size);
  const pairs: number[] = [];
  const number = (pair: number): number => {
    if (numbers[pair] === 0) numbers[pair] = pairs.push(pair);
    return numbers[pair] - 1;
  };
  const enabledEdges = edges.map((out) =>
    memoised((valuation: number) =>
      out.filter((edge) => edge.guard.some(({ care, value }) => (valuation & care) === value)),
    ),
  );
  return {
    conditions: systemConditions + automaton.conditions,
    initial: number(automaton.initial),
    successors(state, out) {
      out.count = 0;
      const pair = pairs[state];
      const place = pair % size;
      const source = (pair - place) / size;
      const enabled = enabledEdges[place](system.valuations[source]);
      for (let arc = system.firsts[source]; arc < system.firsts[source + 1]; arc++) {
        const own = systemConditions === 0 ? 0 : system.labels[arc];
        for (const edge of enabled)
          out.add(number(system.targets[arc] * size + edge.to), own | (edge.marks << systemConditions));
      }
    },
  };
}

/** Counts reachable states and arcs. */
export function sizeOf(graph: AcceptanceGraph): { readonly states: number; readonly transitions: number } {
  const seen = new Set([graph.initial]);
  const arcs = new Arcs();
  let transitions = 0;
  for (const state of seen) {
    graph.successors(state, arcs);
    transitions += arcs.count;
    for (let i = 0; i < arcs.count; i++) seen.add(arcs.targets[i]);
  }
  return { states: seen.size, transitions };
}

function bits(marks: number): number {
  let count = 0;
  for (let rest = marks; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function memoised<T>(compute: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
