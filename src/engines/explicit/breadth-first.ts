/**
 * Breadth-first: level by level, so the first path found to anything is a shortest one.
 *
 * The queue is the store itself: states from `head` on are not expanded yet. States are expanded in batches into one
 * flat list, and the list is looked up as a whole: first every hash and its table entry, then every state that an
 * entry points to, then the resolution in order. So the cache misses of a batch overlap instead of being
 * waited for one by one (figures in `bench/core.ts`).
 */
import type { Order, Run } from "./order.js";
import {
  emitFind,
  emitInsert,
  emitLocate,
  emitStoreLocals,
  emitTouch,
  instantiate,
  type StoreShape,
} from "./store-code.js";
import { emitHash, hashMultipliers } from "./hash.js";

export class BreadthFirst implements Order {
  peakFrontier = 1;
  readonly #run: Run;
  /** The states from here to `levelEnd` are the rest of the level, those behind it the next level. */
  #head = 1;
  #levelEnd = 1;
  #level = -1;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly #ends = new Int32Array(BATCH_SOURCES);
  #hashes = new Int32Array(2 * BATCH_SUCCESSORS);
  #loops: Loops;

  constructor(run: Run) {
    this.#run = run;
    this.#loops = this.#instantiate();
  }

  get depth(): number {
    return this.#run.store.count >= this.#levelEnd ? this.#level + 1 : this.#level;
  }

  get frontier(): number {
    return this.#run.store.count + 1 - this.#head;
  }

  advance(quota: number): boolean {
    const { store, monitor } = this.#run;
    for (let expanded = 0; expanded < quota;) {
      if (this.#head === this.#levelEnd && !this.#nextLevel()) return false;
      const head = this.#head;
      const sources = this.#expand(head);
      const known = store.count;
      const isEntered = this.#enter(sources, head);
      if (monitor.invariants.length > 0) this.#loops.examine(known + 1, store.count + 1);
      if (!isEntered) return false;
      this.#head += sources;
      expanded += sources;
      this.peakFrontier = Math.max(this.peakFrontier, this.frontier);
      if (monitor.isDone) return this.#stop("errors");
    }
    return true;
  }

  pathTo(id: number): Int32Array {
    const { store } = this.#run;
    let length = 0;
    for (let at = id; at > 0; at = store.parent(at)) length++;
    const path = new Int32Array(length);
    for (let at = id; at > 0; at = store.parent(at)) path[--length] = at;
    return path;
  }

  #nextLevel(): boolean {
    const { store, maxDepth } = this.#run;
    if (store.count < this.#levelEnd) return false;
    this.#level++;
    this.#levelEnd = store.count + 1;
    return this.#level < maxDepth || this.#stop("depth");
  }

  /** Expands states from `head` on into `offered`, tells the monitor of those without successors; how many they were. */
  #expand(head: number): number {
    const { model, store, monitor } = this.#run;
    const sources = this.#loops.expand(head, Math.min(this.#levelEnd, head + BATCH_SOURCES));
    for (let i = 0, end = 0; monitor.checksDeadlock && i < sources; end = this.#ends[i++]!)
      if (this.#ends[i] === end) monitor.stuck(head + i, store.state(head + i, model.system.width), 0);
    return sources;
  }

  /** Enters the successors of the batch into the store. */
  #enter(sources: number, head: number): boolean {
    const run = this.#run;
    const list = run.settle(this.#ends, sources, head);
    if (run.model.system.width !== run.store.width) {
      if (!run.widen()) return false;
      this.#loops = this.#instantiate();
    }
    if (list.count > this.#hashes.length) this.#hashes = new Int32Array(2 * list.count);
    run.transitions += list.count;
    for (let entered = 0; ;) {
      // Again after the store grew: the hashes of a larger table may be others.
      this.#loops.touch(list.words, list.count, this.#hashes);
      entered = this.#loops.resolve(list.words, entered, list.count, this.#hashes, head);
      if (entered === list.count) return true;
      if (run.grow()) continue;
      run.transitions -= list.count - entered;
      return false;
    }
  }

  #stop(why: "depth" | "errors"): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loops {
    const { model, store, monitor, offered } = this.#run;
    const text = emitLoops(this.#run.shape(), monitor.invariants);
    const bindings = {
      model,
      system: model.system,
      store,
      monitor,
      offered,
      ends: this.#ends,
      wide: new Int32Array(store.width),
      multipliers: hashMultipliers(store.width),
    };
    return instantiate("breadth-first search", bindings, text);
  }
}

/** A batch ends with the state whose successors reach this number. */
const BATCH_SUCCESSORS = 128;
const BATCH_SOURCES = 256;

interface Loops {
  /** Writes the successors of the states from `head` on into `offered`; the number of states expanded. */
  expand(head: number, end: number): number;
  /** Hashes the list and brings what it will be compared with into the cache. */
  touch(words: Int32Array, length: number, hashes: Int32Array): number;
  /** Enters the list from entry `from` on; the entry at which the store had no room, else the list's length. */
  resolve(words: Int32Array, from: number, length: number, hashes: Int32Array, head: number): number;
  /** Checks the invariants on the states from `first` to before `end`. */
  examine(first: number, end: number): void;
}

const emitLoops = (shape: StoreShape, invariants: readonly number[]): string => `
function expand(head, end) {
  const chunks = store.chunks;
  ${shape.isUniform ? "" : "const strides = store.strides;"}
  offered.clear();
  let id = head;
  while (id < end && offered.count < ${BATCH_SUCCESSORS}) {
    ${emitLocate(shape)}
    system.successors(from, fromAt, offered);
    ends[id - head] = offered.count;
    id++;
    if (offered.stride !== ${shape.width}) break; // states became wider: these loops are no longer the right ones
  }
  return id - head;
}

function touch(words, length, hashes) {
  const table = store.table, mask = store.mask, tagMask = ~mask, ownMask = store.ownMask, chunks = store.chunks;
  ${shape.isUniform ? "" : "const strides = store.strides;"}
  for (let i = 0, at = 0; i < length; i++, at += ${shape.width}) {
    ${emitHash(shape.width, shape.compareFrom)}
    hashes[i] = hash;
  }
  ${emitTouch(shape)}
  return touched; // so that the reads are not optimised away
}

function resolve(words, from, length, hashes, head) {
  ${emitStoreLocals(shape)}
  let source = 0;
  let i = from;
  next: for (; i < length; i++) {
    const at = i * ${shape.width}, hash = hashes[i];
    ${emitFind(shape, "continue next;")}
    if (count === room) break;
    while (ends[source] <= i) source++;
    ${emitInsert(shape, "head + source")}
  }
  store.count = count;
  return i;
}

function examine(first, end) {
  const chunks = store.chunks;
  ${shape.isUniform ? "" : "const strides = store.strides;"}
  for (let id = first; id < end; id++) {
    ${emitLocate(shape)}
    ${invariants.map((index) => `if (!model.holds(${index}, from, fromAt)) monitor.broken(${index}, id);`).join("\n    ")}
  }
}

return { expand, touch, resolve, examine };`;
