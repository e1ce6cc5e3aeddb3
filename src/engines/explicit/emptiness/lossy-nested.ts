/**
 * Nested depth-first search over a lossy store (bitstate hashing or hash compaction): `cvwy90` and `se05`, on the system
 * degeneralised on the fly.
 *
 * A state is entered with a flag: once when the outer search visits it, once when the inner one does (Holzmann's
 * two bits per state). The states on the paths of both searches are kept whole, and only an exact comparison with one of them closes a
 * cycle, so every reported run is a run of the system. A state that the store mistakes for a visited one is lost, so finding
 * nothing proves nothing.
 */
import {
  Entry,
  Successors,
  allMarks,
  faultSite,
  type Progress,
  type StoreReport,
  type System,
  type Words,
} from "../../../model/index.js";
import { drive } from "../drive.js";
import { hashWords } from "../hash.js";
import { Ledger } from "../ledger.js";
import type { Stop } from "../order.js";
import { BitstateStore } from "../stores/bitstate.js";
import type { BitstateChoice, CompactChoice } from "../stores/choice.js";
import { CompactStore } from "../stores/compact.js";
import { lossyReport } from "../stores/report.js";
import type { EmptinessOptions, EmptinessResult, EmptinessStats, SystemRun } from "./check.js";
import { OutOfRoom } from "./memory.js";
import { ACCEPTING, EXTRA, Expander, FrameSet, type Frame } from "./state-path.js";

export const LOSSY_ALGORITHMS = ["se05", "cvwy90"] as const;
export type LossyAlgorithm = (typeof LOSSY_ALGORITHMS)[number];

export interface LossyOptions extends Pick<
  EmptinessOptions,
  "conditions" | "budget" | "control" | "onFault"
> {
  readonly algorithm: LossyAlgorithm;
  readonly store: BitstateChoice | CompactChoice;
}

export interface LossyResult extends EmptinessResult {
  readonly store: StoreReport;
}

export async function checkLossily(system: System, options: LossyOptions): Promise<LossyResult> {
  const started = performance.now();
  const ledger = new Ledger(options.budget.memoryBytes);
  const search = new LossyNested(system, options, ledger);
  const task = {
    advance: (quota: number): boolean => search.advance(quota),
    progress: (seconds: number): Progress => search.progress(seconds),
  };
  const stop = (await drive(task, options.budget, options.control, started)) ?? search.stop;
  const stats = search.statistics(started);
  const store = lossyReport(options.store, {
    stored: search.stored,
    states: stats.states,
    transitions: search.outerTransitions,
    stop,
  });
  const { run } = search;
  if (run) return { isEmpty: false, stop: undefined, stats, store, run };
  // Any run found is real; a real run may have been lost.
  return { isEmpty: stop === undefined ? true : undefined, stop, stats, store };
}

class LossyNested {
  run: SystemRun | undefined;
  stop: Stop | undefined;
  outerTransitions = 0;
  #states = 0;
  #transitions = 0;
  #depth = 0;
  #mostFrames = 0;
  readonly #system: System;
  readonly #options: LossyOptions;
  readonly #ledger: Ledger;
  readonly #store: BitstateStore | CompactStore | undefined;
  readonly #expander: Expander;
  readonly #blue: Frame[] = [];
  readonly #red: Frame[] = [];
  readonly #onPath: FrameSet;
  readonly #full: number;
  #key: Words;

