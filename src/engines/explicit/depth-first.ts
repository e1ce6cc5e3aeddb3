/**
 * Depth-first search in true order: a state is entered when it is first taken from its parent's list of successors, and left
 * when that list is empty.
 *
 * All successors of an expanded state are looked up together, so that their cache misses overlap. Known ones are dropped; the
 * first new one is entered at once; the rest wait on the stack and are looked up again when their turn comes. No recursion:
 * the stack is flat (`stack.ts`).
 *
 * The loop itself is text (`depth-first-loop.ts`); this class handles its events.
 */
import type { Words } from "../../model/index.js";
import { Event, Phase, emitLoop, type Loop, type LoopState } from "./depth-first-loop.js";
import type { Ledger } from "./ledger.js";
import type { Path } from "./monitor.js";
import { emitSettle } from "./settle-code.js";
import type { Order, Run } from "./order.js";
import { SearchStack } from "./stack.js";

export class DepthFirst implements Order {
  peakFrontier = 0;
  readonly #run: Run;
  readonly #stack: SearchStack;
  readonly #ends: Int32Array;
  readonly #loopState: LoopState;
  readonly #ledger: Ledger;
  #loop: Loop;

  /** The store holds the initial state, which `first` refers to. */
  constructor(run: Run, first: readonly number[], ledger: Ledger) {
    this.#run = run;
    this.#ends = run.array(1);
    const stuck = (): void => void this.#tell(Event.stuck);
    this.#stack = new SearchStack(run.store.refWords, run.store.waitingWords, ledger, stuck);
    this.#loopState = {
      phase: Phase.expand,
      list: run.offered,
      isNoted: false,
      fresh: run.array(256),
      deepest: 0,
      isCut: false,
      needed: 0,
      touched: 0,
      counted: 0,
      tried: 0,
      candidates: 0,
      isCandidate: false,
      isRejected: false,
    };
    this.#ledger = ledger;
    if (run.reduction && !this.#growMarks()) run.stop = "memory";
    if (run.onStack.length > 0) run.onStack[0] = 2; // the initial state is number 1
    if (this.#stack.reserve(0)) this.#stack.push(first);
    else run.stop = "memory";
    this.#loop = run.made(() => this.#instantiate());
  }

  get depth(): number {
    return this.#loopState.deepest;
  }

  get frontier(): number {
    return this.#stack.height;
  }

  advance(quota: number): boolean {
    if (this.#run.stop) return false;
    if (this.#run.becomesLarge()) this.#loop = this.#run.made(() => this.#instantiate());
    const before = this.#run.store.count;
    for (;;) {
      const event = this.#loop.advance(quota - (this.#run.store.count - before));
      this.#run.transitions += this.#loopState.counted;
      this.peakFrontier = Math.max(this.peakFrontier, this.#loopState.deepest + 1);
      if (event === Event.quota) return true;
      // sound: test/engines/explicit/conditions.test.ts
      if (event === Event.done) return this.#stop(this.#loopState.isCut ? "depth" : undefined);
      if (!this.#handle(event)) return false;
      if (this.#run.isLeaving) {
        this.#run.leave();
        this.#loop = this.#instantiate();
        // The store's new code has not seen the list, which may be resolved only in part.
        // sound: test/engines/explicit/leaving.test.ts
        this.#loopState.isNoted = false;
      }
      if (this.#run.monitor.isDone) return this.#stop("errors");
    }
  }

  pathTo(): Path {
    const { store } = this.#run;
    const { width } = store;
    const refs = this.#stack.refs();
    return {
      length: this.#stack.height,
      state: (index) => store.referred(refs, store.refWords * index, width),
    };
  }

  /** Handles an event of the loop; false, with `run.stop` set, on failure. */
  #handle(event: Event): boolean {
    switch (event) {
      case Event.expanded:
        return this.#settle();
      case Event.full:
        return this.#run.grow();
      case Event.stack:
        this.#purge();
        return this.#stack.widenTop() && this.#stack.reserve(this.#loopState.needed)
          ? true
          : this.#stop("memory");
      case Event.memory:
        return this.#run.isLeaving || this.#stop("memory");
      case Event.marks:
        return this.#growMarks() || this.#stop("memory");
      case Event.told:
        return true;
      default:
        return this.#tell(event);
    }
  }

  #tell(event: Event): boolean {
    const { model, monitor, store } = this.#run;
    const state = extended(store.referred(this.#stack.topRef(), 0, store.width), model.system.width);
    if (event === Event.stuck) monitor.stuck(TOP, state, 0);
    else
      for (const index of monitor.invariants)
        if (!model.holds(index, state, 0)) monitor.broken(index, TOP, state, 0);
    return true;
  }

  #settle(): boolean {
    const run = this.#run;
    // sound: test/engines/explicit/stuck.test.ts
    if (run.offered.count === 0) this.#tell(Event.stuck);
    this.#ends[0] = run.offered.count;
    // The loop hands over a list that it has settled when only `fresh` is too short: settling again would report its faults twice.
    // sound: test/engines/explicit/settling.test.ts
    const isSettled = this.#loopState.list === run.nominal;
    const list = isSettled ? run.nominal : run.settle(this.#ends, 1, TOP, this.#loop);
    if (run.model.system.width !== run.store.width) {
      const renewal = run.widen();
      if (!renewal) return false;
      if (!this.#stack.widen(run.store.waitingWords, renewal)) return this.#stop("memory");
      this.#loop = this.#instantiate();
    }
    this.#loopState.isNoted &&= list === this.#loopState.list;
    this.#loopState.list = list;
    if (list.count > this.#loopState.fresh.length) this.#loopState.fresh = run.array(2 * list.count);
    return true;
  }

  /** Deep searches keep several siblings a level, most of which are visited from elsewhere before their turn. */
  #purge(): void {
    const { isUniform, pending } = this.#stack;
    // Chunks of other widths hold narrower states, which the loop's code does not look up.
    if (!isUniform || pending < this.#run.purgeAt) return;
    this.#run.transitions += this.#loop.purge();
    // Each sibling is looked up twice at most, on average.
    this.#run.purgeAt = Math.max(this.#run.purgeAt, 2 * this.#stack.pending);
  }

  /** Room for more marks of states that are on the stack. */
  #growMarks(): boolean {
    const run = this.#run;
    const marks = this.#ledger.allocate(Math.max(FIRST_MARKS, 2 * run.onStack.length));
    if (!marks) return false;
    marks.set(run.onStack);
    if (run.onStack.length > 0) this.#ledger.free(run.onStack);
    run.onStack = marks;
    return true;
  }

  #stop(why: "memory" | "errors" | "depth" | undefined): false {
    this.#run.stop = why;
    return false;
  }

  #instantiate(): Loop {
    const { store, monitor, maxDepth, reduction } = this.#run;
    const code = store.code();
    // The keys of a noted list are in buffers of the loops before: a list that waits to be resolved needs new ones.
    this.#loopState.isNoted = false; // sound: test/engines/explicit/leaving.test.ts
    const bindings = {
      ...this.#run.bindings(code),
      run: this.#run,
      stack: this.#stack,
      state: this.#loopState,
      maxHeight: maxDepth + 1,
      reduction,
      agents: reduction?.agents,
      ends: this.#ends,
    };
    const width = { state: store.width, sibling: this.#stack.width, isUniform: this.#stack.isUniform };
    const { active, model, hashBits, isNoEnd } = this.#run;
    const isStep = active !== undefined;
    const text = emitLoop(code, width, monitor.invariants, reduction?.proviso, isStep, isNoEnd);
    const settle = active ? emitSettle(store.width, model.system.compareFrom, false, hashBits) : "";
    const functions = ["advance", "purge", ...(active ? ["settle"] : [])];
    return this.#run.instantiate("depth-first search", bindings, text + settle, functions);
  }
}

/** Words of marks to begin with. */
const FIRST_MARKS = 1 << 10;

/** Depth-first, the path to an error always ends at the top of the stack. */
const TOP = 0;

function extended(state: Words, width: number): Words {
  if (state.length === width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
