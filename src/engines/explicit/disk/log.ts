/**
 * All states in the order of their ids, in files: the queue of the search, and the way back from each state.
 *
 *   states-F   records of one width, from id F on; a new file begins when states become wider
 *   parents    a word each
 *
 * Each has checksums between its words (`summed.ts`). Appends are written in large pieces; `flush` before reading, `sync`
 * before a manifest refers to them.
 */
import { closeSync, ftruncateSync, openSync } from "node:fs";
import type { Words } from "../../../model/index.js";
import type { Checkpoint, Folder } from "./folder.js";
import { damaged, readWhole, RunningSum, SUM_WORDS, writeWhole, type Sum } from "./summed.js";

export class StateLog {
  count = 0;
  readonly #folder: Folder;
  readonly #segments: { readonly firstId: number; readonly width: number; readonly file: AppendedFile }[] =
    [];
  readonly #parents: AppendedFile;

  /** Truncates the files to the extent that the checkpoint covers. */
  constructor(folder: Folder, checkpoint: Checkpoint | undefined) {
    this.#folder = folder;
    this.count = checkpoint?.states ?? 0;
    this.#parents = new AppendedFile(folder, "parents", this.count, checkpoint?.parentsSum);
    const segments = checkpoint?.segments ?? [];
    segments.forEach(({ firstId, width, sum }, index) => {
      const end = segments[index + 1]?.firstId ?? this.count + 1;
      const file = new AppendedFile(folder, `states-${firstId}`, width * (end - firstId), sum);
      this.#segments.push({ firstId, width, file });
    });
  }

  get segments(): Checkpoint["segments"] {
    return this.#segments.map(({ firstId, width, file }) => ({ firstId, width, sum: file.sum }));
  }

  get parentsSum(): Sum {
    return this.#parents.sum;
  }

