/** The loops of breadth-first searches, as text for states of one width: of one thread, or of each of several. */
import { BATCH_SOURCES, emitEnterList, emitExpand } from "./batch.js";
import type { SharedCode, Visited } from "./loop-code.js";
import type { BatchReduction } from "./reduction.js";
import { emitSettle } from "./settle-code.js";
import type { Settling, ThreadRun } from "./thread-run.js";

export interface Loops extends Settling {
  /** Expands the states from `head` to before `end`, or `quota` of them; the first that is left. */
  advance?(head: number, end: number, quota: number): number;
  /** Writes the successors of the states from `head` on into `offered`; the number of states expanded. */
  expandStates(head: number, end: number): number;
  /**
   * Enters the list from entry `from` on. Returns the entry at which the store had no room, or behind the entries of a state whose
   * candidate is rejected, else the list's length; -1 without memory for lookups. `isNoted`: `expand` made the list.
   */
  resolve(words: Int32Array, from: number, length: number, head: number, isNoted: boolean): number;
  /** Checks the invariants on the states from `first` to before `end`. */
  examine(first: number, end: number): void;
}

export interface LoopParts {
  readonly width: number;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly ends: Int32Array;
  /** Absent: there is no `advance`. */
  readonly slice?: Slice;
  /** By entry of the list: the state it turned out to be. Absent: not wanted. */
  readonly found?: { targets: Int32Array } | undefined;
  /** States are expanded by their first candidate. */
  readonly reduction?: BatchReduction | undefined;
}

/** A store of one thread, or a worker's side of one that others write to at the same time (`parallel/tables`). */
type LoopStore = Pick<Visited, "recover"> & { code(): SharedCode };

export function breadthFirstLoops(run: ThreadRun<LoopStore>, parts: LoopParts): Loops {
  const { store, active, monitor, model } = run;
  const { width, reduction, slice } = parts;
  const { attempts, ahead, counts } = reduction ?? {};
  const code = store.code();
  const bindings = { ...run.bindings(code), ...parts, agents: counts?.agents, attempts, ahead };
  const { checksDeadlock, invariants } = monitor;
  const settle = active ? emitSettle(width, model.system.compareFrom, false, run.hashBits) : "";
  const hasAdvance = active !== undefined && slice !== undefined && !reduction;
  const stuck = checksDeadlock ? emitStuck(code, run.isNoEnd) : undefined;
  const advance = hasAdvance ? emitAdvance(stuck, invariants.length > 0) : "";
  const names = ["expandStates", "resolve", "examine"];
  const functions = [...names, ...(active ? ["settle"] : []), ...(hasAdvance ? ["advance"] : [])];
  const text = emitLoops(code, parts, invariants) + settle + advance;
  return run.instantiate("breadth-first search", bindings, text, functions);
}

const emitLoops = (
  code: SharedCode,
  { width, found, reduction }: LoopParts,
  invariants: readonly number[],
): string => `
${code.head}
${reduction?.head ?? ""}
let unused = 0;
${emitExpand({ ...code, load: code.loadNumbered }, width, reduction !== undefined)}

function resolve(words, from, length, head, isNoted) {
  ${emitEnterList(code, {
    isNoted: "isNoted",
    whenFull: "break;",
    step: "i - (origin > 0 ? ends[origin - 1] : 0)",
    ...emitEntering(code, found !== undefined, reduction),
  })}
}

function examine(first, end) {
  ${code.locals}
  for (let id = first; id < end; id++) {
    ${code.loadNumbered}
    ${invariants.map((index) => `if (!model.holds(${index}, from, fromAt)) monitor.broken(${index}, id, from, fromAt);`).join("\n    ")}
  }
}`;

/** Notes which state each entry is, and whether it is still to be expanded. */
function emitEntering({ foundId = "" }: SharedCode, keepsTargets: boolean, reduction?: BatchReduction) {
  if (!keepsTargets && !reduction) return {};
  const keep = (id: string): string => (keepsTargets ? `found.targets[i] = ${id};` : "");
  return {
    onFound: `${keep(foundId)}${reduction ? `if (${reduction.isAhead(foundId)}) ahead[origin]++;` : ""}`,
    onEntered: `${keep("count")}${reduction ? "ahead[origin]++;" : ""}`,
    onOrigin: reduction?.onOrigin,
  };
}

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

/** State `id` has no successor. */
const emitStuck = (code: SharedCode, isNoEnd: string): string => `
function stuck(id) {
  ${code.locals}
  ${isNoEnd && `${code.loadNumbered} if (!(${isNoEnd})) return;`}
  ${isNoEnd && "if (monitor.countsDeadlocks) monitor.moreDeadlocks++; else"} slice.stuck(id);
}`;

/** Batch after batch; comes back early when there is no room, or enough errors were seen. */
const emitAdvance = (stuck: string | undefined, hasInvariants: boolean): string => `
${stuck ?? ""}
function advance(head, end, quota) {
  const last = quota < end - head ? head + quota : end;
  while (head < last) {
    const sources = expandStates(head, Math.min(end, head + ${BATCH_SOURCES}));
    ${
      stuck
        ? `for (let i = 0, before = 0; i < sources; before = ends[i++])
      // sound: test/engines/explicit/settling.test.ts test/engines/explicit/leaving.test.ts
      if (ends[i] === before) stuck(head + i);`
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
