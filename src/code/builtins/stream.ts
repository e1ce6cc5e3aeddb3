/**
 * `node:stream`: `Readable`, `Writable`, `Duplex`, `Transform`, `PassThrough`, `pipeline` and `finished`.
 *
 * Internal actions of streams run in `process.nextTick`, as in Node. Buffering follows high-water marks; `setEncoding`
 * and `objectMode` are supported.
 *
 * Read `stream-base.ts` first, then `stream-readable.ts` and `stream-writable.ts`; `stream-duplex.ts` joins them.
 */
import { addAbortSignal, Stream } from "./stream-base.js";
import { Duplex, PassThrough, Transform } from "./stream-duplex.js";
import { finished, type Sides } from "./stream-finished.js";
import { pipeline } from "./stream-pipeline.js";
import { Readable } from "./stream-readable.js";
import { Writable } from "./stream-writable.js";

export type { StreamOptions } from "./stream-base.js";
export { addAbortSignal, Duplex, finished, PassThrough, pipeline, Readable, Stream, Transform, Writable };

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
  finished: (stream: Stream, sides: Sides = {}): Promise<void> =>
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
