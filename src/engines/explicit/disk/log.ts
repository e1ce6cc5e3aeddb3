/**
 * All states in the order of their ids, in files: the queue of the search, and the way back from each state.
 *
 *   states-F   records of one width, from id F on; a new file begins when states become wider
 *   parents    a word each
 *
 * What is appended is written in large pieces; `flush` before it is read, `sync` before a manifest counts on it.
 */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { Words } from "../../../model/index.js";
import type { Checkpoint, Folder } from "./folder.js";

export class StateLog {
  count = 0;
  readonly #folder: Folder;
  readonly #segments: { readonly firstId: number; readonly width: number; readonly file: AppendedFile }[] =
    [];
  readonly #parents: AppendedFile;

  /** Cut off behind what the checkpoint counts. */
  constructor(folder: Folder, checkpoint: Checkpoint | undefined) {
    this.#folder = folder;
    this.count = checkpoint?.states ?? 0;
    this.#parents = new AppendedFile(folder, folder.path("parents"), 4 * this.count);
    const segments = checkpoint?.segments ?? [];
    segments.forEach(({ firstId, width }, index) => {
      const end = segments[index + 1]?.firstId ?? this.count + 1;
      const file = new AppendedFile(folder, folder.path(`states-${firstId}`), 4 * width * (end - firstId));
      this.#segments.push({ firstId, width, file });
    });
  }

  get segments(): Checkpoint["segments"] {
    return this.#segments.map(({ firstId, width }) => ({ firstId, width }));
  }

  get names(): string[] {
    return ["parents", ...this.#segments.map(({ firstId }) => `states-${firstId}`)];
  }

  append(words: Words, at: number, width: number, parent: number): void {
    this.count++;
    let last = this.#segments.at(-1);
    if (last?.width !== width) {
      const file = new AppendedFile(this.#folder, this.#folder.path(`states-${this.count}`), 0);
      this.#segments.push((last = { firstId: this.count, width, file }));
    }
    last.file.append(words, at, width);
    this.#parents.append(Int32Array.of(parent), 0, 1);
  }

  /** Copies the states from `id` on into `out`, zero-extended to `width`; how many there were, at most as many as fit. */
  read(id: number, out: Words, width: number): number {
    const wanted = Math.min(Math.floor(out.length / width), this.count + 1 - id);
    let done = 0;
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

/** A file of words that grows at its end. */
class AppendedFile {
  readonly #folder: Folder;
  readonly #file: number;
  readonly #buffer = new Int32Array(BUFFERED_WORDS);
  #buffered = 0;
  #bytes: number;
  #isSynced = true;

  constructor(folder: Folder, path: string, bytes: number) {
    this.#folder = folder;
    this.#file = openSync(path, bytes > 0 ? "r+" : "w+");
    ftruncateSync(this.#file, bytes);
    this.#bytes = bytes;
  }

  append(words: Words, at: number, count: number): void {
    if (this.#buffered + count > this.#buffer.length) this.flush();
    if (count > this.#buffer.length) return this.#write(words.slice(at, at + count));
    for (let k = 0; k < count; k++) this.#buffer[this.#buffered++] = words[at + k]!;
  }

  read(firstWord: number, count: number): Int32Array {
    this.flush();
    const words = new Int32Array(count);
    readWhole(this.#file, words, 4 * firstWord);
    return words;
  }

  flush(): void {
    if (this.#buffered === 0) return;
    this.#write(this.#buffer.subarray(0, this.#buffered));
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

  #write(words: Int32Array): void {
    this.#isSynced = false;
    writeWhole(this.#file, words, this.#bytes);
    this.#bytes += words.byteLength;
  }
}

/** Reads exactly that; a file that is too short is damaged. */
export function readWhole(file: number, words: Int32Array, position: number): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let done = 0; done < bytes.length;) {
    const count = readSync(file, bytes, done, bytes.length - done, position + done);
    if (count === 0) throw new Error("a file of the search on disk is shorter than its manifest says");
    done += count;
  }
}

export function writeWhole(file: number, words: Int32Array, position: number): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let done = 0; done < bytes.length;)
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

const BUFFERED_WORDS = 1 << 16;
