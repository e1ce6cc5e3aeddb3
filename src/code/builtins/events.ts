/** `node:events`: the emitter, promises and iterators of its events. */
import { world } from "../world/current.js";
import {
  captureRejectionSymbol,
  errorMonitor,
  EventEmitter,
  type Listener,
  type Name,
} from "./event-emitter.js";
import { takeOnly } from "./lacking.js";

export { captureRejectionSymbol, errorMonitor, EventEmitter };

const abortError = (signal: AbortSignal): Error =>
  Object.assign(new Error("The operation was aborted", { cause: signal.reason }), {
    name: "AbortError",
    code: "ABORT_ERR",
  });

/** Promise of the next emission; rejects on `error`, or if the signal aborts. */
export function once(
  emitter: EventEmitter | EventTarget,
  name: Name,
  options?: { readonly signal?: AbortSignal },
): Promise<unknown[]> {
  takeOnly("events.once", options, "signal"); // sound: test/code/required.test.ts
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(abortError(signal));
    const isEmitter = "on" in emitter && typeof emitter.on === "function";
    const stop = (): void => {
      signal?.removeEventListener("abort", onAbort);
      if (!isEmitter) return (emitter as EventTarget).removeEventListener(String(name), onEvent);
      emitter.removeListener(name, onEvent);
      emitter.removeListener("error", onError);
    };
    const onEvent = (...args: unknown[]): void => {
      stop();
      resolve(args);
    };
    const onError = (error: unknown): void => {
      stop();
      reject(error as Error);
    };
    const onAbort = (): void => {
      stop();
      reject(abortError(signal!));
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    if (!isEmitter) return (emitter as EventTarget).addEventListener(String(name), onEvent, { once: true });
    emitter.once(name, onEvent);
    if (name !== "error") emitter.once("error", onError);
  });
}

/** An endless iterator over all emissions from now on. */
export function on(emitter: EventEmitter, name: Name, options?: object): AsyncGenerator<unknown[]> {
  takeOnly("events.on", options, "");
  const waiting: unknown[][] = [];
  let failure: { error: unknown } | undefined;
  let wake: () => void = () => {};
  const onEvent = (...args: unknown[]): void => {
    waiting.push(args);
    wake();
  };
  const onError = (error: unknown): void => {
    failure = { error };
    wake();
  };
  emitter.on(name, onEvent);
  emitter.on("error", onError);
  return (async function* (): AsyncGenerator<unknown[]> {
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (failure) throw failure.error;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      emitter.off(name, onEvent);
      emitter.off("error", onError);
    }
  })();
}

export const usingDomains = false;
export const defaultMaxListeners = 10;
export const captureRejections = false;
export const listenerCount = (emitter: EventEmitter, name: Name): number => emitter.listenerCount(name);
export const getEventListeners = (emitter: EventEmitter, name: Name): Listener[] => emitter.listeners(name);
export const getMaxListeners = (emitter: EventEmitter): number =>
  typeof emitter.getMaxListeners === "function" ? emitter.getMaxListeners() : 10;

/** Numbers of listeners are not limited; those of the given emitters are remembered. */
export const setMaxListeners = (max = 10, ...emitters: readonly unknown[]): void => {
  if (emitters.length === 0) EventEmitter.defaultMaxListeners = max;
  for (const emitter of emitters) (emitter as Partial<EventEmitter>).setMaxListeners?.(max);
};

export function addAbortListener(signal: AbortSignal, listener: Listener): object {
  if (signal.aborted) queueMicrotask(() => listener());
  else signal.addEventListener("abort", listener as never, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", listener as never) };
}

/** Contexts of `AsyncLocalStorage`. Code without `node:async_hooks` cannot observe them. */
export interface AsyncContexts {
  readonly empty: unknown;
  current(): unknown;
  within<T>(context: unknown, run: () => T): T;
}

const contexts = (): AsyncContexts | undefined =>
  world.parts.get("async-contexts") as AsyncContexts | undefined;

/** Calls its listeners in the context of its creation. */
export class EventEmitterAsyncResource extends EventEmitter {
  readonly #context = contexts()?.current();
  readonly asyncId = 0;
  readonly triggerAsyncId = 0;

  override emit(name: Name, ...args: unknown[]): boolean {
    const emit = (): boolean => super.emit(name, ...args);
    const all = contexts();
    return all ? all.within(this.#context ?? all.empty, emit) : emit(); // sound: test/code/required.test.ts
  }

  get asyncResource(): this {
    return this;
  }

  emitDestroy(): void {}
}

/** The module itself is the function, as in Node. */
export default /* @__PURE__ */ Object.assign(EventEmitter, {
  ...{ EventEmitter, once, on, listenerCount, getEventListeners, getMaxListeners, setMaxListeners },
  ...{ usingDomains, addAbortListener, EventEmitterAsyncResource },
});
