/**
 * The emptiness check of a system whose labels are acceptance marks (a product of a model and a property): is there a run
 * that sees every mark infinitely often?
 *
 * Always true: a search that did not see everything never says "empty"; a run is followed through the graph before it is
 * returned.
 */
import {
  allMarks,
  type Budget,
  type Control,
  type Progress,
  type System,
  type Words,
} from "../../../model/index.js";
import { drive } from "../drive.js";
import { Ledger } from "../ledger.js";
import type { Stop } from "../order.js";
import type { SearchStats } from "../search.js";
import { StepMemory } from "../../../step/index.js";
import { StepBackend } from "../step-backend.js";
import { pathTo } from "./accepting-run.js";
import { DEFAULT_ALGORITHM, prepare, refusal, type EmptinessAlgorithm } from "./algorithms.js";
import type { EmptinessSearch } from "./emptiness-search.js";
import { InternedGraph, NOWHERE } from "./interned-graph.js";
import type { Lasso } from "./lasso.js";
import { Memory, OutOfRoom } from "./memory.js";

export interface EmptinessOptions {
  readonly algorithm: EmptinessAlgorithm | "auto";
  /** Number of acceptance conditions in the labels. */
  readonly conditions: number;
  /** In each strongly connected component all steps carry all marks or none does (`isWeak`): then `dfs` is enough. */
  readonly isWeak?: boolean;
  readonly budget: Budget;
  readonly control: Control;
  /** Run the loops of `auto` as WebAssembly where the system can: worth it for large searches. */
  readonly usesStep?: boolean;
  /** Limit of WebAssembly memory, for tests of its exhaustion. */
  readonly stepPages?: number;
  /** A step failed, once for each site. `path`: the states from the initial one to the failing step's source; none if at the start. */
  onFault?(site: number, path: () => readonly Words[]): void;
  /** A run can stay among intermediate states forever: no cycle of nominal states shows it. */
  onStayInside?(): void;
}

export interface EmptinessResult {
  /** Undefined when the search was stopped before. */
  readonly isEmpty: boolean | undefined;
  readonly stop: Stop | undefined;
  /** Why the requested algorithm cannot check this; then nothing was searched. */
  readonly refused?: string;
  readonly stats: EmptinessStats;
  /** The states in the order in which they were found; absent if they are not kept. */
  readonly seen?: SeenStates;
  /** When not empty. */
  readonly run?: SystemRun;
}

export interface SeenStates {
  readonly count: number;
  words(index: number): Words;
}

export interface EmptinessStats extends SearchStats {
  readonly algorithm: EmptinessAlgorithm | "streett";
  /** The most that the stacks held, by the algorithm's own measure. */
  readonly stack: number;
  /** Numbered states of the system; `states` counts the degeneralised graph's, if there is one. */
  readonly systemStates: number;
  /** States of the system of which one process alone was explored. */
  readonly reducedStates: number;
  readonly cycleStatesVisited: number;
  readonly searchSpace: number;
}

/** Nominal states of the system. Step `i` leads from state `i` to the next one and carries `marks[i]`. */
export interface SystemRun {
  /** Begins with the initial state; never empty. */
  readonly prefix: readonly Words[];
  readonly prefixMarks: readonly number[];
  /** The first follows the last state of the prefix; the last has a step back to the first. */
  readonly cycle: readonly Words[];
  readonly cycleMarks: readonly number[];
}

export async function checkEmptiness(system: System, options: EmptinessOptions): Promise<EmptinessResult> {
  const { conditions } = options;
  // sound: test/engines/emptiness/answers.test.ts
  if (conditions > 0 && system.labels !== "marks")
    throw new Error("the system's labels are not acceptance marks");
  const algorithm = algorithmFor(options);
  const refused = refusal(algorithm, conditions, options.isWeak ?? false);
  // sound: test/engines/emptiness/answers.test.ts
  if (refused !== undefined) return notSearched(algorithm, refused);
  return checkSystem(system, { ...options, labelMask: allMarks(conditions) }, algorithm, (graph, memory) => {
    const limits = { memory, maxDepth: options.budget.maxDepth ?? Infinity };
    return prepare(algorithm, graph, limits);
  });
}

/** Nothing was searched; `refused` gives the reason. */
export function notSearched(algorithm: EmptinessAlgorithm, refused: string): EmptinessResult {
  const figures = { algorithm, ledger: new Ledger(), started: performance.now() };
  return { isEmpty: undefined, stop: undefined, refused, stats: statistics(figures) };
}

/** The requested algorithm, else the fastest in our measurements. */
export function algorithmFor({ algorithm, isWeak }: EmptinessOptions): EmptinessAlgorithm {
  if (algorithm !== "auto") return algorithm;
  // sound: test/engines/emptiness/answers.test.ts
  return isWeak ? "dfs" : DEFAULT_ALGORITHM;
}

interface SystemCheckOptions extends Pick<
  EmptinessOptions,
  "conditions" | "budget" | "control" | "onFault" | "onStayInside" | "usesStep" | "stepPages"
> {
  readonly labelMask: number;
}

interface SystemCheck {
  readonly search: EmptinessSearch;
  hasVisited(state: number): boolean;
  construct(): { readonly lasso: Lasso; readonly cycleStatesVisited: number; readonly searchSpace: number };
}

