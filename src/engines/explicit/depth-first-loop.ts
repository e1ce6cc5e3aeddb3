/**
 * The text of the depth-first loop. It does the ordinary; whatever is rare it hands back as an event, with everything
 * written where it can go on from, and is called again.
 */
import type { Successors } from "../../model/index.js";
import { emitHash } from "./hash.js";
import { FRAME_BITS, FRAME_MASK, SIBLING_BITS, SIBLING_MASK } from "./stack.js";
import {
  emitCopy,
  emitFind,
  emitInsert,
  emitLocate,
  emitStoreLocals,
  emitTouch,
  type StoreShape,
} from "./store-code.js";

/** Runs until `quota` states are expanded or something is not its business. */
export type Loop = (quota: number) => Event;

/** Where the loop goes on when it is called again. */
export const Phase = { expand: 0, resolve: 1, backtrack: 2 } as const;

/** Why the loop came back. */
export const Event = {
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
export type Event = (typeof Event)[keyof typeof Event];

/** What the loop keeps between calls. */
export interface LoopState {
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

export const emitLoop = (
  shape: StoreShape,
  isStackUniform: boolean,
  invariants: readonly number[],
): string => `
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
