/** `Readable`: buffered up to a high-water mark, in flowing or paused mode. */
import { Buffer } from "./buffer.js";
import { lacking } from "./lacking.js";
import { soon, stateOf, Stream, streamError, type Chunk, type StreamOptions } from "./stream-base.js";
import { finished } from "./stream-finished.js";
import { StringDecoder } from "./string_decoder.js";

const Lacking = /* @__PURE__ */ lacking(Stream, "stream.Readable", {
  methods:
    "wrap iterator asIndexedPairs drop filter flatMap map take compose every forEach reduce toArray some find",
  properties: "readableDidRead readableAborted readableBuffer readableEncoding",
  statics: "fromWeb toWeb wrap",
});

export class Readable extends Lacking {
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

  get _readableState(): object {
    return stateOf("_readableState", {
      ended: this.#isEnding,
      endEmitted: this.readableEnded,
      flowing: this.readableFlowing,
      reading: this.#isReading,
      buffer: [...this.#chunks],
      bufferIndex: 0,
      length: this.readableLength,
      objectMode: this.readableObjectMode,
      highWaterMark: this.readableHighWaterMark,
      destroyed: this.destroyed,
      closed: this.closed,
      errored: this.errored,
    });
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

  /** Returns false if the buffer is full. */
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

  /** Overridden by `Duplex`, which closes when both sides are done. */
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

  /** A `data` listener starts the flow. */
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

export interface WritableLike {
  write(chunk: never): boolean;
  end(): unknown;
  on(name: string, listener: (...args: never[]) => void): unknown;
  off(name: string, listener: (...args: never[]) => void): unknown;
  emit(name: string, ...args: unknown[]): unknown;
}
