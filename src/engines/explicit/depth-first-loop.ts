/**
 * The text of the depth-first loop. It handles the common case; for rare ones it saves its state, returns an event, and is
 * called again.
 */
import type { Successors } from "../../model/index.js";
import type { LoopCode } from "./loop-code.js";
import type { Settling } from "./thread-run.js";
import type { Proviso } from "./reduction.js";
import { FRAME_BITS, FRAME_MASK, SIBLING_BITS, SIBLING_MASK } from "./stack.js";

export interface Loop extends Settling {
  /** Runs until `quota` states are expanded or an event needs handling. */
  advance(quota: number): Event;
  /** Removes siblings that are known by now; returns their number. */
  purge(): number;
}

/** Point at which the loop resumes. */
export const Phase = { expand: 0, resolve: 1, backtrack: 2, examine: 3 } as const;

/** Reason for leaving the loop. */
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
  /** There is no memory to look states up. */
  memory: 7,
  /** There is no room for the mark of another state that it is on the stack. */
  marks: 8,
  /** The monitor was notified. */
  told: 9,
} as const;
export type Event = (typeof Event)[keyof typeof Event];

/** State of the loop between calls. */
export interface LoopState {
  phase: number;
  /** The successors to resolve. */
  list: Successors;
  /** The store has taken note of the list when it was made. */
  isNoted: boolean;
  /** Positions of the entries of the list that are new. */
  fresh: Int32Array;
  deepest: number;
  /** Some state was not expanded because it is too deep. */
  isCut: boolean;
  /** Siblings to make room for. */
  needed: number;
  touched: number;
  /** Transitions of the last call. */
  counted: number;
  /** At the top: candidates tried, their number, and whether the list belongs to the last one. */
  tried: number;
  candidates: number;
  isCandidate: boolean;
  /** A candidate of the top was rejected. */
  isRejected: boolean;
}

/** In words. */
export interface Widths {
  readonly state: number;
  readonly sibling: number;
  /** All chunks of siblings have this width. */
  readonly isUniform: boolean;
}

