/**
 * The emptiness check by several threads: they explore the product breadth-first and record its steps, and one thread looks
 * for an accepting cycle in the recorded graph. Expanding and storing states is by far the most work, and is shared; the
 * cycle is sought in plain arrays, by the usual algorithms.
 *
 * A cycle is sought whenever the graph has doubled: a cycle found early is as good as one found late, as the steps are real;
 * and all these searches together cost no more than twice the last.
 */
import { allMarks, type AcceptanceGraph, type Model, type Words } from "../../../model/index.js";
import { prepare, refusal, type EmptinessAlgorithm, type PreparedCheck } from "../emptiness/algorithms.js";
import {
  algorithmFor,
  systemRun,
  type EmptinessOptions,
  type EmptinessResult,
  type EmptinessStats,
} from "../emptiness/check.js";
import { Memory, OutOfRoom } from "../emptiness/memory.js";
import { drive } from "../drive.js";
import { Ledger } from "../ledger.js";
import type { SearchResult } from "../search.js";
import { ArcGraph } from "./arcs.js";
import { Crew, type WorkerSource } from "./crew.js";
import { searchInParallel, type ArcSink, type ParallelOptions } from "./search.js";
import type { SharedStore } from "./shared-store.js";

/** `model.system` is the product. Undefined when it is not for threads: one thread is to do it. */
export async function checkEmptinessInParallel(
  model: Model,
  options: EmptinessOptions,
  source: WorkerSource,
  sizes: Pick<ParallelOptions, "sizes"> & { readonly firstCheck?: number } = {},
): Promise<EmptinessResult | undefined> {
  const { conditions, budget, control } = options;
  const algorithm = algorithmFor(options);
  if (!model.recipe || refusal(algorithm, conditions, options.isWeak ?? false) !== undefined)
    return undefined;
  const seeker = new CycleSeeker(algorithm, conditions, sizes.firstCheck ?? FIRST_CHECK);
  const crew = new Crew(source);
  try {
    const request = {
      order: "bfs",
      budget,
      control,
      maxErrors: Infinity,
      checksDeadlock: false,
      checksSite: model.sites.map(() => true),
      invariants: [],
    } as const;
    const found = await searchInParallel(model, request, source, crew, { ...sizes, arcs: seeker });
    return found && (await conclude(found.result, seeker, options));
  } finally {
    await crew.dismiss();
  }
}

async function conclude(
  explored: SearchResult,
  seeker: CycleSeeker,
  { budget, control, onFault }: EmptinessOptions,
): Promise<EmptinessResult> {
  const started = performance.now();
  const isComplete = explored.stop === undefined && !seeker.accepting;
  const stop = isComplete ? await seeker.seekAll(budget, control, started) : explored.stop;
  for (const { cause, path } of explored.violations)
    if (cause.kind === "fault") onFault?.(cause.site, () => states(path));
  const stats = statistics(explored, seeker, (performance.now() - started) / 1000);
  if (!seeker.accepting) return { isEmpty: stop === undefined ? true : undefined, stop, stats };
  const { lasso, ...cost } = seeker.accepting.construct();
  const words = (state: number): Words => explored.store.numbered(state, explored.store.width);
  return { isEmpty: false, stop: undefined, stats: { ...stats, ...cost }, run: systemRun(words, lasso) };
}

const states = (path: SearchResult["violations"][number]["path"]): Words[] =>
  Array.from({ length: path.length }, (_, index) => path.state(index));

function statistics(
  { stats }: SearchResult,
  { algorithm, last }: CycleSeeker,
  seconds: number,
): EmptinessStats {
  return {
    ...stats,
    algorithm,
    stack: last?.search.stack ?? 0,
    systemStates: stats.states,
    reducedStates: 0,
    cycleStatesVisited: 0,
    searchSpace: 0,
    seconds: stats.seconds + seconds,
  };
}

/** Collects the steps and seeks an accepting cycle among them. */
class CycleSeeker implements ArcSink {
  readonly algorithm: EmptinessAlgorithm;
  /** Has found one. */
  accepting: PreparedCheck | undefined;
  last: PreparedCheck | undefined;
  readonly #conditions: number;
  readonly #firstCheck: number;
  #streams: Int32Array[] = [];
  #words = 0;
  #nextCheck: number;
  #store: SharedStore | undefined;

  constructor(algorithm: EmptinessAlgorithm, conditions: number, firstCheck: number) {
    this.algorithm = algorithm;
    this.#conditions = conditions;
    this.#firstCheck = this.#nextCheck = firstCheck;
  }

  clear(): void {
    this.#streams = [];
    this.#words = 0;
    this.#nextCheck = this.#firstCheck;
  }

  add(arcs: Int32Array, ledger: Ledger): boolean {
    if (!ledger.fits(arcs.length)) return false;
    ledger.note(arcs);
    this.#streams.push(arcs);
    this.#words += arcs.length;
    return true;
  }

  isEnough(store: SharedStore): boolean {
    this.#store = store;
    if (this.#words < this.#nextCheck) return false;
    this.#nextCheck = 2 * this.#words;
    const check = this.#prepare(new Ledger());
    while (check.search.advance(SLICE));
    return this.#conclude(check);
  }

  /** Among everything; why it was given up, if it was. */
  async seekAll(
    budget: EmptinessOptions["budget"],
    control: EmptinessOptions["control"],
    started: number,
  ): Promise<SearchResult["stop"]> {
    // A system that fails while it starts has no state, hence no cycle.
    if (!this.#store) return undefined;
    const ledger = new Ledger(budget.memoryBytes);
    const check = this.#prepare(ledger);
    const { search } = check;
    let full: SearchResult["stop"];
    const advance = (quota: number): boolean => {
      try {
        return search.advance(quota);
      } catch (error) {
        if (!(error instanceof OutOfRoom)) throw error;
        full = error.stop;
        return false;
      }
    };
    const progress = (seconds: number) => {
      const { states: seen, transitions, depth } = search;
      return { states: seen, transitions, depth, frontier: depth + 1, bytes: ledger.bytes, seconds };
    };
    const stop = (await drive({ advance, progress }, budget, control, started)) ?? full;
    this.#conclude(check);
    return stop;
  }

  #prepare(ledger: Ledger): PreparedCheck {
    const limits = { memory: new Memory(ledger), maxDepth: Infinity };
    return prepare(this.algorithm, this.#graph(), limits);
  }

  #graph(): AcceptanceGraph {
    const states = this.#store!.freshIds;
    return new ArcGraph(this.#conditions, allMarks(this.#conditions), this.#streams, states);
  }

  #conclude(check: PreparedCheck): boolean {
    this.last = check;
    if (check.search.outcome !== "accepting") return false;
    this.accepting = check;
    return true;
  }
}

/** Words of steps, before it is worth looking. */
const FIRST_CHECK = 1 << 20;
const SLICE = 1 << 16;
