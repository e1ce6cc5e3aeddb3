/**
 * Tables of known states in shared memory. There are several kinds (`flat.ts`, `tree.ts`, `compact.ts`), each with two sides:
 * the coordinator's, which allocates, and the workers', which look up and insert.
 *
 * A worker's side of an exact table is the store of one thread (`../../store.ts`, `../../tree-store.ts`) over arrays that it
 * did not allocate, with the same text of operations. A compare-and-exchange on a free place claims a new state; the losing
 * thread looks again. Tables grow only while all workers wait.
 */
import type { Words } from "../../../../model/index.js";
import type { SharedCode } from "../../loop-code.js";
import type { CompactChoice } from "../../stores/choice.js";
import type { Lossy } from "../../stores/omissions.js";
import type { TreeShape } from "../../tree-shape.js";
import type { Growth } from "../protocol.js";
import type { CompactGrowth } from "./compact.js";
import type { FlatGrowth } from "./flat.js";
import type { TreeGrowth } from "./tree.js";

/** Which kind, with its settings, the same for all threads. */
export type TableSpec =
  | { readonly kind: "flat" }
  | { readonly kind: "tree"; readonly shape: TreeShape }
  | { readonly kind: "compact"; readonly choice: CompactChoice };

/** This worker fills part `part` of `parts`. */
export type TableGrowth = (FlatGrowth | TreeGrowth | CompactGrowth) & {
  readonly part: number;
  readonly parts: number;
};

/** The coordinator's side. */
export interface SharedTable {
  /** Words that are kept of each state, by its id. */
  readonly entryWords: number;
  /** For each state a byte is kept that tells its position among its parent's successors. */
  readonly keepsPositions: boolean;
  readonly bytes: number;
  /** Ids below this find a place; a multiple of a block of ids, unless it is final. */
  readonly room: number;
  /** Something other than ids ran out. */
  readonly isWanting: boolean;
  /** Grows the table. `isFull`: ids have used up its room; `used`: ranges of ids of states. */
  grow(
    isFull: boolean,
    used: () => Int32Array,
  ): FlatGrowth | TreeGrowth | CompactGrowth | "no memory" | "full";
  /** Enters the first state, before any worker runs; returns its record. */
  enterFirst(words: Words): Words;
  /** The state of which that is kept. Absent: nothing is kept forever. */
  restore?(kept: Words): Words;
  /** Absent: nothing is ever lost. */
  readonly lossy?: Lossy;
}

/** A worker's side, with the ids of states and their records. */
export interface WorkerStore {
  /** The last id that was given to a state, and the last of the current block. */
  count: number;
  room: number;
  /** Takes over the coordinator's growth, and fills its part of it. */
  adopt(growth: Growth): void;
  /** The operations as text for the loops. */
  code(): SharedCode;
  /** A copy of state `id`. */
  numbered(id: number, width: number): Words;
  /** Since the last time: ids and the positions that were too large for a byte. */
  takePositions?(): readonly number[];
  recover?(): void;
}
