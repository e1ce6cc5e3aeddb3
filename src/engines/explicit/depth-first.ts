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
import type { Words } from "../../model/index.js";
import { Event, Phase, emitLoop, type Loop, type LoopState } from "./depth-first-loop.js";
import type { Ledger } from "./ledger.js";
import type { Path } from "./monitor.js";
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

  /** The store holds the initial state, which `first` refers to. */
  constructor(run: Run, first: readonly number[], ledger: Ledger) {
    this.#run = run;
    this.#stack = new SearchStack(run.store.refWords, run.store.waitingWords, ledger);
    this.#loopState = {
      phase: Phase.expand,
      list: run.offered,
      isNoted: false,
      fresh: new Int32Array(256),
      deepest: 0,
      isCut: false,
      needed: 0,
      touched: 0,
    };
    if (this.#stack.reserve(0)) this.#stack.push(first);
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

  pathTo(): Path {
    const { store } = this.#run;
    const refs = this.#stack.refs();
    return {
      length: this.#stack.height,
      state: (index) => store.referred(refs, store.refWords * index, store.width),
    };
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
      case Event.memory:
        return this.#stop("memory");
      default:
        return this.#tell(event);
    }
  }

  #tell(event: Event): boolean {
    const { model, monitor } = this.#run;
    const path = this.pathTo();
    const state = extended(path.state(path.length - 1), model.system.width);
    if (event === Event.stuck) monitor.stuck(TOP, state, 0);
    else
      for (const index of monitor.invariants) if (!model.holds(index, state, 0)) monitor.broken(index, TOP);
    return true;
  }

  #settle(): boolean {
    const run = this.#run;
    if (run.offered.count === 0) this.#tell(Event.stuck);
    this.#ends[0] = run.offered.count;
    const list = run.settle(this.#ends, 1, TOP);
    if (run.model.system.width !== run.store.width) {
      const renewal = run.widen();
      if (!renewal) return false;
      if (!this.#stack.widen(run.store.waitingWords, renewal)) return this.#stop("memory");
      this.#loop = this.#instantiate();
    }
    this.#loopState.isNoted &&= list === this.#loopState.list;
    this.#loopState.list = list;
    if (list.count > this.#loopState.fresh.length) this.#loopState.fresh = new Int32Array(2 * list.count);
    return true;
  }

  #stop(why: "memory" | "errors" | "depth" | undefined): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loop {
    const { model, store, monitor, offered, maxDepth } = this.#run;
    const code = store.code();
    const bindings = {
      ...code.bindings,
      model,
      system: model.system,
      store,
      monitor,
      offered,
      run: this.#run,
      stack: this.#stack,
      state: this.#loopState,
      maxHeight: maxDepth + 1,
    };
    const width = { state: store.width, sibling: this.#stack.width, isUniform: this.#stack.isUniform };
    return instantiate("depth-first search", bindings, emitLoop(code, width, monitor.invariants));
  }
}

/** The monitor asks for the path to where an error is: depth-first, that is always the top of the stack. */
const TOP = 0;

function extended(state: Words, width: number): Words {
  if (state.length === width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
