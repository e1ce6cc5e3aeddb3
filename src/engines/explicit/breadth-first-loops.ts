/** The loops of breadth-first searches, as text for states of one width: of one thread, or of each of several. */
import { BATCH_SOURCES, emitEnterList, emitExpand, type Entering } from "./batch.js";
import type { LoopCode, SharedCode } from "./loop-code.js";
import { isEnoughBreadthFirst, type Proviso } from "./reduction.js";
import type { Settling } from "./thread-run.js";

export interface Loops extends Settling {
  /** Expands the states from `head` to before `end`, or `quota` of them; the first that is left. */
  advance?(head: number, end: number, quota: number): number;
  /** Writes the successors of the states from `head` on into `offered`; the number of states expanded. */
  expandStates(head: number, end: number): number;
  /**
   * Enters the list from entry `from` on. Returns the entry at which the store had no room, else the list's length; -1
   * without memory for lookups. `isNoted`: `expand` made the list.
   */
  resolve(words: Int32Array, from: number, length: number, head: number, isNoted: boolean): number;
  /** As `resolve`; comes back early, with `progress.isRejected`, behind the entries of a state whose candidate is rejected. */
  resolveReduced(words: Int32Array, from: number, length: number, head: number, sources: number): number;
  /** Checks the invariants on the states from `first` to before `end`. */
  examine(first: number, end: number): void;
}

export const loopNames = (isReduced: boolean): string[] => [
  "expandStates",
  "resolve",
  "examine",
  ...(isReduced ? ["resolveReduced"] : []),
];

export interface LoopShape {
  readonly width: number;
  readonly invariants: readonly number[];
  /** States are expanded by their first candidate. */
  readonly isReduced?: boolean;
  readonly entering?: Pick<Entering, "onFound" | "onEntered">;
}

export const emitLoops = (
  code: SharedCode,
  { width, invariants, isReduced = false, entering = {} }: LoopShape,
): string => `
${code.head}
let unused = 0;
${emitExpand({ ...code, load: code.loadNumbered }, width, isReduced)}

function resolve(words, from, length, head, isNoted) {
  ${emitEnterList(code, {
    isNoted: "isNoted",
    whenFull: "break;",
    step: "i - (origin > 0 ? ends[origin - 1] : 0)",
    ...entering,
  })}
}

function examine(first, end) {
  ${code.locals}
  for (let id = first; id < end; id++) {
    ${code.loadNumbered}
    ${invariants.map((index) => `if (!model.holds(${index}, from, fromAt)) monitor.broken(${index}, id, from, fromAt);`).join("\n    ")}
  }
}`;

/** Counters and requests of `advance`. */
export interface Slice {
  /** Transitions and new states. */
  counted: number;
  stored: number;
  peak: number;
  /** States of the batch that could not be entered as a whole, and the number of its entries that are in. */
  sources: number;
  entered: number;
  /** Is there room for one more state now? */
  makeRoom(): boolean;
  /** There was no memory to look a batch up. */
  lookedInVain(): void;
  /** State `id` has no successor. */
  stuck(id: number): void;
}

/** Batch after batch; comes back early when there is no room, or enough errors were seen. */
export const emitAdvance = (checksDeadlock: boolean, hasInvariants: boolean): string => `
function advance(head, end, quota) {
  const last = quota < end - head ? head + quota : end;
  while (head < last) {
    const sources = expandStates(head, Math.min(end, head + ${BATCH_SOURCES}));
    ${
      checksDeadlock
        ? `for (let i = 0, before = 0; i < sources; before = ends[i++])
      // sound: test/engines/explicit/settling.test.ts test/engines/explicit/leaving.test.ts
      if (ends[i] === before) slice.stuck(head + i);`
        : ""
    }
    const isSettled = offered.isFlagged;
    if (isSettled) settle(ends, sources, head);
    const length = isSettled ? nominal.count : offered.count;
    slice.counted += length;
    let entered = 0, isEntered = true;
    for (;;) {
      const known = store.count;
      entered = resolve(isSettled ? nominal.words : offered.words, entered, length, head, !isSettled);
      slice.stored += store.count - known;
      ${hasInvariants ? "examine(known + 1, store.count + 1);" : ""}
      // sound: test/engines/explicit/leaving.test.ts test/engines/explicit/settling.test.ts
      if (entered === length) break;
      // sound: test/engines/explicit/leaving.test.ts test/engines/explicit/settling.test.ts
      if (entered < 0) { entered = 0; isEntered = false; slice.lookedInVain(); break; }
      // sound: test/engines/explicit/leaving.test.ts test/engines/explicit/settling.test.ts
      if (!slice.makeRoom()) { isEntered = false; break; }
    }
    if (!isEntered) {
      slice.counted -= length - entered;
      slice.sources = sources; slice.entered = entered;
      return head;
    }
    head += sources;
    if (store.count + 1 - head > slice.peak) slice.peak = store.count + 1 - head;
    // sound: test/engines/explicit/settling.test.ts test/engines/explicit/leaving.test.ts
    if (monitor.isDone) return head;
  }
  return head;
}`;

/** States with higher numbers than the one being expanded are those still to be expanded. */
export const emitResolveReduced = (code: LoopCode, proviso: Proviso): string => `
function resolveReduced(words, from, length, head, sources) {
  ${code.locals}
  ${code.prepare("false", "return -1;", "progress.isPrepared")}
  progress.isPrepared = true;
  unused = touched;
  let { origin, first, waiting } = progress;
  let i = from;
  next: for (;;) {
    // sound: test/engines/explicit/provisos.test.ts
    while (origin < sources && i === ends[origin]) {
      const total = i - first;
      // sound: test/engines/explicit/provisos.test.ts
      if (attempts[origin] !== 0 && !(${isEnoughBreadthFirst(proviso)})) {
        progress.isRejected = true;
        break next;
      }
      if (attempts[origin] !== 0) reduction.reduced++;
      origin++;
      first = i; waiting = 0;
    }
    if (i === length) break;
    ${code.entry("i")}
    // sound: test/engines/explicit/provisos.test.ts
    ${code.find(`{ if (${code.foundId} > head + origin) waiting++; i++; continue next; }`)}
    if (${code.isFull}) break;
    ${code.insert("head + origin", "0")}
    waiting++; i++;
  }
  store.count = count;
  progress.origin = origin; progress.first = first; progress.waiting = waiting;
  return i;
}`;
