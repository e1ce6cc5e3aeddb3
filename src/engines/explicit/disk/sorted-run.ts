/**
 * Visited states in a file, in the order of their hashes: written once, looked up in passes, merged into larger runs.
 *
 * Memory holds the first hash of each block of records. A pass over many states in hash order reads each block at most once,
 * and only blocks that could contain one of them. A checksum follows each block (`summed.ts`).
 */
import { closeSync, openSync, fstatSync } from "node:fs";
import type { Words } from "../../../model/index.js";
import { hashWords } from "../hash.js";
import type { Checkpoint, Folder } from "./folder.js";
import { opened } from "./log.js";
import { damaged, readWhole, RunningSum, SUM_WORDS, writeWhole, type Sum } from "./summed.js";

type RunEntry = Checkpoint["runs"][number];

export class SortedRun {
  readonly name: string;
  readonly width: number;
  readonly count: number;
  readonly #file: number;
  readonly #compareFrom: number;
  /** The first hash of each block, unsigned. */
  readonly #firstHashes: Uint32Array;
  /** A block between two sums. */
  readonly #read: Int32Array;
  readonly #records: Int32Array;
  readonly #sum: Sum;
  #loaded = -1;

  constructor(
    folder: Folder,
    { name, width, count, sum }: RunEntry,
    compareFrom: number,
    firstHashes?: Uint32Array,
  ) {
    this.name = name;
    this.width = width;
    this.count = count;
    this.#compareFrom = compareFrom;
    this.#sum = sum;
    this.#file = opened(folder.path(name), "r", name);
    this.#read = new Int32Array(BLOCK_RECORDS * width + 2 * SUM_WORDS);
    this.#records = this.#read.subarray(SUM_WORDS);
    this.#firstHashes = firstHashes ?? this.#readFirstHashes();
  }

