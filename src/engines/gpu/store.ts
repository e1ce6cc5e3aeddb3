/** The states on a device: chunks of the store, the table, the holes, and how they grow within the memory that the search may use. */
import {
  DeviceProblem,
  type Device,
  type DeviceArgument,
  type DeviceBuffer,
  type Words,
} from "../../model/index.js";
import { CHUNKS } from "./kernels.js";

export interface StoreSizes {
  readonly firstEntries: number;
  /** Tables up to so many entries grow by four. */
  readonly quickEntries: number;
}

export class DeviceStore {
  readonly width: number;
  readonly chunkStates: number;
  readonly #device: Device;
  readonly #budget: number;
  readonly #sizes: StoreSizes;
  readonly #chunks: DeviceBuffer[] = [];
  #table: DeviceBuffer;
  #holes: DeviceBuffer;
  entries: number;
  /** Numbers given out, and how many of them are holes. */
  tail = 0;
  holeCount = 0;
  /** Memory for other things. */
  otherBytes = 0;
  peakBytes = 0;

  /** States in a chunk: together the chunks take most of the budget, and one is a buffer that the device can have. */
  static chunkStates(device: Device, width: number, budget: number): number {
    const bytes = Math.min(device.info.mostBytes, MOST_BUFFER, (0.85 * budget) / CHUNKS);
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
    this.#table = device.allocate(8 * this.entries);
    this.#table.clear();
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

  /** Bytes of what is in use: whole states, the table, a bit a state. */
  get usedBytes(): number {
    return this.tail * (4 * this.width + 1 / 8) + 8 * this.entries;
  }

  arguments(): DeviceArgument[] {
    const chunks = Array.from({ length: CHUNKS }, (_, c) => this.#chunks[c] ?? this.#chunks[0]!);
    return [...chunks, this.#table, BigInt(this.entries), this.#holes];
  }

  read(index: number): Words {
    const words = new Int32Array(this.width);
    const chunk = this.#chunks[Math.floor(index / this.chunkStates)]!;
    chunk.read(words, (index % this.chunkStates) * 4 * this.width);
    return words;
  }

  isHole(index: number): boolean {
    const word = new Uint32Array(1);
    this.#holes.read(word, 4 * (index >>> 5));
    return ((word[0]! >>> (index & 31)) & 1) !== 0;
  }

  /** Makes room for more states; `rehash` is due when the table was made anew. False: the memory is spent. */
  grow(): "no memory" | "grown" | "rehash" {
    const isTableFull = this.limit >= Math.floor(MOST_LOAD * this.entries);
    if (!isTableFull) {
      if (this.#chunks.length === CHUNKS) return "no memory";
      if (this.#bytesWith(this.#chunks.length + 1, this.entries) > this.#budget) return "no memory";
      return this.#tryTo(() => this.#addChunk()) ? "grown" : "no memory";
    }
    const entries = this.#nextEntries();
    if (entries === undefined) return "no memory";
    this.#table.free();
    const isMade = this.#tryTo(() => (this.#table = this.#device.allocate(8 * entries)));
    // Without a table the search cannot go on, but it ends with what it knows.
    if (!isMade) return "no memory";
    this.#table.clear();
    this.entries = entries;
    this.peakBytes = Math.max(this.peakBytes, this.bytes);
    return "rehash";
  }

  free(): void {
    for (const buffer of [...this.#chunks, this.#table, this.#holes]) buffer.free();
  }

  #nextEntries(): number | undefined {
    const factor = this.entries < this.#sizes.quickEntries ? 4 : GROWTH;
    const wanted = Math.floor(this.entries * factor);
    const most = Math.min(
      Math.floor(Math.min(this.#device.info.mostBytes, MOST_BUFFER) / 8),
      Math.floor((this.#budget - this.#bytesWith(this.#chunks.length, 0)) / 8),
    );
    const entries = Math.min(wanted, most);
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
/** Bytes a state stay below 18 beside its words: 8 / (0.8 / 1.7) + 1/8. */
const GROWTH = 1.7;
const LEAST_GROWTH = 1.05;
