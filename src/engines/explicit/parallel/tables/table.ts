/**
 * What tells known states from new ones, in memory that threads share. There are several kinds (`flat.ts`, `tree.ts`,
 * `compact.ts`), each with two sides: the coordinator's, which allocates, and the workers', which look up and insert.
 *
 * Whatever the kind, a new state is claimed by one compare-and-exchange on a free place. Whoever loses looks again. Tables
 * grow only while all workers wait.
 */
import type { Words } from "../../../../model/index.js";
import type { CompactChoice } from "../../stores/choice.js";
import type { Lossy } from "../../stores/omissions.js";
import type { TreeShape } from "../../tree-shape.js";
import type { SharedWords } from "../protocol.js";
import type { CompactGrowth } from "./compact.js";
import type { FlatGrowth } from "./flat.js";
import type { TreeGrowth } from "./tree.js";

/** Which kind, with its settings, the same for all threads. */
export type TableSpec =
  | { readonly kind: "flat" }
  | { readonly kind: "tree"; readonly shape: TreeShape }
  | { readonly kind: "compact"; readonly choice: CompactChoice };

/** Of the whole, this worker does part `part` of `parts`. */
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
  /** Makes it larger. `isFull`: there are as many ids as it has room for; `used` are those of states, as ranges. */
  grow(
    isFull: boolean,
    used: () => Int32Array,
  ): FlatGrowth | TreeGrowth | CompactGrowth | "no memory" | "full";
  /** Enters the first state, before any worker runs; what is kept of it. */
  enterFirst(words: Words): Words;
  /** The state of which that is kept. Absent: nothing is kept for ever. */
  restore?(kept: Words): Words;
  /** Absent: nothing is ever lost. */
  readonly lossy?: Lossy;
}

/** A worker's side. */
export interface WorkerTable {
  grow(growth: TableGrowth): void;
  /** The operations as text for the loops. */
  code(): SharedCode;
  /** Since the last time: ids and the positions that were too large for a byte. */
  takePositions?(): readonly number[];
}

/**
 * Text for `worker-loops.ts`. In it there are `store` (the ids and what is kept of states), `visited` (the worker's side of the
 * table), and the list: `words`, `length`.
 */
export interface SharedCode {
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly head: string;
  /** The table's fields as locals. */
  readonly locals: string;
  /** Declares `from` and `fromAt` as the words of state `id`. */
  readonly load: string;
  /** After the successors of the loaded state were appended to `offered` from entry `first` on. */
  readonly note: string;
  /** Makes the list ready to be looked up, adds to `touched`; `return -1` when there is no room for it. `isNoted`: it is what
   *  `note` has seen. */
  readonly prepare: string;
  /** What `prepare` left, as locals. */
  readonly prepared: string;
  /** Names entry `i`. */
  readonly entry: string;
  /** Runs `onFound` (jumps away) when it is known. */
  find(onFound: string): string;
  /** In `onFound`: its id. Absent: nobody knows. */
  readonly foundId?: string;
  /** Writes what is kept of the state to `ownChunk[there…]`. `position` is its place among the parent's successors. */
  keep(position: string): string;
  /** Enters it with id `nextId`; runs `onClaimed` (jumps away) unless another worker was faster. */
  claim(onClaimed: string): string;
}

/** What all kinds have in common, as a worker sees it. */
export interface WorkerStore {
  /** What is kept of states: of state `id` in `chunks[id >>> chunkBits]`. */
  chunks: SharedWords[];
  /** The state from which each was reached first, in chunks alike; positions as bytes behind them. */
  parents: SharedWords[];
  /** The next id to give to a new state, and the first that is not ours. */
  nextId: number;
  endId: number;
}
