/** A search for violations: sets up the parts, and lets the order advance until it is done or stopped (`drive.ts`). */
import {
  Entry,
  Successors,
  faultSite,
  isStepCodeOf,
  walkRandomly,
  type Budget,
  type Control,
  type Model,
  type Stats,
  type System,
  type Words,
} from "../../model/index.js";
import { NotStepCode, StepMemory } from "../../step/index.js";
import { BestFirst } from "./best-first.js";
import { BreadthFirst } from "./breadth-first.js";
import { DepthFirst } from "./depth-first.js";
import { drive } from "./drive.js";
import { Ledger } from "./ledger.js";
import { SafetyMonitor, type MonitorOptions, type Violation } from "./monitor.js";
import { Run, type Order, type Stop } from "./order.js";
import { newReduction, type Proviso } from "./reduction.js";
import type { Visited } from "./loop-code.js";
import { ExactStore, type StoreOptions } from "./store.js";
import { StepBackend } from "./step-backend.js";
import { createStore, type StoreChoice } from "./stores/choice.js";
import { MOST_SAMPLES } from "./tree-shape.js";
import { TreeStore } from "./tree-store.js";

export type OrderName = "bfs" | "dfs" | "random" | "guided";

export interface SearchOptions extends MonitorOptions {
  readonly order: OrderName;
  /** For `random`. */
  readonly seed?: number | undefined;
  readonly budget: Budget;
  readonly control: Control;
  readonly store?: StoreKind;
  /** The proviso of partial-order reduction, if the system proposes candidates; absent: no reduction. */
  readonly proviso?: Proviso | undefined;
  /** Run the loops as WebAssembly where the system can, from the start or as soon as the search is large. */
  readonly usesStep?: boolean | "when large";
  /** Sizes of the store, for tests that exceed them. */
  readonly storeSizes?: Pick<StoreOptions, "chunkBits" | "homingBits" | "hashBits"> & {
    readonly stepPages?: number;
    readonly purgeAt?: number;
  };
}

/** `flat`: whole states; `tree`: each part once. Both are exact; among the others only delta is. */
export type StoreKind = "flat" | "tree" | StoreChoice;

export interface SearchResult {
  readonly violations: readonly Violation[];
  /** Undefined when everything was visited. */
  readonly stop: Stop | undefined;
  readonly stats: SearchStats;
  readonly store: Pick<Visited, "count" | "width" | "numbered">;
}

export interface SearchStats extends Stats {
  readonly matched: number;
  readonly peakFrontier: number;
}

/** Restarts as JavaScript if WebAssembly has no memory for a list in the middle of a step. */
export async function search(model: Model, options: SearchOptions): Promise<SearchResult> {
  const started = performance.now();
  const times = model.coverage?.times;
  const before = times?.slice();
  try {
    return await searchOnce(model, options);
  } catch (error) {
    // sound: test/engines/explicit/leaving.test.ts
    if (!options.usesStep || !(error instanceof NotStepCode)) throw error;
    // sound: test/engines/explicit/leaving.test.ts
    if (before) times?.set(before);
    return searchOnce(model, { ...remaining(options, started), usesStep: false });
  }
}

/** The time budget is for all attempts together. */
export function remaining(options: SearchOptions, started: number): SearchOptions {
  const { timeMs } = options.budget;
  if (timeMs === undefined) return options;
  return {
    ...options,
    budget: { ...options.budget, timeMs: Math.max(0, timeMs - (performance.now() - started)) },
  };
}

async function searchOnce(model: Model, options: SearchOptions): Promise<SearchResult> {
  const { system } = model;
  const kept = system.candidates?.kept;
  kept?.clear();
  const backend = newBackend(model, options);
  const ledger = new Ledger(options.budget.memoryBytes, () => kept?.bytes ?? 0, backend?.memory);
  const started = performance.now();
  // First of all: states may become wider on the way.
  const usesTree = options.store === "tree" && system.compareFrom === 0;
  const sample = usesTree ? sampleOf(system) : [];
  const initial = new Successors(system.width);
  system.initial(initial);
  // sound: test/engines/explicit/endings.test.ts
  if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);

  const made = newStore(system, options, sample, ledger, () => run.offered);
  const store = made ?? newFlatStore(system, options, ledger);
  let order: Order | undefined;
  const monitor = new SafetyMonitor(
    model,
    options,
    (id) => order?.pathTo(id) ?? { length: id, state: () => entryWords(initial) },
  );
  const reduction = newReduction(system, store, options.proviso, backend);
  const run = new Run(model, store, monitor, options.budget.maxDepth ?? Infinity, reduction, backend, ledger);
  run.hashBits = options.storeSizes?.hashBits ?? run.hashBits;
  run.purgeAt = options.storeSizes?.purgeAt ?? run.purgeAt;
  // sound: test/engines/stores/lossy-states.test.ts
  if (!made) run.stop = "memory";
  const first = made && enterInitial(run, initial);
  // sound: test/engines/explicit/endings.test.ts
  if (!run.stop && first) {
    order = newOrder(run, first, options, ledger);
    const task = {
      advance: (quota: number) => {
        const hasMore = order!.advance(quota);
        const isWithin = ledger.isWithinBudget();
        // sound: test/engines/explicit/endings.test.ts
        if (hasMore && !isWithin) run.stop = "memory";
        return hasMore && isWithin;
      },
      progress: (seconds: number) => progress(run, order!, ledger, seconds),
    };
    const stop = await drive(task, options.budget, options.control, started);
    // sound: test/engines/explicit/endings.test.ts
    if (stop) run.stop = stop;
  }
  run.backend?.keepCoverage();
  // sound: test/session/sampling-step.test.ts
  if (backend) system.step?.visited?.((id) => store.numbered(id, store.width), store.count);
  return {
    violations: monitor.violations,
    stop: run.stop,
    store,
    stats: statistics(run, order, ledger, started),
  };
}

