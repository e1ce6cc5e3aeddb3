/**
 * The coordinator's view of the store in shared memory: the coordinator allocates, the workers fill (`worker.ts`). A
 * table (`tables/`) distinguishes known states from new ones; this class keeps the ids of states, their records, and their
 * parents.
 *
 * Ids are given out in blocks, so an id is not an order of discovery; unused ids come back and are given out again. If states
 * are not kept forever, the chunks of expanded states are reused under other ids.
 */
import type { System, Words } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import type { Path } from "../monitor.js";
import type { Lossy } from "../stores/omissions.js";
import { Replay } from "../stores/replay.js";
import type { Growth, SharedWords, Sizes } from "./protocol.js";
import { FAR, positionsOf } from "./tables/compact.js";
import type { SharedTable } from "./tables/table.js";

export interface SharedStoreOptions {
  readonly width: number;
  readonly maxStates: number;
  readonly workers: number;
  readonly sizes: Sizes;
  /** Recomputes states that are not kept. */
  readonly system: System;
}

export class SharedStore {
  /** Ids below this are given out; the ids in `returned` are to be given out again. */
  freshIds = 1;
  /** Ids from here on may not be given out before the store grows. */
  endIds = 1;
  returned: number[] = [];
  readonly levels: number[] = [];
  readonly #table: SharedTable;
  readonly #chunks: SharedWords[] = [];
  readonly #parents: SharedWords[] = [];
  /** Chunks to be used again. */
  #spare: SharedWords[] = [];
  readonly #farPositions = new Map<number, number>();
  readonly #options: SharedStoreOptions;
  readonly #ledger: Ledger;

  constructor(table: SharedTable, options: SharedStoreOptions, ledger: Ledger) {
    this.#table = table;
    this.#options = options;
    this.#ledger = ledger;
  }

  /** States stored, once all unused ids are returned. */
  get count(): number {
    let unused = 0;
    for (let i = 0; i < this.returned.length; i += 2) unused += this.returned[i + 1]! - this.returned[i]!;
    return this.freshIds - 1 - unused;
  }

  get width(): number {
    return this.#options.width;
  }