  constructor(system: System, options: LossyOptions, ledger: Ledger) {
    const { store, conditions, onFault } = options;
    this.#system = system;
    this.#options = options;
    this.#ledger = ledger;
    this.#full = allMarks(conditions);
    const how = { compareFrom: 0 };
    this.#store =
      store.kind === "compact"
        ? CompactStore.create({ ...store, ...how }, ledger)
        : BitstateStore.create({ ...store, ...how }, ledger);
    const meet = (site: number): void => onFault?.(site, () => []);
    this.#expander = new Expander(system, conditions, meet, ledger);
    this.#onPath = new FrameSet(system.compareFrom, (words, at, width) =>
      hashWords(words, at, width, system.compareFrom),
    );
    this.#key = new Int32Array(1 + system.width - system.compareFrom);
  }

  /** Entries of the store: each state for each of its flags. */
  get stored(): number {
    return this.#store?.count ?? 0;
  }

  advance(quota: number): boolean {
    try {
      if (this.#states === 0 && !this.#start()) return false;
      for (let left = quota; left > 0; left--) if (!this.#step()) return false;
      return true;
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error;
      this.stop = error.stop;
      return false;
    }
  }

  progress(seconds: number): Progress {
    const frontier = this.#blue.length + this.#red.length;
    const { bytes } = this.#ledger;
    return {
      states: this.#states,
      transitions: this.#transitions,
      depth: this.#depth,
      frontier,
      bytes,
      seconds,
    };
  }

  statistics(started: number): EmptinessStats {
    const { peakBytes } = this.#ledger;
    const states = this.#states;
    return {
      algorithm: this.#options.algorithm,
      states,
      transitions: this.#transitions,
      matched: this.#transitions - Math.max(0, states - 1),
      depth: this.#depth,
      peakFrontier: this.#depth + 1,
      stack: this.#mostFrames,
      systemStates: states,
      reducedStates: 0,
      cycleStatesVisited: 0,
      searchSpace: states,
      seconds: (performance.now() - started) / 1000,
      peakBytes,
      bytesPerState: states === 0 ? 0 : peakBytes / states,
    };
  }

  /** False if there is nothing to search. */
  #start(): boolean {
    if (!this.#store) throw new OutOfRoom("memory");
    const initial = new Successors(this.#system.width);
    this.#system.initial(initial);
    const flags = initial.flags[0]!;
    if (faultSite(flags) >= 0) this.#options.onFault?.(faultSite(flags), () => []);
    if ((flags & Entry.dead) !== 0) return false;
    const state = initial.words.slice(0, initial.stride);
    this.#enter(state, 0, state.length, 0, OUTER);
    this.#pushBlue(state, 0, false);
    return true;
  }

  #step(): boolean {
    const inner = this.#red.at(-1);
    if (inner) return this.#redStep(inner);
    const top = this.#blue.at(-1)!;
    if (top.cursor === top.count) return this.#leave(top);
    this.#transitions++;
    this.outerTransitions++;
    return this.#take(top, top.cursor++);
  }

  #take(top: Frame, arc: number): boolean {
    const { arcs, stride } = top;
    const at = arc * stride;
    const width = stride - EXTRA;
    const level = levelAt(top, arc);
    const isAccepting = isAcceptingAt(top, arc);
    if (this.#isEarly) {
      const met = this.#onPath.find(arcs, at, width, level);
      // On a self-loop the arc that led to the state is not part of the cycle.
      if (met && (isAccepting || (met !== top && top.isEntryAccepting))) return this.#close(met);
      if (met) return true;
    }
    if (this.#enter(arcs, at, width, level, OUTER)) {
      if (this.#blue.length > (this.#options.budget.maxDepth ?? Infinity)) this.stop = "depth";
      else this.#pushBlue(arcs.slice(at, at + width), level, isAccepting);
    } else if (isAccepting) this.#startRed(arcs, at, width, level);
    return true;
  }

  /** All arcs were taken: the outer search is done with the one that led here. */
  #leave(top: Frame): boolean {
    this.#blue.pop();
    this.#onPath.remove(top);
    this.#expander.release(top);
    if (this.#blue.length === 0) return false;
    if (top.isEntryAccepting) this.#startRed(top.state, 0, top.state.length, top.level);
    return true;
  }

  #startRed(words: Words, at: number, width: number, level: number): void {
    if (this.#enter(words, at, width, level, INNER)) this.#pushRed(words.slice(at, at + width), level);
  }

  #redStep(top: Frame): boolean {
    if (top.cursor === top.count) {
      this.#red.pop();
      this.#expander.release(top);
      return true;
    }
    this.#transitions++;
    const arc = top.cursor++;
    const at = arc * top.stride;
    const width = top.stride - EXTRA;
    const level = levelAt(top, arc);
    const met = this.#onPath.find(top.arcs, at, width, level);
    if (met && (this.#isEarly || met === this.#blue.at(-1))) return this.#close(met);
    const isVisited = this.#has(top.arcs, at, width, level, OUTER);
    if (isVisited && this.#enter(top.arcs, at, width, level, INNER))
      this.#pushRed(top.arcs.slice(at, at + width), level);
    return true;
  }

  /** `se05` ends at any state of the outer path, and looks for them in the outer search already. */
  get #isEarly(): boolean {
    return this.#options.algorithm === "se05";
  }

  #pushBlue(state: Words, level: number, isEntryAccepting: boolean): void {
    if (this.#states >= (this.#options.budget.maxStates ?? Infinity)) throw new OutOfRoom("states");
    const frame = this.#expander.frame(state, level, isEntryAccepting);
    this.#blue.push(frame);
    this.#onPath.add(frame);
    this.#states++;
    this.#depth = Math.max(this.#depth, this.#blue.length - 1);
    this.#measure();
  }

  #pushRed(state: Words, level: number): void {
    this.#red.push(this.#expander.frame(state, level, true));
    this.#measure();
  }

  #measure(): void {
    this.#mostFrames = Math.max(this.#mostFrames, this.#blue.length + this.#red.length);
  }

  /** False if it was there, or is taken to have been. */
  #enter(words: Words, at: number, width: number, level: number, flag: number): boolean {
    const length = this.#keyOf(words, at, width, level, flag);
    const answer = this.#store!.addIfNew(this.#key, 0, length);
    if (answer === "full") throw new OutOfRoom("full");
    return answer === true || answer === "new";
  }

  #has(words: Words, at: number, width: number, level: number, flag: number): boolean {
    const length = this.#keyOf(words, at, width, level, flag);
    return this.#store!.has(this.#key, 0, length);
  }

  /** Level and flag are hashed with the state. */
  #keyOf(words: Words, at: number, width: number, level: number, flag: number): number {
    const { compareFrom } = this.#system;
    const length = 1 + width - compareFrom;
    if (this.#key.length < length) this.#key = new Int32Array(length);
    this.#key[0] = 2 * level + flag;
    for (let k = compareFrom; k < width; k++) this.#key[1 + k - compareFrom] = words[at + k]!;
    return length;
  }

  /** The arc that was taken last, of the topmost frame, leads to `met`. */
  #close(met: Frame): false {
    const frames = [...this.#blue, ...this.#red];
    const from = frames.indexOf(met);
    const marks = frames.map(({ arcs, stride, cursor }) => arcs[cursor * stride - EXTRA]!);
    const united = marks.slice(from).reduce((sum, one) => sum | one, 0);
    if ((united & this.#full) !== this.#full) throw new Error("the cycle on the stacks is not accepting");
    const states = frames.map(({ state }) => state.slice());
    // The prefix has at least the initial state: a cycle through it is entered behind it.
    const cut = Math.max(1, from);
    const wrap = from === 0 ? 1 : 0;
    this.run = {
      prefix: states.slice(0, cut),
      prefixMarks: marks.slice(0, cut),
      cycle: [...states.slice(cut), ...states.slice(0, wrap)],
      cycleMarks: [...marks.slice(cut), ...marks.slice(0, wrap)],
    };
    return false;
  }
}

const levelAt = ({ arcs, stride }: Frame, arc: number): number => arcs[(arc + 1) * stride - 1]! & ~ACCEPTING;

const isAcceptingAt = ({ arcs, stride }: Frame, arc: number): boolean =>
  (arcs[(arc + 1) * stride - 1]! & ACCEPTING) !== 0;

/** The search that has visited a state. */
const OUTER = 0;
const INNER = 1;
