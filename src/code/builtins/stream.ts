/**
 * `node:stream`: `Readable`, `Writable`, `Duplex`, `Transform`, `PassThrough`, `pipeline` and `finished`.
 *
 * Internal actions of streams run in `process.nextTick`, as in Node. Buffering follows high-water marks; `setEncoding`
 * and `objectMode` are supported.
 *
 * Read `stream-base.ts` first, then `stream-readable.ts` and `stream-writable.ts`; `stream-duplex.ts` joins them.
 */
import { callable } from "./callable.js";
import * as base from "./stream-base.js";
import * as duplex from "./stream-duplex.js";
import { finished, type Sides } from "./stream-finished.js";
import { pipeline } from "./stream-pipeline.js";
import * as readable from "./stream-readable.js";
import * as writable from "./stream-writable.js";

export type { StreamOptions } from "./stream-base.js";

const { addAbortSignal } = base;
export const Stream = /* @__PURE__ */ callable(base.Stream);
export const Readable = /* @__PURE__ */ callable(readable.Readable);
export const Writable = /* @__PURE__ */ callable(writable.Writable);
export const Duplex = /* @__PURE__ */ callable(duplex.Duplex);
export const Transform = /* @__PURE__ */ callable(duplex.Transform);
export const PassThrough = /* @__PURE__ */ callable(duplex.PassThrough);
export { addAbortSignal, finished, pipeline };

export const isReadable = (stream: unknown): boolean =>
  stream instanceof Readable && !stream.destroyed && !stream.readableEnded;
export const getDefaultHighWaterMark = (isObjectMode: boolean): number => (isObjectMode ? 16 : 16384);

export const promises = {
  pipeline: (...args: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      pipeline(...args, (error: Error | null | undefined, value: unknown) =>
        error ? reject(error) : resolve(value),
      );
    }),
  finished: (stream: base.Stream, sides: Sides = {}): Promise<void> =>
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
  isReadable,
  getDefaultHighWaterMark,
  promises,
});
export default whole;
