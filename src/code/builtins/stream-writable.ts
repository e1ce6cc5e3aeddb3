/** `Writable`, and the writing side that `Duplex` shares with it. */
import { lacking } from "./lacking.js";
import { stateOf, Stream, streamError, type Chunk, type Done } from "./stream-base.js";
import { finished } from "./stream-finished.js";
import { Writing } from "./stream-writing.js";

export interface WritingSide {
  readonly writable: true;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly writableHighWaterMark: number;
  /** Returns false if the buffer is full. Further arguments: an encoding, a callback. */
  write(chunk: Chunk, second?: unknown, third?: unknown): boolean;
  end(...args: unknown[]): this;
  cork(): void;
  uncork(): void;
  setDefaultEncoding(): this;
  _write(chunk: never, encoding: string, done: Done): void;
  _final(done: Done): void;
  onWritableEnd(): void;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what TypeScript demands of such classes
type Making<T> = new (...args: any[]) => T;

/** Adds the writing side to a class of streams: `Duplex` cannot inherit from both `Readable` and `Writable`. */
export function withWriting<T extends Making<Stream>>(Base: T): T & Making<WritingSide> {
  return class extends Base implements WritingSide {
    readonly writable = true as const;
    readonly #writing: Writing;

    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what TypeScript demands of such classes
    constructor(...args: any[]) {
      super(...args);
      this.#writing = new Writing(this, this.streamOptions);
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

    get _writableState(): object {
      return stateOf("_writableState", {
        ended: this.writableEnded,
        ending: this.writableEnded,
        finished: this.writableFinished,
        length: this.writableLength,
        needDrain: this.writableNeedDrain,
        highWaterMark: this.writableHighWaterMark,
        objectMode: this.streamOptions.writableObjectMode ?? this.streamOptions.objectMode ?? false,
        destroyed: this.destroyed,
        closed: this.closed,
        errored: this.errored,
      });
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
      // An aborted signal destroys the stream in the constructor, before the writing side exists.
      if (!this.destroyed && #writing in this) this.#writing.fail(error ?? null);
      return super.destroy(error);
    }

    _write(chunk: never, encoding: string, done: Done): void {
      const { write, writev } = this.streamOptions;
      if (write) write.call(this, chunk, encoding, done);
      else if (writev) writev.call(this, [{ chunk, encoding }], done);
      else throw streamError("ERR_METHOD_NOT_IMPLEMENTED", "The _write() method is not implemented");
    }

    _final(done: Done): void {
      const { final } = this.streamOptions;
      if (final) final.call(this, done);
      else done();
    }

    onWritableEnd(): void {
      if (this.streamOptions.autoDestroy !== false) this.destroy();
    }
  };
}

/** `(chunk)`, `(chunk, callback)`, `(chunk, encoding, callback)`. */
function writeArguments(second: unknown, third: unknown): [string, Done] {
  if (typeof second === "function") return ["utf8", second as Done];
  return [typeof second === "string" ? second : "utf8", (third as Done | undefined) ?? (() => {})];
}

function endArguments(args: readonly unknown[]): { chunk: Chunk; encoding: string; done: Done | undefined } {
  const done = args.findLast((arg) => typeof arg === "function") as Done | undefined;
  const [chunk, encoding] = args.filter((arg) => typeof arg !== "function");
  return { chunk, encoding: typeof encoding === "string" ? encoding : "utf8", done };
}

const Lacking = /* @__PURE__ */ lacking(Stream, "stream.Writable", {
  methods: "pipe",
  properties: "writableBuffer writableCorked writableAborted",
  statics: "fromWeb toWeb",
});

export class Writable extends withWriting(Lacking) {}
