/**
 * Best first: of all states that wait, the one with the highest priority is expanded next.
 *
 * `random`: priorities are drawn. `guided`: states with values that were rarely seen come first, after the novelty heuristics of
 * implementation-level checking (Musuvathi, Park, Chou, Engler, Dill: CMC, 2002): the rarer what a state holds in each of its words, the
 * sooner it is looked at. Both visit every state in the end; they find some errors long before breadth-first search does,
 * by traces that are shorter than those of depth-first search, but not the shortest.
 *
 * The loops are those of breadth-first search, for one state at a time.
 */
import type { Path } from "./monitor.js";
import { emitLoops, type Loops } from "./breadth-first.js";
import { enterOffered, pathInStore, type Enterer } from "./entering.js";
import type { Order, Run } from "./order.js";
import { instantiate } from "./store-code.js";
import { PriorityQueue } from "./priority-queue.js";

export class BestFirst implements Order {
  peakFrontier = 1;
  depth = 0;
  readonly #run: Run;
  readonly #priority: (state: Int32Array) => number;
  readonly #queue = new PriorityQueue();
  readonly #ends = new Int32Array(1);
  /** Of each state, steps on the way on which it was found. */
  readonly #depths: number[] = [0, 0];
  readonly #enterer: Enterer = {
    loops: () => this.#loops,
    renew: () => void (this.#loops = this.#instantiate()),
  };
  #loops: Loops;
  #isCut = false;

  constructor(run: Run, how: "random" | "guided", seed: number) {
    this.#run = run;
    this.#priority = how === "random" ? randomPriority(seed) : new Novelty().priority;
    this.#loops = this.#instantiate();
    this.#queue.add(1, 0);
  }

  get frontier(): number {
    return this.#queue.size;
  }

  advance(quota: number): boolean {
    const { store, monitor, maxDepth } = this.#run;
    for (let expanded = 0; expanded < quota; expanded++) {
      const id = this.#queue.take();
      if (id === undefined) return this.#isCut ? this.#stop("depth") : false;
      if (this.#depths[id]! >= maxDepth) {
        this.#isCut = true;
        continue;
      }
      const known = store.count;
      const isEntered = this.#expand(id);
      this.#queueNew(known, this.#depths[id]! + 1);
      if (monitor.invariants.length > 0) this.#loops.examine(known + 1, store.count + 1);
      if (!isEntered) return false;
      if (monitor.isDone) return this.#stop("errors");
    }
    return true;
  }

  pathTo(id: number): Path {
    return pathInStore(this.#run, id);
  }

  /** Enters the successors of a state; false, with `run.stop` set, when there is no room. */
  #expand(id: number): boolean {
    const run = this.#run;
    const { store, monitor, model } = run;
    this.#loops.expand(id, id + 1);
    if (monitor.checksDeadlock && run.offered.count === 0)
      monitor.stuck(id, store.numbered(id, model.system.width), 0);
    this.#ends[0] = run.offered.count;
    return enterOffered(run, this.#enterer, this.#ends, 1, id);
  }

  #queueNew(known: number, depth: number): void {
    const { store } = this.#run;
    for (let id = known + 1; id <= store.count; id++) {
      this.#depths[id] = depth;
      this.#queue.add(id, this.#priority(store.numbered(id, store.width)));
    }
    if (store.count > known) this.depth = Math.max(this.depth, depth);
    this.peakFrontier = Math.max(this.peakFrontier, this.#queue.size);
  }

  #stop(why: "depth" | "errors"): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loops {
    const { store, monitor } = this.#run;
    const code = store.code();
    const bindings = { ...this.#run.bindings(code), ends: this.#ends };
    const text = emitLoops(code, store.width, monitor.invariants, undefined);
    return instantiate("best-first search", bindings, text);
  }
}

/** Rare values make a state interesting: each word counts by how seldom its value was seen there. */
class Novelty {
  readonly #seen: Map<number, number>[] = [];

  readonly priority = (state: Int32Array): number => {
    let score = 0;
    for (let word = 0; word < state.length; word++) {
      const counts = (this.#seen[word] ??= new Map<number, number>());
      const times = counts.get(state[word]!) ?? 0;
      counts.set(state[word]!, times + 1);
      score += 1 / (1 + times);
    }
    return score;
  };
}

/** The same seed gives the same order (mulberry32). */
function randomPriority(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
}
