/**
 * Random graphs and formulas as in the literature on emptiness checks (Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005);
 * deterministic in the seed.
 */
import type { Automaton, AutomatonEdge, Formula } from "../../src/model/index.js";
import { Random } from "./random.js";

export interface GraphShape {
  readonly states: number;
  /** Probability of an edge between two states, in addition to at least one per state. */
  readonly density: number;
  readonly propositions: readonly string[];
  readonly conditions: number;
  /** Probability of an acceptance condition on an edge. */
  readonly conditionProbability: number;
}

/** All states are reachable; the guard of a state's edges is one complete valuation, its label. */
export function randomGraph(shape: GraphShape, seed: number): Automaton {
  const random = new Random(seed);
  const { states: count, propositions, conditions } = shape;
  const states: AutomatonEdge[][] = Array.from({ length: count }, () => []);
  const unreachable = new Set(Array.from({ length: count }, (_, i) => i).slice(1));
  const pending = new Set([0]);
  const all = 2 ** propositions.length - 1;
  while (pending.size > 0) {
    const state = Math.min(...pending);
    pending.delete(state);
    const letter = random.below(all + 1);
    for (const to of successors(shape, unreachable, random)) {
      if (unreachable.delete(to)) pending.add(to);
      states[state]!.push({ guard: [{ care: all, value: letter }], marks: marks(shape, random), to });
    }
  }
  return { propositions, conditions, initial: 0, states };
}

/** Distinct; includes an unreachable state while there is one. */
function successors(
  { states, density }: GraphShape,
  unreachable: ReadonlySet<number>,
  random: Random,
): Set<number> {
  const mean = 1 + (states - 1) * density;
  const deviation = Math.sqrt((states - 1) * density * (1 - density));
  const wanted = Math.round(mean + deviation * normal(random));
  const degree = Math.min(states, Math.max(1, wanted));
  const chosen = new Set<number>();
  while (chosen.size < degree) {
    const isLast = chosen.size === degree - 1;
    const mustReach = isLast && unreachable.size > 0 && ![...chosen].some((to) => unreachable.has(to));
    chosen.add(mustReach ? random.pick([...unreachable]) : random.below(states));
  }
  return chosen;
}

function marks({ conditions, conditionProbability }: GraphShape, random: Random): number {
  let result = 0;
  for (let i = 0; i < conditions; i++) if (fraction(random) < conditionProbability) result |= 1 << i;
  return result;
}

const fraction = (random: Random): number => random.below(2 ** 30) / 2 ** 30;

/** Normally distributed (Box and Muller). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - fraction(random))) * Math.cos(2 * Math.PI * fraction(random));

const unary = ["not", "eventually", "always", "next"] as const;
const binary = ["equivalent", "implies", "xor", "release", "until", "and", "or"] as const;

/** A formula whose syntax tree has `size` nodes, over `propositions` propositions; operators are equally likely. */
export function randomFormula(size: number, propositions: number, random: Random): Formula {
  if (size === 1) {
    // An atom is four times as likely as each constant.
    const leaf = random.below(4 * propositions + 2);
    if (leaf < 4 * propositions) return { kind: "proposition", index: leaf >> 2 };
    return { kind: leaf === 4 * propositions ? "true" : "false" };
  }
  const operators = size === 2 ? unary : [...unary, ...binary];
  const kind = random.pick<(typeof operators)[number]>(operators);
  if (isUnary(kind)) return { kind, operand: randomFormula(size - 1, propositions, random) };
  const left = 1 + random.below(size - 2);
  return {
    kind,
    left: randomFormula(left, propositions, random),
    right: randomFormula(size - 1 - left, propositions, random),
  };
}

const isUnary = (kind: string): kind is (typeof unary)[number] => unary.some((name) => name === kind);
