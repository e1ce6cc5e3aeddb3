/** The states on a device: chunks of the store, the table, the holes, and how they grow within the memory that the search may use. */
import {
  DeviceProblem,
  type Device,
  type DeviceArgument,
  type DeviceBuffer,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { CHUNKS, PARTS } from "./kernels.js";

export interface StoreSizes {
  readonly firstEntries: number;
  /** Tables up to this many entries grow fourfold. */
  readonly quickEntries: number;
}

export class DeviceStore {
  readonly width: number;
  readonly chunkStates: number;
  readonly #device: Device;
  readonly #budget: number;
  readonly #sizes: StoreSizes;
  readonly #chunks: DeviceBuffer[] = [];
  #tables: DeviceBuffer[];
  #holes: DeviceBuffer;
  /** Of all parts of the table. */
  entries: number;
  /** Numbers given out, and how many of them are holes. */
  tail = 0;
  holeCount = 0;
  /** Memory for other things. */
  otherBytes = 0;
  peakBytes = 0;

  /** States in a chunk: together the chunks take most of the budget, and one is a buffer that the device can have. */
  static chunkStates(device: Device, width: number, budget: number): number {
    const stateBytes = 4 * width;
    const share = stateBytes / (stateBytes + 1 / 8 + 8 / MOST_LOAD);
    const bytes = Math.min(
      device.info.mostBytes,
      MOST_BUFFER,
      (share * (budget - RESERVED * budget)) / CHUNKS,
    );
    const states = Math.floor(bytes / (4 * width) / 32) * 32;
    return Math.min(Math.max(32, states), 2 ** 32 / CHUNKS - 32);
  }

  constructor(device: Device, width: number, budget: number, sizes: StoreSizes) {
    this.width = width;
    this.#device = device;
    this.#budget = budget;
    this.#sizes = sizes;
    this.chunkStates = DeviceStore.chunkStates(device, width, budget);
    this.entries = sizes.firstEntries;
    this.#tables = this.#emptyTables(this.entries);
    this.#holes = device.allocate(CHUNKS * (this.chunkStates / 8) + 8);
    this.#holes.clear();
    this.#addChunk();
  }

  get states(): number {
    return this.tail - this.holeCount;
  }

  /** Numbers that can be given out now. */
  get limit(): number {
    return Math.min(this.#chunks.length * this.chunkStates, Math.floor(MOST_LOAD * this.entries));
  }

  get bytes(): number {
    return this.#bytesWith(this.#chunks.length, this.entries);
  }

  /** Bytes in use: whole states, the table, a bit per state. */
  get usedBytes(): number {
    return this.tail * (4 * this.width + 1 / 8) + 8 * this.entries;
  }

  arguments(): DeviceArgument[] {
    const chunks = Array.from({ length: CHUNKS }, (_, c) => this.#chunks[c] ?? nth(this.#chunks, 0));
    return [...chunks, ...this.#tables, BigInt(this.entries / PARTS), this.#holes];
  }

  read(index: number): Words {
    const words = new Int32Array(this.width);
    const chunk = nth(this.#chunks, Math.floor(index / this.chunkStates));
    chunk.read(words, (index % this.chunkStates) * 4 * this.width);
    return words;
  }

  isHole(index: number): boolean {
    const word = new Uint32Array(1);
    this.#holes.read(word, 4 * (index >>> 5));
    return ((word[0]! >>> (index & 31)) & 1) !== 0;
  }

  /** Makes room for more states; `rehash` is due when the table was recreated. A part of it can be full before the whole. */
  grow(): "no memory" | "grown" | "rehash" {
    // sound: test/engines/gpu/differential.test.ts
    const isPartFull = this.tail < this.limit;
    const isTableFull = isPartFull || this.limit >= Math.floor(MOST_LOAD * this.entries);
    if (!isTableFull) {
      if (this.#chunks.length === CHUNKS) return "no memory";
      if (this.#bytesWith(this.#chunks.length + 1, this.entries) > this.#budget) return "no memory";
      return this.#tryTo(() => this.#addChunk()) ? "grown" : "no memory";
    }
    const entries = this.#nextEntries();
    if (entries === undefined) return "no memory";
    for (const table of this.#tables.splice(0)) table.free();
    // Without a table the search cannot continue; it ends with its results so far.
    if (!this.#tryTo(() => (this.#tables = this.#emptyTables(entries)))) return "no memory";
    this.entries = entries;
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
    return "rehash";
  }

  free(): void {
    for (const buffer of [...this.#chunks, ...this.#tables, this.#holes]) buffer.free();
  }

  #emptyTables(entries: number): DeviceBuffer[] {
    const tables: DeviceBuffer[] = [];
    try {
      for (let part = 0; part < PARTS; part++) {
        const table = this.#device.allocate((8 * entries) / PARTS);
        tables.push(table);
        table.clear();
      }
      return tables;
    } catch (error) {
      for (const table of tables) table.free();
      throw error;
    }
  }

  #nextEntries(): number | undefined {
    const factor = this.entries < this.#sizes.quickEntries ? 4 : GROWTH;
    const wanted = Math.floor(this.entries * factor);
    const most = Math.min(
      PARTS * Math.floor(Math.min(this.#device.info.mostBytes, MOST_BUFFER) / 8),
      // More than all chunks can use would take the place of chunks.
      Math.ceil((CHUNKS * this.chunkStates) / MOST_LOAD) + PARTS,
      Math.floor((this.#budget - this.#bytesWith(this.#chunks.length, 0)) / 8),
    );
    const entries = Math.floor(Math.min(wanted, most) / PARTS) * PARTS;
    return entries < this.entries * LEAST_GROWTH ? undefined : entries;
  }

  #bytesWith(chunks: number, entries: number): number {
    return chunks * this.chunkStates * 4 * this.width + 8 * entries + this.#holes.bytes + this.otherBytes;
  }

  #addChunk(): void {
    this.#chunks.push(this.#device.allocate(this.chunkStates * 4 * this.width));
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
  }

  #tryTo(allocate: () => void): boolean {
    try {
      allocate();
      return true;
    } catch (error) {
      if (error instanceof DeviceProblem && error.kind === "memory") return false;
      throw error;
    }
  }
}

/** Of one buffer: with a table of 18 GB the driver of an H200 did not return, or reported that it had no resources. */
const MOST_BUFFER = 2 ** 34 - 8;
/** Of the table; beyond it probes become long. */
const MOST_LOAD = 0.8;
/** Bytes per state stay below 18 beside its words: 8 / (0.8 / 1.7) + 1/8. */
const GROWTH = 1.7;
const LEAST_GROWTH = 1.05;
/** Part of the memory that neither states nor the table take: room for intermediate states, results. */
const RESERVED = 0.02;