export const emitLoop = (
  code: LoopCode,
  width: Widths,
  invariants: readonly number[],
  proviso: Proviso | undefined,
  isSettling = false,
  isNoEnd = "",
): string => `
${code.head}
function advance(quota) {
  ${code.locals}
  const frames = stack.frames, siblings = stack.siblings;
  const frameRoom = stack.frameRoom, siblingRoom = stack.siblingRoom;
  const fresh = state.fresh;
  let height = stack.height, pending = stack.pending;
  let phase = state.phase, deepest = state.deepest, transitions = 0;
  // The top frame: what refers to its state, and how many of the topmost siblings are its successors.
  let ${code.ref.map((_, k) => `top${k} = ${frame(code, "height - 1", k)}`).join(", ")};
  let rest = ${frame(code, "height - 1", code.ref.length)};
  let event = ${Event.quota};
  let list = state.list;
  ${proviso ? "const onStack = run.onStack, onStackRoom = 32 * onStack.length;" : ""}

  search: for (;;) {
    ${invariants.length > 0 ? emitExamine(code, invariants) : ""}
    if (phase === ${Phase.expand}) {
      if (--quota < 0) break;
      // sound: test/engines/explicit/stack.test.ts
      if (height >= maxHeight) {
        state.isCut = true;
        phase = ${Phase.backtrack};
        continue;
      }
      ${code.load(code.ref.map((_, k) => `top${k}`))}
      offered.clear();
      ${proviso ? emitCandidate : "system.successors(from, fromAt, offered);"}
      list = offered;
      phase = ${Phase.resolve};
      ${isSettling ? emitSettling : ""}
      // sound: test/engines/explicit/stack.test.ts
      state.isNoted = !offered.isFlagged && offered.stride === ${width.state};
      // sound: test/engines/explicit/stack.test.ts test/engines/explicit/settling.test.ts
      if (${isSettling ? "(!state.isNoted && list === offered) || list.count > fresh.length" : "!state.isNoted || offered.count > fresh.length"}) {
        state.isNoted = false;
        event = ${Event.expanded};
        break;
      }
      const first = 0;
      ${code.note}
      if (offered.count === 0) {
        phase = ${Phase.backtrack};
        ${isSettling ? emitStuck(isNoEnd) : `if (monitor.checksDeadlock) { event = ${Event.stuck}; break; }`}
      }
    }

    if (phase === ${Phase.resolve}) {
      const words = list.words, length = list.count;
      ${code.prepare("state.isNoted", `{ event = ${Event.memory}; break; }`)}
      state.touched = touched; // so that the reads are not optimised away

      let news = 0, firstSlot = 0${proviso ? ", closing = 0" : ""};
      // sound: test/engines/explicit/stack.test.ts
      next: for (let i = 0; i < length; i++) {
        ${code.entry("i")}
        ${code.find(proviso ? `{ closing += onStack[${code.foundId} >>> 5] >>> (${code.foundId} & 31) & 1; continue next; }` : "continue next;")}
        // sound: test/engines/explicit/stack.test.ts
        if (news === 0) firstSlot = slot;
        fresh[news++] = i;
      }
      ${proviso ? emitProviso(proviso) : ""}
      // sound: test/engines/explicit/stack.test.ts
      if (news === 0) {
        transitions += length;
        ${proviso ? "if (state.isCandidate) reduction.reduced++;" : ""}
        phase = ${Phase.backtrack};
      } else {
        const slot = firstSlot;
        if (${code.isFull}) { event = ${Event.full}; break; }
        ${proviso ? emitStackRoom : ""}
        // sound: test/engines/explicit/stack.test.ts
        if (height === frameRoom || pending + news - 1 > siblingRoom) {
          state.needed = news - 1;
          event = ${Event.stack};
          break;
        }
        // sound: test/engines/explicit/stack.test.ts
        for (let k = news - 1; k > 0; k--) {
          const sibling = siblings[pending >>> ${SIBLING_BITS}], to = (pending & ${SIBLING_MASK}) * ${width.sibling};
          ${code.entry("fresh[k]")}
          ${code.wait("sibling", "to")}
          pending++;
        }
        rest = news - 1;
        transitions += length - rest;
        ${code.entry("fresh[0]")}
        ${proviso ? "if (state.isCandidate) reduction.reduced++;" : ""}
        ${emitEnter(code, invariants, proviso)}
      }
      continue;
    }

    // sound: test/engines/explicit/stack.test.ts
    while (rest === 0) {
      // sound: test/engines/explicit/stack.test.ts
      if (height === 1) { event = ${Event.done}; break search; }
      height--;
      ${proviso ? "onStack[top0 >>> 5] &= ~(1 << (top0 & 31));" : ""}
      ${code.ref.map((_, k) => `top${k} = ${frame(code, "height - 1", k)};`).join(" ")}
      rest = ${frame(code, "height - 1", code.ref.length)};
    }
    const waiting = siblings[(pending - 1) >>> ${SIBLING_BITS}], waitingAt = ((pending - 1) & ${SIBLING_MASK}) * ${width.sibling};
    ${
      width.isUniform
        ? ""
        : `if (stack.strides[(pending - 1) >>> ${SIBLING_BITS}] !== ${width.sibling}) { // sound: test/engines/explicit/stack.test.ts
      state.needed = 0;
      event = ${Event.stack};
      break;
    }`
    }
    ${code.resume("waiting", "waitingAt")}
    ${code.find("{ transitions++; rest--; pending--; continue search; }")}
    if (${code.isFull}) { event = ${Event.full}; break; }
    ${proviso ? emitStackRoom : ""}
    transitions++;
    rest--;
    pending--;
    ${emitEnter(code, invariants, proviso)}
  }

  store.count = count;
  stack.height = height;
  stack.pending = pending;
  ${frame(code, "height - 1", code.ref.length)} = rest;
  state.phase = phase;
  state.deepest = deepest;
  state.list = list;
  state.counted = transitions;
  return event;
}
${emitPurge(code, width)}`;

