/**
 * Breadth-first search: level by level, so the first path found to anything is a shortest one.
 *
 * The queue is the store itself: states from `head` on are not expanded yet. States are expanded in batches into one flat
 * list, and the list is looked up as a whole: first every hash and its table entry, then every state that an entry points to,
 * then the resolution in order. So the cache misses of a batch overlap (figures in `bench/core.ts`).
 *
 * With partial-order reduction, states whose candidate the proviso rejects are expanded again (`breadth-first-again.ts`).
 */
import { BATCH_SOURCES } from "./batch.js";
import { SecondAttempt } from "./breadth-first-again.js";
import { breadthFirstLoops, type Loops, type Slice } from "./breadth-first-loops.js";
import { enterList, enterOffered, pathInStore, type Enterer } from "./entering.js";
import type { Path } from "./monitor.js";
import type { Order, Run } from "./order.js";
import { BatchReduction } from "./reduction.js";

export interface Position {
  readonly head: number;
  readonly levelEnd: number;
  readonly level: number;
  readonly peakFrontier: number;
}

export class BreadthFirst implements Order {
  peakFrontier = 1;
  readonly #run: Run;
  /** The states from here to `levelEnd` are the rest of the level, those behind it the next level. */
  #head = 1;
  #levelEnd = 1;
  #level = -1;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly #ends: Int32Array;
  readonly #reduction: BatchReduction | undefined;
  readonly #again: SecondAttempt | undefined;
  /** With reduction: states of the batch, and of them those whose candidates were judged. */
  #sources = 0;
  #judged = 0;
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
    review: (entered) => this.#review(entered),
  };
  #loops: Loops;

  constructor(run: Run) {
    this.#run = run;
    this.#ends = run.array(BATCH_SOURCES);
    const { reduction } = run;
    this.#reduction =
      reduction && new BatchReduction(reduction, BATCH_SOURCES, (length) => run.array(length));
    this.#again = reduction && new SecondAttempt(run, reduction);
    this.#loops = run.made(() => this.#instantiate());
  }

  get depth(): number {
    return this.#run.store.count >= this.#levelEnd ? this.#level + 1 : this.#level;
  }

  get frontier(): number {
    return this.#run.store.count + 1 - this.#head;
  }

  /** Position of the search between two batches, to continue from there. */
  get position(): Position {
    return {
      head: this.#head,
      levelEnd: this.#levelEnd,
      level: this.#level,
      peakFrontier: this.peakFrontier,
    };
  }

  set position({ head, levelEnd, level, peakFrontier }: Position) {
    this.#head = head;
    this.#levelEnd = levelEnd;
    this.#level = level;
    this.peakFrontier = peakFrontier;
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
      this.#sources = sources;
      this.#judged = 0;
      this.#reduction?.ahead.fill(0, 0, sources);
      const isEntered = enterOffered(this.#run, this.#enterer, this.#ends, sources, head);
      // sound: test/engines/explicit/conditions.test.ts
      if (monitor.invariants.length > 0) this.#loops.examine(known + 1, (store.residents ?? store.count) + 1);
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
    const list = run.offered.isFlagged ? run.nominal : run.offered;
    const known = run.store.count;
    const isEntered = enterList(run, this.#enterer, list, entered, this.#head, run.store.width, false);
    this.#loops.examine(known + 1, run.store.count + 1);
    if (!isEntered) return false;
    this.#head += sources;
    this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
    return true;
  }

  pathTo(id: number): Path {
    return pathInStore(this.#run, id);
  }

  #nextLevel(): boolean {
    const { store, monitor, maxDepth } = this.#run;
    // sound: test/engines/disk/states.test.ts
    store.endLevel?.();
    if (monitor.isDone) return this.#stop("errors");
    // sound: test/engines/disk/states.test.ts
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

  #review(entered: number): boolean | undefined {
    const reduction = this.#reduction;
    const ends = this.#ends;
    let isAgain: true | undefined;
    // Of states beyond the batch the end is that of a former one.
    for (; reduction && this.#judged < this.#sources && ends[this.#judged]! <= entered; this.#judged++) {
      if (!reduction.isRejected(this.#judged, ends)) continue;
      const { attempts } = reduction;
      // sound: test/engines/explicit/provisos.test.ts
      if (!this.#again!.expand(this.#head + this.#judged, attempts[this.#judged]!)) return false;
      attempts[this.#judged] = 0;
      isAgain = true;
    }
    return isAgain;
  }

  #stop(why: "depth" | "errors"): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loops {
    const { width } = this.#run.store;
    const [ends, slice, reduction] = [this.#ends, this.#slice, this.#reduction];
    return breadthFirstLoops(this.#run, { width, ends, slice, reduction });
  }
}
