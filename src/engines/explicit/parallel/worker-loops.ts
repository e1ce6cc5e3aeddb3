/**
 * The breadth-first loops of one worker, over a store that others write to at the same time.
 *
 * The table is read without ceremony. A free slot is claimed with one compare-and-exchange, after the state's words and
 * its parent were written to a place that only this worker knows: whoever sees the entry sees the state. Whoever
 * loses the race looks again. Chunks are only added between rounds, so every id in the table can be followed.
 */
import type { Model, Successors } from "../../../model/index.js";
import { emitHash, hashMultipliers } from "../hash.js";
import type { SafetyMonitor } from "../monitor.js";
import { emitFirstCandidate } from "../reduction.js";
import { emitCopy, emitFind, emitLocate, emitTouch, instantiate, type StoreShape } from "../store-code.js";
import type { LevelReduction } from "./level-proviso.js";
import type { SharedWords } from "./protocol.js";

/** The store as a worker sees it. */
export interface WorkerStore {
  chunks: SharedWords[];
  parents: SharedWords[];
  table: SharedWords;
  mask: number;
  ownMask: number;
  /** The next id to give to a new state, and the first that is not ours. */
  nextId: number;
  endId: number;
}

export interface WorkerLoops {
  /** Of the states they are for, in words. */
  readonly width: number;
  /** Writes the successors of the states from `head` on into `offered`; the number of states expanded. */
  expand(head: number, end: number): number;
  /** Hashes the list and brings what it will be compared with into the cache. */
  touch(words: Int32Array, length: number, hashes: Int32Array): number;
  /** Enters the list from entry `from` on; the entry at which there was no id left, else the list's length. */
  resolve(words: Int32Array, from: number, length: number, hashes: Int32Array, head: number): number;
  /** Checks the invariants on the states from `first` to before `end`. */
  examine(first: number, end: number): void;
}

export interface LoopParts {
  readonly model: Model;
  readonly store: WorkerStore;
  readonly monitor: SafetyMonitor;
  readonly offered: Successors;
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly ends: Int32Array;
  /** By entry of the list: the state it turned out to be. Absent: nobody wants to know. */
  readonly found?: { targets: Int32Array };
  readonly reduction?: LevelReduction | undefined;
}

/** A batch ends with the state whose successors reach this number. */
export const BATCH_SUCCESSORS = 128;
export const BATCH_SOURCES = 256;

export function workerLoops(parts: LoopParts, chunkBits: number): WorkerLoops {
  const { model, monitor, reduction } = parts;
  const { width, compareFrom } = model.system;
  const shape = { width, compareFrom, chunkBits, isUniform: true, keepsParents: true };
  const multipliers = hashMultipliers(width);
  return instantiate(
    "parallel breadth-first search",
    {
      ...parts,
      system: model.system,
      multipliers,
      agents: reduction?.agents,
      attempts: reduction?.attempts,
      ahead: reduction?.ahead,
    },
    emitLoops(shape, monitor.invariants, {
      keepsTargets: parts.found !== undefined,
      isReduced: reduction !== undefined,
    }),
  );
}

interface Extras {
  readonly keepsTargets: boolean;
  readonly isReduced: boolean;
}

const emitLoops = (
  shape: StoreShape,
  invariants: readonly number[],
  { keepsTargets, isReduced }: Extras,
): string => `
${isReduced ? emitIsAhead : ""}

function expand(head, end) {
  const chunks = store.chunks;
  offered.clear();
  let id = head;
  while (id < end && offered.count < ${BATCH_SUCCESSORS}) {
    ${emitLocate(shape)}
    ${isReduced ? `const first = offered.count;\n${emitFirstCandidate}` : "system.successors(from, fromAt, offered);"}
    ends[id - head] = offered.count;
    id++;
    if (offered.stride !== ${shape.width}) break;
  }
  return id - head;
}

function touch(words, length, hashes) {
  const table = store.table, mask = store.mask, tagMask = ~mask, ownMask = store.ownMask, chunks = store.chunks;
  for (let i = 0, at = 0; i < length; i++, at += ${shape.width}) {
    ${emitHash(shape.width, shape.compareFrom)}
    hashes[i] = hash;
  }
  let touched = 0;
  ${emitTouch(shape)}
  return touched; // so that the reads are not optimised away
}

function resolve(words, from, length, hashes, head) {
  const table = store.table, mask = store.mask, tagMask = ~mask, chunks = store.chunks;
  // A block of ids lies within one chunk.
  const ownIndex = store.nextId >>> ${shape.chunkBits}, ownFirst = ownIndex << ${shape.chunkBits};
  const ownChunk = chunks[ownIndex], ownParents = store.parents[ownIndex], endId = store.endId;
  ${keepsTargets ? "const targets = found.targets;" : ""}
  let nextId = store.nextId;
  let source = 0;
  let i = from;
  next: for (; i < length; i++) {
    const at = i * ${shape.width}, hash = hashes[i];
    ${isReduced ? "while (ends[source] <= i) source++;" : ""}
    for (;;) {
      ${emitFind(shape, emitFound(keepsTargets, isReduced))}
      if (nextId === endId) break next;
      ${isReduced ? "" : "while (ends[source] <= i) source++;"}
      const there = (nextId - ownFirst) * ${shape.width};
      ${emitCopy(shape.width, "ownChunk", "there", "words", "at")}
      ownParents[nextId - ownFirst] = head + source;
      if (Atomics.compareExchange(table, slot, 0, (hash & tagMask) | nextId) === 0) break;
      // Another worker was faster, perhaps with the same state.
    }
    ${keepsTargets ? "targets[i] = nextId;" : ""}
    ${isReduced ? "ahead[source]++;" : ""}
    nextId++;
  }
  store.nextId = nextId;
  return i;
}

function examine(first, end) {
  const chunks = store.chunks;
  for (let id = first; id < end; id++) {
    ${emitLocate(shape)}
    ${invariants.map((index) => `if (!model.holds(${index}, from, fromAt)) monitor.broken(${index}, id);`).join("\n    ")}
  }
}

return { width: ${shape.width}, expand, touch, resolve, examine };`;

const emitFound = (keepsTargets: boolean, isReduced: boolean): string => `{
  ${keepsTargets ? "targets[i] = id;" : ""}
  ${isReduced ? "if (isAhead(id)) ahead[source]++;" : ""}
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
