/**
 * Translates formulas to small automata: rewrites the formula, applies Couvreur's translation, then reduces the automaton. Each step
 * preserves the language.
 */
import { type Automaton, type Formula, MOST_PROPOSITIONS } from "../../model/index.js";
import { reduceStateBased } from "./buchi.js";
import { couvreur, type Limits } from "./couvreur.js";
import { Letters } from "../../model/letters.js";
import { mergeByLanguage } from "./reductions/merge.js";
import { negate } from "./formulas/normal-form.js";
import { smallestWeakDeterministic } from "./reductions/obligation.js";
import { rewrite } from "./formulas/rewrite.js";
import { reduceBySimulation } from "./reductions/simulation.js";
import { collectings, toStateBased, trimStateBased, type Waiting, withEqualMarks } from "./state-based.js";
import { AutomatonTooLarge, edgeCount, type SymbolicAutomaton, toAutomaton } from "./symbolic.js";
import { Terms, toFormula } from "./formulas/terms.js";
import { trim } from "./reductions/trim.js";
import { nth } from "../../model/known.js";

export interface TranslateOptions {
  /** Couvreur's translation without any simplification, for comparison with figures of the literature. */
  readonly exact?: boolean;
  /** Throws `AutomatonTooLarge` beyond this number of states. */
  readonly mostStates?: number;
}

/** Accepts exactly the words that satisfy the formula. */
export function translate(
  formula: Formula,
  propositions: readonly string[],
  options: TranslateOptions = {},
): Automaton {
  refusePropositions(propositions);
  const mostStates = options.mostStates ?? defaultMostStates;
  // sound: test/transforms/ltl/small-automata.test.ts
  if (options.exact)
    return toAutomaton(
      couvreur(new Terms().from(formula), { states: mostStates, edges: mostEdgesOfState }),
      propositions,
    );
  return toAutomaton(new Translation(formula, mostStates).generalised(), propositions);
}

/** The same with one condition and equal marks on all edges of a state: a classical Büchi automaton. */
export function translateToBuchi(
  formula: Formula,
  propositions: readonly string[],
  options: Pick<TranslateOptions, "mostStates"> = {},
): Automaton {
  refusePropositions(propositions);
  const mostStates = options.mostStates ?? defaultMostStates;
  return toAutomaton(new Translation(formula, mostStates).stateBased(), propositions);
}

function refusePropositions({ length }: readonly string[]): void {
  // sound: test/transforms/ltl/small-automata.test.ts
  if (length > MOST_PROPOSITIONS)
    throw new AutomatonTooLarge(`the formula has ${length} propositions; ${MOST_PROPOSITIONS} are possible`);
}

/** The formula after rewriting, in negation normal form. */
export function simplify(formula: Formula): Formula {
  const terms = new Terms();
  return toFormula(rewrite(terms.from(formula), terms));
}

const defaultMostStates = 20_000;
const mostEdgesOfState = 5000;
/** Beyond these sizes a reduction costs more than it saves. */
const mostForSimulation = 250;
const mostEdges = 400;
const mostForMerging = 40;
const mostForPowerset = 400;
const mostOrders = 6;
const mostMerged = 4;

/** Automata of a formula and of its negation, which several reductions need. */
class Translation {
  readonly #positive: SymbolicAutomaton;
  readonly #negative: SymbolicAutomaton | undefined;
  readonly #deterministic: SymbolicAutomaton | undefined;
  /** The automaton without rewriting: rewriting usually helps, but `<> X (a R b)` has one state less without it. */
  readonly #unrewritten: SymbolicAutomaton | undefined;

  constructor(formula: Formula, mostStates: number) {
    const letters = new Letters();
    const basic = (f: Formula, limits: Limits): SymbolicAutomaton => {
      const terms = new Terms();
      return simulated(couvreur(rewrite(terms.from(f), terms), limits, letters));
    };
    this.#positive = basic(formula, { states: mostStates, edges: mostEdgesOfState });
    this.#unrewritten = smallEnough(() =>
      simulated(couvreur(new Terms().from(formula), { states: mostStates, edges: mostEdges }, letters)),
    );
    this.#negative = smallEnough(() => basic(negate(formula), { states: mostStates, edges: mostEdges }));
    if (this.#negative && isMergeable(this.#positive))
      this.#deterministic = smallestWeakDeterministic(this.#positive, this.#negative, mostForPowerset);
  }

