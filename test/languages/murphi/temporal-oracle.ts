/**
 * Naive check of a temporal formula: builds the whole graph with the interpreter and its product with the automaton of
 * the negation, and examines every strongly connected component by definition.
 */
import type { RuleModel } from "../../../src/compile/rules/index.js";
import {
  Entry,
  Successors,
  allMarks,
  type Automaton,
  type Fairness,
  type TemporalProperty,
  type Words,
} from "../../../src/model/index.js";
import { soughtBy } from "../../../src/transforms/ltl/sought.js";
import { reachability } from "../../engines/emptiness/graphs.js";

export type Truth = "holds" | "violated" | "fault";

export function obviously(model: RuleModel, property: TemporalProperty, fairness: Fairness): Truth {
  const automaton = soughtBy(property);
  if (!automaton) throw new Error("the automaton is too large for an oracle");
  const index = model.temporal.properties.indexOf(property);
  const graph = productOf(graphOf(model, index), automaton);
  if (!graph) return "fault";
  return hasRun(graph, allMarks(automaton.conditions), fairness) ? "violated" : "holds";
}

interface Graph {
  readonly starts: readonly number[];
  readonly letters: readonly number[];
  /** Bit set of enabled agents. */
  readonly enabled: readonly number[];
  readonly arcs: readonly (readonly { readonly to: number; readonly agents: number }[])[];
}

/** A state without successors repeats. */
function graphOf({ steps, temporal }: RuleModel, index: number): Graph {
  const out = new Successors(steps.width);
  steps.initial(out);
  const root = out.words.slice(0, steps.width);
  const numbers = new Map<string, number>();
  const states: Words[] = [];
  const stepsOf = (state: Words): { to: number; agents: number }[] => {
    out.clear();
    steps.successors(state, 0, out);
    return Array.from({ length: out.count }, (_, entry) => entry)
      .filter((entry) => (out.flags[entry]! & Entry.dead) === 0)
      .map((entry) => {
        const words = out.words.slice(entry * out.stride, (entry + 1) * out.stride);
        const to = numbers.get(words.join()) ?? states.push(words) - 1;
        numbers.set(words.join(), to);
        return { to, agents: out.labels[entry]! };
      });
  };
  const starts = stepsOf(root).map(({ to }) => to);
  const arcs: { to: number; agents: number }[][] = [];
  const enabled: number[] = [];
  for (let at = 0; at < states.length; at++) {
    const found = stepsOf(states[at]!);
    enabled.push(found.reduce((all, { agents }) => all | agents, 0));
    arcs.push(found.length > 0 ? found : [{ to: at, agents: 0 }]);
  }
  const letters = states.map((words) => temporal.steps.valuation(index, words, 0));
  return { starts, letters, enabled, arcs };
}

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly marks: number;
  readonly agents: number;
  /** Bit set of agents enabled at its source. */
  readonly enabled: number;
}

/** Reachable arcs; undefined if a condition has no value in a state that the automaton reads. */
function productOf({ starts, letters, enabled, arcs }: Graph, automaton: Automaton): Arc[] | undefined {
  const numbers = new Map<string, number>();
  const queue: { state: number; position: number }[] = [];
  const number = (state: number, position: number): number => {
    const key = `${state} ${position}`;
    const known = numbers.get(key) ?? queue.push({ state, position }) - 1;
    numbers.set(key, known);
    return known;
  };
  for (const state of starts) number(state, automaton.initial);
  const found: Arc[] = [];
  for (let from = 0; from < queue.length; from++) {
    const { state, position } = queue[from]!;
    const letter = letters[state]!;
    if (letter < 0) return undefined;
    for (const edge of automaton.states[position]!) {
      if (!edge.guard.some(({ care, value }) => (letter & care) === value)) continue;
      for (const { to, agents } of arcs[state]!)
        found.push({ from, to: number(to, edge.to), marks: edge.marks, agents, enabled: enabled[state]! });
    }
  }
  return found;
}

/** Whether a fair infinite run visits all marks infinitely often. */
function hasRun(arcs: readonly Arc[], marks: number, fairness: Fairness): boolean {
  return componentsOf(arcs).some((inside) => {
    const union = (pick: (arc: Arc) => number): number => inside.reduce((all, arc) => all | pick(arc), 0);
    if ((union((arc) => arc.marks) & marks) !== marks) return false;
    const moving = union((arc) => arc.agents);
    if (fairness === "weak") return (inside.reduce((all, arc) => all & arc.enabled, ~0) & ~moving) === 0;
    const put = union((arc) => arc.enabled) & ~moving;
    if (fairness === "none" || put === 0) return true;
    // A run through a state where these are enabled would be unfair.
    return hasRun(
      inside.filter(({ enabled }) => (enabled & put) === 0),
      marks,
      fairness,
    );
  });
}

/** The arcs inside each nontrivial strongly connected component. */
function componentsOf(arcs: readonly Arc[]): Arc[][] {
  const names = [...new Set(arcs.flatMap(({ from, to }) => [from, to]))];
  const place = new Map(names.map((name, i) => [name, i]));
  const out: number[][] = names.map(() => []);
  for (const { from, to } of arcs) out[place.get(from)!]!.push(place.get(to)!);
  const reach = reachability(out);
  const byLeast = new Map<number, Arc[]>();
  for (const arc of arcs) {
    const [from, to] = [place.get(arc.from)!, place.get(arc.to)!];
    if (!reach[to]![from]) continue;
    const least = names.findIndex((_, i) => reach[from]![i] && reach[i]![from]);
    byLeast.set(least, [...(byLeast.get(least) ?? []), arc]);
  }
  return [...byLeast.values()];
}
