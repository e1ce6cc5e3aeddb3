/**
 * Messages between the coordinator and its workers.
 *
 * Each request to a worker gets one reply. During a round the threads share three things: the store's arrays, the words of
 * `Control`, and the `Figures` that each worker keeps.
 */
import type { PartialOrderStats, Recipe } from "../../../model/index.js";
import type { LevelProviso } from "./level-proviso.js";
import type { MonitorOptions, Violation } from "../monitor.js";
import type { TableGrowth, TableSpec } from "./tables/table.js";

export type SharedWords = Int32Array<SharedArrayBuffer>;

export interface StepPlace {
  readonly memory: WebAssembly.Memory;
  readonly maximumPages: number;
}

export type Request =
  /** No reply: makes a model of this kind once, so that the next is quick to make. */
  | { readonly kind: "warm"; readonly recipe: Recipe; readonly width: number }
  | {
      readonly kind: "prepare";
      readonly worker: number;
      readonly recipe: Recipe;
      readonly width: number;
      readonly monitor: MonitorOptions;
      readonly sizes: Sizes;
      readonly table: TableSpec;
      /** Steps are to be reported, too (`Expanded.arcs`). */
      readonly keepsArcs: boolean;
      /** The memory of the store, which step code can use. Absent: the store is elsewhere, and the loops are JavaScript. */
      readonly step: StepPlace | undefined;
      /** Absent: nothing is reduced. */
      readonly proviso: LevelProviso | undefined;
      readonly control: SharedWords;
      /** Barrier of the workers at the end of a level. */
      readonly meetingPlace: SharedWords;
      /** Memory of the worker's figures. */
      readonly figures: Float64Array<SharedArrayBuffer>;
    }
  | { readonly kind: "grow"; readonly growth: Growth }
  | { readonly kind: "expand"; readonly round: Round }
  | { readonly kind: "finish" };

/** Memory that the coordinator has added to the store. */
export interface Growth {
  /** Chunks no longer needed. */
  readonly released: readonly number[];
  /** Chunks for states and for their parents, after the existing ones. */
  readonly chunks: readonly SharedWords[];
  readonly parents: readonly SharedWords[];
  /** A larger table, of which this worker fills its part. */
  readonly table?: TableGrowth;
  /** Step code cannot reach all of the store any more. */
  readonly isElsewhere: boolean;
}

/** Expand a level and those after it as long as they are of the same kind, wide or narrow. */
export interface Round {
  readonly level: number;
  /**
   * Ids from `items[2 * i]` to before `items[2 * i + 1]`; `Control.shares` marks the taken ones. Undefined: resume where ids
   * ran out.
   */
  readonly items: Int32Array | undefined;
  /** Ids to give to new states, likewise by `Control.block`; then blocks from `freshIds` to before `endIds`. */
  readonly blocks: Int32Array;
  readonly freshIds: number;
  readonly endIds: number;
  /** Narrow levels are expanded by one worker, the others by all. */
  readonly isAlone: boolean;
  /** The coordinator examines the results after each level that is not narrow. */
  readonly isWatched: boolean;
  readonly maxDepth: number;
  readonly errorsLeft: number;
}

export type Reply =
  | { readonly kind: "ready"; readonly width: number; readonly compareFrom: number }
  | { readonly kind: "grown" }
  | Expanded
  /** A state does not fit: restart with that recipe and width; `isSpent`: a list does not fit into the memory of step code, so as JavaScript. */
  | { readonly kind: "misfit"; readonly recipe: Recipe; readonly width: number; readonly isSpent: boolean }
  | {
      readonly kind: "finished";
      readonly reached: Uint8Array;
      readonly truncated: Uint8Array | undefined;
      readonly partialOrder: PartialOrderStats | undefined;
      readonly backend: "webassembly" | "javascript";
    };

export interface Expanded {
  readonly kind: "expanded";
  /** The sender. */
  readonly worker: number;
  /** The level that was expanded last, and how many states each one had after the round's first. */
  readonly level: number;
  readonly levels: readonly number[];
  /** The worker waits for more ids, and continues from there. */
  readonly isFull: boolean;
  /** If so: ids of the states of the level, as ranges. */
  readonly items: Int32Array;
  /** Ids of the states of the next level that this worker has stored so far, as ranges. */
  readonly stored: Int32Array;
  /** Ids that were taken and not used, as ranges. */
  readonly unused: Int32Array;
  /** Positions among the parent's successors that do not fit into a byte: ids, each with its position. */
  readonly positions: readonly number[];
  /** The steps found since the last report: a state, how many steps it has, and of each where it leads and its label. */
  readonly arcs: Int32Array;
  /** All sightings of the worker so far. */
  readonly sightings: readonly Sighting[];
}

/** A violation without the way to it. */
export interface Sighting extends Omit<Violation, "path"> {
  /** The state that shows it, or that steps into it. */
  readonly id: number;
  /** The level from which it was found. */
  readonly level: number;
}

/** Words that all threads read and write, each on a separate cache line. */
export const Control = {
  stop: 0,
  full: 16,
  block: 32,
  /** How many workers have come to the end of the level, and how often all have. */
  arrived: 48,
  phase: 64,
  /** Blocks that were taken when all had. */
  taken: 80,
  /** From here on a word for each worker: the taken part of its share of the level (`items.ts`). */
  shares: 96,
} as const;

/** A worker's counters, for progress and statistics; and its current level, with the number of states. */
export const Figures = { states: 0, transitions: 1, level: 2, frontier: 3, words: 8 } as const;

/** Tests make them small, to come to all borders quickly. All but `narrow` are powers of two. */
export interface Sizes {
  /** States in a chunk of the store. */
  readonly chunkStates: number;
  /** New states get ids in blocks, so that workers seldom meet. At most a chunk. */
  readonly blockIds: number;
  readonly firstTable: number;
  /** For a tree: initial room for nodes, and the size of the blocks in which new ones are numbered. */
  readonly firstNodes: number;
  readonly nodeBlock: number;
  /** A level of fewer states is expanded by one worker: a round would cost more than it saves. */
  readonly narrow: number;
}

export const USUAL_SIZES: Sizes = {
  chunkStates: 1 << 16,
  blockIds: 1 << 10,
  firstTable: 1 << 23,
  firstNodes: 1 << 16,
  nodeBlock: 1 << 8,
  narrow: 1000,
};
