/**
 * One temporal property from requirement to finding: the automaton of violations, its product with the model, the search in
 * it, and the trace found.
 *
 * If a violation shows after finitely many steps (the automaton is terminal) a plain search finds a shortest one; else the
 * emptiness check finds a path and a cycle. Fairness does not restrict finite executions.
 */
import {
  checkEmptinessInParallel,
  traceThrough,
  search,
  searchCompactly,
  storeReport,
  unproven,
  withRoot,
  withoutFinding,
  withoutRoot,
  type BitstateChoice,
  type CompactChoice,
  type SearchOptions,
  type SearchResult,
  type SearchStats,
  type Stop,
  type WorkerSource,
} from "../engines/explicit/index.js";
import {
  LOSSY_ALGORITHMS,
  checkEmptiness,
  checkLossily,
  notSearched,
  checkStrongFairness,
  isWeak,
  type EmptinessAlgorithm,
  type EmptinessOptions,
  type EmptinessResult,
  type SeenStates,
} from "../engines/explicit/emptiness/index.js";
import {
  LayoutExceeded,
  temporalOf,
  type Automaton,
  type Budget,
  type Control,
  type Fairness,
  type Model,
  type StoreReport,
  type TemporalProperty,
  type Verdict,
  type Words,
} from "../model/index.js";
import { lastOf, nth } from "../model/known.js";
import { withFairSteps } from "./replay/fair-loop.js";
import { violatesAlready } from "./replay/lasso.js";
import { productModel, type ProductModel } from "../transforms/product-model.js";
import { noStats, type AutomatonFigures } from "../report/index.js";
import type { Product } from "../transforms/product.js";
import { acceptingSinks, isTerminal } from "../transforms/terminal.js";
import { soughtBy } from "../transforms/ltl/sought.js";
import { remaining } from "./pipeline/totals.js";
import { cycleReason, finiteReason } from "./pipeline/temporal-reasons.js";

export interface TemporalOptions {
  readonly fairness: Fairness;
  readonly emptiness: EmptinessAlgorithm | "auto";
  /** A lossy store for visited states; absent: an exact one. Not used with strong fairness. */
  readonly store?: BitstateChoice | CompactChoice | undefined;
  /** Threads to explore with; absent: this one. */
  readonly workers?: WorkerSource | undefined;
  readonly search: "bfs" | "dfs";
  readonly budget: Budget;
  readonly control: Control;
}

export interface TemporalResult {
  readonly verdict: Verdict;
  /** Undefined when everything was seen that had to be. */
  readonly stop: Stop | undefined;
  readonly stats: SearchStats;
  /** Omissions of a lossy store. */
  readonly store?: StoreReport | undefined;
  readonly automaton: AutomatonFigures | undefined;
  /** The method of search: the name of an emptiness check, or the order of a plain search. */
  readonly method: string;
}

export async function checkTemporal(
  model: Model,
  property: TemporalProperty,
  options: TemporalOptions,
): Promise<TemporalResult> {
  const automaton = soughtBy(property);
  if (!automaton) return tooLarge;
  const size = figuresOf(automaton);
  // sound: test/session/verdicts.test.ts
  const searchProduct = isTerminal(automaton) ? searchFinite : searchInfinite;
  const task: Task = { model, property, automaton, sinks: acceptingSinks(automaton), options, isLarge: true };
  const { seen: _, ...result } = await searchTwice(task, searchProduct);
  return { ...result, verdict: withheld(result.verdict, property), automaton: size };
}

/**
 * First a few states, as JavaScript; a larger search restarts with smaller states, if the model can make them, and as WebAssembly
 * (`engines/explicit/compaction.ts` does the same for safety).
 */
async function searchTwice(task: Task, searchProduct: (task: Task) => Promise<Searched>): Promise<Searched> {
  const { model, options } = task;
  const { budget, workers, store } = options;
  const isSmall = (budget.maxStates ?? Infinity) <= TRIAL_STATES;
  if (workers || store || isSmall || !(model.compact ?? model.temporal?.system.step))
    return searchProduct(task);
  const started = performance.now();
  const trial = { ...options, budget: { ...budget, maxStates: TRIAL_STATES } };
  const tried = await searchProduct({ ...task, options: trial, isLarge: false });
  // sound: test/session/temporal-twice.test.ts
  if (tried.stop !== "states" || !tried.seen) return tried;
  const { seen } = tried;
  let chosen = model.compact?.((index) => seen.words(index), seen.count) ?? model;
  for (;;) {
    try {
      const left = { ...options, budget: remaining(budget, 0, performance.now() - started) };
      const found = await searchProduct({ ...task, model: chosen, options: left });
      const seconds = (performance.now() - started) / 1000;
      return { ...found, stats: { ...found.stats, seconds } };
    } catch (error) {
      if (!(error instanceof LayoutExceeded)) throw error;
      chosen = error.retry();
    }
  }
}

const TRIAL_STATES = 1_000;

