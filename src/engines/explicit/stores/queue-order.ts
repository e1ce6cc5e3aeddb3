/**
 * Breadth-first over a store that does not keep its states whole: those waiting to be expanded stand in a queue of their
 * own, and are let go afterwards.
 */
import { widenTo } from "../intermediates.js";
import type { Ledger } from "../ledger.js";
import type { Order, Run } from "../order.js";
import type { Visited } from "./visited.js";

export class QueueOrder implements Order {
  peakFrontier = 1;
  /** States of each level that was begun. */
  readonly levels: number[] = [];
  readonly #run: Run;
  readonly #visited: Visited;
  readonly #queue: StateQueue;
  readonly #ends = new Int32Array(1);
  /** The next state to expand; those before `levelEnd` are the rest of the level. */
  #head = 1;
  #levelEnd = 1;
  #level = -1;

  /** The store holds the initial state, as state 1, and `initial` has its words. */
  constructor(run: Run, visited: Visited, initial: Int32Array, ledger: Ledger) {
    this.#run = run;
    this.#visited = visited;
    this.#queue = new StateQueue(ledger);
    if (!this.#queue.push(initial, 0, run.model.system.width)) run.stop = "memory";
  }

  get depth(): number {
    return this.#visited.count >= this.#levelEnd ? this.#level + 1 : this.#level;
  }

  get frontier(): number {
    return this.#visited.count + 1 - this.#head;
  }

  advance(quota: number): boolean {
    const { monitor } = this.#run;
    if (this.#run.stop) return false;
    for (let expanded = 0; expanded < quota; expanded++) {
      if (this.#head === this.#levelEnd && !this.#nextLevel()) return false;
      const isEntered = this.#expand(this.#head);
      if (monitor.isDone) return this.#stop("errors");
      if (!isEntered) return false;
      this.#head++;
      this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
    }
    return true;
  }

  pathTo(id: number): Int32Array {
    return this.#visited.pathTo(id);
  }

  #nextLevel(): boolean {
    const { count } = this.#visited;
    if (count < this.#levelEnd) return false;
    this.#level++;
    this.levels.push(count + 1 - this.#levelEnd);
    this.#levelEnd = count + 1;
    return this.#level < this.#run.maxDepth || this.#stop("depth");
  }

  #expand(id: number): boolean {
    const run = this.#run;
    const { model, monitor, offered } = run;
    const { system } = model;
    const { width } = system;
    const { words, at } = this.#queue.take(width);
    offered.clear();
    system.successors(words, at, offered);
    if (offered.count === 0 && monitor.checksDeadlock) monitor.stuck(id, words.slice(at, at + width), 0);
    this.#ends[0] = offered.count;
    const list = run.settle(this.#ends, 1, id);
    if (system.width === width) return this.#enter(id, words, at, list);
    const wide = new Int32Array(system.width);
    wide.set(words.subarray(at, at + width));
    widenTo(offered, system.width);
    this.#visited.widen(system.width);
    return this.#enter(id, wide, 0, list);
  }

  #enter(id: number, words: Int32Array, at: number, list: Run["offered"]): boolean {
    const run = this.#run;
    const visited = this.#visited;
    const { model, monitor } = run;
    visited.expand(id, words, at, this.#level);
    for (let i = 0, there = 0; i < list.count; i++, there += list.stride) {
      const added = visited.addSuccessor(list.words, there, i, list.labels[i]!);
      if (added < 0) return this.#stop(visited.refusal!);
      run.transitions++;
      if (added === 0) continue;
      if (!this.#queue.push(list.words, there, list.stride)) return this.#stop("memory");
      for (const index of monitor.invariants)
        if (!model.holds(index, list.words, there)) monitor.broken(index, added);
    }
    return true;
  }

  #stop(why: NonNullable<Run["stop"]>): false {
    this.#run.stop = why;
    return false;
  }
}

/** States in the order in which they came, in chunks that each have a stride of their own. */
class StateQueue {
  readonly #ledger: Ledger;
  readonly #chunks: { readonly words: Int32Array; readonly stride: number; count: number }[] = [];
  /** States taken from the first chunk. */
  #taken = 0;
  #spare: Int32Array | undefined;
  readonly #place: { words: Int32Array; at: number } = { words: new Int32Array(0), at: 0 };

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  push(words: Int32Array, at: number, width: number): boolean {
    let last = this.#chunks.at(-1);
    if (!last || last.stride !== width || (last.count + 1) * width > last.words.length) {
      const chunk = this.#allocate(Math.max(CHUNK_WORDS, width));
      if (!chunk) return false;
      this.#chunks.push((last = { words: chunk, stride: width, count: 0 }));
    }
    const to = last.words;
    for (let k = 0, there = last.count * width; k < width; k++) to[there + k] = words[at + k]!;
    last.count++;
    return true;
  }

  /** The first state, extended to `width` words. It stays in place until the next call. */
  take(width: number): { readonly words: Int32Array; readonly at: number } {
    let first = this.#chunks[0]!;
    if (this.#taken === first.count) {
      this.#release(first.words);
      this.#chunks.shift();
      this.#taken = 0;
      first = this.#chunks[0]!;
    }
    const at = this.#taken++ * first.stride;
    this.#place.words = first.words;
    this.#place.at = at;
    if (first.stride === width) return this.#place;
    const wide = new Int32Array(width);
    wide.set(first.words.subarray(at, at + first.stride));
    return { words: wide, at: 0 };
  }

  #allocate(words: number): Int32Array | undefined {
    const spare = this.#spare;
    if (spare?.length !== words) return this.#ledger.allocate(words);
    this.#spare = undefined;
    return spare;
  }

  #release(words: Int32Array): void {
    if (this.#spare) this.#ledger.free(words);
    else this.#spare = words;
  }
}

const CHUNK_WORDS = 1 << 14;
