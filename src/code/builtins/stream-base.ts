/** Common parts of all streams: options, destruction, and abort signals. */
import { world } from "../world/current.js";
import { Relied } from "../world/world.js";
import { EventEmitter } from "./event-emitter.js";
import { refuse } from "../world/failure.js";
import { takeOnly } from "./lacking.js";
import type { Readable } from "./stream-readable.js";
import type { Transform } from "./stream-duplex.js";
import type { Writable } from "./stream-writable.js";

export type Done = (error?: Error | null) => void;
export type Chunk = unknown;

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

/** Defers an internal action of a stream. */
export const soon = (run: () => void): void => process.nextTick(run);

export const streamError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

export class Stream extends EventEmitter {
  destroyed = false;
  closed = false;
  errored: Error | null = null;
  protected readonly streamOptions: StreamOptions;

  constructor(options: StreamOptions = {}) {
    super();
    // Subclasses accept further options.
    if (options.construct) takeOnly("stream", { construct: true }, ""); // sound: test/code/conditions.test.ts
    this.streamOptions = options;
    world.rely(Relied.ownStreams); // sound: test/testing/scope.test.ts
    if (options.signal) addAbortSignal(options.signal, this);
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

/** Internal state of Node's streams that packages read: the known part; the rest is refused. */
export const stateOf = (name: string, known: Readonly<Record<string, unknown>>): object =>
  new Proxy(known, {
    get: (_, key) =>
      typeof key === "symbol" || key in known ? known[key as string] : refuse(`stream.${name}.${key}`), // sound: test/code/required.test.ts
    set: (_, key) => refuse(`stream.${name}.${String(key)} =`), // sound: test/code/required.test.ts
  });

/** Destroys the stream when the signal aborts, or at once if it has. */
export const addAbortSignal = <T extends Stream>(signal: AbortSignal, stream: T): T => {
  const abort = (): void =>
    void stream.destroy(
      Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" }),
    );
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return stream;
};
