/**
 * Breadth-first search that goes on when memory is spent: the states that memory has no room for are in files.
 *
 * As long as there is memory, states are looked up at once (`resident`). Those that come later wait in `recent`; at the end
 * of a level, or when there are too many of them, they are looked up on disk together, in the order of their hashes
 * (delayed duplicate detection). New ones get the next id and go to the log, which is the queue, and in time into a sorted
 * run. A state's id is its order of discovery, and a parent's id is smaller, as in memory.
 *
 * Between batches, when nothing waits, everything is on the disk or can be read from there: that is a checkpoint. A search
 * that is killed goes on from the last one. What it had done since is done again, so nothing is counted twice.
 */
import { rmSync } from "node:fs";
import { Successors, type Model, type Words } from "../../../model/index.js";
import { widenTo } from "../intermediates.js";
import { Ledger } from "../ledger.js";
import { SafetyMonitor, type Cause, type Path, type Violation } from "../monitor.js";
import { Run, type Order } from "../order.js";
import { drive } from "../drive.js";
import { enterInitial, type SearchOptions, type SearchResult } from "../search.js";
import { ExactStore } from "../store.js";
import { batchLoops, BATCH_SOURCES, BATCH_SUCCESSORS, type BatchLoops } from "./batch-loops.js";
import { isDiskFailure, type Checkpoint, type DiskSighting, type Folder } from "./folder.js";
import { StateLog } from "./log.js";
import { Recent } from "./recent.js";
import { Visits } from "./visits.js";

export interface DiskSizes {
  readonly checkpointMs: number;
  /** Most states in memory for good, and most that wait or are new before they go to a run; for tests. */
  readonly residentStates?: number;
  readonly recentStates?: number;
}

/** Goes on from the folder's checkpoint, or begins. */
export async function searchOnDisk(
  model: Model,
  options: SearchOptions,
  folder: Folder,
  sizes: DiskSizes,
): Promise<SearchResult> {
  const search = new DiskSearch(model, options, folder, sizes);
  try {
    return await search.run();
  } finally {
    search.close();
  }
}

class DiskSearch implements Order {
  peakFrontier = 1;
  readonly #model: Model;
  readonly #options: SearchOptions;
  readonly #folder: Folder;
  readonly #sizes: DiskSizes;
  readonly #before: Checkpoint | undefined;
  readonly #started = performance.now();
  readonly #ledger: Ledger;
  readonly #log: StateLog;
  readonly #resident: ExactStore;
  readonly #recent: Recent;
  readonly #visits: Visits;
  readonly #monitor: SafetyMonitor;
  readonly #run: Run;
  readonly #ends = new Int32Array(BATCH_SOURCES);
  #loops: BatchLoops;
  /** The resident store takes no more. */
  #isSpilled = false;
  #head = 1;
  #levelEnd = 1;
  #level = -1;
  /** States read ahead from the log. */
  #window = { first: 0, count: 0, words: new Int32Array(0) };
  #checkpointAt: number;

