/**
 * Best-first search: expands the waiting state with the lowest rank.
 *
 * `random` draws ranks. `guided` prefers novelty, by the model's own abstraction of states if it has one, else by the values
 * in their words (`ranking.ts`). Both visit every state in the end; they find some errors long before breadth-first search,
 * by traces shorter than with depth-first search, but not the shortest.
 *
 * Uses the loops of breadth-first search, one state at a time.
 */
import type { Path } from "./monitor.js";
import { breadthFirstLoops, type Loops } from "./breadth-first-loops.js";
import { enterOffered, pathInStore, type Enterer } from "./entering.js";
import type { Ledger } from "./ledger.js";
import type { Order, Run } from "./order.js";
import { PriorityQueue } from "./priority-queue.js";
import { AbstractNovelty, RandomRanking, ValueNovelty, type Ranking } from "./ranking.js";
import { withRoom } from "./room.js";

export class BestFirst implements Order {
  peakFrontier = 1;
  depth = 0;
  readonly #run: Run;
  readonly #ledger: Ledger;
  readonly #ranking: Ranking;
  readonly #queue: PriorityQueue;
  readonly #ends: Int32Array;
  /** By state number: length of the path by which it was found. */
  #depths: Int32Array = new Int32Array(0);
  readonly #enterer: Enterer = {
    loops: () => this.#loops,
    renew: () => void (this.#loops = this.#instantiate()),
  };
  #loops: Loops;
  #isCut = false;

  constructor(run: Run, how: "random" | "guided", seed: number, ledger: Ledger) {
    this.#run = run;
    this.#ends = run.array(1);
    this.#ledger = ledger;
    this.#ranking = how === "random" ? new RandomRanking(seed) : novelty(run, ledger);
    this.#queue = new PriorityQueue(ledger);
    this.#loops = this.#instantiate();
    this.#queueNew(0, 0);
  }

  get frontier(): number {
    return this.#queue.size;
  }

  advance(quota: number): boolean {
    const { store, monitor, maxDepth } = this.#run;
    for (let expanded = 0; expanded < quota; expanded++) {
      if (this.#run.stop) return false;
      const id = this.#queue.take();
      // sound: test/engines/explicit/conditions.test.ts
      if (id === undefined) return this.#isCut ? this.#stop("depth") : false;
      const depth = this.#depths[id]!;
      // sound: test/engines/explicit/conditions.test.ts
      if (depth >= maxDepth) {
        this.#isCut = true;
        continue;
      }
      const known = store.count;
      store.begin?.(id, depth);
      const isEntered = this.#expand(id);
      if (store.count > known) this.depth = Math.max(this.depth, depth + 1);
      // sound: test/engines/explicit/conditions.test.ts
      if (monitor.invariants.length > 0) this.#loops.examine(known + 1, store.count + 1);
      if (!isEntered) return false;
      if (monitor.isDone) return this.#stop("errors");
      if (!this.#queueNew(known, depth + 1)) return false;
      store.end?.(id);
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
    this.#loops.expandStates(id, id + 1);
    // sound: test/engines/explicit/conditions.test.ts
    if (monitor.checksDeadlock && run.offered.count === 0)
      monitor.stuck(id, store.numbered(id, model.system.width), 0);
    this.#ends[0] = run.offered.count;
    return enterOffered(run, this.#enterer, this.#ends, 1, id);
  }

  /** Puts the states after the first `known` into the queue; false, with `run.stop` set, when there is no room. */
  #queueNew(known: number, depth: number): boolean {
    const { store } = this.#run;
    if (!this.#reserve(store.count - known)) return this.#stop("memory");
    for (let id = known + 1; id <= store.count; id++) {
      this.#depths[id] = depth;
      this.#queue.add(id, this.#ranking.rank(store.numbered(id, store.width), depth));
    }
    this.peakFrontier = Math.max(this.peakFrontier, this.#queue.size);
    return true;
  }

  #reserve(states: number): boolean {
    const { store } = this.#run;
    const depths = withRoom(this.#depths, store.count + 1, this.#ledger);
    if (!depths) return false;
    this.#depths = depths;
    return this.#queue.reserve(states) && this.#ranking.reserve(states, store.width);
  }

  #stop(why: "depth" | "errors" | "memory"): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loops {
    return breadthFirstLoops(this.#run, { width: this.#run.store.width, ends: this.#ends });
  }
}

const novelty = ({ model }: Run, ledger: Ledger): Ranking =>
  model.guide ? new AbstractNovelty(model.guide, ledger) : new ValueNovelty(ledger);
