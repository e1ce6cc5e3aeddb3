/**
 * A worker: expands its share of each level and stores new states.
 *
 * It makes its own model from the recipe. A round lasts until the workers need the coordinator. Without an id for a new state
 * it stops in the middle of a batch, reports that, and resumes there in the next round.
 */
import type { MessagePort } from "node:worker_threads";
import {
  LayoutExceeded,
  isStepCodeOf,
  type MakeModel,
  type Model,
  type Successors,
} from "../../../model/index.js";
import { NotStepCode, StepMemory } from "../../../step/index.js";
import { breadthFirstLoops, type Loops, type Slice } from "../breadth-first-loops.js";
import { Ledger } from "../ledger.js";
import { SafetyMonitor, type Path, type Violation } from "../monitor.js";
import {
  Control,
  Figures,
  type Expanded,
  type Growth,
  type Reply,
  type Request,
  type Round,
  type Sizes,
} from "./protocol.js";
import { ArcBuffer } from "./arcs.js";
import { rangesLength, split, takeItem } from "./items.js";
import { LevelReduction } from "./level-proviso.js";
import { isStopped, Meeting, type Gathered, type LevelReport } from "./meeting.js";
import type { WorkerStore } from "./tables/table.js";
import { workerStore } from "./tables/index.js";
import { BATCH_SOURCES } from "../batch.js";
import { StepBackend } from "../step-backend.js";
import { ThreadRun } from "../thread-run.js";
import { received } from "./places.js";

/** Handles messages on the port. Errors propagate to the thread that started this one, as usual in Node. */
export function serveSearch(port: MessagePort, make: MakeModel): void {
  let worker: Worker | undefined;
  port.on("message", (request: Request) => {
    void (async () => {
      if (request.kind === "warm") return void (await make(request.recipe, request.width));
      if (request.kind === "prepare") worker = new Worker(await make(request.recipe, request.width), request);
      port.postMessage(worker!.answer(request));
    })();
  });
}

