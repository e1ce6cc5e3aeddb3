/** The states on a device: chunks of the store, the table, the holes, and how they grow within the memory that the search may use. */
import {
  DeviceProblem,
  type Device,
  type DeviceArgument,
  type DeviceBuffer,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { CHUNKS, PARTS } from "./results.js";
import { treeOf } from "./tree-text.js";

export interface StoreSizes {
  readonly firstEntries: number;
  /** Tables up to this many entries grow fourfold. */
  readonly quickEntries: number;
  /** Of the table of nodes; absent: states are stored as their words. */
  readonly firstNodes?: number | undefined;
}

export class DeviceStore {
  readonly width: number;
  readonly #keyWidth: number;
  #nodes: DeviceBuffer | undefined;
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
  static chunkStates(device: Device, keyWidth: number, budget: number): number {
    const stateBytes = 4 * keyWidth;
    const share = stateBytes / (stateBytes + 1 / 8 + 8 / MOST_LOAD);
    const bytes = Math.min(
      device.info.mostBytes,
      MOST_BUFFER,
      (share * (budget - RESERVED * budget)) / CHUNKS,
    );
    const states = Math.floor(bytes / stateBytes / 32) * 32;
    return Math.min(Math.max(32, states), 2 ** 32 / CHUNKS - 32);
  }

  constructor(device: Device, width: number, budget: number, sizes: StoreSizes) {
    this.width = width;
    this.#device = device;
    this.#budget = budget;
    this.#sizes = sizes;
    this.#keyWidth = sizes.firstNodes === undefined ? width : 2;
    this.chunkStates = DeviceStore.chunkStates(device, this.#keyWidth, budget);
    this.entries = sizes.firstEntries;
    this.#tables = this.#emptyTables(this.entries);
    this.#holes = device.allocate(CHUNKS * (this.chunkStates / 8) + 8);
    this.#holes.clear();
    this.#addChunk();
    if (sizes.firstNodes !== undefined) this.#nodes = this.#emptyNodes(sizes.firstNodes);
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
    return this.tail * (4 * this.#keyWidth + 1 / 8) + 8 * this.entries + this.#nodeBytes;
  }

  get #nodeBytes(): number {
    return this.#nodes?.bytes ?? 0;
  }

  /** Of the table of nodes, its entries with it. */
  get nodeArguments(): DeviceArgument[] {
    return this.#nodes ? [this.#nodes, BigInt(this.#nodes.bytes / 8)] : [];
  }

  arguments(): DeviceArgument[] {
    const chunks = Array.from({ length: CHUNKS }, (_, c) => this.#chunks[c] ?? nth(this.#chunks, 0));
    return [...chunks, ...this.#tables, BigInt(this.entries / PARTS), this.#holes];
  }

  read(index: number): Words {
    const key = new Int32Array(this.#keyWidth);
    const chunk = nth(this.#chunks, Math.floor(index / this.chunkStates));
    chunk.read(key, (index % this.chunkStates) * 4 * this.#keyWidth);
    return this.#nodes ? this.#spread(key, this.#nodes) : key;
  }

  #spread(key: Words, nodes: DeviceBuffer): Words {
    const words = new Int32Array(this.width);
    const tree = treeOf(this.width);
    const numbers = new Uint32Array(tree.nodes.length);
    const take = (child: (typeof tree.root)[number], number: number): void => {
      if ("word" in child) words[child.word] = number;
      else numbers[child.node] = number;
    };
    take(tree.root[0], nth(key, 0));
    take(tree.root[1], nth(key, 1));
    const entry = new BigUint64Array(1);
    for (let j = tree.nodes.length - 1; j >= 0; j--) {
      const [left, right] = nth(tree.nodes, j);
      nodes.read(entry, 8 * nth(numbers, j));
      const pair = BigInt.asUintN(64, nth(entry, 0) - 1n);
      take(left, Number(pair >> 32n));
      take(right, Number(pair & 0xffff_ffffn));
    }
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

  /** A larger table of nodes, to be filled by `recode`; undefined: there is no memory. `replaceNodes` puts it in place. */
  largerNodes(): DeviceBuffer | undefined {
    const entries = Math.floor((this.#nodeBytes / 8) * NODE_GROWTH);
    const bytes = 8 * entries;
    if (bytes > Math.min(this.#device.info.mostBytes, MOST_BUFFER) || this.bytes + bytes > this.#budget)
      return undefined;
    let larger: DeviceBuffer | undefined;
    this.#tryTo(() => (larger = this.#emptyNodes(entries)));
    return larger;
  }

  /** The keys are those of the new table: the table of states is empty, and is to be filled again. */
  replaceNodes(larger: DeviceBuffer): void {
    this.peakBytes = Math.max(this.peakBytes, this.bytes + larger.bytes);
    this.#nodes?.free();
    this.#nodes = larger;
    for (const table of this.#tables) table.clear();
  }

  #emptyNodes(entries: number): DeviceBuffer {
    const nodes = this.#device.allocate(8 * entries);
    nodes.clear();
    return nodes;
  }

  free(): void {
    for (const buffer of [...this.#chunks, ...this.#tables, this.#holes]) buffer.free();
    this.#nodes?.free();
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
    return (
      chunks * this.chunkStates * 4 * this.#keyWidth +
      8 * entries +
      this.#holes.bytes +
      this.#nodeBytes +
      this.otherBytes
    );
  }

  #addChunk(): void {
    this.#chunks.push(this.#device.allocate(this.chunkStates * 4 * this.#keyWidth));
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
/** A table of nodes is replaced when a search for a free entry takes long: at some 0.9 of it. */
const NODE_GROWTH = 2;
const LEAST_GROWTH = 1.05;
/** Part of the memory that neither states nor the table take: room for intermediate states, results. */
const RESERVED = 0.02;
