/** The part of a batch that is decided in memory, as text for one width. */
import { BATCH_SOURCES, BATCH_SUCCESSORS, emitEnterList } from "../batch.js";
import { instantiate } from "../store-code.js";
import type { ExactStore } from "../store.js";

export interface BatchLoops {
  /**
   * Enters the list from entry `from` on. Without room it stops and returns the entry or, if `isSpilled`, notes the entry as
   * missed and continues.
   */
  resolve(words: Int32Array, from: number, length: number, head: number, isSpilled: boolean): number;
  /** Entries of the list that are not in memory. */
  readonly missed: { entries: Int32Array; count: number };
}

export { BATCH_SOURCES, BATCH_SUCCESSORS };

export function batchLoops(store: ExactStore, ends: Int32Array): BatchLoops {
  const code = store.code();
  const missed = { entries: new Int32Array(2 * BATCH_SUCCESSORS), count: 0 };
  const text = `
${code.head}
let unused = 0;
return function resolve(words, from, length, head, isSpilled) {
  if (length > missed.entries.length) missed.entries = new Int32Array(2 * length);
  const entries = missed.entries;
  ${emitEnterList(code, {
    isNoted: "false",
    whenFull: `{
      if (!isSpilled) break;
      entries[missed.count++] = i;
      continue;
    }`,
    step: "0",
  })}
};`;
  const bindings = { ...code.bindings, store, ends, missed };
  return { resolve: instantiate("search on disk", bindings, text), missed };
}
