/** `node:timers/promises`. */
interface Options {
  readonly signal?: AbortSignal;
}

const later = globalThis.setTimeout;
const soon = globalThis.setImmediate;

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

export async function* setInterval<T>(delayMs?: number, value?: T, options: Options = {}): AsyncGenerator<T> {
  for (;;) yield await setTimeout(delayMs, value as T, options);
}

export const scheduler = {
  wait: (delayMs: number, options?: Options): Promise<void> => setTimeout(delayMs, undefined, options),
  yield: (): Promise<void> => setImmediate(),
};

export default { scheduler, setImmediate, setInterval, setTimeout };

/** `start` begins and returns how to give up. */
function abortable<T>({ signal }: Options, start: (done: (value: T) => void) => () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      const error = Object.assign(new Error("The operation was aborted", { cause: signal!.reason }), {
        name: "AbortError",
        code: "ABORT_ERR",
      });
      reject(error);
    };
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