  get names(): string[] {
    return ["parents", ...this.#segments.map(({ firstId }) => `states-${firstId}`)];
  }

  append(words: Words, at: number, width: number, parent: number): void {
    this.count++;
    let last = this.#segments.at(-1);
    // sound: test/engines/disk/states.test.ts
    if (last?.width !== width) {
      const file = new AppendedFile(this.#folder, `states-${this.count}`, 0, undefined);
      this.#segments.push((last = { firstId: this.count, width, file }));
    }
    last.file.append(words, at, width);
    this.#parents.append(Int32Array.of(parent), 0, 1);
  }

  /** Copies the states from `id` on into `out`, zero-extended to `width`; returns their number, limited by the room in `out`. */
  read(id: number, out: Words, width: number): number {
    const wanted = Math.min(Math.floor(out.length / width), this.count + 1 - id);
    let done = 0;
    // sound: test/engines/disk/states.test.ts
    while (done < wanted) {
      const index = this.#segments.findLastIndex(({ firstId }) => firstId <= id + done);
      const segment = this.#segments[index]!;
      const end = Math.min(id + wanted, this.#segments[index + 1]?.firstId ?? Infinity);
      const count = end - id - done;
      const records = segment.file.read((id + done - segment.firstId) * segment.width, count * segment.width);
      for (let i = 0; i < count; i++) {
        const there = (done + i) * width;
        out.fill(0, there, there + width);
        out.set(records.subarray(i * segment.width, (i + 1) * segment.width), there);
      }
      done = end - id;
    }
    return wanted;
  }

  parent(id: number): number {
    return this.#parents.read(id - 1, 1)[0]!;
  }

  sync(): void {
    for (const file of [this.#parents, ...this.#segments.map((segment) => segment.file)]) file.sync();
  }

  close(): void {
    for (const file of [this.#parents, ...this.#segments.map((segment) => segment.file)]) file.close();
  }
}

/** A file of words that grows at its end; words are verified when it is opened and when they are read. */
export class AppendedFile {
  readonly #folder: Folder;
  readonly #name: string;
  readonly #file: number;
  /** As in the file, with sums between words. */
  readonly #buffer = new Int32Array(BUFFERED_WORDS);
  #buffered = 0;
  #bytes: number;
  #isSynced = true;
  /** Without the sums. */
  #count: number;
  readonly #sum = new RunningSum();
  readonly #block = new Int32Array(BLOCK_WORDS + 2 * SUM_WORDS);

  constructor(folder: Folder, name: string, count: number, sum: Sum | undefined) {
    this.#folder = folder;
    this.#name = name;
    this.#count = count;
    this.#file = opened(folder.path(name), count > 0 ? "r+" : "w+", name);
    this.#bytes = 4 * positionOf(count);
    if (sum) {
      this.#sum.value = sum;
      for (let block = 0; block * BLOCK_WORDS < count; block++) this.#verified(block); // sound: test/engines/disk/conditions.test.ts
    }
    ftruncateSync(this.#file, this.#bytes);
  }

  /** Checksum over all words so far. */
  get sum(): Sum {
    return this.#sum.value;
  }

  append(words: Words, at: number, count: number): void {
    for (let k = 0; k < count;) {
      const left = BLOCK_WORDS - (this.#count % BLOCK_WORDS);
      const piece = Math.min(left, count - k);
      if (this.#buffered + piece + SUM_WORDS > this.#buffer.length) this.flush();
      for (let i = 0; i < piece; i++) this.#buffer[this.#buffered++] = words[at + k + i]!;
      this.#sum.add(words, at + k, piece);
      this.#count += piece;
      // sound: test/engines/disk/states.test.ts
      if (piece === left) for (const word of this.#sum.value) this.#buffer[this.#buffered++] = word;
      k += piece;
    }
  }

  read(firstWord: number, count: number): Int32Array {
    this.flush();
    const words = new Int32Array(count);
    for (let done = 0; done < count;) {
      const block = Math.floor((firstWord + done) / BLOCK_WORDS);
      const from = firstWord + done - block * BLOCK_WORDS;
      const piece = Math.min(BLOCK_WORDS - from, count - done);
      words.set(this.#verified(block).subarray(from, from + piece), done);
      done += piece;
    }
    return words;
  }

  flush(): void {
    // sound: test/engines/disk/states.test.ts
    if (this.#buffered === 0) return;
    this.#isSynced = false;
    const words = this.#buffer.subarray(0, this.#buffered);
    writeWhole(this.#file, words, this.#bytes);
    this.#bytes += words.byteLength;
    this.#buffered = 0;
  }

  sync(): void {
    this.flush();
    if (!this.#isSynced) this.#folder.sync(this.#file);
    this.#isSynced = true;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The words of a block. The last one, if it is not full, ends in the sum of the whole file, which is not in it. */
  #verified(block: number): Int32Array {
    const length = Math.min(BLOCK_WORDS, this.#count - block * BLOCK_WORDS);
    const isFull = length === BLOCK_WORDS;
    const before = block > 0 ? SUM_WORDS : 0;
    const read = this.#block.subarray(0, before + length + (isFull ? SUM_WORDS : 0));
    readWhole(this.#file, read, 4 * (block * (BLOCK_WORDS + SUM_WORDS) - before), this.#name);
    const sum = new RunningSum();
    if (before > 0) sum.value = [read[0]!, read[1]!];
    sum.add(read, before, length);
    const isLast = (block + 1) * BLOCK_WORDS >= this.#count;
    const isRight = (!isFull || sum.isAt(read, before + length)) && (!isLast || sum.equals(this.#sum.value)); // sound: test/engines/disk/conditions.test.ts
    if (!isRight) throw damaged(this.#name, `block ${block} does not match its checksum`);
    return read.subarray(before, before + length);
  }
}

/** Position of a word in the file, in words. */
const positionOf = (word: number): number => word + SUM_WORDS * Math.floor(word / BLOCK_WORDS);

export function opened(path: string, flags: string, name: string): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw damaged(name, "it is missing");
    throw error;
  }
}

const BUFFERED_WORDS = 1 << 16;
const BLOCK_WORDS = 1 << 10;