  generalised(): SymbolicAutomaton {
    const candidates = [this.#merged()];
    if (this.#deterministic) candidates.push(trim(this.#deterministic));
    if (this.#unrewritten) candidates.push(this.#unrewritten);
    return nth(distinctSizes(candidates), 0);
  }

  stateBased(): SymbolicAutomaton {
    // If a weak deterministic automaton exists, degeneralisation is rarely smaller: tries few orders.
    const most = this.#deterministic || edgeCount(this.#positive) > 64 ? 1 : mostOrders;
    const candidates = distinctSizes([this.#positive, this.#merged()]).flatMap((source) =>
      waitings(source.conditions, most).map((waiting) => simulatedStateBased(toStateBased(source, waiting))),
    );
    if (this.#deterministic) candidates.push(simulatedStateBased(trimStateBased(this.#deterministic)));
    const best = distinctSizes(candidates).slice(0, mostMerged);
    return nth(distinctSizes(best.map((candidate) => this.#mergedStateBased(candidate))), 0);
  }

  #merged(): SymbolicAutomaton {
    if (!this.#negative || !isMergeable(this.#positive)) return this.#positive;
    return simulated(mergeByLanguage(this.#positive, this.#negative));
  }

  #mergedStateBased(automaton: SymbolicAutomaton): SymbolicAutomaton {
    if (!this.#negative || !isMergeable(automaton)) return automaton;
    return simulatedStateBased(mergeByLanguage(automaton, this.#negative, withEqualMarks));
  }
}

/** Undefined if the automaton is too large: intermediate automata are optional. */
function smallEnough(make: () => SymbolicAutomaton): SymbolicAutomaton | undefined {
  try {
    const automaton = make();
    return automaton.states.length <= 4 * mostForMerging && isSmall(automaton) ? automaton : undefined;
  } catch (error) {
    if (error instanceof AutomatonTooLarge) return undefined;
    throw error;
  }
}

const isSmall = (automaton: SymbolicAutomaton): boolean =>
  automaton.states.length <= mostForSimulation && edgeCount(automaton) <= mostEdges;

const isMergeable = (automaton: SymbolicAutomaton): boolean =>
  automaton.states.length <= mostForMerging && edgeCount(automaton) <= mostEdges;

function simulated(automaton: SymbolicAutomaton): SymbolicAutomaton {
  const trimmed = trim(automaton);
  return isSmall(trimmed) ? reduceBySimulation(trimmed, trim) : trimmed;
}

const simulatedStateBased = (automaton: SymbolicAutomaton): SymbolicAutomaton =>
  isSmall(automaton) ? reduceStateBased(automaton) : trimStateBased(automaton);

const sizeOf = (a: SymbolicAutomaton): number => a.states.length * 1e6 + a.conditions * 1e5 + edgeCount(a);

/** One automaton of each size, smallest first. */
function distinctSizes(automata: readonly SymbolicAutomaton[]): SymbolicAutomaton[] {
  const bySize = new Map<number, SymbolicAutomaton>();
  for (const automaton of automata)
    if (!bySize.has(sizeOf(automaton))) bySize.set(sizeOf(automaton), automaton);
  return [...bySize].sort(([a], [b]) => a - b).map(([, automaton]) => automaton);
}

/** Orders of degeneralisation for `n` conditions: all permutations while they are few, otherwise all rotations. */
function waitings(n: number, mostOrders: number): Waiting[] {
  const orders = n <= 3 ? permutations(n) : rotations(Array.from({ length: n }, (_, i) => i));
  return orders.slice(0, mostOrders).flatMap((order) => collectings.map((collect) => ({ order, collect })));
}

const permutations = (n: number): number[][] =>
  // sound: test/transforms/ltl/small-automata.test.ts
  n === 0
    ? [[]]
    : permutations(n - 1).flatMap((order) =>
        Array.from({ length: n }, (_, at) => order.toSpliced(n - 1 - at, 0, n - 1)),
      );

const rotations = (order: readonly number[]): number[][] =>
  order.map((_, first) => [...order.slice(first), ...order.slice(0, first)]);
