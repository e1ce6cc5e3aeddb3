/**
 * Breadth-first search by several threads over one store in shared memory.
 *
 * Level by level: all workers take states of a level until none is left; the states they stored are the next level. So
 * depths, verdicts and the lengths of traces equal a single worker's; only the choice among equally short paths may differ. A
 * level in which an error was found is finished before the search stops, so that reports do not depend on timing. Narrow
 * levels are left to one worker, since synchronising costs more than they do.
 *
 * The calling thread coordinates: it allocates, counts, checks the clock and handles Ctrl-C. From level to level the workers
 * proceed without it (`meeting.ts`); a round ends when they need memory, or when there is something to decide.
 */
import { isStepCodeOf, type Model } from "../../../model/index.js";
import { StepMemory } from "../../../step/index.js";
import { Ledger } from "../ledger.js";
import type { Stop } from "../order.js";
import type { SearchOptions, SearchResult } from "../search.js";
import type { Crew, WorkerSource } from "./crew.js";
import { Findings } from "./findings.js";
import { finishWorkers } from "./finish.js";
import { examineInitial } from "./initial.js";
import { controlWords, rangesLength, resetShares, split } from "./items.js";
import { levelProviso } from "./level-proviso.js";
import { sent } from "./places.js";
import { prepare, type Attempt, type Misfit } from "./preparation.js";
import {
  Control,
  Figures,
  USUAL_SIZES,
  type Expanded,
  type Growth,
  type Round,
  type SharedWords,
  type Sizes,
} from "./protocol.js";
import { SharedStore } from "./shared-store.js";
import { tableSpec } from "./tables/index.js";
import { Watch } from "./watch.js";

export interface ParallelResult {
  readonly result: SearchResult;
  /** The model that was searched in the end. */
  readonly model: Model;
}

export interface ParallelOptions {
  readonly sizes?: Sizes;
  /** Sink for the steps found, with their labels. */
  readonly arcs?: ArcSink | undefined;
}

/** Takes the steps level by level. */
export interface ArcSink {
  clear(): void;
  /** False when there is no room for them. */
  add(arcs: Int32Array, ledger: Ledger): boolean;
  /** After a level: is enough known to stop? */
  isEnough(store: SharedStore): boolean;
}

/** Undefined when the model is not for threads, or the memory not for their store: one thread is to do it. */
export async function searchInParallel(
  model: Model,
  options: SearchOptions,
  source: WorkerSource,
  crew: Crew,
  { sizes = USUAL_SIZES, arcs }: ParallelOptions = {},
): Promise<ParallelResult | undefined> {
  const { proviso } = options;
  const isTaken = typeof options.store !== "object" || options.store.kind === "compact";
  if (!model.recipe || !isTaken || (proviso !== undefined && levelProviso(proviso) === undefined))
    return undefined;
  const started = performance.now();
  let attempt: Attempt = { model, recipe: model.recipe, width: model.system.width };
  let { usesStep = false } = options;
  for (;;) {
    arcs?.clear();
    const outcome = await new ParallelSearch(attempt, { ...options, usesStep }, crew, started, {
      sizes,
      arcs,
    }).run();
    if (outcome === undefined) return undefined;
    if (!("recipe" in outcome)) return { result: outcome, model: attempt.model };
    // sound: test/engines/parallel/step-workers.test.ts
    if (outcome.isSpent) usesStep = false;
    attempt = { ...outcome, model: await source.make(outcome.recipe, outcome.width) };
  }
}

class ParallelSearch {
  readonly #attempt: Attempt;
  readonly #options: SearchOptions;
  readonly #crew: Crew;
  readonly #sizes: Sizes;
  readonly #arcs: ArcSink | undefined;
  /** The store's memory, if the workers' loops run as WebAssembly. */
  readonly #memory: StepMemory | undefined;
  readonly #ledger: Ledger;
  readonly #control: SharedWords;
  readonly #figures: readonly Float64Array<SharedArrayBuffer>[];
  readonly #watch: Watch;
  readonly #findings: Findings;
  readonly #started: number;
  #store!: SharedStore;
  #level = 0;
  /** Ids of the states of the level, as ranges, and of the next. */
  #frontier: number[] = [];
  #next: number[] = [];
  #peakFrontier = 1;
  #stop: Stop | undefined;
  /** The store cannot grow any more. */
  #refused: "no memory" | "no states" | "full" | undefined;