  get tableBytes(): number {
    return (
      this.#table.bytes +
      (this.isWhole ? this.#chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) : 0)
    );
  }

  /** Its table needs something other than ids. */
  get isWanting(): boolean {
    return this.#table.isWanting;
  }

  /** Every state can be read from it. */
  get isWhole(): boolean {
    return this.#table.restore !== undefined;
  }

  /** Parameters of a lossy store; absent if exact. */
  get lossy(): Lossy | undefined {
    return this.#table.lossy;
  }

  /** Makes room: returns the message for each worker, or why there is none. `live`: ranges of ids of states still to be expanded. */
  grow(
    live: readonly number[],
  ): { readonly growths: readonly Growth[] } | "no memory" | "no states" | "full" {
    const { maxStates, workers, sizes } = this.#options;
    // sound: test/engines/parallel/shared-store.test.ts
    const isFull = this.endIds >= this.#table.room;
    // sound: test/engines/parallel/shared-store.test.ts
    if (this.endIds > maxStates && !this.#table.isWanting) return "no states";
    // sound: test/engines/parallel/shared-store.test.ts
    const table = isFull || this.#table.isWanting ? this.#table.grow(isFull, () => this.#used()) : undefined;
    if (typeof table === "string") return table;
    const firstChunk = this.#chunks.length;
    // sound: test/engines/parallel/shared-store.test.ts
    const released = this.endIds >= firstChunk * sizes.chunkStates ? this.#release(live) : [];
    // sound: test/engines/parallel/shared-store.test.ts
    if (this.endIds >= firstChunk * sizes.chunkStates && this.endIds <= maxStates) {
      // A third more at a time: few stops, and unused parts take no physical memory.
      const wanted = 4 + Math.floor((this.isWhole ? firstChunk : this.#spare.length) / 3);
      while (this.#chunks.length < firstChunk + wanted && this.#addChunk());
      if (this.#chunks.length === firstChunk) return "no memory";
    }
    this.endIds = Math.min(maxStates + 1, this.#table.room, this.#chunks.length * sizes.chunkStates);
    const chunks = this.#chunks.slice(firstChunk);
    const parents = this.#parents.slice(firstChunk);
    return {
      growths: Array.from({ length: workers }, (_, part) => ({
        released,
        chunks,
        parents,
        isElsewhere: this.#ledger.isElsewhere,
        ...(table ? { table: { ...table, part, parts: workers } } : {}),
      })),
    };
  }

  /** Enters the first state, before any worker runs. Its id is 1. */
  insertInitial(words: Words): void {
    const { entryWords } = this.#table;
    const kept = this.#table.enterFirst(words);
    this.#chunks[0]!.set(kept.subarray(0, entryWords), entryWords);
    this.freshIds = Math.min(this.endIds, this.#options.sizes.blockIds); // blocks are aligned: none goes over the end of a chunk
    // sound: test/engines/parallel/shared-store.test.ts
    if (this.freshIds > 2) this.returned = [2, this.freshIds];
    this.levels.push(1);
  }

  /** Positions that do not fit into a byte. */
  notePositions(positions: readonly number[]): void {
    for (let i = 0; i < positions.length; i += 2) this.#farPositions.set(positions[i]!, positions[i + 1]!);
  }

  /** A copy of state `id`. */
  numbered(id: number): Words {
    if (!this.#table.restore) return this.pathTo(id).state(-1);
    const { chunkStates } = this.#options.sizes;
    const { entryWords } = this.#table;
    const at = (id % chunkStates) * entryWords;
    const chunk = this.#chunks[Math.floor(id / chunkStates)]!;
    return this.#table.restore(Int32Array.from(chunk.subarray(at, at + entryWords)));
  }

  /** The states from the initial one to `id`. */
  pathTo(id: number): Path {
    const { chunkStates } = this.#options.sizes;
    const parent = (of: number): number => this.#parents[Math.floor(of / chunkStates)]![of % chunkStates]!;
    const path: number[] = [];
    for (let at = id; at > 0; at = parent(at)) path.push(at);
    path.reverse();
    if (this.isWhole) return { length: path.length, state: (index) => this.numbered(path[index]!) };
    const positions = path.slice(1).map((at) => this.#position(at));
    let states: readonly Words[] | undefined;
    return {
      length: path.length,
      state: (index) => (states ??= statesAlong(positions, this.#options.system)).at(index)!,
    };
  }

  /** The sizes of all levels, the last one possibly incomplete. */
  levelSizes(): readonly number[] {
    const known = this.levels.reduce((sum, states) => sum + states, 0);
    return this.count > known ? [...this.levels, this.count - known] : this.levels;
  }

  #position(id: number): number {
    const { chunkStates } = this.#options.sizes;
    const byte = positionsOf(this.#parents[Math.floor(id / chunkStates)]!, chunkStates)[id % chunkStates]!;
    return byte === FAR ? this.#farPositions.get(id)! : byte;
  }

  /** Takes back the chunks of which no state is needed any more; which they are. */
  #release(live: readonly number[]): number[] {
    if (this.isWhole) return [];
    const { chunkStates } = this.#options.sizes;
    const needed = new Set<number>();
    for (const ranges of [live, this.returned, [this.freshIds, this.endIds]])
      for (let i = 0; i < ranges.length; i += 2)
        // sound: test/engines/parallel/shared-store.test.ts
        for (let chunk = Math.floor(ranges[i]! / chunkStates); chunk * chunkStates < ranges[i + 1]!; chunk++)
          needed.add(chunk);
    const released: number[] = [];
    for (const [index, chunk] of this.#chunks.entries()) {
      // sound: test/engines/parallel/shared-store.test.ts
      if (needed.has(index) || chunk.length === 0) continue;
      this.#spare.push(chunk);
      this.#chunks[index] = NOTHING;
      released.push(index);
    }
    return released;
  }

  /** The ids of states, as ranges. */
  #used(): Int32Array {
    const gaps: [number, number][] = [];
    for (let i = 0; i < this.returned.length; i += 2) gaps.push([this.returned[i]!, this.returned[i + 1]!]);
    gaps.sort(([a], [b]) => a - b);
    const used: number[] = [];
    let from = 1;
    for (const [start, end] of [...gaps, [this.freshIds, this.freshIds] as const]) {
      // sound: test/engines/parallel/shared-store.test.ts
      if (start > from) used.push(from, start);
      from = end;
    }
    return Int32Array.from(used);
  }

  #addChunk(): boolean {
    const { chunkStates } = this.#options.sizes;
    const { entryWords, keepsPositions } = this.#table;
    const words = this.#spare.pop() ?? this.#ledger.allocateShared(entryWords * chunkStates);
    if (!words) return false;
    const parents = this.#ledger.allocateShared(chunkStates + (keepsPositions ? chunkStates / 4 : 0));
    if (!parents) {
      this.#ledger.free(words);
      return false;
    }
    this.#chunks.push(words);
    this.#parents.push(parents);
    return true;
  }
}

/** The initial state, and the states reached by following the positions. */
function statesAlong(positions: readonly number[], system: System): readonly Words[] {
  const replay = new Replay(system);
  let state = replay.initial();
  const states = [state];
  for (const position of positions) {
    const next = new Int32Array(Math.max(system.width, state.length));
    next.set(state);
    replay.step(next, position);
    states.push((state = next));
  }
  return states;
}

const NOTHING: SharedWords = new Int32Array(new SharedArrayBuffer(0));