  constructor(model: Model, options: SearchOptions, folder: Folder, sizes: DiskSizes) {
    this.#model = model;
    this.#options = options;
    this.#folder = folder;
    this.#sizes = sizes;
    const before = (this.#before = folder.manifest.checkpoint);
    const { system } = model;
    const budget = options.budget.memoryBytes ?? Infinity;
    const { compareFrom } = system;
    const width = Math.max(system.width, before?.width ?? 0);
    this.#ledger = new Ledger(budget * RESIDENT_SHARE);
    this.#resident = new ExactStore(
      { width, compareFrom, keepsParents: true, maxStates: sizes.residentStates ?? Infinity },
      this.#ledger,
    );
    this.#recent = new Recent(
      width,
      compareFrom,
      Math.max(LEAST_RECENT, budget * RECENT_SHARE),
      sizes.recentStates,
    );
    this.#log = new StateLog(folder, before);
    this.#visits = new Visits(folder, before?.runs ?? [], compareFrom);
    const isError = ({ cause }: { readonly cause: Cause }): boolean =>
      cause.kind !== "invariant" || !options.sought?.includes(cause.index);
    const seen = (before?.sightings ?? [])
      .filter(isError)
      .reduce((sum, { occurrences }) => sum + occurrences, 0);
    const monitorOptions = { ...options, maxErrors: options.maxErrors - seen };
    this.#monitor = new SafetyMonitor(model, monitorOptions, (id) => this.pathTo(id));
    this.#run = new Run(model, this.#resident, this.#monitor, options.budget.maxDepth ?? Infinity, undefined);
    this.#loops = this.#instantiate();
    this.#checkpointAt = this.#started + sizes.checkpointMs;
    folder.removeOthers(new Set([...this.#log.names, ...this.#visits.names]));
    if (options.maxErrors - seen <= 0) this.#run.stop = "errors";
  }

  get depth(): number {
    return this.#count >= this.#levelEnd ? this.#level + 1 : this.#level;
  }

  get frontier(): number {
    return this.#count + 1 - this.#head;
  }

  async run(): Promise<SearchResult> {
    const run = this.#run;
    try {
      const hasStates = this.#before ? this.#restore(this.#before) : this.#begin();
      if (hasStates && !run.stop && !this.#before?.isComplete) {
        const task = { advance: (quota: number) => this.advance(quota), progress: () => this.#progress() };
        const stop = await drive(task, this.#options.budget, this.#options.control, this.#started);
        if (stop) run.stop = stop;
        // Without memory for a single state a batch is left half entered: only the last checkpoint counts.
        if (run.stop !== "memory") this.#checkpoint(run.stop === undefined);
      }
    } catch (error) {
      if (!isDiskFailure(error)) throw error;
      run.stop = "disk";
    }
    return this.#result();
  }

  close(): void {
    this.#log.close();
    this.#visits.close();
  }

  advance(quota: number): boolean {
    const run = this.#run;
    for (let expanded = 0; expanded < quota;) {
      if (this.#head === this.#levelEnd && !this.#nextLevel()) return false;
      const sources = this.#expand();
      if (!this.#enter(sources)) return false;
      this.#head += sources;
      expanded += sources;
      this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
      if (this.#monitor.isDone) run.stop = "errors";
      else if (this.#count >= (this.#options.budget.maxStates ?? Infinity)) run.stop = "states";
      if (run.stop) return false;
      if (performance.now() >= this.#checkpointAt) this.#checkpoint(false);
    }
    return true;
  }

  pathTo(id: number): Path {
    const path: number[] = [];
    for (let at = id; at > 0; at = this.#parent(at)) path.push(at);
    path.reverse();
    return new NumberedPath(path, (at) => this.#state(at));
  }

  get #count(): number {
    return this.#isSpilled ? this.#log.count : this.#resident.count;
  }

  // ---- begin and go on ----

  #begin(): boolean {
    const initial = new Successors(this.#model.system.width);
    this.#model.system.initial(initial);
    if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);
    return enterInitial(this.#run, initial) !== undefined;
  }

  /** Brings back into memory what was there, as far as there is memory now. */
  #restore(before: Checkpoint): boolean {
    this.#head = before.head;
    this.#levelEnd = before.levelEnd;
    this.#level = before.level;
    this.#run.transitions = before.transitions;
    this.peakFrontier = before.peakFrontier;
    noteReached(this.#model.coverage.reached, before.reached);
    noteReached(this.#model.truncation?.reached, before.truncated);
    if (before.isComplete || this.#run.stop) {
      this.#isSpilled = true; // so that all ids are looked for in the log
      return true;
    }
    const { states, resident, sorted } = before;
    for (const { id, words, at } of this.#logged(1, resident)) {
      if (!this.#isSpilled && this.#resident.insert(words, at) !== undefined) continue;
      this.#isSpilled = true;
      this.#keepRecent(words, at, id);
    }
    // With less memory than before, some that were resident go to a run.
    if (this.#isSpilled) this.#visits.add(this.#recent, this.#resident.width, sorted);
    if (states > resident) this.#isSpilled = true;
    // With more memory than before: later ids are given away, so none of the resident store's may be.
    if (this.#isSpilled) this.#resident.room = this.#resident.count;
    for (const { id, words, at } of this.#logged(sorted + 1, states)) this.#keepRecent(words, at, id);
    return true;
  }

  *#logged(first: number, last: number): Generator<{ id: number; words: Words; at: number }> {
    const { width } = this.#resident;
    const words = new Int32Array(width * WINDOW_STATES);
    for (let id = first; id <= last;) {
      const count = Math.min(this.#log.read(id, words, width), last + 1 - id);
      for (let i = 0; i < count; i++) yield { id: id + i, words, at: i * width };
      id += count;
    }
  }

  /** Enters a state that is in the log and not in a run. */
  #keepRecent(words: Words, at: number, id: number): void {
    if (this.#recent.insert(words, at, 0, true) !== "full") return;
    this.#visits.add(this.#recent, this.#resident.width, id - 1);
    this.#recent.insert(words, at, 0, true);
  }

  // ---- levels ----

  #nextLevel(): boolean {
    const run = this.#run;
    this.#settle();
    if (this.#monitor.isDone) run.stop = "errors";
    if (run.stop || this.#count < this.#levelEnd) return false;
    this.#level++;
    this.#levelEnd = this.#count + 1;
    if (this.#level >= run.maxDepth) run.stop = "depth";
    return run.stop === undefined;
  }

  /** Expands states from `head` on, and tells the monitor of those without successors; how many they were. */
  #expand(): number {
    const { offered } = this.#run;
    const { system } = this.#model;
    const width = this.#resident.width;
    const most = Math.min(this.#levelEnd - this.#head, BATCH_SOURCES);
    offered.clear();
    let sources = 0;
    while (sources < most && offered.count < BATCH_SUCCESSORS && offered.stride === width) {
      const id = this.#head + sources;
      const before = offered.count;
      const { words, at } = this.#locate(id);
      system.successors(words, at, offered);
      this.#ends[sources++] = offered.count;
      if (offered.count === before) this.#monitor.stuck(id, extended(words, at, width, system.width), 0);
    }
    return sources;
  }

  /** Where the words of a state stand, zero-extended to the current width. */
  #locate(id: number): { readonly words: Words; readonly at: number } {
    const { width, chunks, strides, chunkBits, count } = this.#resident;
    if (id <= count) {
      const chunk = id >>> chunkBits;
      if (strides[chunk] === width) return { words: chunks[chunk]!, at: (id - (chunk << chunkBits)) * width };
      return { words: this.#resident.numbered(id, width), at: 0 };
    }
    const window = this.#window;
    if (id < window.first || id >= window.first + window.count) {
      if (window.words.length !== width * WINDOW_STATES) window.words = new Int32Array(width * WINDOW_STATES);
      window.first = id;
      window.count = this.#log.read(id, window.words, width);
    }
    return { words: window.words, at: (id - window.first) * width };
  }

  /** Enters the successors of the batch. */
  #enter(sources: number): boolean {
    const run = this.#run;
    const list = run.settle(this.#ends, sources, this.#head);
    if (this.#model.system.width !== this.#resident.width) this.#widen(this.#model.system.width);
    run.transitions += list.count;
    const known = this.#resident.count;
    for (let entered = 0; entered < list.count;) {
      entered = this.#loops.resolve(list.words, entered, list.count, this.#head, this.#isSpilled);
      if (entered < list.count && this.#resident.grow() !== "grown") this.#spill();
    }
    for (let id = known + 1; id <= this.#resident.count; id++)
      this.#examine(this.#resident.numbered(id, list.stride), id);
    if (this.#wait(list)) return true;
    run.stop = "memory";
    return false;
  }

  /** Follows the system. The resident store need not be laid out anew when it takes no more: narrower states stay. */
  #widen(width: number): void {
    widenTo(this.#run.offered, width);
    if (this.#isSpilled) this.#resident.width = width;
    else if (this.#resident.widen(width) === undefined) this.#spill();
    if (!this.#recent.widen(width)) {
      this.#settle();
      this.#visits.add(this.#recent, width, this.#log.count);
    }
    this.#loops = this.#instantiate();
    this.#window.count = 0;
  }

  /** From now on memory takes no more; what is in it goes to the log, so that ids go on there. */
  #spill(): void {
    this.#logResidents();
    this.#isSpilled = true;
    this.#resident.room = this.#resident.count;
    this.#visits.sorted = this.#resident.count;
  }

  /** Those that memory does not know wait to be looked up on the disk; false when there is no memory for a single one. */
  #wait(list: Successors): boolean {
    const { missed } = this.#loops;
    let source = 0;
    for (let m = 0; m < missed.count; m++) {
      const i = missed.entries[m]!;
      while (this.#ends[source]! <= i) source++;
      const parent = this.#head + source;
      const at = i * list.stride;
      if (this.#recent.insert(list.words, at, parent) !== "full") continue;
      this.#settle();
      this.#visits.add(this.#recent, this.#resident.width, this.#log.count);
      if (this.#recent.insert(list.words, at, parent) === "full") return false;
    }
    missed.count = 0;
    return true;
  }

  /** Looks up those that wait. */
  #settle(): void {
    if (this.#recent.waiting === 0) return;
    const { width } = this.#resident;
    this.#recent.settle(
      (hash, words, at, stride) => this.#visits.has(hash, words, at, stride),
      (words, parent) => {
        this.#log.append(words, 0, width, parent);
        this.#examine(words, this.#log.count);
      },
    );
  }

  #examine(words: Words, id: number): void {
    for (const index of this.#monitor.invariants)
      if (!this.#model.holds(index, words, 0)) this.#monitor.broken(index, id, words, 0);
  }

  // ---- checkpoints ----

  #checkpoint(isComplete: boolean): void {
    const started = performance.now();
    this.#settle();
    this.#logResidents();
    this.#log.sync();
    const { coverage, truncation } = this.#model;
    const checkpoint: Checkpoint = {
      width: this.#resident.width,
      states: this.#log.count,
      resident: this.#resident.count,
      sorted: this.#isSpilled ? this.#visits.sorted : this.#log.count,
      segments: this.#log.segments,
      runs: this.#visits.entries,
      head: this.#head,
      levelEnd: this.#levelEnd,
      level: this.#level,
      transitions: this.#run.transitions,
      peakFrontier: this.peakFrontier,
      seconds: this.#seconds,
      sightings: this.#sightings().map(({ sighting }) => sighting),
      reached: coverage.reached.join(""),
      truncated: truncation?.reached.join("") ?? "",
      isComplete,
    };
    this.#folder.save({ ...this.#folder.manifest, checkpoint });
    for (const name of this.#visits.takeObsolete()) rmSync(this.#folder.path(name), { force: true });
    const now = performance.now();
    this.#checkpointAt = now + Math.max(this.#sizes.checkpointMs, CHECKPOINT_SHARE * (now - started));
  }

  #logResidents(): void {
    const { width, count } = this.#resident;
    for (let id = this.#log.count + 1; id <= count; id++)
      this.#log.append(this.#resident.numbered(id, width), 0, width, this.#resident.parent(id));
  }

  /** What was violated, before the search was resumed and since. */
  #sightings(): { readonly sighting: DiskSighting; readonly violation: Violation }[] {
    const all = new Map<string, DiskSighting>();
    for (const sighting of this.#before?.sightings ?? []) all.set(JSON.stringify(sighting.cause), sighting);
    for (const { cause, path, stuckAt, occurrences } of this.#monitor.violations) {
      const known = all.get(JSON.stringify(cause));
      all.set(
        JSON.stringify(cause),
        known
          ? { ...known, occurrences: known.occurrences + occurrences }
          : {
              cause,
              path: (path as NumberedPath).ids,
              stuckAt: stuckAt && [...stuckAt],
              occurrences,
            },
      );
    }
    return [...all.values()].map((sighting) => {
      // The files are closed when a trace is made: the states are fetched now.
      const states = sighting.path.map((id) => this.#state(id));
      const path: Path = { length: states.length, state: (index) => states[index]! };
      const stuckAt = sighting.stuckAt && Int32Array.from(sighting.stuckAt);
      const { cause, occurrences } = sighting;
      return { sighting, violation: { cause, path, stuckAt, occurrences } };
    });
  }

  // ---- what others see ----

  #parent(id: number): number {
    return id <= this.#log.count ? this.#log.parent(id) : this.#resident.parent(id);
  }

  #state(id: number): Words {
    const { width, count } = this.#resident;
    if (id <= count) return this.#resident.numbered(id, width);
    const words = new Int32Array(width);
    this.#log.read(id, words, width);
    return words;
  }

  get #seconds(): number {
    return (this.#before?.seconds ?? 0) + (performance.now() - this.#started) / 1000;
  }

  #progress() {
    return {
      states: this.#count,
      transitions: this.#run.transitions,
      depth: this.depth,
      frontier: this.frontier,
      bytes: this.#ledger.bytes + this.#recent.bytes,
      seconds: this.#seconds,
    };
  }

  #result(): SearchResult {
    const { states, transitions, depth, seconds } = this.#progress();
    const peakBytes = this.#ledger.peakBytes + this.#recent.bytes;
    return {
      violations: this.#sightings().map(({ violation }) => violation),
      stop: this.#run.stop,
      store: this.#resident,
      stats: {
        states,
        transitions,
        matched: transitions - Math.max(0, states - 1),
        depth: Math.max(0, depth),
        peakFrontier: this.peakFrontier,
        seconds,
        peakBytes,
        bytesPerState: states === 0 ? 0 : peakBytes / states,
      },
    };
  }

  #instantiate(): BatchLoops {
    return batchLoops(this.#resident, this.#ends);
  }
}

/** A path that can be written to a manifest. */
class NumberedPath implements Path {
  readonly ids: readonly number[];
  readonly #stateOf: (id: number) => Words;

  constructor(ids: readonly number[], stateOf: (id: number) => Words) {
    this.ids = ids;
    this.#stateOf = stateOf;
  }

  get length(): number {
    return this.ids.length;
  }

  state(index: number): Words {
    return this.#stateOf(this.ids[index]!);
  }
}

function extended(words: Words, at: number, width: number, to: number): Words {
  const copy = new Int32Array(to);
  copy.set(words.subarray(at, at + width));
  return copy;
}

function noteReached(reached: Uint8Array | undefined, noted: string): void {
  for (let i = 0; reached && i < noted.length; i++) if (noted[i] !== "0") reached[i] = 1;
}

/** A checkpoint takes at most one part of so many of the time. */
const CHECKPOINT_SHARE = 10;
const RESIDENT_SHARE = 0.6;
const RECENT_SHARE = 0.3;
/** With less the search could not go on at all; the buffers of its files take more. */
const LEAST_RECENT = 1 << 16;
/** States that are read from the log at once. */
const WINDOW_STATES = 1024;
