/**
 * The states of a search on disk, by their ids: permanently in memory (`resident`), temporarily (`recent`), and in files: the
 * log with all of them in order, and the sorted runs for lookups.
 *
 * While there is memory, states are looked up at once. Later ones wait in `recent` until they are looked up together, in the
 * order of their hashes. New ones get the next id and go to the log, and in time into a run.
 */
import { rmSync } from "node:fs";
import type { System, Words } from "../../../model/index.js";
import { Ledger } from "../ledger.js";
import type { Growth, LoopCode, Visited } from "../loop-code.js";
import { ExactStore } from "../store.js";
import type { Checkpoint, Folder } from "./folder.js";
import { StateLog } from "./log.js";
import { NUMBERS } from "./numbers.js";
import { Recent } from "./recent.js";
import { Visits } from "./visits.js";

export interface MemoryRoom {
  readonly bytes: number;
  /** Limits on resident states, and on waiting or new ones before they go to a run; for tests. */
  readonly residentStates?: number | undefined;
  readonly recentStates?: number | undefined;
}

/** The part of a checkpoint that locates the states. */
export type StoredPart = Pick<
  Checkpoint,
  "width" | "states" | "resident" | "sorted" | "segments" | "parentsSum" | "runs"
>;

export class DiskStates implements Visited {
  readonly refWords = 1;
  readonly resident: ExactStore;
  /** The resident store takes no more: states that it does not know wait to be looked up on disk. */
  isSpilled = false;
  readonly #folder: Folder;
  readonly #examine: (words: Words, id: number) => void;
  readonly #ledger: Ledger;
  readonly #log: StateLog;
  readonly #recent: Recent;
  readonly #visits: Visits;
  /** States read ahead from the log. */
  #window = { first: 0, count: 0, words: new Int32Array(0) };

