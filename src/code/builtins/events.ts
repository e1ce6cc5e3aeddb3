/** `node:events`. */
import { refuse } from "../world/failure.js";
import { takeOnly } from "./lacking.js";

type Listener = (...args: unknown[]) => void;
type Name = string | symbol;

interface Registered {
  readonly listener: Listener;
  readonly once: boolean;
}

export class EventEmitter {
  static defaultMaxListeners = 10;
  static readonly errorMonitor: unique symbol = Symbol("events.errorMonitor");
  static readonly captureRejectionSymbol = Symbol.for("nodejs.rejection");
  #events = new Map<Name, Registered[]>();
  #max: number | undefined;

  constructor(options?: { readonly captureRejections?: boolean }) {
    if (options?.captureRejections) refuse("captureRejections of EventEmitter"); // sound: test/code/collect.test.ts
  }

  static get captureRejections(): boolean {
    return false;
  }

  static set captureRejections(isOn: boolean) {
    if (isOn) refuse("EventEmitter.captureRejections"); // sound: test/code/collect.test.ts
  }

  on(name: Name, listener: Listener): this {
    return this.#add(name, { listener, once: false }, false);
  }

  addListener(name: Name, listener: Listener): this {
    return this.on(name, listener);
  }

  once(name: Name, listener: Listener): this {
    return this.#add(name, { listener, once: true }, false);
  }

  prependListener(name: Name, listener: Listener): this {
    return this.#add(name, { listener, once: false }, true);
  }

  prependOnceListener(name: Name, listener: Listener): this {
    return this.#add(name, { listener, once: true }, true);
  }

  off(name: Name, listener: Listener): this {
    return this.removeListener(name, listener);
  }

  removeListener(name: Name, listener: Listener): this {
    const all = this.#all(name);
    const index = all.findLastIndex((other) => other.listener === listener);
    if (index < 0) return this;
    this.#set(name, all.toSpliced(index, 1));
    if (this.#events.has("removeListener")) this.emit("removeListener", name, listener);
    return this;
  }

  removeAllListeners(name?: Name): this {
    if (name === undefined) this.#map().clear();
    else this.#map().delete(name);
    return this;
  }

  emit(name: Name, ...args: unknown[]): boolean {
    if (name === "error") this.#emitError(args);
    const all = this.#all(name);
    for (const registered of all) {
      if (registered.once)
        this.#set(
          name,
          this.#all(name).filter((other) => other !== registered),
        );
      Reflect.apply(registered.listener, this, args);
    }
    return all.length > 0;
  }

  listeners(name: Name): Listener[] {
    return this.#all(name).map(({ listener }) => listener);
  }

  rawListeners(name: Name): Listener[] {
    return this.listeners(name);
  }

  listenerCount(name: Name, listener?: Listener): number {
    return this.#all(name).filter((other) => listener === undefined || other.listener === listener).length;
  }

  eventNames(): Name[] {
    return [...this.#map().keys()];
  }

  setMaxListeners(max: number): this {
    this.#max = max;
    return this;
  }

  getMaxListeners(): number {
    return this.#max ?? EventEmitter.defaultMaxListeners;
  }

  #emitError(args: readonly unknown[]): void {
    if (this.#all(EventEmitter.errorMonitor).length > 0) this.emit(EventEmitter.errorMonitor, ...args);
    if (this.#all("error").length > 0) return;
    if (args[0] instanceof Error) throw args[0];
    throw Object.assign(new Error(`Unhandled error. (${String(args[0])})`), {
      code: "ERR_UNHANDLED_ERROR",
      context: args[0],
    });
  }

  #add(name: Name, registered: Registered, isFirst: boolean): this {
    if (typeof registered.listener !== "function")
      throw Object.assign(new TypeError('The "listener" argument must be of type function.'), {
        code: "ERR_INVALID_ARG_TYPE",
      });
    if (this.#map().has("newListener")) this.emit("newListener", name, registered.listener);
    const all = this.#all(name);
    this.#set(name, isFirst ? [registered, ...all] : [...all, registered]);
    return this;
  }

  #all(name: Name): readonly Registered[] {
    return this.#map().get(name) ?? [];
  }

  #set(name: Name, all: readonly Registered[]): void {
    if (all.length === 0) this.#map().delete(name);
    else this.#map().set(name, [...all]);
  }

  #map(): Map<Name, Registered[]> {
    return this.#events;
  }
}

/** Promise of the next emission; rejects on `error`. */
export function once(
  emitter: EventEmitter | EventTarget,
  name: Name,
  options?: { readonly signal?: AbortSignal },
): Promise<unknown[]> {
  takeOnly("events.once", options, "");
  return new Promise((resolve, reject) => {
    if (!(emitter instanceof EventEmitter)) {
      emitter.addEventListener(String(name), (event) => resolve([event]), { once: true });
      return;
    }
    const onError = (error: unknown): void => {
      emitter.off(name, onEvent);
      reject(error);
    };
    const onEvent = (...args: unknown[]): void => {
      emitter.off("error", onError);
      resolve(args);
    };
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

export const errorMonitor = EventEmitter.errorMonitor;
export const defaultMaxListeners = EventEmitter.defaultMaxListeners;
export const listenerCount = (emitter: EventEmitter, name: Name): number => emitter.listenerCount(name);
export const setMaxListeners = (): void => {};
export const getEventListeners = (emitter: EventEmitter, name: Name): Listener[] => emitter.listeners(name);

/** The module itself is the class, as in Node; old code that inherits may call it without `new`. */
const whole = Object.assign(EventEmitter, { EventEmitter, once, on, listenerCount, getEventListeners });
export default whole;
