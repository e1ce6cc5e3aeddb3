/**
 * `node:stream`: `Readable`, `Writable`, `Duplex`, `Transform`, `PassThrough`, `pipeline` and `finished`.
 *
 * What streams do by themselves happens in `process.nextTick`, as in Node; what comes from beyond is pushed by whoever made
 * the stream. Buffering follows high-water marks; text in the object sense (`setEncoding`, `objectMode`) is supported.
 */
import { Buffer } from "./buffer.js";
import { EventEmitter } from "./events.js";
import { StringDecoder } from "./string_decoder.js";

type Done = (error?: Error | null) => void;
type Chunk = unknown;

export interface StreamOptions {
  readonly highWaterMark?: number;
  readonly objectMode?: boolean;
  readonly readableObjectMode?: boolean;
  readonly writableObjectMode?: boolean;
  readonly encoding?: string;
  readonly defaultEncoding?: string;
  readonly decodeStrings?: boolean;
  readonly autoDestroy?: boolean;
  readonly emitClose?: boolean;
  readonly allowHalfOpen?: boolean;
  readonly signal?: AbortSignal;
  read?(this: Readable, size: number): void;
  write?(this: Writable, chunk: never, encoding: string, done: Done): void;
  writev?(this: Writable, chunks: readonly { chunk: never; encoding: string }[], done: Done): void;
  final?(this: Writable, done: Done): void;
  destroy?(this: Stream, error: Error | null, done: Done): void;
  construct?(this: Stream, done: Done): void;
  transform?(
    this: Transform,
    chunk: never,
    encoding: string,
    done: (error?: Error | null, data?: Chunk) => void,
  ): void;
  flush?(this: Transform, done: (error?: Error | null, data?: Chunk) => void): void;
}

const soon = (run: () => void): void => process.nextTick(run);

const streamError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

export class Stream extends EventEmitter {
  destroyed = false;
  closed = false;
  errored: Error | null = null;
  protected readonly streamOptions: StreamOptions;

  constructor(options: StreamOptions = {}) {
    super();
    this.streamOptions = options;
    const { signal } = options;
    const abort = (): void =>
      void this.destroy(
        Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }),
      );
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  }

  destroy(error?: Error | null): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (error) this.errored = error;
    this._destroy(error ?? null, (later) => {
      const final = later ?? error;
      if (final) this.errored = final;
      soon(() => {
        this.closed = true;
        if (final) this.emit("error", final);
        if (this.streamOptions.emitClose !== false) this.emit("close");
      });
    });
    return this;
  }

  _destroy(error: Error | null, done: Done): void {
    const { destroy } = this.streamOptions;
    if (destroy) destroy.call(this, error, done);
    else done(error);
  }
}

export class Readable extends Stream {
  readonly readable = true;
  readableFlowing: boolean | null = null;
  readableEnded = false;
  readonly readableObjectMode: boolean;
  readonly readableHighWaterMark: number;
  #chunks: Chunk[] = [];
  #isEnding = false;
  #isReading = false;
  #isFlowScheduled = false;
  #needsReadable = false;
  #decoder: StringDecoder | undefined;
  readonly #pipes: { readonly target: WritableLike; readonly stop: () => void }[] = [];

  constructor(options: StreamOptions = {}) {
    super(options);
    this.readableObjectMode = options.readableObjectMode ?? options.objectMode ?? false;
    this.readableHighWaterMark = options.highWaterMark ?? (this.readableObjectMode ? 16 : 16384);
    if (options.encoding) this.setEncoding(options.encoding);
  }

  static from(source: Iterable<Chunk> | AsyncIterable<Chunk>, options: StreamOptions = {}): Readable {
    if (typeof source === "string" || source instanceof Uint8Array) return Readable.from([source], options);
    const iterator =
      Symbol.asyncIterator in source
        ? source[Symbol.asyncIterator]()
        : (source as Iterable<Chunk>)[Symbol.iterator]();
    const stream = new Readable({
      objectMode: true,
      highWaterMark: 1,
      ...options,
      read() {
        void (async () => {
          try {
            const { done, value } = await iterator.next();
            this.push(done ? null : await value);
          } catch (error) {
            this.destroy(error as Error);
          }
        })();
      },
    });
    return stream;
  }

  get readableLength(): number {
    return this.#chunks.reduce<number>((sum, chunk) => sum + this.#sizeOf(chunk), 0);
  }

