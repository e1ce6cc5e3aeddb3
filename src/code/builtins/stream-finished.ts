import { soon, streamError, type Done, type Stream } from "./stream-base.js";

export type Sides = { readonly readable?: boolean; readonly writable?: boolean };

/** Calls back once the stream has ended or failed; returns a function that removes the listeners. */
export function finished(stream: Stream, ...rest: [Done] | [Sides, Done]): () => void {
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