  get entry(): RunEntry {
    return { name: this.name, width: this.width, count: this.count, sum: this.#sum };
  }

  /** Is the state with that hash here? Fast when asked in the order of hashes. */
  has(hash: number, words: Words, at: number, width: number): boolean {
    // sound: test/engines/disk/runs.test.ts
    for (let block = this.#firstBlock(hash); block < this.#firstHashes.length; block++) {
      // sound: test/engines/disk/runs.test.ts
      if (this.#firstHashes[block]! > hash) return false;
      const length = this.#load(block);
      let low = 0;
      // sound: test/engines/disk/runs.test.ts
      for (let high = length; low < high;) {
        const middle = (low + high) >>> 1;
        // sound: test/engines/disk/runs.test.ts
        if (this.#hashAt(middle) < hash) low = middle + 1;
        else high = middle;
      }
      // sound: test/engines/disk/runs.test.ts
      for (; low < length && this.#hashAt(low) === hash; low++)
        if (this.#isEqual(low * this.width, words, at, width)) return true;
      // sound: test/engines/disk/runs.test.ts
      if (low < length) return false;
    }
    return false;
  }

  /** Visits all records in order. `words[at…]` is reused. */
  *records(): Generator<{ readonly hash: number; readonly words: Words; readonly at: number }> {
    // sound: test/engines/disk/runs.test.ts
    for (let block = 0; block < this.#firstHashes.length; block++) {
      const length = this.#load(block);
      // sound: test/engines/disk/runs.test.ts
      for (let i = 0; i < length; i++)
        yield { hash: this.#hashAt(i), words: this.#records, at: i * this.width };
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The last block that begins below that hash, as equal hashes may begin there. */
  #firstBlock(hash: number): number {
    return Math.max(0, lowerBound(this.#firstHashes, hash) - 1);
  }

  /** Brings a block into memory; how many records it has. */
  #load(block: number): number {
    const length = Math.min(BLOCK_RECORDS, this.count - block * BLOCK_RECORDS);
    // sound: test/engines/disk/runs.test.ts
    if (this.#loaded === block) return length;
    this.#loaded = -1;
    const size = length * this.width;
    const start = block * (BLOCK_RECORDS * this.width + SUM_WORDS);
    const before = block > 0 ? 0 : SUM_WORDS; // The first block has no sum in front of it.
    const words = this.#read.subarray(before, 2 * SUM_WORDS + size);
    readWhole(this.#file, words, 4 * (block > 0 ? start - SUM_WORDS : 0), this.name);
    const sum = new RunningSum();
    if (block > 0) sum.value = [this.#read[0]!, this.#read[1]!];
    sum.add(this.#records, 0, size);
    const isLast = (block + 1) * BLOCK_RECORDS >= this.count;
    const isRight = sum.isAt(this.#records, size) && (!isLast || sum.equals(this.#sum)); // sound: test/engines/disk/conditions.test.ts
    if (!isRight) throw damaged(this.name, `block ${block} does not match its checksum`);
    this.#loaded = block;
    return length;
  }

  #hashAt(i: number): number {
    return hashWords(this.#records, i * this.width, this.width, this.#compareFrom) >>> 0;
  }

  #isEqual(there: number, words: Words, at: number, width: number): boolean {
    const most = Math.max(width, this.width);
    // sound: test/engines/disk/runs.test.ts
    for (let k = this.#compareFrom; k < most; k++) {
      // sound: test/engines/disk/runs.test.ts
      const here = k < width ? words[at + k] : 0;
      // sound: test/engines/disk/runs.test.ts
      if ((k < this.width ? this.#records[there + k] : 0) !== here) return false;
    }
    return true;
  }

  /** Verifies the whole file on the way. */
  #readFirstHashes(): Uint32Array {
    const hashes = new Uint32Array(Math.ceil(this.count / BLOCK_RECORDS));
    const bytes = 4 * (this.count * this.width + SUM_WORDS * hashes.length);
    if (fstatSync(this.#file).size !== bytes)
      throw damaged(this.name, "it does not have the size that the manifest says");
    for (let block = 0; block < hashes.length; block++) {
      this.#load(block);
      hashes[block] = this.#hashAt(0);
    }
    return hashes;
  }
}

/** Writes a run, record by record in the order of hashes. */
export class RunWriter {
  readonly #folder: Folder;
  readonly #name: string;
  readonly #width: number;
  readonly #file: number;
  readonly #buffer: Int32Array;
  readonly #firstHashes: number[] = [];
  readonly #sum = new RunningSum();
  #buffered = 0;
  #bytes = 0;
  #count = 0;

  constructor(folder: Folder, name: string, width: number) {
    this.#folder = folder;
    this.#name = name;
    this.#width = width;
    this.#file = openSync(folder.path(name), "w");
    this.#buffer = new Int32Array(BLOCK_RECORDS * width + SUM_WORDS);
  }

  add(hash: number, words: Words, at: number, width: number): void {
    // sound: test/engines/disk/runs.test.ts
    if (this.#count % BLOCK_RECORDS === 0) {
      this.#flush();
      this.#firstHashes.push(hash);
    }
    // sound: test/engines/disk/runs.test.ts
    for (let k = 0; k < this.#width; k++) this.#buffer[this.#buffered++] = k < width ? words[at + k]! : 0;
    this.#count++;
  }

  finish(compareFrom: number): SortedRun {
    try {
      this.#flush();
      this.#folder.sync(this.#file);
    } finally {
      closeSync(this.#file);
    }
    const entry = { name: this.#name, width: this.#width, count: this.#count, sum: this.#sum.value };
    return new SortedRun(this.#folder, entry, compareFrom, Uint32Array.from(this.#firstHashes));
  }

  /** A block and its sum. */
  #flush(): void {
    if (this.#buffered === 0) return;
    this.#sum.add(this.#buffer, 0, this.#buffered);
    for (const word of this.#sum.value) this.#buffer[this.#buffered++] = word;
    writeWhole(this.#file, this.#buffer.subarray(0, this.#buffered), this.#bytes);
    this.#bytes += 4 * this.#buffered;
    this.#buffered = 0;
  }
}

/** One run of two, which have no state in common. */
export function mergeRuns(
  folder: Folder,
  name: string,
  a: SortedRun,
  b: SortedRun,
  compareFrom: number,
): SortedRun {
  const writer = new RunWriter(folder, name, Math.max(a.width, b.width));
  const [left, right] = [a.records(), b.records()];
  let [x, y] = [left.next(), right.next()];
  // sound: test/engines/disk/runs.test.ts
  while (!x.done || !y.done) {
    // sound: test/engines/disk/runs.test.ts
    if (y.done || (!x.done && x.value.hash <= y.value.hash)) {
      const { hash, words, at } = (x as IteratorYieldResult<{ hash: number; words: Words; at: number }>)
        .value;
      writer.add(hash, words, at, a.width);
      x = left.next();
    } else {
      writer.add(y.value.hash, y.value.words, y.value.at, b.width);
      y = right.next();
    }
  }
  return writer.finish(compareFrom);
}

/** The first of the sorted values that is not below `value`. */
function lowerBound(values: Uint32Array, value: number): number {
  let low = 0;
  let high = values.length;
  // sound: test/engines/disk/runs.test.ts
  while (low < high) {
    const middle = (low + high) >>> 1;
    // sound: test/engines/disk/runs.test.ts
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const BLOCK_RECORDS = 256;