  constructor(
    attempt: Attempt,
    options: SearchOptions,
    crew: Crew,
    started: number,
    { sizes, arcs }: { readonly sizes: Sizes; readonly arcs: ArcSink | undefined },
  ) {
    this.#sizes = sizes;
    this.#arcs = arcs;
    this.#attempt = attempt;
    this.#options = options;
    this.#crew = crew;
    this.#started = started;
    this.#memory = stepMemory(attempt.model, options, arcs !== undefined);
    this.#ledger = new Ledger(options.budget.memoryBytes, undefined, this.#memory);
    this.#control = new Int32Array(new SharedArrayBuffer(4 * controlWords(crew.size)));
    this.#figures = Array.from(
      { length: crew.size },
      () => new Float64Array(new SharedArrayBuffer(8 * Figures.words)),
    );
    this.#watch = new Watch(options, started, this.#control, () => this.#progress());
    this.#findings = new Findings(options.maxErrors, options.sought);
  }

  async run(): Promise<SearchResult | Misfit | undefined> {
    const table = tableSpec(this.#options.store, this.#attempt.model.system);
    if (!table) return undefined;
    const store = await prepare(this.#attempt, this.#options, this.#crew, {
      table,
      sizes: this.#sizes,
      keepsArcs: this.#arcs !== undefined,
      control: this.#control,
      figures: this.#figures,
      ledger: this.#ledger,
      step: this.#memory && { memory: this.#memory.memory, maximumPages: this.#memory.maximumPages },
    });
    if (!(store instanceof SharedStore)) return store;
    this.#store = store;
    const { model } = this.#attempt;
    const initial = examineInitial(model, this.#options, store.width, this.#findings);
    const growth = this.#store.grow([]);
    if (typeof growth === "string") return undefined;
    if (initial) {
      this.#store.insertInitial(initial);
      this.#figures[0]![Figures.states] = 1;
      this.#frontier = [1, 2];
    }
    try {
      this.#watch.begin();
      await this.#growBy(growth.growths);
      return (await this.#levels()) ?? (await this.#result());
    } finally {
      this.#watch.end();
    }
  }

  get #maxDepth(): number {
    return this.#options.budget.maxDepth ?? Infinity;
  }

  async #levels(): Promise<Misfit | undefined> {
    // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
    while (!this.#stop && this.#frontier.length > 0) {
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (this.#findings.isDone) this.#stop = "errors";
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      else if (this.#level >= this.#maxDepth) this.#stop = "depth";
      else if (this.#arcs?.isEnough(this.#store)) break;
      else {
        const misfit = await this.#expandLevel();
        if (misfit) return misfit;
      }
    }
    if (!this.#stop && this.#findings.isDone) this.#stop = "errors";
    return undefined;
  }

  /** Expands the level, and later ones as long as there is nothing to decide. */
  async #expandLevel(): Promise<Misfit | undefined> {
    const isAlone = rangesLength(this.#frontier) < this.#sizes.narrow;
    let items: Int32Array | undefined = isAlone
      ? Int32Array.from(this.#frontier)
      : split(this.#frontier, this.#crew.size);
    resetShares(this.#control, this.#crew.size);
    for (;;) {
      const replies = await this.#round(items, isAlone);
      const misfit = replies.find((reply) => reply.kind === "misfit");
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (misfit) return misfit;
      const expanded = replies as Expanded[];
      this.#take(expanded);
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (this.#stop || !expanded.some((reply) => reply.isFull)) break;
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (!(await this.#grow(expanded))) break;
      items = undefined;
    }
    if (this.#stop) return undefined;
    this.#frontier = this.#next;
    if (this.#frontier.length > 0) this.#store.levels.push(rangesLength(this.#frontier));
    this.#level++;
    return undefined;
  }

  #take(replies: readonly Expanded[]): void {
    // A stopped worker may be behind the others.
    this.#level = Math.max(...replies.map((reply) => reply.level));
    // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
    this.#next = replies.filter(({ level }) => level === this.#level).flatMap(({ stored }) => [...stored]);
    const { levels } = replies.find(({ level }) => level === this.#level)!;
    this.#store.levels.push(...levels);
    for (const { unused, arcs, positions } of replies) {
      this.#store.returned.push(...unused);
      this.#store.notePositions(positions);
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (this.#arcs && !this.#arcs.add(arcs, this.#ledger)) this.#stop ??= "memory";
    }
    this.#peakFrontier = Math.max(this.#peakFrontier, rangesLength(this.#next), ...levels);
    this.#findings.merge(replies, this.#store);
    this.#stop ??= this.#watch.stop;
  }

  #round(
    items: Int32Array | undefined,
    isAlone: boolean,
  ): Promise<readonly (Expanded | ({ kind: "misfit" } & Misfit))[]> {
    const store = this.#store;
    const round: Round = {
      level: this.#level,
      items,
      blocks: Int32Array.from(store.returned),
      freshIds: store.freshIds,
      endIds: store.endIds,
      isAlone,
      isWatched: this.#arcs !== undefined,
      maxDepth: this.#maxDepth,
      errorsLeft: this.#findings.errorsLeft,
    };
    this.#control[Control.arrived] = 0;
    this.#control[Control.block] = 0;
    Atomics.store(this.#control, Control.full, 0);
    const requests = this.#figures
      .slice(0, isAlone ? 1 : undefined)
      .map(() => ({ kind: "expand", round }) as const);
    return this.#crew.ask(requests, "expanded", "misfit").then((replies) => {
      this.#takeBlocks(this.#control[Control.block]!);
      return replies;
    });
  }

  /** `taken` blocks were taken: the returned ones first, then fresh ids. */
  #takeBlocks(taken: number): void {
    const store = this.#store;
    const fresh = taken - store.returned.length / 2;
    store.returned = store.returned.slice(2 * taken);
    // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
    if (fresh > 0) store.freshIds = Math.min(store.endIds, store.freshIds + fresh * this.#sizes.blockIds);
  }

  async #grow(replies: readonly Expanded[]): Promise<boolean> {
    const store = this.#store;
    const { isWanting } = store;
    const live = [...replies.flatMap(({ items }) => [...items]), ...this.#next];
    const growth = isWanting ? store.grow(live) : (this.#refused ?? store.grow(live));
    // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
    if (typeof growth !== "string") {
      await this.#growBy(growth.growths);
      return true;
    }
    if (!isWanting) {
      this.#refused = growth;
      // To the last one: ids that one worker returned are enough for another to continue.
      // sound: test/engines/parallel/rounds.test.ts test/engines/parallel/conditions.test.ts
      if (store.returned.length > 0 || store.freshIds < store.endIds) return true;
    }
    this.#stop = growth === "no states" ? "states" : growth === "full" ? "full" : "memory";
    return false;
  }

  async #growBy(growths: readonly Growth[]): Promise<void> {
    const memory = this.#memory;
    await this.#crew.ask(
      growths.map((growth) => ({ kind: "grow", growth: memory ? sent(growth, memory) : growth })),
      "grown",
    );
    this.#ledger.release();
  }

  async #result(): Promise<SearchResult> {
    const finished = await finishWorkers(this.#crew, this.#attempt.model);
    const { states, transitions, seconds } = this.#progress();
    return {
      violations: this.#findings.violations,
      stop: this.#stop,
      store: this.#store,
      stats: {
        states,
        transitions,
        matched: transitions - Math.max(0, states - 1),
        depth: this.#depth,
        peakFrontier: this.#peakFrontier,
        seconds,
        peakBytes: this.#ledger.peakBytes,
        bytesPerState: states === 0 ? 0 : this.#ledger.peakBytes / states,
        tableBytes: this.#store.tableBytes,
        stateBytes: 4 * this.#store.width,
        threads: this.#crew.size,
        ...finished,
      },
    };
  }

  /** Steps from the initial state to the farthest state so far. */
  get #depth(): number {
    if (this.#stop)
      return (
        this.#level + (this.#next.length > 0 && this.#stop !== "depth" && this.#stop !== "errors" ? 1 : 0)
      );
    return Math.max(0, this.#level - 1);
  }

  #progress() {
    const sum = (figure: number): number => this.#figures.reduce((total, own) => total + own[figure]!, 0);
    return {
      states: sum(Figures.states),
      transitions: sum(Figures.transitions),
      // The first worker takes part in every level.
      depth: this.#figures[0]![Figures.level]!,
      frontier: this.#figures[0]![Figures.frontier]!,
      bytes: this.#ledger.bytes,
      seconds: (performance.now() - this.#started) / 1000,
    };
  }
}

/** Undefined where the loops run as JavaScript: compaction and labelled steps have no step code. */
function stepMemory(model: Model, options: SearchOptions, keepsArcs: boolean): StepMemory | undefined {
  const { usesStep = false, store, storeSizes } = options;
  if (!usesStep || keepsArcs || typeof store === "object") return undefined;
  return isStepCodeOf(model.system, model.holds) ? StepMemory.create(storeSizes?.stepPages) : undefined;
}
