/**
 * Hash compaction in shared memory (`../../stores/cells.ts`). States wait whole in a queue to be expanded; its chunks are reused (`../shared-store.ts`).
 */
import type { Words } from "../../../../model/index.js";
import type { Ledger } from "../../ledger.js";
import { emitCopy } from "../../store-code.js";
import type { CompactChoice } from "../../stores/choice.js";
import { Cells, allocateCells, cellShape, signatureValues, type CellShape } from "../../stores/cells.js";
import type { Lossy } from "../../stores/omissions.js";
import type { SharedCode } from "../../loop-code.js";
import type { Growth, SharedWords } from "../protocol.js";
import type { SharedTable, WorkerStore } from "./table.js";

/** All of the table, at the beginning: it never grows. */
export interface CompactGrowth {
  readonly kind: "compact";
  readonly segments: readonly SharedWords[];
}

export class CompactTable implements SharedTable {
  readonly keepsPositions = true;
  readonly isWanting = false;
  readonly entryWords: number;
  readonly lossy: Lossy;
  readonly #shape: CellShape;
  readonly #choice: CompactChoice;
  readonly #compareFrom: number;
  readonly #ledger: Ledger;
  #segments: SharedWords[] = [];

  constructor(choice: CompactChoice, state: { width: number; compareFrom: number }, ledger: Ledger) {
    this.#choice = choice;
    this.#shape = cellShape(choice);
    this.#compareFrom = state.compareFrom;
    this.entryWords = state.width;
    this.#ledger = ledger;
    const { cells } = this.#shape;
    this.lossy = { kind: "compact", cells, width: choice.width, values: signatureValues(this.#shape) };
  }

  get bytes(): number {
    return this.#segments.reduce((bytes, segment) => bytes + segment.byteLength, 0);
  }

  get room(): number {
    return this.#segments.length === 0 ? 0 : this.#shape.cells + 1;
  }

  grow(): CompactGrowth | "no memory" | "full" {
    if (this.#segments.length > 0) return "full";
    const segments = allocateCells(this.#shape, (words) => this.#ledger.allocateShared(words));
    if (!segments) return "no memory";
    this.#segments = segments;
    return { kind: "compact", segments };
  }

  enterFirst(words: Words): Words {
    const cells = new Cells(this.#choice, this.#compareFrom);
    cells.segments = this.#segments;
    cells.prepare(words, 1, this.entryWords);
    cells.has(0);
    cells.claim();
    return words;
  }
}

export class CompactWorkerStore implements WorkerStore {
  count = 0;
  room = 0;
  /** States that wait to be expanded: state `id` is in `chunks[id >>> chunkBits]`. */
  readonly chunks: SharedWords[] = [];
  readonly parents: SharedWords[] = [];
  readonly cells: Cells;
  readonly #width: number;
  readonly #chunkBits: number;
  /** In chunks, like parents. */
  readonly #positions: Uint8Array[] = [];
  #far: number[] = [];

  constructor(choice: CompactChoice, state: { width: number; compareFrom: number }, chunkBits: number) {
    this.cells = new Cells(choice, state.compareFrom);
    this.#width = state.width;
    this.#chunkBits = chunkBits;
  }

  adopt({ released, chunks, parents, table }: Growth): void {
    for (const index of released) this.chunks[index] = NOTHING;
    this.chunks.push(...chunks);
    this.parents.push(...parents);
    if (!table) return;
    if (table.kind !== "compact") throw new Error(`a compacting table cannot grow by a ${table.kind} one`);
    this.cells.segments = table.segments;
  }

  numbered(id: number, width: number): Words {
    const at = (id & ((1 << this.#chunkBits) - 1)) * this.#width;
    return this.chunks[id >>> this.#chunkBits]!.slice(at, at + width);
  }

  /** Notes the state's place among its parent's successors. */
  keepPosition(id: number, position: number): void {
    const index = id >>> this.#chunkBits;
    this.#positions[index] ??= positionsOf(this.parents[index]!, 1 << this.#chunkBits);
    this.#positions[index][id & ((1 << this.#chunkBits) - 1)] = Math.min(position, FAR);
    if (position >= FAR) this.#far.push(id, position);
  }

  takePositions(): readonly number[] {
    const taken = this.#far;
    this.#far = [];
    return taken;
  }

  code(): SharedCode {
    const width = this.#width;
    const chunkMask = (1 << this.#chunkBits) - 1;
    return {
      bindings: { cells: this.cells },
      head: "",
      locals: `
const chunks = store.chunks, room = store.room;
const ownIndex = room >>> ${this.#chunkBits}, ownFirst = ownIndex << ${this.#chunkBits};
const ownChunk = chunks[ownIndex], ownParents = store.parents[ownIndex];
let count = store.count;`,
      loadNumbered: `const from = chunks[id >>> ${this.#chunkBits}], fromAt = (id & ${chunkMask}) * ${width};`,
      note: "",
      prepare: () => `const touched = cells.prepare(words, length, ${width});`,
      entry: (i) => `const at = ${i} * ${width};`,
      find: (onFound) => `if (cells.has(i)) ${onFound}`,
      isFull: "count === room",
      insert: (parent, position, onLost = "") => `
const there = (count + 1 - ownFirst) * ${width};
${emitCopy(width, "ownChunk", "there", "words", "at")}
ownParents[count + 1 - ownFirst] = ${parent};
store.keepPosition(count + 1, ${position});
if (!cells.claim()) ${onLost}
count++;`,
    };
  }
}

const NOTHING: SharedWords = new Int32Array(new SharedArrayBuffer(0));

/** The bytes behind a chunk of parents. */
export const positionsOf = (parents: SharedWords, states: number): Uint8Array =>
  new Uint8Array(parents.buffer, 4 * states, states);
/** A position that is not in a byte. */
export const FAR = 0xff;