/** A property about something that no state shows is never proved. */
const withheld = (verdict: Verdict, { unseen: reason }: TemporalProperty): Verdict =>
  // sound: test/languages/promela/unseen-labels.test.ts
  verdict.kind === "holds" && reason !== undefined
    ? {
        kind: "unknown",
        reason,
        advice: "put the label on a separate statement in front of the sequence: accept: skip",
      }
    : verdict;

interface Task {
  readonly model: Model;
  readonly property: TemporalProperty;
  readonly automaton: Automaton;
  /** Once there, the property is violated by every continuation. */
  readonly sinks: ReadonlySet<number>;
  readonly options: TemporalOptions;
  /** Worth compiling loops to WebAssembly. */
  readonly isLarge: boolean;
}

interface Searched extends Omit<TemporalResult, "automaton"> {
  /** States of the model that were found, if they are kept. */
  readonly seen?: SeenStates;
}

// ---- finite violations ----

async function searchFinite(task: Task): Promise<Searched> {
  const { options, model } = task;
  const sought = productOf(task, "none");
  const { system } = sought;
  const request: SearchOptions = {
    order: options.search,
    budget: withRoot(options.budget, system),
    control: options.control,
    maxErrors: 1,
    checksDeadlock: false,
    checksSite: model.sites.map(() => true),
    invariants: [0],
    ...(options.store ? { store: options.store } : {}),
  };
  const { workers } = options;
  const resources = workers !== undefined && options.search === "bfs" && !options.store ? { workers } : {};
  const result = task.isLarge
    ? (await searchCompactly(sought, request, resources)).result
    : await search(sought, request);
  const { stop } = result;
  const seen = {
    count: result.store.count,
    words: (index: number) => system.project(result.store.numbered(index + 1, result.store.width)),
  };
  const stats = withoutRoot(result.stats, system);
  const store = options.store && storeReport(options.store, result);
  const common = { stats, method: options.search, store };
  const [violation] = result.violations;
  // sound: test/session/verdicts.test.ts
  if (violation?.cause.kind === "fault")
    return { ...common, verdict: cannotTell(model, violation.cause.site), stop: undefined };
  if (violation) return { ...common, verdict: finite(task, system, statesOf(violation)), stop: undefined };
  return { ...common, verdict: nothingFound(stop, stats, store), stop, seen };
}

/** A violation that a lossy store has not found may exist. */
const nothingFound = (stop: Stop | undefined, stats: SearchStats, store: StoreReport | undefined): Verdict =>
  // sound: test/session/verdicts.test.ts
  stop === undefined && store?.omissions ? unproven(store.omissions) : withoutFinding(stop, stats);

const statesOf = ({ path }: SearchResult["violations"][number]): Words[] =>
  Array.from({ length: path.length }, (_, i) => path.state(i));

/**
 * The last state is the successor of the violating one. If an execution has ended before, its last state repeated forever
 * is part of the violation.
 */
function finite(task: Task, system: Product, path: readonly Words[]): Verdict {
  const { model, property } = task;
  const last = lastOf(path);
  const shown = projected(system, path.length > 1 ? path.slice(0, -1) : path);
  const trace = traceThrough(model, shown, []);
  const [before, end] = shown.slice(-2);
  const mayHaveEnded = before !== undefined && before.join() === end?.join();
  // sound: test/session/murphi-temporal.test.ts
  if (mayHaveEnded && !violatesAlready(model, property, trace.choices)) {
    const lasso = { ...trace, loopStart: trace.choices.length };
    return { kind: "violated", reason: cycleReason(property, lasso), trace: lasso };
  }
  return { kind: "violated", reason: finiteReason(property, system.automatonState(last, 0)), trace };
}

// ---- infinite violations ----

async function searchInfinite(task: Task): Promise<Searched> {
  const sought = productOf(task, task.options.fairness);
  const { system } = sought;
  let fault: number | undefined;
  let staysInside = false;
  const result = await searchCycles(task, sought, {
    onFault: (site) => void (fault ??= site),
    ...(task.property.mayStayInside ? { onStayInside: () => void (staysInside = true) } : {}),
  });
  const { stop } = result;
  const stats = withoutRoot(result.stats, system);
  const found = verdictOf(task, system, result, fault);
  // sound: test/languages/promela/endless-atomic.test.ts
  const verdict = staysInside && found.kind === "holds" ? STAYS_INSIDE : found;
  const { seen } = result;
  const words = seen && ((index: number) => system.project(seen.words(index)));
  return {
    stats,
    method: stats.algorithm,
    verdict,
    stop,
    store: result.store,
    ...(words ? { seen: { count: seen.count, words } } : {}),
  };
}

