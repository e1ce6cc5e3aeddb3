import { Buffer } from "./buffer.js";
import { soon, streamError, type Chunk, type Done, type StreamOptions } from "./stream-base.js";

/** The writing side of a stream: one write at a time, in order; then the end. */
export class Writing {
  readonly owner: WritingOwner;
  readonly isObjectMode: boolean;
  readonly highWaterMark: number;
  length = 0;
  isEnding = false;
  isFinished = false;
  needsDrain = false;
  corked = 0;
  #queue: Write[] = [];
  #isBusy = false;

  constructor(owner: WritingOwner, options: StreamOptions) {
    this.owner = owner;
    this.isObjectMode = options.writableObjectMode ?? options.objectMode ?? false;
    this.highWaterMark = options.highWaterMark ?? (this.isObjectMode ? 16 : 16384);
  }

  write(chunk: Chunk, encoding: string, done: Done): boolean {
    const problem = this.#problem(chunk);
    if (problem) {
      soon(() => done(problem));
      this.owner.destroy(problem);
      return false;
    }
    const data = this.isObjectMode || typeof chunk !== "string" ? chunk : Buffer.from(chunk, encoding);
    const size = this.isObjectMode ? 1 : (data as Uint8Array).length;
    this.length += size;
    this.#queue.push({
      chunk: data,
      encoding: typeof chunk === "string" && this.isObjectMode ? encoding : "buffer",
      done,
      size,
    });
    const hasRoom = this.length < this.highWaterMark;
    if (!hasRoom) this.needsDrain = true;
    this.next();
    return hasRoom && !this.owner.destroyed;
  }

  #problem(chunk: Chunk): Error | undefined {
    if (chunk === null)
      throw Object.assign(new TypeError("May not write null values to stream"), {
        code: "ERR_STREAM_NULL_VALUES",
      });
    if (!this.isObjectMode && typeof chunk !== "string" && !ArrayBuffer.isView(chunk))
      throw Object.assign(
        new TypeError(
          'The "chunk" argument must be of type string or an instance of Buffer, TypedArray, or DataView.',
        ),
        { code: "ERR_INVALID_ARG_TYPE" },
      );
    if (this.isEnding) return streamError("ERR_STREAM_WRITE_AFTER_END", "write after end");
    return this.owner.destroyed
      ? streamError("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed")
      : undefined;
  }

  next(): void {
    if (this.#isBusy || this.corked > 0 || this.owner.destroyed) return;
    const write = this.#queue.shift();
    if (!write) return this.#maybeFinish();
    this.#isBusy = true;
    let isWithin = true;
    const done = (error?: Error | null): void => {
      this.#isBusy = false;
      this.length -= write.size;
      const after = (): void => {
        if (error) {
          write.done(error);
          this.owner.destroy(error);
          return;
        }
        if (this.needsDrain && this.length === 0 && !this.isEnding && !this.owner.destroyed) {
          this.needsDrain = false;
          this.owner.emit("drain");
        }
        write.done(null);
        this.next();
      };
      if (isWithin) soon(after);
      else after();
    };
    this.owner._write(write.chunk as never, write.encoding, done);
    isWithin = false;
  }

  end(): void {
    this.isEnding = true;
    this.corked = 0;
    this.next();
  }

  #isFinishing = false;

  #maybeFinish(): void {
    if (!this.isEnding || this.#isFinishing || this.#isBusy) return;
    this.#isFinishing = true;
    soon(() => {
      if (this.owner.destroyed) return;
      this.owner._final((error) => {
        if (error) return void this.owner.destroy(error);
        soon(() => {
          this.isFinished = true;
          this.owner.emit("finish");
          this.owner.onWritableEnd();
        });
      });
    });
  }

  fail(error: Error | null): void {
    const reason =
      error ?? streamError("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed");
    for (const { done } of this.#queue.splice(0)) soon(() => done(reason));
  }
}

export interface WritingOwner {
  readonly destroyed: boolean;
  destroy(error?: Error | null): unknown;
  emit(name: string, ...args: unknown[]): unknown;
  _write(chunk: never, encoding: string, done: Done): void;
  _final(done: Done): void;
  onWritableEnd(): void;
}

interface Write {
  readonly chunk: Chunk;
  readonly encoding: string;
  readonly done: Done;
  readonly size: number;
}
