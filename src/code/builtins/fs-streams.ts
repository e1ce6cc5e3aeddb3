/**
 * File streams. As in Node, the file is opened when the stream is created, even if the stream is never used; earlier
 * requests wait for the opening.
 */
import { refuse } from "../world/failure.js";
import { Buffer } from "./buffer.js";
import type { PathLike } from "./fs-arguments.js";
import {
  closeQuietly,
  descriptorTouches,
  openSync,
  openTouches,
  readSync,
  writeSync,
} from "./fs-descriptors.js";
import { operation } from "./fs-world.js";
import { takeOnly } from "./lacking.js";
import type { StreamOptions } from "./stream-base.js";
import { Readable } from "./stream-readable.js";
import { Writable } from "./stream-writable.js";

type Done = (error?: Error | null) => void;

export interface FileStreamOptions extends StreamOptions {
  readonly flags?: string;
  readonly fd?: number;
  readonly start?: number;
  /** Inclusive. */
  readonly end?: number;
  readonly autoClose?: boolean;
}

const taken = "flags encoding fd mode autoClose emitClose start end highWaterMark signal";

function optionsOf(options: string | FileStreamOptions | undefined): FileStreamOptions {
  if (typeof options === "string") return { encoding: options };
  takeOnly("a stream of a file", options, taken);
  if (options?.autoClose === false) refuse("a stream of a file with autoClose: false");
  if (options?.fd !== undefined && typeof options.fd !== "number")
    refuse("a stream of a file with a FileHandle");
  return options ?? {};
}

/** The file of a stream, open or being opened. */
class StreamFile {
  fd: number | undefined;
  readonly #stream: Readable | Writable;
  #waiting: (() => void)[] = [];

  constructor(stream: Readable | Writable, path: PathLike, flags: string, fd: number | undefined) {
    this.#stream = stream;
    this.fd = fd;
    if (fd === undefined && !stream.destroyed) this.#open(path, flags);
  }

  whenOpen(go: () => void): void {
    if (this.fd !== undefined) go();
    else this.#waiting.push(go);
  }

  #open(path: PathLike, flags: string): void {
    const open = (): number => openSync(path, flags);
    operation("open", String(path), openTouches(path, flags), [open], (error, descriptor) => {
      if (error) return void this.#stream.destroy(error);
      if (this.#stream.destroyed) return closeQuietly(descriptor as number);
      this.fd = descriptor as number;
      this.#stream.emit("open", this.fd);
      this.#stream.emit("ready");
      for (const go of this.#waiting.splice(0)) go();
    });
  }

  close(): void {
    if (this.fd !== undefined) closeQuietly(this.fd);
    this.fd = undefined;
    this.#waiting = [];
  }
}

export class ReadStream extends Readable {
  readonly path: PathLike;
  bytesRead = 0;
  readonly #file: StreamFile;
  #position: number;
  readonly #end: number;

  constructor(path: PathLike, given?: string | FileStreamOptions) {
    const options = optionsOf(given);
    super({ highWaterMark: 65536, ...options });
    this.path = path;
    this.#position = options.start ?? 0;
    this.#end = options.end ?? Infinity;
    this.#file = new StreamFile(this, path, options.flags ?? "r", options.fd);
  }

  get fd(): number | null {
    return this.#file.fd ?? null;
  }

  get pending(): boolean {
    return this.fd === null;
  }

  close(done?: Done): void {
    if (done) this.once("close", () => done());
    this.destroy();
  }

  override _read(size: number): void {
    this.#file.whenOpen(() => this.#readNow(size));
  }

  #readNow(size: number): void {
    const { fd } = this.#file;
    const buffer = Buffer.alloc(Math.max(0, Math.min(size, this.#end - this.#position + 1)));
    const read = (): number => readSync(fd!, buffer, 0, buffer.length, this.#position);
    operation("read", String(this.path), descriptorTouches(fd, false), [read], (error, count) => {
      if (error) return void this.destroy(error);
      this.#position += count as number;
      this.bytesRead += count as number;
      this.push(count === 0 ? null : buffer.subarray(0, count as number));
    });
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#file.close();
    done(error);
  }
}

export class WriteStream extends Writable {
  readonly path: PathLike;
  bytesWritten = 0;
  readonly #file: StreamFile;
  /** Absent: the end of the last write. */
  #position: number | undefined;

  constructor(path: PathLike, given?: string | FileStreamOptions) {
    const options = optionsOf(given);
    super(options);
    this.path = path;
    this.#position = options.start;
    const flags = options.flags ?? (options.start === undefined ? "w" : "r+");
    this.#file = new StreamFile(this, path, flags, options.fd);
  }

  get fd(): number | null {
    return this.#file.fd ?? null;
  }

  get pending(): boolean {
    return this.fd === null;
  }

  close(done?: Done): void {
    if (done) this.once("close", () => done());
    this.end();
  }

  override _write(chunk: never, _encoding: string, done: Done): void {
    this.#file.whenOpen(() => this.#writeNow(chunk as Uint8Array, done));
  }

  #writeNow(chunk: Uint8Array, done: Done): void {
    const { fd } = this.#file;
    const write = (): number => writeSync(fd!, chunk, 0, chunk.length, this.#position ?? null);
    operation("write", String(this.path), descriptorTouches(fd, true), [write], (error, count) => {
      if (!error) this.bytesWritten += count as number;
      if (!error && this.#position !== undefined) this.#position += count as number;
      done(error);
    });
  }

  override _final(done: Done): void {
    this.#file.whenOpen(() => done());
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#file.close();
    done(error);
  }
}

export const createReadStream = (path: PathLike, options?: string | FileStreamOptions): ReadStream =>
  new ReadStream(path, options);
export const createWriteStream = (path: PathLike, options?: string | FileStreamOptions): WriteStream =>
  new WriteStream(path, options);
