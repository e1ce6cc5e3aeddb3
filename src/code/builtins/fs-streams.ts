/** Files as streams. */
import { Buffer } from "./buffer.js";
import type { PathLike } from "./fs-arguments.js";
import {
  closeSync,
  descriptorTouches,
  openSync,
  openTouches,
  readSync,
  writeSync,
} from "./fs-descriptors.js";
import { operation, type Touch } from "./fs-world.js";
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
  #isOpen = false;
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
      this.#fd === undefined ? openTouches(this.path, this.#flags) : descriptorTouches(this.#fd, false),
      [
        ...(this.#fd === undefined ? [() => (this.#fd = openSync(this.path, this.#flags))] : []),
        () => readSync(this.#fd!, buffer, 0, buffer.length, this.#position),
      ],
      (error, count) => {
        if (error) return void this.destroy(error);
        if (!this.#isOpen) this.emit("open", this.#fd);
        this.#isOpen = true;
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
  #isOpen = false;
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
      this.#touches(),
      [() => this.#open(), () => writeSync(this.#open(), chunk as Uint8Array)],
      (error, count) => {
        this.#opened();
        if (!error) this.bytesWritten += count as number;
        done(error);
      },
    );
  }

  override _final(done: Done): void {
    if (this.#fd !== undefined) return done();
    operation("open", String(this.path), this.#touches(), [() => this.#open()], (error) => {
      this.#opened();
      done(error);
    });
  }

  #touches(): Touch[] {
    return this.#fd === undefined ? openTouches(this.path, this.#flags) : descriptorTouches(this.#fd, true);
  }

  #open(): number {
    return (this.#fd ??= openSync(this.path, this.#flags));
  }

  #opened(): void {
    if (this.#isOpen || this.#fd === undefined) return;
    this.#isOpen = true;
    this.emit("open", this.#fd);
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
