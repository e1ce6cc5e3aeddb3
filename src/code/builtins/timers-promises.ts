/** `node:timers/promises`. */
interface Options {
  readonly signal?: AbortSignal;
}

const later = globalThis.setTimeout;
const soon = globalThis.setImmediate;
const every = globalThis.setInterval;

export const setTimeout = <T>(delayMs?: number, value?: T, options: Options = {}): Promise<T> =>
  abortable(options, (done) => {
    const timer = later(() => done(value as T), delayMs);
    return () => clearTimeout(timer);
  });

export const setImmediate = <T>(value?: T, options: Options = {}): Promise<T> =>
  abortable(options, (done) => {
    const timer = soon(() => done(value as T));
    return () => clearImmediate(timer);
  });

/** Starts at the first `next`, and buffers unconsumed ticks. */
export async function* setInterval<T>(delayMs?: number, value?: T, options: Options = {}): AsyncGenerator<T> {
  const { signal } = options;
  let waiting = 0;
  let wake: () => void = () => {};
  const timer = every(() => {
    waiting++;
    wake();
  }, delayMs);
  const onAbort = (): void => {
    clearInterval(timer);
    wake();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal?.aborted) onAbort();
    for (;;) {
      if (waiting === 0 && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      for (; waiting > 0; waiting--) yield value as T;
      if (signal?.aborted) throw aborted(signal);
    }
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

export const scheduler = {
  wait: (delayMs: number, options?: Options): Promise<void> => setTimeout(delayMs, undefined, options),
  yield: (): Promise<void> => setImmediate(),
};

export default { scheduler, setImmediate, setInterval, setTimeout };

const aborted = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error("The operation was aborted", { cause: reason }), {
    name: "AbortError",
    code: "ABORT_ERR",
  });

/** `start` begins the operation and returns its cancellation. */
function abortable<T>({ signal }: Options, start: (done: (value: T) => void) => () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(aborted(signal!));
    if (signal?.aborted) return fail();
    const stop = start((value) => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
    const onAbort = (): void => {
      stop();
      fail();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
