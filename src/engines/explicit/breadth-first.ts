/**
 * Breadth-first search: level by level, so the first path found to anything is a shortest one.
 *
 * The queue is the store itself: states from `head` on are not expanded yet. States are expanded in batches into one flat
 * list, and the list is looked up as a whole: first every hash and its table entry, then every state that an entry points to,
 * then the resolution in order. So the cache misses of a batch overlap (figures in `bench/core.ts`).
 *
 * With partial-order reduction a state of the batch is expanded by its first candidate. When the proviso rejects the
 * candidate, the resolution pauses, expands the state in another way (`breadth-first-again.ts`), and continues with the
 * batch: the result is the same as state by state.
 */
import { BATCH_SOURCES } from "./batch.js";
import { SecondAttempt } from "./breadth-first-again.js";
import {
  emitAdvance,
  emitLoops,
  emitResolveReduced,
  loopNames,
  type Loops,
  type Slice,
} from "./breadth-first-loops.js";
import { enterOffered, pathInStore, type Enterer } from "./entering.js";
import type { Path } from "./monitor.js";
import { widenTo } from "./intermediates.js";
import type { Order, Run } from "./order.js";
import { emitSettle } from "./settle-code.js";

export class BreadthFirst implements Order {
  peakFrontier = 1;
  readonly #run: Run;
  /** The states from here to `levelEnd` are the rest of the level, those behind it the next level. */
  #head = 1;
  #levelEnd = 1;
  #level = -1;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly #ends: Int32Array;
  /** With reduction: by which candidate the `i`-th state of the batch was expanded, from 1 on; 0: fully. */
  readonly #attempts: Int32Array;
  /** With reduction: where the resolution of the batch stands. */
  readonly #progress: BatchProgress = {
    origin: 0,
    first: 0,
    waiting: 0,
    isRejected: false,
    isPrepared: false,
  };
  readonly #again: SecondAttempt | undefined;
  readonly #slice: Slice = {
    counted: 0,
    stored: 0,
    peak: 0,
    sources: 0,
    entered: 0,
    makeRoom: (): boolean => this.#run.grow() && !this.#run.isLeaving,
    lookedInVain: (): void => {
      if (!this.#run.isLeaving) this.#run.stop = "memory";
    },
    stuck: (id: number): void => {
      const { model, store, monitor } = this.#run;
      monitor.stuck(id, store.numbered(id, model.system.width), 0);
    },
  };
  readonly #enterer: Enterer = {
    loops: () => this.#loops,
    renew: () => void (this.#loops = this.#instantiate()),
  };
  #loops: Loops;
  /** State width that the loops were made for. */
  #width = 0;

  constructor(run: Run) {
    this.#run = run;
    this.#ends = run.array(BATCH_SOURCES);
    this.#attempts = run.array(BATCH_SOURCES);
    this.#again = run.reduction && new SecondAttempt(run, run.reduction);
    this.#loops = run.made(() => this.#instantiate());
  }

  get depth(): number {
    return this.#run.store.count >= this.#levelEnd ? this.#level + 1 : this.#level;
  }

  get frontier(): number {
    return this.#run.store.count + 1 - this.#head;
  }

  advance(quota: number): boolean {
    const { store, monitor } = this.#run;
    if (this.#run.becomesLarge()) this.#loops = this.#run.made(() => this.#instantiate());
    for (let expanded = 0; expanded < quota;) {
      if (this.#head === this.#levelEnd && !this.#nextLevel()) return false;
      const head = this.#head;
      if (this.#loops.advance) {
        if (!this.#advanceBy(this.#loops.advance, quota - expanded)) return false;
        expanded += this.#head - head;
        continue;
      }
      const sources = this.#expand(head);
      const known = store.count;
      const isEntered = this.#again
        ? this.#enterReduced(sources, head, this.#again)
        : this.#enter(sources, head);
      // sound: test/engines/explicit/conditions.test.ts
      if (monitor.invariants.length > 0) this.#loops.examine(known + 1, store.count + 1);
      if (!isEntered) return false;
      this.#head += sources;
      expanded += sources;
      this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
      if (monitor.isDone) return this.#stop("errors");
    }
    return true;
  }

  /** The rest of the level, or `quota` states of it, by one call. */
  #advanceBy(advance: NonNullable<Loops["advance"]>, quota: number): boolean {
    const slice = this.#slice;
    slice.counted = 0;
    slice.peak = this.peakFrontier;
    this.#head = advance(this.#head, this.#levelEnd, quota);
    this.#run.transitions += slice.counted;
    this.peakFrontier = slice.peak;
    if (this.#run.stop || (this.#run.isLeaving && !this.#leave())) return false;
    return this.#run.monitor.isDone ? this.#stop("errors") : true;
  }

  /** Continues as JavaScript, with the rest of the batch first; false, with `run.stop` set, without room for it. */
  #leave(): boolean {
    const run = this.#run;
    const { sources, entered } = this.#slice;
    run.leave();
    this.#loops = this.#instantiate();
    const list = run.offered.isFlagged ? run.nominal : run.offered;
    const known = run.store.count;
    for (let i = entered; i < list.count;) {
      i = this.#loops.resolve(list.words, i, list.count, this.#head, false);
      run.transitions += i - this.#slice.entered;
      this.#slice.entered = i;
      if (i < list.count && !run.grow()) break;
    }
    this.#loops.examine(known + 1, run.store.count + 1);
    if (run.stop) return false;
    this.#head += sources;
    this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
    return true;
  }

  pathTo(id: number): Path {
    return pathInStore(this.#run, id);
  }

  #nextLevel(): boolean {
    const { store, maxDepth } = this.#run;
    if (store.count < this.#levelEnd) return false;
    this.#level++;
    this.#levelEnd = store.count + 1;
    // sound: test/engines/explicit/conditions.test.ts
    return this.#level < maxDepth || this.#stop("depth");
  }

  /** Expands states from `head` on into `offered`, and reports deadlocks; returns the number of states expanded. */
  #expand(head: number): number {
    const { model, store, monitor } = this.#run;
    const sources = this.#loops.expandStates(head, Math.min(this.#levelEnd, head + BATCH_SOURCES));
    for (let i = 0, end = 0; monitor.checksDeadlock && i < sources; end = this.#ends[i++]!)
      // sound: test/engines/explicit/conditions.test.ts
      if (this.#ends[i] === end) monitor.stuck(head + i, store.numbered(head + i, model.system.width), 0);
    return sources;
  }

  #enter(sources: number, head: number): boolean {
    return enterOffered(this.#run, this.#enterer, this.#ends, sources, head);
  }

  /** Likewise, checking the proviso for each state's candidate. */
  #enterReduced(sources: number, head: number, again: SecondAttempt): boolean {
    const run = this.#run;
    const progress = this.#progress;
    beginState(progress, 0, 0);
    progress.isRejected = progress.isPrepared = false;
    const list = run.settle(this.#ends, sources, head, this.#loops);
    if (!this.#follow()) return false;
    run.transitions += list.count;
    for (let entered = 0; ;) {
      widenTo(list, run.store.width);
      if (run.isLeaving) {
        run.leave();
        this.#loops = this.#instantiate();
        progress.isPrepared = false;
      }
      entered = this.#loops.resolveReduced(list.words, entered, list.count, head, sources);
      if (progress.isRejected) {
        progress.isRejected = false;
        if (entered > progress.first) run.reduction!.rejected++;
        const isKept = again.expand(head + progress.origin, this.#attempts[progress.origin]!);
        if (!isKept) return false;
        if (!this.#follow()) return false;
        beginState(progress, progress.origin + 1, entered);
      } else if (entered === list.count) return true;
      else if (!run.grow()) {
        run.transitions -= list.count - entered;
        return false;
      }
    }
  }

  /** Remakes the loops when states became wider. */
  #follow(): boolean {
    const run = this.#run;
    if (run.model.system.width === run.store.width && this.#width === run.store.width) return true;
    if (run.model.system.width !== run.store.width && !run.widen()) return false;
    this.#loops = this.#instantiate();
    this.#progress.isPrepared = false;
    return true;
  }

  #stop(why: "depth" | "errors"): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loops {
    const { store, monitor, reduction } = this.#run;
    const code = store.code();
    this.#width = store.width;
    const bindings = {
      ...this.#run.bindings(code),
      ends: this.#ends,
      attempts: this.#attempts,
      progress: this.#progress,
      reduction,
      agents: reduction?.agents,
      slice: this.#slice,
    };
    const { active, model } = this.#run;
    const isReduced = reduction !== undefined;
    const { width } = store;
    const text =
      emitLoops(code, { width, invariants: monitor.invariants, isReduced }) +
      (reduction ? emitResolveReduced(code, reduction.proviso) : "");
    if (!active) return this.#run.instantiate("breadth-first search", bindings, text, loopNames(isReduced));
    const settle = emitSettle(width, model.system.compareFrom, false, this.#run.hashBits);
    const { checksDeadlock, invariants } = monitor;
    const advance = isReduced ? "" : emitAdvance(checksDeadlock, invariants.length > 0);
    const functions = [...loopNames(isReduced), "settle", ...(isReduced ? [] : ["advance"])];
    return this.#run.instantiate("breadth-first search", bindings, text + settle + advance, functions);
  }
}

interface BatchProgress {
  /** The state of the batch whose successors are being resolved, and its first entry. */
  origin: number;
  first: number;
  /** Of its entries so far: how many are to be expanded later. */
  waiting: number;
  /** The proviso rejects its candidate. */
  isRejected: boolean;
  /** The batch was looked at as a whole before. */
  isPrepared: boolean;
}

function beginState(progress: BatchProgress, origin: number, first: number): void {
  progress.origin = origin;
  progress.first = first;
  progress.waiting = 0;
}