  setEncoding(encoding: string): this {
    this.#decoder = new StringDecoder(encoding as never);
    this.#chunks = this.#chunks
      .map((chunk) => this.#decoder!.write(chunk as never))
      .filter((text) => text !== "");
    return this;
  }

  _read(size: number): void {
    const { read } = this.streamOptions;
    if (read) read.call(this, size);
  }

  /** False: enough for now. */
  push(chunk: Chunk, encoding?: string): boolean {
    this.#isReading = false;
    if (chunk === null) {
      this.#end();
      return false;
    }
    if (this.#isEnding) {
      this.destroy(streamError("ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
      return false;
    }
    const data = this.#converted(chunk, encoding);
    if (data === undefined) return true;
    this.#chunks.push(data);
    this.#wake();
    return this.readableLength < this.readableHighWaterMark;
  }

  unshift(chunk: Chunk): void {
    this.#chunks.unshift(this.#converted(chunk));
    this.#wake();
  }

  #converted(chunk: Chunk, encoding?: string): Chunk {
    if (this.readableObjectMode && !this.#decoder) return chunk;
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding ?? "utf8") : (chunk as Uint8Array);
    const data = this.#decoder ? this.#decoder.write(bytes as never) : Buffer.from(bytes);
    return data.length === 0 ? undefined : data;
  }

  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const rest = this.#decoder?.end();
    if (rest) this.#chunks.push(rest);
    this.#wake();
  }

  #wake(): void {
    if (this.readableFlowing) this.#scheduleFlow();
    else if (this.listenerCount("readable") > 0 && !this.#needsReadable) {
      this.#needsReadable = true;
      soon(() => {
        this.#needsReadable = false;
        if (this.destroyed) return;
        this.emit("readable");
        if (this.#chunks.length === 0) this.#maybeEnd();
      });
    }
  }

  read(size?: number): Chunk {
    if (this.#chunks.length === 0) {
      this.#maybeEnd();
      this.#ask();
      return null;
    }
    const data = this.#take(size);
    if (data !== null && this.readableFlowing === null) this.emit("data", data);
    this.#ask();
    if (this.#chunks.length === 0) this.#maybeEnd();
    return data;
  }

  #take(size: number | undefined): Chunk {
    if (this.readableObjectMode) return this.#chunks.shift();
    if (size === undefined && this.readableFlowing) return this.#chunks.shift();
    const isText = typeof this.#chunks[0] === "string";
    const all = isText ? this.#chunks.join("") : Buffer.concat(this.#chunks as Uint8Array[]);
    if (size !== undefined && size > all.length && !this.#isEnding) return null;
    const data =
      size === undefined ? all : isText ? (all as string).slice(0, size) : (all as Buffer).subarray(0, size);
    this.#chunks =
      size === undefined || size >= all.length
        ? []
        : [isText ? (all as string).slice(size) : (all as Buffer).subarray(size)];
    return data;
  }

  #ask(): void {
    if (this.#isReading || this.#isEnding || this.destroyed) return;
    if (this.readableLength >= this.readableHighWaterMark) return;
    this.#isReading = true;
    try {
      this._read(this.readableHighWaterMark);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #maybeEnd(): void {
    if (!this.#isEnding || this.readableEnded || this.#chunks.length > 0 || this.destroyed) return;
    this.readableEnded = true;
    soon(() => {
      this.emit("end");
      this.onReadableEnd();
    });
  }

  /** A duplex closes when both sides are done. */
  protected onReadableEnd(): void {
    if (this.streamOptions.autoDestroy !== false) this.destroy();
  }

  override on(name: string | symbol, listener: (...args: never[]) => void): this {
    super.on(name, listener as never);
    this.#heard(name);
    return this;
  }

  override once(name: string | symbol, listener: (...args: never[]) => void): this {
    super.once(name, listener as never);
    this.#heard(name);
    return this;
  }

  /** Who listens for data sets the stream going. */
  #heard(name: string | symbol): void {
    if (name === "data" && this.readableFlowing !== false) this.resume();
    if (name !== "readable") return;
    this.readableFlowing = false;
    if (this.#chunks.length > 0 || this.#isEnding) this.#wake();
    else soon(() => this.#ask());
  }

  override addListener(name: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(name, listener);
  }

  resume(): this {
    this.readableFlowing = true;
    this.#scheduleFlow();
    return this;
  }

  pause(): this {
    this.readableFlowing = false;
    return this;
  }

  isPaused(): boolean {
    return this.readableFlowing === false;
  }

  #scheduleFlow(): void {
    if (this.#isFlowScheduled) return;
    this.#isFlowScheduled = true;
    soon(() => {
      this.#isFlowScheduled = false;
      this.#flow();
    });
  }

  #flow(): void {
    while (this.readableFlowing && !this.destroyed && this.#chunks.length > 0)
      this.emit("data", this.#chunks.shift());
    if (!this.readableFlowing || this.destroyed) return;
    if (this.#isEnding) this.#maybeEnd();
    else this.#ask();
  }

  pipe<T extends WritableLike>(target: T, { end = true }: { end?: boolean } = {}): T {
    const onData = (chunk: Chunk): void => {
      if (target.write(chunk as never) === false) this.pause();
    };
    const onDrain = (): void => void this.resume();
    const onEnd = (): void => void (end && target.end());
    const stop = (): void => {
      this.off("data", onData as never);
      this.off("end", onEnd);
      target.off("drain", onDrain);
    };
    this.#pipes.push({ target, stop });
    target.on("drain", onDrain);
    this.once("end", onEnd);
    target.emit("pipe", this);
    this.on("data", onData);
    return target;
  }

  unpipe(target?: WritableLike): this {
    for (const pipe of [...this.#pipes])
      if (!target || pipe.target === target) {
        this.#pipes.splice(this.#pipes.indexOf(pipe), 1);
        pipe.stop();
        pipe.target.emit("unpipe", this);
      }
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk> {
    let wake: () => void = () => {};
    let end: { error: Error | null } | undefined;
    const onReadable = (): void => wake();
    const onEnd = (error: Error | null): void => {
      end ??= { error };
      wake();
    };
    this.on("readable", onReadable);
    const stop = finished(this, (error) => onEnd(error ?? null));
    try {
      for (;;) {
        const chunk = this.destroyed ? null : this.read();
        if (chunk !== null) yield chunk;
        else if (end?.error) throw end.error;
        else if (end) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stop();
      this.off("readable", onReadable);
      if (!this.readableEnded) this.destroy();
    }
  }

  #sizeOf(chunk: Chunk): number {
    return this.readableObjectMode ? 1 : (chunk as string | Uint8Array).length;
  }
}

interface WritableLike {
  write(chunk: never): boolean;
  end(): unknown;
  on(name: string, listener: (...args: never[]) => void): unknown;
  off(name: string, listener: (...args: never[]) => void): unknown;
  emit(name: string, ...args: unknown[]): unknown;
}

interface Write {
  readonly chunk: Chunk;
  readonly encoding: string;
  readonly done: Done;
  readonly size: number;
}

/** The writing side: of a `Writable`, and of a `Duplex`, which cannot be both. */
class Writing {
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

  /** Those that wait learn that the stream is gone. */
  fail(error: Error | null): void {
    const reason =
      error ?? streamError("ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed");
    for (const { done } of this.#queue.splice(0)) soon(() => done(reason));
  }
}

interface WritingOwner {
  readonly destroyed: boolean;
  destroy(error?: Error | null): unknown;
  emit(name: string, ...args: unknown[]): unknown;
  _write(chunk: never, encoding: string, done: Done): void;
  _final(done: Done): void;
  onWritableEnd(): void;
}

const nothing = (): void => {};

/** `(chunk)`, `(chunk, callback)`, `(chunk, encoding, callback)`. */
function writeArguments(second: unknown, third: unknown): [string, Done] {
  if (typeof second === "function") return ["utf8", second as Done];
  return [typeof second === "string" ? second : "utf8", (third as Done | undefined) ?? nothing];
}

function endArguments(args: readonly unknown[]): { chunk: Chunk; encoding: string; done: Done | undefined } {
  const done = args.findLast((arg) => typeof arg === "function") as Done | undefined;
  const [chunk, encoding] = args.filter((arg) => typeof arg !== "function");
  return { chunk, encoding: typeof encoding === "string" ? encoding : "utf8", done };
}

export class Writable extends Stream {
  readonly writable = true;
  readonly #writing: Writing;

  constructor(options: StreamOptions = {}) {
    super(options);
    this.#writing = new Writing(this, options);
  }

  get writableLength(): number {
    return this.#writing.length;
  }

  get writableNeedDrain(): boolean {
    return this.#writing.needsDrain;
  }

  get writableEnded(): boolean {
    return this.#writing.isEnding;
  }

  get writableFinished(): boolean {
    return this.#writing.isFinished;
  }

  get writableHighWaterMark(): number {
    return this.#writing.highWaterMark;
  }

  write(chunk: Chunk, second?: unknown, third?: unknown): boolean {
    return this.#writing.write(chunk, ...writeArguments(second, third));
  }

  end(...args: unknown[]): this {
    const { chunk, encoding, done } = endArguments(args);
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (done) finished(this, { readable: false }, done);
    this.#writing.end();
    return this;
  }

  cork(): void {
    this.#writing.corked++;
  }

  uncork(): void {
    if (this.#writing.corked > 0 && --this.#writing.corked === 0) this.#writing.next();
  }

  setDefaultEncoding(): this {
    return this;
  }

  override destroy(error?: Error | null): this {
    if (!this.destroyed) this.#writing.fail(error ?? null);
    return super.destroy(error);
  }

  _write(chunk: never, encoding: string, done: Done): void {
    writeBy(this, this.streamOptions, chunk, encoding, done);
  }

  _final(done: Done): void {
    const { final } = this.streamOptions;
    if (final) final.call(this, done);
    else done();
  }

  onWritableEnd(): void {
    if (this.streamOptions.autoDestroy !== false) this.destroy();
  }
}

function writeBy(stream: unknown, options: StreamOptions, chunk: never, encoding: string, done: Done): void {
  if (options.write) options.write.call(stream as Writable, chunk, encoding, done);
  else if (options.writev) options.writev.call(stream as Writable, [{ chunk, encoding }], done);
  else throw streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented");
}

export class Duplex extends Readable {
  readonly writable = true;
  readonly allowHalfOpen: boolean;
  readonly #writing: Writing;

  constructor(options: StreamOptions = {}) {
    super(options);
    this.allowHalfOpen = options.allowHalfOpen ?? true;
    this.#writing = new Writing(this, options);
  }

  get writableLength(): number {
    return this.#writing.length;
  }

  get writableNeedDrain(): boolean {
    return this.#writing.needsDrain;
  }

  get writableEnded(): boolean {
    return this.#writing.isEnding;
  }

  get writableFinished(): boolean {
    return this.#writing.isFinished;
  }

  get writableHighWaterMark(): number {
    return this.#writing.highWaterMark;
  }

  write(chunk: Chunk, second?: unknown, third?: unknown): boolean {
    return this.#writing.write(chunk, ...writeArguments(second, third));
  }

  end(...args: unknown[]): this {
    const { chunk, encoding, done } = endArguments(args);
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (done) finished(this, { readable: false }, done);
    this.#writing.end();
    return this;
  }

  cork(): void {
    this.#writing.corked++;
  }

  uncork(): void {
    if (this.#writing.corked > 0 && --this.#writing.corked === 0) this.#writing.next();
  }

  override destroy(error?: Error | null): this {
    if (!this.destroyed) this.#writing.fail(error ?? null);
    return super.destroy(error);
  }

  _write(chunk: never, encoding: string, done: Done): void {
    writeBy(this, this.streamOptions, chunk, encoding, done);
  }

  _final(done: Done): void {
    const { final } = this.streamOptions;
    if (final) final.call(this as unknown as Writable, done);
    else done();
  }

  onWritableEnd(): void {
    if (this.readableEnded && this.streamOptions.autoDestroy !== false) this.destroy();
  }

  protected override onReadableEnd(): void {
    if (!this.allowHalfOpen && !this.writableEnded) this.end();
    if (this.writableFinished && this.streamOptions.autoDestroy !== false) this.destroy();
  }
}

export class Transform extends Duplex {
  _transform(chunk: never, encoding: string, done: (error?: Error | null, data?: Chunk) => void): void {
    const { transform } = this.streamOptions;
    if (!transform)
      throw streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _transform() method is not implemented");
    transform.call(this, chunk, encoding, done);
  }

  _flush(done: (error?: Error | null, data?: Chunk) => void): void {
    const { flush } = this.streamOptions;
    if (flush) flush.call(this, done);
    else done();
  }

  override _write(chunk: never, encoding: string, done: Done): void {
    this._transform(chunk, encoding, (error, data) => {
      if (error) return done(error);
      if (data !== undefined && data !== null) this.push(data);
      done();
    });
  }

  override _final(done: Done): void {
    this._flush((error, data) => {
      if (error) return done(error);
      if (data !== undefined && data !== null) this.push(data);
      this.push(null);
      done();
    });
  }
}

export class PassThrough extends Transform {
  override _transform(
    chunk: never,
    _encoding: string,
    done: (error?: Error | null, data?: Chunk) => void,
  ): void {
    done(null, chunk);
  }
}

type AnyStream = Readable | Writable | Duplex;
type Sides = { readonly readable?: boolean; readonly writable?: boolean };

/** Calls back once the stream is done, in one way or another; gives a function that stops listening. */
export function finished(stream: AnyStream, ...rest: [Done] | [Sides, Done]): () => void {
  const done = rest.at(-1) as Done;
  const sides = rest.length > 1 ? (rest[0] as Sides) : {};
  let readsOn = "readableEnded" in stream && sides.readable !== false && !stream.readableEnded;
  let writesOn = "writableFinished" in stream && sides.writable !== false && !stream.writableFinished;
  let isOver = false;
  const finish = (error?: Error | null): void => {
    if (isOver) return;
    isOver = true;
    stop();
    done(error ?? undefined);
  };
  const onEnd = (): void => {
    readsOn = false;
    if (!writesOn) finish();
  };
  const onFinish = (): void => {
    writesOn = false;
    if (!readsOn) finish();
  };
  const onClose = (): void => {
    if (!readsOn && !writesOn) finish(stream.errored);
    else finish(stream.errored ?? streamError("ERR_STREAM_PREMATURE_CLOSE", "Premature close"));
  };
  const onError = (error: Error): void => finish(error);
  const listeners = { end: onEnd, finish: onFinish, close: onClose, error: onError } as const;
  const stop = (): void => {
    for (const [name, listener] of Object.entries(listeners)) stream.off(name, listener as never);
  };
  for (const [name, listener] of Object.entries(listeners)) stream.on(name, listener as never);
  if (stream.closed) soon(onClose);
  else if (!readsOn && !writesOn) soon(() => finish());
  return stop;
}

/** Streams, and functions that make iterables of them, one after the other; what fails ends all. */
export function pipeline(...args: unknown[]): AnyStream {
  const done = typeof args.at(-1) === "function" ? (args.pop() as Done) : nothing;
  const parts = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const streams = connect(parts);
  let isOver = false;
  let left = streams.length;
  const finish = (error?: Error | null): void => {
    if (isOver) return;
    if (!error && --left > 0) return;
    isOver = true;
    if (error) for (const stream of streams) if (!stream.destroyed) destroyQuietly(stream, error);
    done(error ?? undefined);
  };
  streams.forEach((stream, index) =>
    finished(stream, { readable: index < streams.length - 1, writable: index > 0 }, finish),
  );
  return streams.at(-1)!;
}

function destroyQuietly(stream: AnyStream, error: Error): void {
  stream.on("error", nothing);
  stream.destroy(error);
}

function connect(parts: readonly unknown[]): AnyStream[] {
  const streams: AnyStream[] = [];
  for (const part of parts) {
    const previous = streams.at(-1) as Readable | undefined;
    const made = typeof part === "function" ? (part as (source: unknown) => unknown)(previous) : part;
    if (isStream(made)) {
      if (previous) previous.pipe(made as unknown as WritableLike);
      streams.push(made);
    } else {
      const readable = Readable.from(made as AsyncIterable<Chunk>);
      streams.push(readable);
    }
  }
  return streams;
}

const isStream = (value: unknown): value is AnyStream => value instanceof Stream;

export const addAbortSignal = <T extends Stream>(signal: AbortSignal, stream: T): T => {
  const abort = (): void =>
    void stream.destroy(
      Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }),
    );
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return stream;
};

export const isReadable = (stream: unknown): boolean =>
  stream instanceof Readable && !stream.destroyed && !stream.readableEnded;
export const getDefaultHighWaterMark = (isObjectMode: boolean): number => (isObjectMode ? 16 : 16384);

export const promises = {
  pipeline: (...args: unknown[]): Promise<void> =>
    new Promise((resolve, reject) => {
      pipeline(...args, (error?: Error | null) => (error ? reject(error) : resolve()));
    }),
  finished: (stream: AnyStream, sides: Sides = {}): Promise<void> =>
    new Promise((resolve, reject) => {
      finished(stream, sides, (error) => (error ? reject(error) : resolve()));
    }),
};

/** The module itself is the class, as in Node. */
const whole = Object.assign(Stream, {
  Stream,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  finished,
  pipeline,
  addAbortSignal,
  promises,
});
export default whole;