  /** `examine` receives every new state that is not resident. */
  constructor(
    { width: least, compareFrom }: System,
    folder: Folder,
    room: MemoryRoom,
    examine: (words: Words, id: number) => void,
  ) {
    this.#folder = folder;
    this.#examine = examine;
    const before = folder.manifest.checkpoint;
    const width = Math.max(least, before?.width ?? 0);
    this.#ledger = new Ledger(room.bytes * RESIDENT_SHARE);
    this.resident = new ExactStore(
      { width, compareFrom, keepsParents: true, maxStates: room.residentStates ?? Infinity },
      this.#ledger,
    );
    const recentBytes = Math.max(LEAST_RECENT, room.bytes * RECENT_SHARE);
    this.#recent = new Recent(width, compareFrom, recentBytes, room.recentStates);
    this.#log = new StateLog(folder, before);
    this.#visits = new Visits(folder, before?.runs ?? [], compareFrom);
    folder.removeOthers(new Set([NUMBERS, ...this.#log.names, ...this.#visits.names]));
  }

  get count(): number {
    // sound: test/engines/disk/states.test.ts
    return this.isSpilled ? this.#log.count : this.resident.count;
  }

  get width(): number {
    return this.resident.width;
  }

  get bytes(): number {
    return this.#ledger.bytes + this.#recent.bytes;
  }

  get peakBytes(): number {
    return this.#ledger.peakBytes + this.#recent.bytes;
  }

  get tableBytes(): number {
    return this.resident.tableBytes;
  }

  get waitingWords(): number {
    return this.resident.waitingWords;
  }

  get residents(): number {
    return this.resident.count;
  }

  close(): void {
    this.#log.close();
    this.#visits.close();
  }

  // ---- reading ----

  parent(id: number): number {
    return id <= this.#log.count ? this.#log.parent(id) : this.resident.parent(id);
  }

  /** A copy, extended by zeros. */
  numbered(id: number, width = this.width): Words {
    // sound: test/engines/disk/states.test.ts
    if (id <= this.resident.count) return this.resident.numbered(id, width);
    const words = new Int32Array(width);
    this.#log.read(id, words, width);
    return words;
  }

  referred(refs: Int32Array, at: number): Words {
    return this.numbered(refs[at]!);
  }

  /** Position of the words of a state, zero-extended to the current width. For ids in order: the log is read ahead. */
  locate(id: number): { readonly words: Words; readonly at: number } {
    const { width, chunks, strides, chunkBits, count } = this.resident;
    // sound: test/engines/disk/states.test.ts
    if (id <= count) {
      const chunk = id >>> chunkBits;
      // sound: test/engines/disk/states.test.ts
      if (strides[chunk] === width) return { words: chunks[chunk]!, at: (id - (chunk << chunkBits)) * width };
      return { words: this.resident.numbered(id, width), at: 0 };
    }
    const window = this.#window;
    // sound: test/engines/disk/states.test.ts
    if (id < window.first || id >= window.first + window.count) {
      if (window.words.length !== width * WINDOW_STATES) window.words = new Int32Array(width * WINDOW_STATES);
      window.first = id;
      window.count = this.#log.read(id, window.words, width);
    }
    return { words: window.words, at: (id - window.first) * width };
  }

  // ---- entering ----

  enter(words: Words): readonly number[] | undefined {
    return this.resident.enter(words);
  }

  /** There is always room: states beyond memory wait. */
  grow(): Growth {
    // sound: test/engines/disk/states.test.ts
    if (this.resident.grow() !== "grown") this.#spill();
    return "grown";
  }

  /** The flat store's, of the resident states. */
  code(): LoopCode {
    const flat = this.resident.code();
    return {
      ...flat,
      bindings: { ...flat.bindings, store: this.resident, disk: this },
      loadNumbered: "const located = disk.locate(id), from = located.words, fromAt = located.at;",
      find: (onFound) => `
${flat.find(onFound)}
// sound: test/engines/disk/states.test.ts
if (disk.isSpilled) {
  // sound: test/engines/disk/states.test.ts
  while (ends[origin] <= i) origin++;
  // sound: test/engines/disk/states.test.ts
  if (!disk.wait(words, at, head + origin)) return -1;
  ${onFound}
}`,
    };
  }

  /** Closes the resident store, even if it has room; its states go to the log, where ids continue. */
  #spill(): void {
    this.#logResidents();
    this.isSpilled = true;
    this.#visits.sorted = this.resident.count;
  }

  /** A state unknown to memory waits to be looked up on disk; false when there is no memory for a single one. */
  wait(words: Words, at: number, parent: number): boolean {
    // sound: test/engines/disk/states.test.ts
    if (this.#recent.insert(words, at, parent) !== "full") return true;
    // sound: test/engines/disk/states.test.ts
    this.endLevel();
    this.#visits.add(this.#recent, this.width, this.#log.count);
    // sound: test/engines/disk/states.test.ts
    return this.#recent.insert(words, at, parent) !== "full";
  }

  /** Looks up the waiting states. */
  endLevel(): void {
    // sound: test/engines/disk/states.test.ts
    if (this.#recent.waiting === 0) return;
    const { width } = this;
    this.#recent.settle(
      (hash, words, at, stride) => this.#visits.has(hash, words, at, stride),
      (words, parent) => {
        this.#log.append(words, 0, width, parent);
        this.#examine(words, this.#log.count);
      },
    );
  }

  /** Follows the system. The resident store need not be laid out again when it takes no more: narrower states stay. */
  widen(width: number): "none" {
    // sound: test/engines/disk/states.test.ts
    if (this.isSpilled) this.resident.width = width;
    else if (this.resident.widen(width) === undefined) this.#spill();
    if (!this.#recent.widen(width)) {
      this.endLevel();
      this.#visits.add(this.#recent, width, this.#log.count);
    }
    this.#window.count = 0;
    return "none";
  }

  // ---- checkpoints ----

  /** Writes all states to disk and returns their location. */
  flush(): StoredPart {
    this.endLevel();
    this.#logResidents();
    this.#log.sync();
    return {
      width: this.width,
      states: this.#log.count,
      resident: this.resident.count,
      // sound: test/engines/disk/states.test.ts
      sorted: this.isSpilled ? this.#visits.sorted : this.#log.count,
      segments: this.#log.segments,
      parentsSum: this.#log.parentsSum,
      runs: this.#visits.entries,
    };
  }

  /** To be called when the manifest names the current files. */
  removeObsolete(): void {
    for (const name of this.#visits.takeObsolete()) rmSync(this.#folder.path(name), { force: true });
  }

  #logResidents(): void {
    const { width, count } = this.resident;
    // sound: test/engines/disk/states.test.ts
    for (let id = this.#log.count + 1; id <= count; id++)
      this.#log.append(this.resident.numbered(id, width), 0, width, this.resident.parent(id));
  }

  /** Nothing is to be entered any more: all ids are looked for in the log. */
  leaveInLog(): void {
    this.isSpilled = true;
  }

  /** Reloads the resident states as far as memory allows. */
  restore({ states, resident, sorted }: StoredPart): void {
    for (const { id, words, at } of this.#logged(1, resident)) {
      // sound: test/engines/disk/states.test.ts
      if (!this.isSpilled && this.resident.insert(words, at) !== undefined) continue;
      this.isSpilled = true;
      this.#keepRecent(words, at, id);
    }
    // With less memory than before, some that were resident go to a run.
    // sound: test/engines/disk/states.test.ts
    if (this.isSpilled) this.#visits.add(this.#recent, this.width, sorted);
    // sound: test/engines/disk/states.test.ts
    if (states > resident) this.isSpilled = true;
    // sound: test/engines/disk/states.test.ts
    for (const { id, words, at } of this.#logged(sorted + 1, states)) this.#keepRecent(words, at, id);
  }

  *#logged(first: number, last: number): Generator<{ id: number; words: Words; at: number }> {
    const { width } = this;
    const words = new Int32Array(width * WINDOW_STATES);
    // sound: test/engines/disk/states.test.ts
    for (let id = first; id <= last;) {
      const count = Math.min(this.#log.read(id, words, width), last + 1 - id);
      for (let i = 0; i < count; i++) yield { id: id + i, words, at: i * width };
      id += count;
    }
  }

  /** Enters a state that is in the log and not in a run. */
  #keepRecent(words: Words, at: number, id: number): void {
    // sound: test/engines/disk/states.test.ts
    if (this.#recent.insert(words, at, 0, true) !== "full") return;
    this.#visits.add(this.#recent, this.width, id - 1);
    this.#recent.insert(words, at, 0, true);
  }
}

const RESIDENT_SHARE = 0.6;
const RECENT_SHARE = 0.3;
/** With less, the search could not continue; the buffers of its files take more. */
const LEAST_RECENT = 1 << 16;
/** States that are read from the log at once. */
const WINDOW_STATES = 1024;
