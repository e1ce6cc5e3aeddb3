import { takeOnly } from "./lacking.js";
import { soon, Stream, type Chunk } from "./stream-base.js";
import { PassThrough } from "./stream-duplex.js";
import { finished } from "./stream-finished.js";
import { Readable, type WritableLike } from "./stream-readable.js";
import { lastOf } from "../../model/known.js";

const nothing = (): void => {};

type Done = (error?: Error | null, value?: unknown) => void;

/** Connects streams, and functions that return iterables or finally a promise; a failure ends all. */
export function pipeline(...args: unknown[]): Stream {
  const done = typeof args.at(-1) === "function" ? (args.pop() as Done) : nothing;
  const last: unknown = args.at(-1);
  if (args.length > 1 && isOptions(last)) takeOnly("stream.pipeline", args.pop(), "");
  const parts = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  const { streams, answer } = connect(parts);
  let isOver = false;
  let left = streams.length + (answer ? 1 : 0);
  let value: unknown;
  const finish = (error?: Error | null): void => {
    if (isOver) return;
    if (!error && --left > 0) return;
    isOver = true;
    if (error) for (const stream of streams) if (!stream.destroyed) destroyQuietly(stream, error);
    done(error ?? undefined, value);
  };
  answer?.then(
    (given) => {
      value = given;
      soon(finish);
    },
    (error: Error) => soon(() => finish(error)),
  );
  streams.forEach((stream, index) =>
    finished(stream, { readable: index < streams.length - 1, writable: index > 0 }, finish),
  );
  return lastOf(streams);
}

function destroyQuietly(stream: Stream, error: Error): void {
  stream.on("error", nothing);
  stream.destroy(error);
}

function connect(parts: readonly unknown[]): { streams: Stream[]; answer?: Promise<unknown> } {
  const streams: Stream[] = [];
  for (const [index, part] of parts.entries()) {
    const previous = streams.at(-1) as Readable | undefined;
    const isLast = index > 0 && index === parts.length - 1;
    const made = typeof part === "function" ? (part as (source: unknown) => unknown)(previous) : part;
    if (isStream(made)) {
      if (previous) previous.pipe(made as unknown as WritableLike);
      streams.push(made);
    } else if (isLast && made instanceof Promise) return { streams, answer: made };
    else {
      const readable = Readable.from(made as AsyncIterable<Chunk>);
      streams.push(readable);
      // Consumes the last function's output, subject to back-pressure.
      if (isLast) streams.push(readable.pipe(new PassThrough({ objectMode: true }) as never));
    }
  }
  return { streams };
}

/** Whether it is neither a stream nor convertible to one. */
const isOptions = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !isStream(value) &&
  !(Symbol.asyncIterator in value) &&
  !(Symbol.iterator in value);

const isStream = (value: unknown): value is Stream => value instanceof Stream;
