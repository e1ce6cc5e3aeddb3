/**
 * Depth-first, in true order: a state is entered when it is first taken from its parent's list of
 * successors, and left when that list is empty.
 *
 * When a state is expanded all its successors are looked up together, so that their cache misses overlap. Those
 * known already are dropped; the first new one is entered at once; the rest wait on the stack and are looked up
 * again when their turn comes. No recursion: the stack is flat (`stack.ts`).
 *
 * The loop itself is text (`depth-first-loop.ts`); here is what it leaves to others.
 */
import { Event, Phase, emitLoop, type Loop, type LoopState } from "./depth-first-loop.js";
import { hashMultipliers } from "./hash.js";
import type { Ledger } from "./ledger.js";
import type { Order, Run } from "./order.js";
import { SearchStack } from "./stack.js";
import { instantiate } from "./store-code.js";

export class DepthFirst implements Order {
  peakFrontier = 0;
  readonly #run: Run;
  readonly #stack: SearchStack;
  readonly #ends = new Int32Array(1);
  readonly #loopState: LoopState;
  #loop: Loop;

  /** The store holds the initial state, as state 1. */
  constructor(run: Run, ledger: Ledger) {
    this.#run = run;
    this.#stack = new SearchStack(run.store.width, ledger);
    this.#loopState = {
      phase: Phase.expand,
      list: run.offered,
      hashes: new Int32Array(256),
      fresh: new Int32Array(256),
      deepest: 0,
      isCut: false,
      needed: 0,
      touched: 0,
    };
    if (this.#stack.reserve(0)) this.#stack.push(1);
    else run.stop = "memory";
    this.#loop = this.#instantiate();
  }

  get depth(): number {
    return this.#loopState.deepest;
  }

  get frontier(): number {
    return this.#stack.height;
  }

  advance(quota: number): boolean {
    if (this.#run.stop) return false;
    const before = this.#run.store.count;
    for (;;) {
      const event = this.#loop(quota - (this.#run.store.count - before));
      this.peakFrontier = Math.max(this.peakFrontier, this.#loopState.deepest + 1);
      if (event === Event.quota) return true;
      if (event === Event.done) return this.#stop(this.#loopState.isCut ? "depth" : undefined);
      if (!this.#handle(event)) return false;
      if (this.#run.monitor.isDone) return this.#stop("errors");
    }
  }

  pathTo(): Int32Array {
    return this.#stack.ids();
  }

  /** Does what the loop leaves to us; false, with `run.stop` set, when it cannot be done. */
  #handle(event: Event): boolean {
    switch (event) {
      case Event.expanded:
        return this.#settle();
      case Event.full:
        return this.#run.grow();
      case Event.stack:
        return this.#stack.widenTop() && this.#stack.reserve(this.#loopState.needed)
          ? true
          : this.#stop("memory");
      default:
        return this.#tell(event);
    }
  }

  #tell(event: Event): boolean {
    const { model, store, monitor } = this.#run;
    const id = this.#stack.top;
    const state = store.state(id, model.system.width);
    if (event === Event.stuck) monitor.stuck(id, state, 0);
    else for (const index of monitor.invariants) if (!model.holds(index, state, 0)) monitor.broken(index, id);
    return true;
  }

  #settle(): boolean {
    const run = this.#run;
    if (run.offered.count === 0) this.#tell(Event.stuck);
    this.#ends[0] = run.offered.count;
    const list = run.settle(this.#ends, 1, this.#stack.top);
    if (run.model.system.width !== run.store.width) {
      if (!run.widen()) return false;
      if (!this.#stack.widen(run.store.width)) return this.#stop("memory");
      this.#loop = this.#instantiate();
    }
    this.#loopState.list = list;
    if (list.count > this.#loopState.hashes.length) {
      this.#loopState.hashes = new Int32Array(2 * list.count);
      this.#loopState.fresh = new Int32Array(2 * list.count);
    }
    return true;
  }

  #stop(why: "memory" | "errors" | "depth" | undefined): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loop {
    const { model, store, monitor, offered, maxDepth } = this.#run;
    const text = emitLoop(this.#run.shape(), this.#stack.isUniform, monitor.invariants);
    const bindings = {
      model,
      system: model.system,
      store,
      monitor,
      offered,
      run: this.#run,
      stack: this.#stack,
      state: this.#loopState,
      wide: new Int32Array(store.width),
      maxHeight: maxDepth + 1,
      multipliers: hashMultipliers(store.width),
    };
    return instantiate("depth-first search", bindings, text);
  }
}