function searchCycles(
  { options, automaton, property, isLarge }: Task,
  sought: ProductModel,
  met: Pick<EmptinessOptions, "onFault" | "onStayInside">,
): Promise<EmptinessResult & { readonly store?: StoreReport }> {
  const { fairness, control, workers, store, emptiness: algorithm } = options;
  const { system } = sought;
  const { conditions } = system;
  const common = { budget: withRoot(options.budget, system), control, ...met };
  if (store) return checkLossy(system, store, algorithm, { ...common, conditions });
  // sound: test/session/verdicts.test.ts
  if (fairness === "strong") {
    const { fairAgents: agents } = system;
    return checkStrongFairness(system, { ...common, conditions: automaton.conditions, agents });
  }
  // Threads do not look for executions that stay inside an atomic sequence.
  // sound: test/session/temporal-threads.test.ts
  const threads = fairness === "none" && !property.mayStayInside ? workers : undefined;
  return checkCycles(sought, threads, {
    ...common,
    algorithm,
    conditions,
    usesStep: isLarge,
    isWeak: fairness === "none" && isWeak(automaton), // sound: test/session/verdicts.test.ts
  });
}

/** By a nested search: the others need to identify the state they have found. */
async function checkLossy(
  system: Product,
  store: BitstateChoice | CompactChoice,
  asked: EmptinessAlgorithm | "auto",
  options: Pick<EmptinessOptions, "conditions" | "budget" | "control" | "onFault">,
): Promise<EmptinessResult & { readonly store?: StoreReport }> {
  const algorithm = asked === "auto" ? LOSSY_ALGORITHMS[0] : LOSSY_ALGORITHMS.find((name) => name === asked);
  if (algorithm) return checkLossily(system, { ...options, algorithm, store });
  const refused = `${asked} must identify the state it has found, and the ${store.kind} store cannot: use se05 or cvwy90`;
  return notSearched(asked as EmptinessAlgorithm, refused);
}

/** By threads, where there are some and the model is for them. */
const checkCycles = async (
  sought: ProductModel,
  workers: WorkerSource | undefined,
  options: EmptinessOptions,
): Promise<EmptinessResult> =>
  (workers && (await checkEmptinessInParallel(sought, options, workers))) ??
  checkEmptiness(sought.system, options);

function verdictOf(
  task: Task,
  system: Product,
  { run, isEmpty, stop, stats, refused, store }: EmptinessResult & { readonly store?: StoreReport },
  fault: number | undefined,
): Verdict {
  const { model, property, sinks } = task;
  if (refused !== undefined) return { kind: "unknown", reason: refused, advice: "use --emptiness auto" };
  if (run) {
    const states = [...run.prefix, ...run.cycle];
    const sink = states.findIndex((state) => sinks.has(system.automatonState(state, 0)));
    // sound: test/session/verdicts.test.ts
    if (sink >= 0) return finite(task, system, states.slice(0, sink + 1));
  }
  // sound: test/session/verdicts.test.ts
  if (system.hasForeignAgent) return tooManyProcesses(system);
  if (run) {
    const states = traceThrough(model, projected(system, run.prefix), projected(system, run.cycle));
    const trace = withFairSteps(states, temporalOf(model).steps, task.options.fairness);
    return { kind: "violated", reason: cycleReason(property, trace), trace };
  }
  // sound: test/session/verdicts.test.ts
  if (fault !== undefined) return cannotTell(model, fault);
  // sound: test/session/verdicts.test.ts
  return nothingFound(isEmpty ? undefined : (stop ?? "interrupted"), stats, store);
}

// ---- parts ----

const STAYS_INSIDE: Verdict = {
  kind: "unknown",
  reason: "an atomic sequence may not end, and formulas do not evaluate states inside it",
  advice: "let the loop end, or put it around the atomic sequence: do :: atomic { … } od",
};

function productOf({ model, property, automaton }: Task, fairness: Fairness): ProductModel {
  const index = temporalOf(model).properties.indexOf(property);
  // As in Spin, an execution that ends is not a non-progress cycle.
  const stutters = property.kind !== "progress";
  return productModel(model, { property: index, automaton, fairness, stutters });
}

const projected = (system: Product, states: readonly Words[]): Words[] =>
  states.map((state) => system.project(state));

const figuresOf = ({ states, conditions }: Automaton): AutomatonFigures => ({
  states: states.length,
  edges: states.reduce((sum, edges) => sum + edges.length, 0),
  conditions,
});

const cannotTell = ({ sites }: Model, site: number): Verdict => ({
  kind: "unknown",
  reason: `a condition of the property cannot be evaluated: ${nth(sites, site).message}`,
  advice: "guard the condition, so that it has a value in every state",
});

const tooManyProcesses = ({ fairAgents }: Product): Verdict => ({
  kind: "unknown",
  reason: `fairness is checked for at most ${fairAgents} processes or rule instances here, and there are more`,
  advice: "check without --fairness, or make the model smaller",
});

const noSearch: SearchStats = { ...noStats, matched: 0, peakFrontier: 0 };

const tooLarge: TemporalResult = {
  verdict: {
    kind: "unknown",
    reason: "the automaton of the formula is too large",
    advice: "split the formula into several smaller ones",
  },
  stop: undefined,
  stats: noSearch,
  automaton: undefined,
  method: "",
};
