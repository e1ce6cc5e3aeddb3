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
import { collectings, isAcceptingState, toStateBased, trimStateBased, withEqualMarks } from "./state-based.js";
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
const mostOrders = 24;

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
      const sources = [positive, merged(positive, negative)];
      const candidates = sources.flatMap((source) =>
        orders(source.conditions).flatMap((order) =>
          collectings.flatMap((collect) =>
            [false, true].map((lookahead) =>
              simulatedStateBased(toStateBased(source, order, collect, lookahead)),
            ),
          ),
        ),
      );
      if (deterministic) candidates.push(simulatedStateBased(trimStateBased(deterministic)));
      return smallest(candidates.map((candidate) => mergedStateBased(candidate, negative)));
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

function smallest(candidates: readonly SymbolicAutomaton[]): SymbolicAutomaton {
  const size = (a: SymbolicAutomaton): number => a.states.length * 1e6 + a.conditions * 1e5 + edgeCount(a);
  return candidates.reduce((best, candidate) => (size(candidate) < size(best) ? candidate : best));
}

/** Orders of `n` conditions: all of them while they are few. */
function orders(n: number): number[][] {
  let result: number[][] = [[]];
  for (let i = 0; i < n; i++)
    result = result.flatMap((order) =>
      order.map((_, at) => order.toSpliced(at, 0, i)).concat([[...order, i]]),
    );
  return result.slice(0, mostOrders);
}
