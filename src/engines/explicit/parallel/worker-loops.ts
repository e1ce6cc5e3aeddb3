/**
 * The breadth-first loops of one worker: as in one thread (`../breadth-first-loops.ts`), over a store that others write to at
 * the same time.
 *
 * Tables are read without synchronisation. The record of a new state and its parent are written to a place reserved for this
 * worker; then a free place of the table is claimed. A worker that loses the race looks again. Chunks are only added between
 * rounds, so every id in the table can be followed.
 */
import { emitAdvance, emitLoops, loopNames, type Loops, type Slice } from "../breadth-first-loops.js";
import type { SharedCode } from "../loop-code.js";
import { emitSettle } from "../settle-code.js";
import type { ThreadRun } from "../thread-run.js";
import type { LevelReduction } from "./level-proviso.js";
import type { WorkerStore } from "./tables/table.js";

export interface LoopParts {
  /** Entries of the `i`-th state of the batch end before `ends[i]`. */
  readonly ends: Int32Array;
  readonly slice: Slice;
  /** By entry of the list: the state it turned out to be. Absent: not wanted. */
  readonly found?: { targets: Int32Array } | undefined;
  readonly reduction?: LevelReduction | undefined;
}

export function workerLoops(run: ThreadRun<WorkerStore>, parts: LoopParts): Loops {
  const { store, backend, monitor, model } = run;
  const { found, reduction } = parts;
  const { width, compareFrom } = model.system;
  const code = store.code();
  const isReduced = reduction !== undefined;
  const { agents, attempts, ahead } = reduction ?? {};
  const bindings = { ...run.bindings(code), ...parts, agents, attempts, ahead };
  const { checksDeadlock, invariants } = monitor;
  const entering = emitEntering(code, found !== undefined, isReduced);
  const text = `${isReduced ? emitIsAhead : ""}${emitLoops(code, { width, invariants, isReduced, entering })}`;
  const names = loopNames(false);
  if (!backend) return run.instantiate("parallel breadth-first search", bindings, text, names);
  const settle = emitSettle(width, compareFrom);
  const advance = isReduced ? "" : emitAdvance(checksDeadlock, invariants.length > 0);
  const functions = [...names, "settle", ...(isReduced ? [] : ["advance"])];
  return run.instantiate("parallel breadth-first search", bindings, text + settle + advance, functions);
}

/** Notes which state each entry is, and whether it is of the next level. */
function emitEntering({ foundId }: SharedCode, keepsTargets: boolean, isReduced: boolean) {
  if (!keepsTargets && !isReduced) return {};
  return {
    onFound: `${keepsTargets ? `found.targets[i] = ${foundId};` : ""}${isReduced ? `if (isAhead(${foundId})) ahead[origin]++;` : ""}`,
    onEntered: `${keepsTargets ? "found.targets[i] = count;" : ""}${isReduced ? "ahead[origin]++;" : ""}`,
  };
}

const emitIsAhead = `
function isAhead(id) {
  if (id >= reduction.freeFrom) return true;
  const free = reduction.free, length = reduction.freeWords;
  for (let k = 0; k < length; k += 2) if (id >= free[k] && id < free[k + 1]) return true;
  return false;
}`;