/** Sets up graph and memory, runs the check that `create` makes, and translates its result. */
export async function checkSystem(
  system: System,
  options: SystemCheckOptions,
  algorithm: EmptinessStats["algorithm"],
  create: (graph: InternedGraph, memory: Memory) => SystemCheck,
): Promise<EmptinessResult> {
  const started = performance.now();
  const backend = isInStepCode(algorithm) ? newBackend(system, options) : undefined;
  const ledger = new Ledger(options.budget.memoryBytes, undefined, backend?.memory);
  const figures = { algorithm, ledger, started };
  const maxStates = options.budget.maxStates ?? Infinity;
  let graph: InternedGraph;
  try {
    graph = new InternedGraph(system, { ...options, maxStates, backend }, ledger);
  } catch (error) {
    if (!(error instanceof OutOfRoom)) throw error;
    return { isEmpty: undefined, stop: error.stop, stats: statistics(figures) };
  }
  if (graph.count === 0) {
    tellFaults(graph, undefined, options);
    return { isEmpty: true, stop: undefined, stats: statistics(figures) };
  }
  const check = create(graph, new Memory(ledger));
  const task = new GraphTask(check, graph, ledger, options);
  const stop = (await drive(task, options.budget, options.control, started)) ?? task.stop;
  backend?.keepCoverage();
  const { search } = check;
  if (search.outcome !== "accepting") {
    // sound: test/engines/emptiness/answers.test.ts
    const isEmpty = search.outcome === "empty" ? true : undefined;
    // sound: test/engines/emptiness/answers.test.ts
    const why = isEmpty ? undefined : (stop ?? "depth");
    return { isEmpty, stop: why, stats: statistics(figures, search, graph), seen: graph };
  }
  const { lasso, ...cost } = check.construct();
  const stats = { ...statistics(figures, search, graph), ...cost };
  return { isEmpty: false, stop: undefined, stats, run: systemRun((state) => graph.words(state), lasso) };
}

/** Algorithms whose loop is text (`path-loop.ts`). */
const isInStepCode = (algorithm: EmptinessStats["algorithm"]): boolean =>
  algorithm === "cou99" || algorithm === "dfs";

function newBackend(
  system: System,
  { usesStep, stepPages, onStayInside }: SystemCheckOptions,
): StepBackend | undefined {
  const { step, successors, candidates } = system;
  // The text neither chooses candidates nor looks for runs that stay among intermediate states.
  // sound: test/engines/emptiness/step-loop.test.ts
  if (!usesStep || onStayInside || candidates) return undefined;
  // A wrapper may have copied the facet along with other unchanged members.
  // sound: test/engines/emptiness/step-loop.test.ts
  return step?.same.successors === successors
    ? StepBackend.create(system, StepMemory.create(stepPages))
    : undefined;
}

/** The search as a task of the driver. */
class GraphTask {
  stop: Stop | undefined;
  readonly #check: SystemCheck;
  readonly #graph: InternedGraph;
  readonly #ledger: Ledger;
  readonly #options: SystemCheckOptions;

  constructor(check: SystemCheck, graph: InternedGraph, ledger: Ledger, options: SystemCheckOptions) {
    this.#check = check;
    this.#graph = graph;
    this.#ledger = ledger;
    this.#options = options;
  }

  advance(quota: number): boolean {
    let hasMore = false;
    try {
      hasMore = this.#check.search.advance(quota);
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error;
      this.stop = error.stop;
    }
    tellFaults(this.#graph, this.#check, this.#options);
    return hasMore;
  }

  progress(seconds: number): Progress {
    const { states, transitions, depth } = this.#check.search;
    return { states, transitions, depth, frontier: depth + 1, bytes: this.#ledger.bytes, seconds };
  }
}

/** Not while a state is being expanded, which finds the faults: the path to the state is found by expanding others. */
function tellFaults(
  graph: InternedGraph,
  check: SystemCheck | undefined,
  { onFault }: SystemCheckOptions,
): void {
  for (const { site, source } of graph.faults.splice(0)) {
    const isVisited = (state: number): boolean => check?.hasVisited(state) ?? false;
    const path = (): Words[] =>
      source === NOWHERE ? [] : pathTo(graph, source, isVisited).map((state) => graph.words(state));
    onFault?.(site, path);
  }
}

/** A cycle through the initial state is entered behind it, so that the prefix has at least that state. */
export function systemRun(words: (state: number) => Words, { prefix, cycle }: Lasso): SystemRun {
  const before = prefix.length > 0 ? prefix : cycle.slice(0, 1);
  const loop = prefix.length > 0 ? cycle : [...cycle.slice(1), ...cycle.slice(0, 1)];
  return {
    prefix: before.map(({ state }) => words(state)),
    prefixMarks: before.map(({ marks }) => marks),
    cycle: loop.map(({ state }) => words(state)),
    cycleMarks: loop.map(({ marks }) => marks),
  };
}

interface Figures {
  readonly algorithm: EmptinessStats["algorithm"];
  readonly ledger: Ledger;
  readonly started: number;
}

function statistics(
  { algorithm, ledger, started }: Figures,
  search?: EmptinessSearch,
  graph?: InternedGraph,
): EmptinessStats {
  const states = search?.states ?? 0;
  const transitions = search?.transitions ?? 0;
  return {
    algorithm,
    states,
    transitions,
    matched: transitions - Math.max(0, states - 1),
    depth: search?.depth ?? 0,
    peakFrontier: (search?.depth ?? -1) + 1,
    stack: search?.stack ?? 0,
    systemStates: graph?.count ?? 0,
    reducedStates: graph?.reduced ?? 0,
    cycleStatesVisited: 0,
    searchSpace: 0,
    seconds: (performance.now() - started) / 1000,
    peakBytes: ledger.peakBytes,
    bytesPerState: states === 0 ? 0 : ledger.peakBytes / states,
    backend: graph?.isStep ? "webassembly" : "javascript",
  };
}
