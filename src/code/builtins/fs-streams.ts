/** Files as streams. */
import { Buffer } from "./buffer.js";
import type { PathLike } from "./fs-arguments.js";
import { closeSync, openSync, readSync, writeSync } from "./fs-descriptors.js";
import { operation } from "./fs-world.js";
import { Readable, Writable, type StreamOptions } from "./stream.js";

type Done = (error?: Error | null) => void;

export interface FileStreamOptions extends StreamOptions {
  readonly flags?: string;
  readonly fd?: number;
  readonly start?: number;
  /** Included. */
  readonly end?: number;
}

const optionsOf = (options: string | FileStreamOptions | undefined): FileStreamOptions =>
  typeof options === "string" ? { encoding: options } : (options ?? {});

export class ReadStream extends Readable {
  readonly path: PathLike;
  #fd: number | undefined;
  #position: number;
  readonly #end: number;
  readonly #flags: string;

  constructor(path: PathLike, given?: string | FileStreamOptions) {
    const options = optionsOf(given);
    super({ highWaterMark: 65536, ...options });
    this.path = path;
    this.#fd = options.fd;
    this.#flags = options.flags ?? "r";
    this.#position = options.start ?? 0;
    this.#end = options.end ?? Infinity;
  }

  override _read(size: number): void {
    const length = Math.min(size, this.#end - this.#position + 1);
    const buffer = Buffer.alloc(Math.max(0, length));
    operation(
      "read",
      String(this.path),
      () => {
        if (this.#fd === undefined) {
          this.#fd = openSync(this.path, this.#flags);
          this.emit("open", this.#fd);
        }
        return readSync(this.#fd, buffer, 0, buffer.length, this.#position);
      },
      (error, count) => {
        if (error) return void this.destroy(error);
        this.#position += count as number;
        this.push(count === 0 ? null : buffer.subarray(0, count as number));
      },
    );
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    done(error);
  }
}

export class WriteStream extends Writable {
  readonly path: PathLike;
  bytesWritten = 0;
  #fd: number | undefined;
  readonly #flags: string;

  constructor(path: PathLike, given?: string | FileStreamOptions) {
    const options = optionsOf(given);
    super(options);
    this.path = path;
    this.#fd = options.fd;
    this.#flags = options.flags ?? "w";
  }

  override _write(chunk: never, _encoding: string, done: Done): void {
    operation(
      "write",
      String(this.path),
      () => writeSync(this.#open(), chunk as Uint8Array),
      (error, count) => {
        if (!error) this.bytesWritten += count as number;
        done(error);
      },
    );
  }

  override _final(done: Done): void {
    if (this.#fd !== undefined) return done();
    operation("open", String(this.path), () => this.#open(), done);
  }

  #open(): number {
    if (this.#fd === undefined) {
      this.#fd = openSync(this.path, this.#flags);
      this.emit("open", this.#fd);
    }
    return this.#fd;
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    done(error);
  }
}

export const createReadStream = (path: PathLike, options?: string | FileStreamOptions): ReadStream =>
  new ReadStream(path, options);
export const createWriteStream = (path: PathLike, options?: string | FileStreamOptions): WriteStream =>
  new WriteStream(path, options);
