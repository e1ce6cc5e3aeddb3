/**
 * From formulas to automata, and what makes them small: rewriting the formula, Couvreur's translation, then
 * reductions of the automaton, each of which keeps the language.
 */
import type { Automaton, Formula } from "../../model/index.js";
import { couvreur } from "./couvreur.js";
import { Letters } from "./letters.js";
import { mergeByLanguage } from "./merge.js";
import { negate } from "./normal-form.js";
import { smallestWeakDeterministic } from "./obligation.js";
import { rewrite } from "./rewrite.js";
import { reduceBySimulation } from "./simulation.js";
import {
  collectings,
  isAcceptingState,
  toStateBased,
  trimStateBased,
  type Waiting,
  withEqualMarks,
} from "./state-based.js";
import { edgeCount, type SymbolicAutomaton, toAutomaton } from "./symbolic.js";
import { Terms } from "./terms.js";
import { trim } from "./trim.js";

export interface TranslateOptions {
  /** Couvreur's translation as it stands, nothing simplified before or after: for figures of the literature. */
  readonly exact?: boolean;
  /** Beyond so many states an `AutomatonTooLarge` is thrown. */
  readonly mostStates?: number;
}

/** Accepts exactly the words that satisfy the formula. */
export function translate(
  formula: Formula,
  propositions: readonly string[],
  options: TranslateOptions = {},
): Automaton {
  const mostStates = options.mostStates ?? defaultMostStates;
  if (options.exact) return toAutomaton(couvreur(new Terms().from(formula), mostStates), propositions);
  return toAutomaton(bothWays(formula, mostStates).generalised(), propositions);
}

/** The same with one condition, its marks alike on all edges of a state: a classical Büchi automaton. */
export function translateToBuchi(
  formula: Formula,
  propositions: readonly string[],
  options: Pick<TranslateOptions, "mostStates"> = {},
): Automaton {
  const mostStates = options.mostStates ?? defaultMostStates;
  return toAutomaton(bothWays(formula, mostStates).stateBased(), propositions);
}

const defaultMostStates = 20_000;
/** Beyond these sizes a reduction costs more than it is worth. */
const mostForSimulation = 250;
const mostForMerging = 40;
const mostForPowerset = 400;
const mostOrders = 6;
const mostMerged = 4;

function bothWays(formula: Formula, mostStates: number) {
  const letters = new Letters();
  const basic = (f: Formula): SymbolicAutomaton => {
    const terms = new Terms();
    return simulated(couvreur(rewrite(terms.from(f), terms), mostStates, letters));
  };
  const positive = basic(formula);
  const negative = basic(negate(formula));
  const deterministic =
    positive.states.length <= mostForMerging && negative.states.length <= 4 * mostForMerging
      ? smallestWeakDeterministic(positive, negative, mostForPowerset)
      : undefined;
  return {
    generalised: () => {
      const candidates = [merged(positive, negative)];
      if (deterministic) candidates.push(trim(deterministic));
      return smallest(candidates);
    },
    stateBased: () => {
      // Where a weak deterministic automaton exists, waiting for conditions in turn is rarely better: few orders do.
      const most = deterministic ? 1 : mostOrders;
      const candidates = distinctSizes([positive, merged(positive, negative)]).flatMap((source) =>
        waitings(source.conditions, most).map((waiting) => simulatedStateBased(toStateBased(source, waiting))),
      );
      if (deterministic) candidates.push(simulatedStateBased(trimStateBased(deterministic)));
      const best = distinctSizes(candidates).slice(0, mostMerged);
      return smallest(best.map((candidate) => mergedStateBased(candidate, negative)));
    },
  };
}

const simulated = (automaton: SymbolicAutomaton): SymbolicAutomaton => {
  const trimmed = trim(automaton);
  return trimmed.states.length > mostForSimulation ? trimmed : reduceBySimulation(trimmed, trim);
};

const simulatedStateBased = (automaton: SymbolicAutomaton): SymbolicAutomaton =>
  reduceBySimulation(automaton, trimStateBased, (a, state) => (isAcceptingState(a, state) ? 1 : 0));

function merged(automaton: SymbolicAutomaton, complement: SymbolicAutomaton): SymbolicAutomaton {
  if (automaton.states.length > mostForMerging) return automaton;
  return simulated(mergeByLanguage(automaton, complement));
}

function mergedStateBased(automaton: SymbolicAutomaton, complement: SymbolicAutomaton): SymbolicAutomaton {
  if (automaton.states.length > mostForMerging) return automaton;
  return simulatedStateBased(mergeByLanguage(automaton, complement, withEqualMarks));
}

const sizeOf = (a: SymbolicAutomaton): number => a.states.length * 1e6 + a.conditions * 1e5 + edgeCount(a);

const smallest = (candidates: readonly SymbolicAutomaton[]): SymbolicAutomaton => distinctSizes(candidates)[0]!;

/** One of each size, smallest first. */
function distinctSizes(automata: readonly SymbolicAutomaton[]): SymbolicAutomaton[] {
  const bySize = new Map<number, SymbolicAutomaton>();
  for (const automaton of automata)
    if (!bySize.has(sizeOf(automaton))) bySize.set(sizeOf(automaton), automaton);
  return [...bySize].sort(([a], [b]) => a - b).map(([, automaton]) => automaton);
}

/** The ways of waiting for `n` conditions in turn: all orders while they are few, else all starting points. */
function waitings(n: number, mostOrders: number): Waiting[] {
  const orders = n <= 3 ? permutations(n) : rotations(Array.from({ length: n }, (_, i) => i));
  return orders
    .slice(0, mostOrders)
    .flatMap((order) =>
      collectings.flatMap((collect) => [false, true].map((lookahead) => ({ order, collect, lookahead }))),
    );
}

const permutations = (n: number): number[][] =>
  n === 0
    ? [[]]
    : permutations(n - 1).flatMap((order) =>
        Array.from({ length: n }, (_, at) => order.toSpliced(n - 1 - at, 0, n - 1)),
      );

const rotations = (order: readonly number[]): number[][] =>
  order.map((_, first) => [...order.slice(first), ...order.slice(0, first)]);
