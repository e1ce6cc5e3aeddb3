/**
 * Breadth-first search that continues when memory is spent: states beyond memory are in files (`states.ts`).
 *
 * States that are not in memory wait; at the end of a level, or when too many wait, they are looked up on disk together
 * (delayed duplicate detection). The log of the states is the queue. A state's id is its order of discovery, and a parent's
 * id is smaller, as in memory.
 *
 * Between batches, when nothing waits, everything is on disk or can be read from there: that is a checkpoint. A killed search
 * resumes from the last one and repeats the work done since, so nothing is counted twice.
 */
import { Successors, type Model, type Words } from "../../../model/index.js";
import { BreadthFirst } from "../breadth-first.js";
import { SafetyMonitor, type Path } from "../monitor.js";
import { Run } from "../order.js";
import { drive } from "../drive.js";
import { enterInitial, type SearchOptions, type SearchResult } from "../search.js";
import { isDiskFailure, type Checkpoint, type Folder } from "./folder.js";
import { NumberLog } from "./numbers.js";
import { countErrors, NumberedPath, sightingsOf, violationOf } from "./sightings.js";
import { DiskStates } from "./states.js";

export interface DiskSizes {
  readonly checkpointMs: number;
  /** Limits on resident states, and on waiting or new ones before they go to a run; for tests. */
  readonly residentStates?: number;
  readonly recentStates?: number;
}

/** Resumes from the folder's checkpoint, or begins. */
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

class DiskSearch {
  readonly #model: Model;
  readonly #options: SearchOptions;
  readonly #folder: Folder;
  readonly #checkpointMs: number;
  readonly #before: Checkpoint | undefined;
  readonly #started = performance.now();
  readonly #states: DiskStates;
  readonly #numbers: NumberLog | undefined;
  readonly #monitor: SafetyMonitor;
  readonly #run: Run;
  readonly #order: BreadthFirst;
  #checkpointAt: number;

  constructor(model: Model, options: SearchOptions, folder: Folder, sizes: DiskSizes) {
    this.#model = model;
    this.#options = options;
    this.#folder = folder;
    this.#checkpointMs = sizes.checkpointMs;
    this.#before = folder.manifest.checkpoint;
    const { numbering } = model;
    this.#numbers = numbering && new NumberLog(folder, numbering, this.#before);
    const room = { ...sizes, bytes: options.budget.memoryBytes ?? Infinity };
    this.#states = new DiskStates(model.system, folder, room, (words, id) => this.#examine(words, id));
    const maxErrors = options.maxErrors - countErrors(this.#before?.sightings ?? [], options.sought);
    this.#monitor = new SafetyMonitor(model, { ...options, maxErrors }, (id) => this.#pathTo(id));
    const { maxDepth = Infinity } = options.budget;
    this.#run = new Run(model, this.#states, this.#monitor, maxDepth, undefined);
    this.#order = new BreadthFirst(this.#run);
    this.#checkpointAt = this.#started + sizes.checkpointMs;
    if (maxErrors <= 0) this.#run.stop = "errors";
  }

  async run(): Promise<SearchResult> {
    const run = this.#run;
    try {
      const hasStates = this.#before ? this.#restore(this.#before) : this.#begin();
      if (hasStates && !run.stop && !this.#before?.isComplete) {
        const task = { advance: (quota: number) => this.#advance(quota), progress: () => this.#progress() };
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
    this.#states.close();
    this.#numbers?.close();
  }

  /** Batch by batch, with a look at limit and clock in between. */
  #advance(quota: number): boolean {
    const run = this.#run;
    const { maxStates = Infinity } = this.#options.budget;
    const end = this.#order.position.head + quota;
    while (this.#order.position.head < end) {
      // sound: test/engines/disk/states.test.ts
      if (!this.#order.advance(1)) return false;
      if (this.#states.count >= maxStates) {
        run.stop = "states";
        return false;
      }
      if (performance.now() >= this.#checkpointAt) this.#checkpoint(false);
    }
    return true;
  }

  #pathTo(id: number): Path {
    const path: number[] = [];
    for (let at = id; at > 0; at = this.#states.parent(at)) path.push(at);
    path.reverse();
    return new NumberedPath(path, (at) => this.#states.numbered(at));
  }

  // ---- begin and continue ----

  #begin(): boolean {
    const initial = new Successors(this.#model.system.width);
    this.#model.system.initial(initial);
    if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);
    return enterInitial(this.#run, initial) !== undefined;
  }

  #restore(before: Checkpoint): boolean {
    this.#order.position = before;
    this.#run.transitions = before.transitions;
    noteReached(this.#model.coverage.reached, before.reached);
    noteReached(this.#model.truncation?.reached, before.truncated);
    if (before.isComplete || this.#run.stop) this.#states.leaveInLog();
    else this.#states.restore(before);
    return true;
  }

  #examine(words: Words, id: number): void {
    for (const index of this.#monitor.invariants)
      if (!this.#model.holds(index, words, 0)) this.#monitor.broken(index, id, words, 0);
  }

  // ---- checkpoints and results ----

  #checkpoint(isComplete: boolean): void {
    const started = performance.now();
    const stored = this.#states.flush();
    const numbers = this.#numbers?.flush();
    const { coverage, truncation } = this.#model;
    const checkpoint: Checkpoint = {
      ...stored,
      ...(numbers ? { numbers } : {}),
      ...this.#order.position,
      transitions: this.#run.transitions,
      seconds: this.#seconds,
      sightings: this.#sightings,
      reached: coverage.reached.join(""),
      truncated: truncation?.reached.join("") ?? "",
      isComplete,
    };
    this.#folder.save({ ...this.#folder.manifest, checkpoint });
    this.#states.removeObsolete();
    const now = performance.now();
    this.#checkpointAt = now + Math.max(this.#checkpointMs, CHECKPOINT_SHARE * (now - started));
  }

  get #sightings() {
    return sightingsOf(this.#before?.sightings ?? [], this.#monitor.violations);
  }

  get #seconds(): number {
    return (this.#before?.seconds ?? 0) + (performance.now() - this.#started) / 1000;
  }

  #progress() {
    return {
      states: this.#states.count,
      transitions: this.#run.transitions,
      depth: this.#order.depth,
      frontier: this.#order.frontier,
      bytes: this.#states.bytes,
      seconds: this.#seconds,
    };
  }

  #result(): SearchResult {
    const { states, transitions, depth, seconds } = this.#progress();
    const { peakBytes } = this.#states;
    return {
      violations: this.#sightings.map((sighting) => violationOf(sighting, (id) => this.#states.numbered(id))),
      stop: this.#run.stop,
      store: this.#states.resident,
      stats: {
        states,
        transitions,
        matched: transitions - Math.max(0, states - 1),
        depth: Math.max(0, depth),
        peakFrontier: this.#order.peakFrontier,
        seconds,
        peakBytes,
        bytesPerState: states === 0 ? 0 : peakBytes / states,
      },
    };
  }
}

function noteReached(reached: Uint8Array | undefined, noted: string): void {
  for (let i = 0; reached && i < noted.length; i++) if (noted[i] !== "0") reached[i] = 1;
}

/** Checkpoints take at most this fraction (one in N) of the time. */
const CHECKPOINT_SHARE = 10;