/** For large searches of systems that have step code, in the orders and with the stores whose code is such. */
function newBackend(model: Model, options: SearchOptions): StepBackend | undefined {
  const { usesStep = false, store = "flat", storeSizes, order } = options;
  if (!usesStep || typeof store !== "string" || isBestFirst(options)) return undefined;
  const { system, holds } = model;
  // A tree without a log numbers no states: whoever wants them afterwards watches a search as JavaScript instead.
  // sound: test/session/sampling-step.test.ts
  if (system.step?.visited && order === "dfs" && store === "tree") return undefined;
  // sound: test/engines/explicit/wrapped.test.ts
  if (!isStepCodeOf(system, holds)) return undefined;
  return StepBackend.create(system, StepMemory.create(storeSizes?.stepPages), usesStep === true);
}

function newOrder(
  run: Run,
  first: readonly number[],
  { order, seed = 1 }: SearchOptions,
  ledger: Ledger,
): Order {
  if (order === "bfs") return new BreadthFirst(run);
  return order === "dfs" ? new DepthFirst(run, first, ledger) : new BestFirst(run, order, seed, ledger);
}

/** Only depth-first search does without the numbers of states, and the ways to them. */
const storeOrder = ({ order }: SearchOptions): "bfs" | "dfs" => (order === "dfs" ? "dfs" : "bfs");

const isBestFirst = ({ order }: SearchOptions): boolean => order === "random" || order === "guided";

/** Undefined when there is no memory for it. */
function newStore(
  system: System,
  options: SearchOptions,
  sample: readonly Words[],
  ledger: Ledger,
  offered: () => Successors,
): Visited | undefined {
  const { width, compareFrom } = system;
  const maxStates = options.budget.maxStates ?? Infinity;
  const { store } = options;
  const order = storeOrder(options);
  if (typeof store === "object") {
    const expansion = isBestFirst(options) ? "any" : order;
    return createStore(store, system, { order: expansion, maxStates, offered }, ledger);
  }
  // States with words that do not distinguish them cannot be decomposed.
  // sound: test/engines/stores/flat-states.test.ts test/engines/stores/tree-states.test.ts
  return store === "tree" && compareFrom === 0
    ? new TreeStore({ width, maxStates, keepsLog: order === "bfs", sample, ...options.storeSizes }, ledger)
    : newFlatStore(system, options, ledger);
}

function newFlatStore({ width, compareFrom }: System, options: SearchOptions, ledger: Ledger): ExactStore {
  const maxStates = options.budget.maxStates ?? Infinity;
  const keepsParents = storeOrder(options) === "bfs";
  return new ExactStore({ width, compareFrom, maxStates, keepsParents, ...options.storeSizes }, ledger);
}

/** Sample states. */
export function sampleOf(system: System): Words[] {
  const seen: Words[] = [];
  walkRandomly(system, (state) => seen.push(state));
  const step = Math.max(1, Math.ceil(seen.length / MOST_SAMPLES));
  return seen.filter((_, i) => i % step === 0);
}

const entryWords = ({ words, stride }: Successors): Words => words.slice(0, stride);

/** Stores and examines the initial state; returns its reference in the store, if there is one. */
export function enterInitial(run: Run, initial: Successors): readonly number[] | undefined {
  const { model, store, monitor } = run;
  const flags = initial.flags[0]!;
  // sound: test/engines/explicit/endings.test.ts
  if (faultSite(flags) >= 0) monitor.fault(faultSite(flags), 0);
  let first: readonly number[] | undefined;
  // sound: test/engines/explicit/endings.test.ts
  if ((flags & Entry.dead) === 0) {
    first = store.enter(initial.words);
    if (!first) {
      // Growing gives the reason; a store that can grow had no memory for the state itself.
      // sound: test/engines/explicit/endings.test.ts
      if (run.grow()) run.stop = "memory";
      return undefined;
    }
    for (const index of monitor.invariants)
      // sound: test/engines/explicit/endings.test.ts
      if (!model.holds(index, initial.words, 0)) monitor.broken(index, 1, initial.words, 0);
  }
  // sound: test/engines/explicit/endings.test.ts
  if (monitor.isDone) run.stop = "errors";
  return first;
}

const progress = (run: Run, order: Order, ledger: Ledger, seconds: number) => ({
  states: run.store.count,
  transitions: run.transitions,
  depth: order.depth,
  frontier: order.frontier,
  bytes: ledger.bytes,
  seconds,
});

function statistics(run: Run, order: Order | undefined, ledger: Ledger, started: number): SearchStats {
  const states = run.store.count;
  return {
    states,
    transitions: run.transitions,
    matched: run.transitions - Math.max(0, states - 1),
    depth: order?.depth ?? 0,
    peakFrontier: order?.peakFrontier ?? states,
    seconds: (performance.now() - started) / 1000,
    peakBytes: ledger.peakBytes,
    bytesPerState: states === 0 ? 0 : ledger.peakBytes / states,
    tableBytes: run.store.tableBytes,
    stateBytes: 4 * run.store.width,
    backend: run.active ? "webassembly" : "javascript",
    ...(run.reduction ? { partialOrder: run.reduction.stats() } : {}),
  };
}
