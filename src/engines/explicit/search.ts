/**
 * The driver of a search: sets up the parts, lets the order advance in slices, and between slices looks at
 * the clock, reports progress, and lets the event loop run, so that Ctrl-C is seen.
 */
import {
  Entry,
  Successors,
  faultSite,
  walkRandomly,
  type Budget,
  type Control,
  type Model,
  type Stats,
  type System,
  type Words,
} from "../../model/index.js";
import { BreadthFirst } from "./breadth-first.js";
import { DepthFirst } from "./depth-first.js";
import { Ledger } from "./ledger.js";
import { SafetyMonitor, type MonitorOptions, type Violation } from "./monitor.js";
import { Run, type Order, type Stop } from "./order.js";
import type { Visited } from "./loop-code.js";
import { ExactStore, type StoreOptions } from "./store.js";
import { TreeStore } from "./tree-store.js";

export interface SearchOptions extends MonitorOptions {
  readonly order: "bfs" | "dfs";
  readonly budget: Budget;
  readonly control: Control;
  readonly store?: StoreKind;
  /** Sizes of the store, for tests of what happens when they are exceeded. */
  readonly storeSizes?: Pick<StoreOptions, "chunkBits" | "homingBits">;
}

/** `flat`: every state as it is; `tree`: its parts once each. Both are exact. */
export type StoreKind = "flat" | "tree";

export interface SearchResult {
  readonly violations: readonly Violation[];
  /** Undefined when everything was visited. */
  readonly stop: Stop | undefined;
  readonly stats: SearchStats;
  readonly store: Visited;
}

export interface SearchStats extends Stats {
  /** Transitions to states that were known. */
  readonly matched: number;
  /** The longest queue, or the deepest stack. */
  readonly peakFrontier: number;
}

export async function search(model: Model, options: SearchOptions): Promise<SearchResult> {
  const ledger = new Ledger(options.budget.memoryBytes);
  const started = performance.now();
  const { system } = model;
  // First of all: states may become wider on the way.
  const usesTree = options.store === "tree" && system.compareFrom === 0;
  const sample = usesTree ? sampleOf(system) : [];
  const initial = new Successors(system.width);
  system.initial(initial);
  if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);

  const store = newStore(system, options, sample, ledger);
  let order: Order | undefined;
  const monitor = new SafetyMonitor(
    model,
    options,
    (id) => order?.pathTo(id) ?? { length: id, state: () => entryWords(initial) },
  );
  const run = new Run(model, store, monitor, options.budget.maxDepth ?? Infinity);
  const first = enterInitial(run, initial);
  if (!run.stop && first) {
    order = options.order === "bfs" ? new BreadthFirst(run) : new DepthFirst(run, first, ledger);
    await drive(run, order, ledger, options, started);
  }
  return {
    violations: monitor.violations,
    stop: run.stop,
    store,
    stats: statistics(run, order, ledger, started),
  };
}

/** States that carry words which do not tell them apart cannot be taken to pieces. */
function newStore(system: System, options: SearchOptions, sample: readonly Words[], ledger: Ledger): Visited {
  const { width, compareFrom } = system;
  const maxStates = options.budget.maxStates ?? Infinity;
  const isLogged = options.order === "bfs";
  return options.store === "tree" && compareFrom === 0
    ? new TreeStore({ width, maxStates, keepsLog: isLogged, sample, ...options.storeSizes }, ledger)
    : new ExactStore(
        { width, compareFrom, maxStates, keepsParents: isLogged, ...options.storeSizes },
        ledger,
      );
}

/** States from here and there. */
function sampleOf(system: System): Words[] {
  const seen: Words[] = [];
  walkRandomly(system, (state) => seen.push(state));
  const step = Math.max(1, Math.ceil(seen.length / 8000));
  return seen.filter((_, i) => i % step === 0);
}

const entryWords = ({ words, stride }: Successors): Words => words.slice(0, stride);

/** Stores the initial state and looks at it; what refers to it in the store, if there is one. */
function enterInitial(run: Run, initial: Successors): readonly number[] | undefined {
  const { model, store, monitor } = run;
  const flags = initial.flags[0]!;
  if (faultSite(flags) >= 0) monitor.fault(faultSite(flags), 0);
  let first: readonly number[] | undefined;
  if ((flags & Entry.dead) === 0) {
    first = store.enter(initial.words);
    if (!first) return void run.grow();
    for (const index of monitor.invariants)
      if (!model.holds(index, initial.words, 0)) monitor.broken(index, 1);
  }
  if (monitor.isDone) run.stop = "errors";
  return first;
}

async function drive(
  run: Run,
  order: Order,
  ledger: Ledger,
  options: SearchOptions,
  started: number,
): Promise<void> {
  const deadline = started + (options.budget.timeMs ?? Infinity);
  let quota = FIRST_SLICE;
  let lastYield = started;
  let lastReport = started;
  let now = performance.now();
  for (;;) {
    const sliceStart = now;
    const hasMore = order.advance(quota);
    now = performance.now();
    if (!hasMore) return;
    // Systems differ in speed by orders of magnitude: slices are about as long for all.
    if (now - sliceStart > 2 * SLICE_MS) quota = Math.max(1, quota >> 1);
    else if (now - sliceStart < SLICE_MS) quota = Math.min(LARGEST_SLICE, 2 * quota);
    if (now - lastReport >= REPORT_MS) {
      lastReport = now;
      options.control.onProgress?.(progress(run, order, ledger, (now - started) / 1000));
    }
    if (now - lastYield >= YIELD_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      lastYield = now = performance.now();
    }
    if (options.control.isStopped?.()) run.stop = "interrupted";
    else if (now >= deadline) run.stop = "time";
    if (run.stop) return;
  }
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
  };
}

const FIRST_SLICE = 1024;
const LARGEST_SLICE = 1 << 16;
const SLICE_MS = 5;
const YIELD_MS = 50;
const REPORT_MS = 200;
