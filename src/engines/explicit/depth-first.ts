/**
 * Depth-first, in true order: a state is entered when it is first taken from its parent's list of
 * successors, and left when that list is empty.
 *
 * When a state is expanded all its successors are looked up together, so that their cache misses overlap. Those
 * known already are dropped; the first new one is entered at once; the rest wait on the stack and are looked up
 * again when their turn comes. No recursion: the stack is flat (`stack.ts`).
 *
 * The loop does the ordinary; it hands everything rare to the class around it as an event and is called again.
 */
import type { Successors } from "../../model/index.js";
import type { Ledger } from "./ledger.js";
import type { Order, Run } from "./order.js";
import { FRAME_BITS, FRAME_MASK, SIBLING_BITS, SIBLING_MASK, SearchStack } from "./stack.js";
import {
  emitCopy,
  emitFind,
  emitInsert,
  emitLocate,
  emitStoreLocals,
  emitTouch,
  instantiate,
  type StoreShape,
} from "./store-code.js";
import { emitHash, hashMultipliers } from "./hash.js";

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
      phase: Phase.expand, list: run.offered, hashes: new Int32Array(256), fresh: new Int32Array(256), deepest: 0, isCut: false, needed: 0, touched: 0,
    }; // prettier-ignore
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
    const wide = new Int32Array(store.width);
    const parts = {
      model,
      system: model.system,
      store,
      monitor,
      offered,
      run: this.#run,
      stack: this.#stack,
    };
    const bindings = { ...parts, state: this.#loopState, wide, maxHeight: maxDepth + 1 };
    return instantiate(
      "depth-first search",
      { ...bindings, multipliers: hashMultipliers(store.width) },
      text,
    );
  }
}

type Loop = (quota: number) => Event;

/** Where the loop goes on when it is called again. */
const Phase = { expand: 0, resolve: 1, backtrack: 2 } as const;

/** Why the loop came back. */
const Event = {
  quota: 0,
  done: 1,
  /** The top was expanded, but something in the batch is flagged, or states became wider, or the batch is long. */
  expanded: 2,
  /** The store has no room for a new state. */
  full: 3,
  /** The stack has no room, or a narrower chunk came to its top. */
  stack: 4,
  /** The top has no successors. */
  stuck: 5,
  /** The top violates an invariant. */
  broken: 6,
} as const;
type Event = (typeof Event)[keyof typeof Event];

/** What the loop keeps between calls. */
interface LoopState {
  phase: number;
  /** The successors to resolve. */
  list: Successors;
  hashes: Int32Array;
  /** Positions of the entries of the list that are new. */
  fresh: Int32Array;
  deepest: number;
  /** Some state was not expanded because it is too deep. */
  isCut: boolean;
  /** Siblings to make room for. */
  needed: number;
  touched: number;
}

const emitLoop = (shape: StoreShape, isStackUniform: boolean, invariants: readonly number[]): string => `
return function advance(quota) {
  ${emitStoreLocals(shape)}
  const frames = stack.frames, siblings = stack.siblings;
  const frameRoom = stack.frameRoom, siblingRoom = stack.siblingRoom;
  const hashes = state.hashes, fresh = state.fresh;
  let height = stack.height, pending = stack.pending;
  let phase = state.phase, deepest = state.deepest, transitions = run.transitions;
  // The top frame: its state, and how many of the topmost siblings are its successors.
  let top = ${frame("height - 1", 0)}, left = ${frame("height - 1", 1)};
  let event = ${Event.quota};
  let list = state.list;

  search: for (;;) {
    if (phase === ${Phase.expand}) {
      if (--quota < 0) break;
      if (height >= maxHeight) {
        state.isCut = true;
        phase = ${Phase.backtrack};
        continue;
      }
      const id = top;
      ${emitLocate(shape)}
      offered.clear();
      system.successors(from, fromAt, offered);
      list = offered;
      phase = ${Phase.resolve};
      if (offered.isFlagged || offered.stride !== ${shape.width} || offered.count > hashes.length) {
        event = ${Event.expanded};
        break;
      }
      if (offered.count === 0) {
        phase = ${Phase.backtrack};
        if (monitor.checksDeadlock) { event = ${Event.stuck}; break; }
      }
    }

    if (phase === ${Phase.resolve}) {
      const words = list.words, length = list.count;
      for (let i = 0, at = 0; i < length; i++, at += ${shape.width}) {
        ${emitHash(shape.width, shape.compareFrom)}
        hashes[i] = hash;
      }
      ${emitTouch(shape)}
      state.touched = touched; // so that the reads are not optimised away

      let news = 0, firstSlot = 0;
      next: for (let i = 0; i < length; i++) {
        const at = i * ${shape.width}, hash = hashes[i];
        ${emitFind(shape, "continue next;")}
        if (news === 0) firstSlot = slot;
        fresh[news++] = i;
      }
      if (news === 0) {
        transitions += length;
        phase = ${Phase.backtrack};
      } else {
        if (count === room) { event = ${Event.full}; break; }
        if (height === frameRoom || pending + news - 1 > siblingRoom) {
          state.needed = news - 1;
          event = ${Event.stack};
          break;
        }
        for (let k = news - 1; k > 0; k--) {
          const sibling = siblings[pending >>> ${SIBLING_BITS}], to = (pending & ${SIBLING_MASK}) * ${shape.width};
          const at = fresh[k] * ${shape.width};
          ${emitCopy(shape.width, "sibling", "to", "words", "at")}
          pending++;
        }
        left = news - 1;
        transitions += length - left;
        const first = fresh[0], at = first * ${shape.width}, hash = hashes[first], slot = firstSlot;
        ${emitEnter(shape, invariants)}
      }
      continue;
    }

    while (left === 0) {
      if (height === 1) { event = ${Event.done}; break search; }
      height--;
      top = ${frame("height - 1", 0)};
      left = ${frame("height - 1", 1)};
    }
    const words = siblings[(pending - 1) >>> ${SIBLING_BITS}], at = ((pending - 1) & ${SIBLING_MASK}) * ${shape.width};
    ${
      isStackUniform
        ? ""
        : `if (stack.strides[(pending - 1) >>> ${SIBLING_BITS}] !== ${shape.width}) {
      state.needed = 0;
      event = ${Event.stack};
      break;
    }`
    }
    ${emitHash(shape.width, shape.compareFrom)}
    ${emitFind(shape, "{ transitions++; left--; pending--; continue search; }")}
    if (count === room) { event = ${Event.full}; break; }
    transitions++;
    left--;
    pending--;
    ${emitEnter(shape, invariants)}
  }

  store.count = count;
  stack.height = height;
  stack.pending = pending;
  ${frame("height - 1", 1)} = left;
  state.phase = phase;
  state.deepest = deepest;
  state.list = list;
  run.transitions = transitions;
  return event;
};`;

const frame = (level: string, word: 0 | 1): string =>
  `frames[(${level}) >>> ${FRAME_BITS}][2 * ((${level}) & ${FRAME_MASK}) + ${word}]`;

/** Stores the state at `words[at…]`, puts it on top of the stack, and turns to its expansion. */
const emitEnter = (shape: StoreShape, invariants: readonly number[]): string => `
${emitInsert(shape)}
${frame("height - 1", 1)} = left;
top = count;
left = 0;
${frame("height", 0)} = top;
height++;
if (height - 1 > deepest) deepest = height - 1;
phase = ${Phase.expand};
${
  invariants.length > 0
    ? `if (!(${invariants.map((i) => `model.holds(${i}, lastChunk, there)`).join(" && ")})) { event = ${Event.broken}; break search; }`
    : ""
}`;
