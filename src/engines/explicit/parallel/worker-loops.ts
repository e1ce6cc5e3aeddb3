/**
 * The breadth-first loops of one worker, over a store that others write to at the same time.
 *
 * Tables are read without ceremony. What is kept of a new state, and its parent, are written to a place that only this worker
 * knows; then a free place of the table is claimed (`tables/`). Whoever loses the race looks again. Chunks are
 * only added between rounds, so every id in the table can be followed.
 */
import type { Model, Successors, Words } from "../../../model/index.js";
import { emitExpand } from "../batch.js";
import type { SafetyMonitor } from "../monitor.js";
import { instantiate } from "../store-code.js";
import type { LevelReduction } from "./level-proviso.js";
import type { SharedCode, WorkerStore, WorkerTable } from "./tables/table.js";

export interface WorkerLoops {
  /** Of the states they are for, in words. */
  readonly width: number;
  /** Writes the successors of the states from `head` on into `offered`; the number of states expanded. */
  expandStates(head: number, end: number): number;
  /**
   * Makes the list ready, and brings what it will be compared with into the cache; negative when there is no room for that.
   * `isNoted`: it is what `expand` made.
   */
  touch(words: Int32Array, length: number, isNoted: boolean): number;
  /** Enters the list from entry `from` on; the entry at which there was no id left, else the list's length. */
  resolve(words: Int32Array, from: number, length: number, head: number): number;
  /** Checks the invariants on the states from `first` to before `end`. */
  examine(first: number, end: number): void;
  /** State `id`, until the next one is asked for. */
  locate(id: number): { readonly words: Words; readonly at: number };
}

export interface LoopParts {
  readonly model: Model;
  readonly store: WorkerStore;
  readonly visited: WorkerTable;
  readonly monitor: SafetyMonitor;
  readonly offered: Successors;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly ends: Int32Array;
  /** By entry of the list: the state it turned out to be. Absent: nobody wants to know. */
  readonly found?: { targets: Int32Array };
  readonly reduction?: LevelReduction | undefined;
}

export function workerLoops(parts: LoopParts, chunkBits: number, entryWords: number): WorkerLoops {
  const { model, monitor, reduction, visited } = parts;
  const code = visited.code();
  return instantiate(
    "parallel breadth-first search",
    {
      ...parts,
      ...code.bindings,
      system: model.system,
      candidates: model.system.candidates,
      agents: reduction?.agents,
      attempts: reduction?.attempts,
      ahead: reduction?.ahead,
    },
    emitLoops(code, {
      width: model.system.width,
      chunkBits,
      entryWords,
      invariants: monitor.invariants,
      keepsTargets: parts.found !== undefined,
      isReduced: reduction !== undefined,
    }),
  );
}

interface LoopShape {
  readonly width: number;
  readonly chunkBits: number;
  /** What is kept of a state, in words. */
  readonly entryWords: number;
  readonly invariants: readonly number[];
  readonly keepsTargets: boolean;
  readonly isReduced: boolean;
}

const emitLoops = (code: SharedCode, shape: LoopShape): string => `
${shape.isReduced ? emitIsAhead : ""}
${code.head}
${emitExpand(code, shape.width, shape.isReduced)}

function touch(words, length, isNoted) {
  ${code.locals}
  let touched = 0;
  ${code.prepare}
  return touched & 1; // so that the reads are not optimised away
}

function resolve(words, from, length, head) {
  ${code.locals}
  ${code.prepared}
  // A block of ids lies within one chunk.
  const ownIndex = store.nextId >>> ${shape.chunkBits}, ownFirst = ownIndex << ${shape.chunkBits};
  const ownChunk = chunks[ownIndex], ownParents = store.parents[ownIndex], endId = store.endId;
  ${shape.keepsTargets ? "const targets = found.targets;" : ""}
  let nextId = store.nextId;
  let source = 0;
  let i = from;
  // sound: test/engines/parallel/tables.test.ts
  next: for (; i < length; i++) {
    ${code.entry}
    ${shape.isReduced ? "while (ends[source] <= i) source++;" : ""}
    for (;;) {
      ${code.find(emitFound(code, shape))}
      // sound: test/engines/parallel/tables.test.ts
      if (nextId === endId) break next;
      ${shape.isReduced ? "" : "while (ends[source] <= i) source++;"}
      const there = (nextId - ownFirst) * ${shape.entryWords};
      ${code.keep("i - (source > 0 ? ends[source - 1] : 0)")}
      ownParents[nextId - ownFirst] = head + source;
      ${code.claim("break;")}
      // Another worker was faster, perhaps with the same state.
    }
    ${shape.keepsTargets ? "targets[i] = nextId;" : ""}
    ${shape.isReduced ? "ahead[source]++;" : ""}
    nextId++;
  }
  store.nextId = nextId;
  return i;
}

function examine(first, end) {
  ${code.locals}
  for (let id = first; id < end; id++) {
    ${code.load}
    ${shape.invariants.map((index) => `if (!model.holds(${index}, from, fromAt)) monitor.broken(${index}, id, from, fromAt);`).join("\n    ")}
  }
}

function locate(id) {
  ${code.locals}
  ${code.load}
  return { words: from, at: fromAt };
}

return { width: ${shape.width}, expandStates, touch, resolve, examine, locate };`;

const emitFound = ({ foundId }: SharedCode, { keepsTargets, isReduced }: LoopShape): string => `{
  ${keepsTargets ? `targets[i] = ${foundId};` : ""}
  ${isReduced ? `if (isAhead(${foundId})) ahead[source]++;` : ""}
  continue next;
}`;

/** Is it of the next level? */
const emitIsAhead = `
function isAhead(id) {
  if (id >= reduction.freeFrom) return true;
  const free = reduction.free;
  for (let k = 0; k < free.length; k += 2) if (id >= free[k] && id < free[k + 1]) return true;
  return false;
}`;
