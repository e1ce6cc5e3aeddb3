/** Readable and writable streams: `Duplex`, `Transform`, `PassThrough`. */
import { lacking } from "./lacking.js";
import { streamError, type Chunk, type Done, type StreamOptions } from "./stream-base.js";
import { Readable } from "./stream-readable.js";
import { withWriting } from "./stream-writable.js";

const Lacking = /* @__PURE__ */ lacking(Readable, "stream.Duplex", {
  properties: "writableBuffer writableCorked",
  statics: "fromWeb toWeb from",
});

export class Duplex extends withWriting(Lacking) {
  readonly allowHalfOpen: boolean;

  constructor(options: StreamOptions = {}) {
    super(options);
    this.allowHalfOpen = options.allowHalfOpen ?? true;
  }

  override onWritableEnd(): void {
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