/** A sibling that was visited elsewhere while it waited would be skipped at its turn. */
const emitPurge = (code: LoopCode, width: Widths): string => `
function purge() {
  ${code.locals}
  const frames = stack.frames, siblings = stack.siblings;
  const height = stack.height;
  let next = 0, kept = 0;
  for (let level = 0; level < height; level++) {
    const end = next + ${frame(code, "level", code.ref.length)}, before = kept;
    look: for (; next < end; next++) {
      const waiting = siblings[next >>> ${SIBLING_BITS}], waitingAt = (next & ${SIBLING_MASK}) * ${width.sibling};
      ${code.resume("waiting", "waitingAt")}
      ${code.find("continue look;")}
      const place = siblings[kept >>> ${SIBLING_BITS}], placeAt = (kept & ${SIBLING_MASK}) * ${width.sibling};
      for (let k = 0; k < ${width.sibling}; k++) place[placeAt + k] = waiting[waitingAt + k];
      kept++;
    }
    ${frame(code, "level", code.ref.length)} = kept - before; // sound: test/engines/explicit/purging.test.ts
  }
  stack.pending = kept;
  return next - kept;
}`;

/** The monitor asks for the path to the top of the stack. */
const emitStuck = (isNoEnd: string): string => `if (monitor.checksDeadlock${isNoEnd && ` && ${isNoEnd}`}) {
  ${isNoEnd && "if (monitor.countsDeadlocks) monitor.moreDeadlocks++; else"} {
    stack.height = height;
    stack.stuck();
    if (monitor.isDone) { event = ${Event.told}; break; }
  }
}`;

/** Intermediate states are run through at once; errors there go to the monitor. */
const emitSettling = `if (offered.isFlagged) {
  stack.height = height;
  ends[0] = offered.count;
  settle(ends, 1, 0);
  list = nominal;
  if (monitor.isDone) { state.isNoted = false; event = ${Event.told}; break; }
}`;

function frame({ ref }: LoopCode, level: string, word: number): string {
  return `frames[(${level}) >>> ${FRAME_BITS}][${ref.length + 1} * ((${level}) & ${FRAME_MASK}) + ${word}]`;
}

/** Stores the named state, puts it on top of the stack, and turns to it. */
const emitEnter = (code: LoopCode, invariants: readonly number[], proviso: Proviso | undefined): string => `
${code.insert("top0", "")}
${proviso ? "onStack[count >>> 5] |= 1 << (count & 31); state.tried = 0; state.isRejected = false;" : ""}
${frame(code, "height - 1", code.ref.length)} = rest;
rest = 0;
${code.ref.map((ref, k) => `${frame(code, "height", k)} = top${k} = ${ref};`).join("\n")}
height++;
if (height - 1 > deepest) deepest = height - 1;
phase = ${invariants.length > 0 ? Phase.examine : Phase.expand};`;

/** The successors by the next candidate that has any, or all successors when there is none left. */
const emitCandidate = `
if (state.tried === 0) state.candidates = candidates.propose(from, fromAt, agents);
// sound: test/engines/explicit/provisos.test.ts
while (state.tried < state.candidates && offered.count === 0)
  candidates.successorsOf(agents[state.tried++], from, fromAt, offered);
state.isCandidate = offered.count > 0;
// sound: test/engines/explicit/provisos.test.ts
if (!state.isCandidate) {
  if (state.isRejected) reduction.fullByProviso++;
  state.isRejected = false;
  system.successors(from, fromAt, offered);
}`;

/**
 * Among the candidate's successors `news` are new and `closing` close a cycle. A new state will not be on the stack when its
 * turn comes, and a state on the stack now still will be, so the proviso can be decided here.
 */
function emitProviso(proviso: Proviso): string {
  const isEnough = {
    // sound: test/engines/explicit/provisos.test.ts
    stack: "closing < length",
    none: "length > 0",
  };
  if (!(proviso in isEnough)) throw new Error(`the proviso '${proviso}' is none of depth-first search`);
  return `
// sound: test/engines/explicit/provisos.test.ts
if (state.isCandidate && !(${isEnough[proviso as keyof typeof isEnough]})) {
  transitions += length;
  if (length > 0) { reduction.rejected++; state.isRejected = true; }
  phase = ${Phase.expand};
  continue;
}`;
}

const emitStackRoom = `if (count + 1 >= onStackRoom) { event = ${Event.marks}; break; }`;

const emitExamine = (code: LoopCode, invariants: readonly number[]): string => `
if (phase === ${Phase.examine}) {
  phase = ${Phase.expand};
  ${code.load(code.ref.map((_, k) => `top${k}`))}
  if (!(${invariants.map((i) => `model.holds(${i}, from, fromAt)`).join(" && ")})) { event = ${Event.broken}; break; }
}`;