class Worker {
  readonly #number: number;
  readonly #sizes: Sizes;
  readonly #model: Model;
  readonly #monitor: SafetyMonitor;
  readonly #control: Int32Array;
  readonly #meeting: Meeting;
  readonly #figures: Float64Array;
  readonly #run: ThreadRun<WorkerStore>;
  readonly #store: WorkerStore;
  readonly #ledger: Ledger;
  readonly #memory: StepMemory | undefined;
  readonly #ends: Int32Array;
  readonly #slice: Slice & { isInVain: boolean } = {
    counted: 0,
    stored: 0,
    peak: 0,
    sources: 0,
    entered: 0,
    isInVain: false,
    makeRoom: () => this.#takeBlock(),
    lookedInVain: () => this.#lookInVain(),
    stuck: (id) => this.#monitor.stuck(id, this.#store.numbered(id, this.#width), 0),
  };
  #loops: Loops;
  /** State width that the loops were made for. */
  readonly #loopWidth: number;
  #round!: Round;
  #level = 0;
  #errorsBefore = 0;
  /** The rest of the current item. */
  #head = 0;
  #end = 0;
  #batch: Batch | undefined;
  readonly #reduction: LevelReduction | undefined;
  /** The first available id given to a state of this level. */
  #firstId = 1;
  #stored: number[] = [];
  readonly #arcs: ArcBuffer | undefined;
  readonly #violationLevels = new Map<Violation, number>();
  /** The items of the level, and the next of them if this worker is alone. */
  #items: Int32Array = new Int32Array(0);
  #ownItem = 0;
  #levels: number[] = [];

  constructor(model: Model, request: Extract<Request, { readonly kind: "prepare" }>) {
    this.#number = request.worker;
    this.#sizes = request.sizes;
    this.#model = model;
    this.#control = request.control;
    this.#meeting = new Meeting(request.control, request.meetingPlace, request.worker);
    this.#figures = request.figures;
    this.#monitor = new SafetyMonitor(
      model,
      { ...request.monitor, maxErrors: Infinity },
      (id) => new Place(id),
    );
    const { step, proviso } = request;
    const isReduced = proviso !== undefined && model.system.candidates !== undefined;
    this.#memory = step && StepMemory.join(step.memory, step.maximumPages);
    this.#ledger = new Ledger(Infinity, undefined, this.#memory);
    this.#store = workerStore(request.table, model.system, this.#sizes, this.#ledger);
    // sound: test/engines/parallel/step-workers.test.ts
    const backend = isStepCodeOf(model.system, model.holds)
      ? StepBackend.create(model.system, this.#memory)
      : undefined;
    this.#run = new ThreadRun(model, this.#store, this.#monitor, backend, this.#ledger, request.keepsArcs);
    this.#ends = this.#run.array(BATCH_SOURCES);
    this.#arcs = request.keepsArcs ? new ArcBuffer() : undefined;
    this.#reduction = isReduced
      ? new LevelReduction(proviso, BATCH_SOURCES, (length) => this.#run.array(length))
      : undefined;
    this.#loopWidth = this.#width;
    this.#loops = this.#run.made(() => this.#newLoops());
  }

  #newLoops(): Loops {
    const parts = { ends: this.#ends, slice: this.#slice, found: this.#arcs, reduction: this.#reduction };
    return breadthFirstLoops(this.#run, { width: this.#width, ...parts });
  }

  answer(request: Exclude<Request, { readonly kind: "warm" }>): Reply {
    switch (request.kind) {
      case "prepare":
        return { kind: "ready", width: this.#width, compareFrom: this.#model.system.compareFrom };
      case "grow":
        return this.#grow(request.growth);
      case "expand":
        return this.#expandOrMisfit(request.round);
      case "finish": {
        const { coverage, truncation } = this.#model;
        this.#run.backend?.keepCoverage();
        return {
          kind: "finished",
          reached: coverage.reached,
          truncated: truncation?.reached,
          partialOrder: this.#reduction?.stats(),
          backend: this.#run.backend ? "webassembly" : "javascript",
        };
      }
    }
  }

  get #width(): number {
    return this.#model.system.width;
  }

  #grow(growth: Growth): Reply {
    const memory = this.#memory;
    this.#store.adopt(memory ? received(growth, memory) : growth);
    this.#ledger.isElsewhere = growth.isElsewhere;
    // sound: test/engines/parallel/step-workers.test.ts
    if (this.#run.isLeaving) this.#leave();
    return { kind: "grown" };
  }

  /** Continues as JavaScript: the store has arrays that WebAssembly cannot reach. */
  #leave(): void {
    this.#run.leave();
    this.#loops = this.#newLoops();
    // sound: test/engines/parallel/step-workers.test.ts
    if (this.#batch) this.#batch.isNoted = false;
  }

  #expandOrMisfit(round: Round): Reply {
    const { width } = this.#model.system;
    let { recipe } = this.#model;
    let isSpent = false;
    try {
      // sound: test/engines/parallel/conditions.test.ts
      if (this.#expand(round)) return this.#expanded();
    } catch (error) {
      if (error instanceof LayoutExceeded) ({ recipe } = error.retry());
      // sound: test/engines/parallel/step-workers.test.ts
      else if (error instanceof NotStepCode) isSpent = true;
      else throw error;
    }
    Atomics.store(this.#control, Control.stop, 1); // the others' work is wasted now
    // Grows by half: further processes are likely to follow.
    const wanted = this.#width === width ? width : this.#width + (this.#width >> 1);
    return { kind: "misfit", recipe: recipe!, width: wanted, isSpent };
  }

  /** False: states became wider. */
  #expand(round: Round): boolean {
    this.#round = round;
    this.#errorsBefore = this.#monitor.errors;
    // sound: test/engines/parallel/conditions.test.ts
    if (round.items) this.#begin(round.level, round.items, 0, []);
    this.#levels = [];
    do {
      if (!this.#expandItems()) return false;
    } while (this.#goesOn());
    return true;
  }

  /** `taken` blocks of the round are taken by now, with these ids left of them. */
  #begin(level: number, items: Int32Array, taken: number, left: readonly number[]): void {
    this.#reduction?.beginLevel(this.#round, taken, left, this.#sizes.blockIds);
    this.#level = level;
    this.#items = items;
    this.#figures[Figures.level] = level;
    this.#figures[Figures.frontier] = rangesLength(items);
    this.#ownItem = 0;
    this.#head = this.#end = 0;
    this.#stored = [];
  }

  #expandItems(): boolean {
    // sound: test/engines/parallel/conditions.test.ts
    while (!isStopped(this.#control) && (this.#batch || this.#hasWork || this.#takeItem())) {
      if (!this.#batch && this.#loops.advance) {
        this.#advance(this.#loops.advance);
        continue;
      }
      this.#batch ??= this.#nextBatch();
      // sound: test/engines/parallel/conditions.test.ts
      if (!this.#batch) return false;
      // sound: test/engines/parallel/conditions.test.ts
      if (!this.#enter(this.#batch)) return true;
      const { list, first, sources } = this.#batch;
      this.#arcs?.log(list, this.#ends, sources, first);
      this.#reduction?.judge(first, this.#ends, sources);
      this.#batch = undefined;
    }
    return true;
  }

  /** Expands the rest of the item by one call, up to a batch for which there is no room. */
  #advance(advance: NonNullable<Loops["advance"]>): void {
    const slice = this.#slice;
    slice.counted = slice.stored = slice.sources = slice.entered = 0;
    slice.isInVain = false;
    this.#head = advance(this.#head, this.#end, this.#end - this.#head);
    this.#figures[Figures.transitions]! += slice.counted;
    this.#figures[Figures.states]! += slice.stored;
    const { sources, entered, isInVain } = slice;
    // sound: test/engines/parallel/step-workers.test.ts
    if (sources === 0) return;
    const { offered, nominal } = this.#run;
    const list = offered.isFlagged ? nominal : offered;
    const isNoted = list === offered && !isInVain;
    this.#batch = { list, first: this.#head, sources, entered, isNoted };
    this.#head += sources;
  }

  get #hasWork(): boolean {
    // sound: test/engines/parallel/conditions.test.ts
    return this.#head < this.#end || (this.#reduction?.hasRejected ?? false);
  }

  #takeItem(): boolean {
    const items = this.#items;
    const count = items.length / 2;
    const item = this.#round.isAlone
      ? this.#ownItem++
      : takeItem(this.#control, count, this.#number, this.#meeting.workers);
    // sound: test/engines/parallel/conditions.test.ts
    if (item < 0 || item >= count) return false;
    this.#head = items[2 * item]!;
    this.#end = items[2 * item + 1]!;
    return true;
  }

  /** Undefined: states became wider. */
  #nextBatch(): Batch | undefined {
    return this.#reduction?.hasRejected ? this.#expandAgain(this.#reduction) : this.#expandBatch();
  }

  /** Expands states from `head` on, and reports errors to the monitor. */
  #expandBatch(): Batch | undefined {
    const first = this.#head;
    const width = this.#run.offered.stride;
    const sources = this.#loops.expandStates(first, Math.min(this.#end, first + BATCH_SOURCES));
    this.#head += sources;
    // sound: test/engines/parallel/conditions.test.ts
    if (this.#width !== width) return undefined;
    const monitor = this.#monitor;
    for (let i = 0, end = 0; monitor.checksDeadlock && i < sources; end = this.#ends[i++]!)
      // sound: test/engines/parallel/conditions.test.ts
      if (this.#ends[i] === end) this.#slice.stuck(first + i);
    return this.#settled(first, sources);
  }

  #expandAgain(reduction: LevelReduction): Batch | undefined {
    const { offered } = this.#run;
    const numbered = (state: number): Int32Array => this.#store.numbered(state, this.#width);
    const id = reduction.expandNext(this.#model, numbered, offered);
    this.#ends[0] = offered.count;
    return this.#settled(id, 1);
  }

  #settled(first: number, sources: number): Batch | undefined {
    const list = this.#run.settle(this.#ends, sources, first, this.#loops);
    // sound: test/engines/parallel/conditions.test.ts
    if (this.#width !== this.#loopWidth) return undefined;
    this.#arcs?.reserve(list.count);
    this.#reduction?.ahead.fill(0, 0, sources);
    return { list, first, sources, entered: 0, isNoted: list === this.#run.offered };
  }

  /** Enters the successors of the batch into the store; false when there is no room, and the coordinator is to make some. */
  #enter(batch: Batch): boolean {
    const { list, first: head } = batch;
    const store = this.#store;
    for (;;) {
      const known = store.count;
      const before = batch.entered;
      const entered = this.#loops.resolve(list.words, before, list.count, head, batch.isNoted);
      // sound: test/engines/parallel/conditions.test.ts
      if (entered < 0) {
        this.#lookInVain();
        batch.isNoted = false;
        return false;
      }
      batch.entered = entered;
      this.#figures[Figures.transitions]! += entered - before;
      this.#figures[Figures.states]! += store.count - known;
      // sound: test/engines/parallel/conditions.test.ts
      if (this.#monitor.invariants.length > 0) this.#loops.examine(known + 1, store.count + 1);
      // sound: test/engines/parallel/conditions.test.ts
      if (entered === list.count) return true;
      // sound: test/engines/parallel/conditions.test.ts
      if (!this.#takeBlock()) return false;
    }
  }

  #lookInVain(): void {
    this.#slice.isInVain = true;
    Atomics.store(this.#control, Control.full, 1);
  }

  #takeBlock(): boolean {
    this.#noteStored();
    const { blocks, freshIds, endIds } = this.#round;
    const { blockIds } = this.#sizes;
    const block = Atomics.add(this.#control, Control.block, 1);
    const returned = blocks.length / 2;
    const start = block < returned ? blocks[2 * block]! : freshIds + (block - returned) * blockIds;
    // sound: test/engines/parallel/conditions.test.ts
    if (block >= returned && start >= endIds) {
      Atomics.store(this.#control, Control.full, 1);
      return false;
    }
    const end = block < returned ? blocks[2 * block + 1]! : Math.min(endIds, start + blockIds);
    this.#firstId = start;
    this.#store.count = start - 1;
    this.#store.room = end - 1;
    return true;
  }

  get #nextId(): number {
    return this.#store.count + 1;
  }

  #noteStored(): void {
    // sound: test/engines/parallel/conditions.test.ts
    if (this.#nextId > this.#firstId) this.#stored.push(this.#firstId, this.#nextId);
    this.#firstId = this.#nextId;
  }

  /** After a level: does the next one follow without the coordinator? All workers decide alike. */
  #goesOn(): boolean {
    const { isAlone, isWatched, maxDepth, errorsLeft } = this.#round;
    this.#noteViolations();
    this.#noteStored();
    const gathered = isStopped(this.#control) ? undefined : this.#gather();
    // sound: test/engines/parallel/conditions.test.ts
    if (!gathered?.stored || gathered.errors >= errorsLeft) return false;
    const states = rangesLength(gathered.stored);
    const isNarrow = states < this.#sizes.narrow;
    // sound: test/engines/parallel/conditions.test.ts
    if (states === 0 || isNarrow !== isAlone || (isWatched && !isNarrow) || this.#level + 1 >= maxDepth)
      return false;
    this.#levels.push(states);
    const items = isAlone ? Int32Array.from(gathered.stored) : split(gathered.stored, this.#meeting.workers);
    this.#begin(this.#level + 1, items, gathered.taken, gathered.left);
    return true;
  }

  /** Figures of this level from all its workers; undefined if they were stopped. */
  #gather(): Gathered | undefined {
    const report: LevelReport = {
      errors: this.#monitor.errors - this.#errorsBefore,
      stored: this.#stored,
      left: [this.#nextId, this.#store.room + 1],
    };
    if (!this.#round.isAlone) return this.#meeting.meet(this.#level, report);
    return { ...report, taken: Atomics.load(this.#control, Control.block) };
  }

  #noteViolations(): void {
    if (this.#monitor.violations.length === 0) return;
    for (const violation of this.#monitor.violations)
      if (!this.#violationLevels.has(violation)) this.#violationLevels.set(violation, this.#level);
  }

  #expanded(): Expanded {
    this.#noteStored();
    const { room } = this.#store;
    const isFull = Atomics.load(this.#control, Control.full) !== 0;
    const stored = Int32Array.from(this.#stored);
    const unused = Int32Array.of(...(this.#nextId <= room ? [this.#nextId, room + 1] : []));
    this.#store.room = this.#store.count;
    return {
      kind: "expanded",
      worker: this.#number,
      level: this.#level,
      levels: this.#levels,
      isFull,
      items: isFull ? this.#items : new Int32Array(0),
      stored,
      unused,
      positions: this.#store.takePositions?.() ?? [],
      arcs: this.#arcs?.take() ?? new Int32Array(0),
      sightings: this.#monitor.violations.map((violation) => ({
        cause: violation.cause,
        stuckAt: violation.stuckAt,
        occurrences: violation.occurrences,
        id: (violation.path as Place).id,
        level: this.#violationLevels.get(violation)!,
      })),
    };
  }
}

/** `sources` states from `first` on, with their successors, the first entries of which are entered. */
interface Batch {
  readonly list: Successors;
  readonly first: number;
  readonly sources: number;
  entered: number;
  /** The store has seen the list when it was made. */
  isNoted: boolean;
}

/** Place of a violation; the coordinator finds the path to it. */
class Place implements Path {
  readonly length = 1;
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  state(): never {
    throw new Error("a worker does not know the way to a violation");
  }
}
