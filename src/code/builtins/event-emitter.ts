/**
 * `EventEmitter`, the class of `node:events`.
 *
 * It is a function, not a class, as in Node: old code calls it without `new`, copies its methods, or
 * inherits from its prototype without calling it.
 */
import { refuse } from "../world/failure.js";
import { adopted } from "./callable.js";

export type Listener = (...args: unknown[]) => void;
export type Name = string | symbol;

interface Registered {
  readonly listener: Listener;
  readonly once: boolean;
}

export interface EventEmitter {
  _events: Record<Name, Registered[]> | undefined;
  _eventsCount: number;
  _maxListeners: number | undefined;
  on(name: Name, listener: Listener): this;
  addListener(name: Name, listener: Listener): this;
  once(name: Name, listener: Listener): this;
  prependListener(name: Name, listener: Listener): this;
  prependOnceListener(name: Name, listener: Listener): this;
  off(name: Name, listener: Listener): this;
  removeListener(name: Name, listener: Listener): this;
  removeAllListeners(name?: Name): this;
  emit(name: Name, ...args: unknown[]): boolean;
  listeners(name: Name): Listener[];
  rawListeners(name: Name): Listener[];
  listenerCount(name: Name, listener?: Listener): number;
  eventNames(): Name[];
  setMaxListeners(max: number): this;
  getMaxListeners(): number;
}

interface EmitterOptions {
  readonly captureRejections?: boolean;
}

export interface EmitterClass {
  new (options?: EmitterOptions): EventEmitter;
  (this: unknown, options?: EmitterOptions): void;
  prototype: EventEmitter;
  defaultMaxListeners: number;
  captureRejections: boolean;
  readonly errorMonitor: symbol;
  readonly captureRejectionSymbol: symbol;
}

export const errorMonitor = Symbol("events.errorMonitor");
export const captureRejectionSymbol = Symbol.for("nodejs.rejection");

function makeEmitter(): EmitterClass {
  const Emitter = function EventEmitter(this: EventEmitter, options?: EmitterOptions) {
    if (options?.captureRejections) refuse("captureRejections of EventEmitter"); // sound: test/code/collect.test.ts
    const emitter = adopted(this);
    if (emitter._events === undefined || !Object.hasOwn(emitter, "_events")) setEvents(emitter, none(), 0);
    emitter._maxListeners = emitter._maxListeners ?? undefined;
    return emitter;
  } as unknown as EmitterClass;
  Object.assign(Emitter.prototype, methods, {
    _events: undefined,
    _eventsCount: 0,
    _maxListeners: undefined,
  });
  Emitter.defaultMaxListeners = 10;
  Object.assign(Emitter, { errorMonitor, captureRejectionSymbol });
  Object.defineProperty(Emitter, "captureRejections", {
    get: () => false,
    set: (isOn: boolean) => {
      if (isOn) refuse("EventEmitter.captureRejections"); // sound: test/code/collect.test.ts
    },
    enumerable: true,
    configurable: true,
  });
  return Emitter;
}

const methods: Omit<EventEmitter, "_events" | "_eventsCount" | "_maxListeners"> & ThisType<EventEmitter> = {
  on(name, listener) {
    return add(this, name, { listener, once: false }, false);
  },
  addListener(name, listener) {
    return add(this, name, { listener, once: false }, false);
  },
  once(name, listener) {
    return add(this, name, { listener, once: true }, false);
  },
  prependListener(name, listener) {
    return add(this, name, { listener, once: false }, true);
  },
  prependOnceListener(name, listener) {
    return add(this, name, { listener, once: true }, true);
  },
  off(name, listener) {
    return this.removeListener(name, listener);
  },
  removeListener(name, listener) {
    const all = allOf(this, name);
    const index = all.findLastIndex((other) => other.listener === unwrapped(listener));
    if (index < 0) return this;
    setAll(this, name, all.toSpliced(index, 1));
    if (allOf(this, "removeListener").length > 0) this.emit("removeListener", name, listener);
    return this;
  },
  removeAllListeners(name) {
    const names = name === undefined ? this.eventNames() : [name];
    const isHeard = allOf(this, "removeListener").length > 0;
    for (const one of names.filter((other) => other !== "removeListener" || name !== undefined)) {
      const removed = isHeard ? allOf(this, one).toReversed() : [];
      if (!isHeard) setAll(this, one, []);
      for (const { listener } of removed) this.removeListener(one, listener);
    }
    if (name === undefined) setEvents(this, none(), 0);
    return this;
  },
  emit(name, ...args) {
    if (name === "error") emitError(this, args);
    const all = allOf(this, name);
    for (const registered of all) {
      if (registered.once) removeOnce(this, name, registered);
      Reflect.apply(registered.listener, this, args);
    }
    return all.length > 0;
  },
  listeners(name) {
    return allOf(this, name).map(({ listener }) => listener);
  },
  rawListeners(name) {
    return allOf(this, name).map((registered) =>
      registered.once ? wrapped(this, name, registered) : registered.listener,
    );
  },
  listenerCount(name, listener) {
    return allOf(this, name).filter((other) => listener === undefined || other.listener === listener).length;
  },
  eventNames() {
    return Reflect.ownKeys(this._events ?? {});
  },
  setMaxListeners(max) {
    this._maxListeners = max;
    return this;
  },
  getMaxListeners() {
    return this._maxListeners ?? EventEmitter.defaultMaxListeners;
  },
};

export const EventEmitter: EmitterClass = /* @__PURE__ */ makeEmitter();

const none = (): Record<Name, Registered[]> => Object.create(null) as Record<Name, Registered[]>;

function setEvents(emitter: EventEmitter, events: Record<Name, Registered[]>, count: number): void {
  emitter._events = events;
  emitter._eventsCount = count;
}

const allOf = ({ _events }: EventEmitter, name: Name): readonly Registered[] => _events?.[name] ?? [];

function setAll(emitter: EventEmitter, name: Name, all: readonly Registered[]): void {
  // A prototype, or a copy of its methods, has no events yet.
  if (!emitter._events || !Object.hasOwn(emitter, "_events")) setEvents(emitter, none(), 0);
  const events = emitter._events!;
  const had = name in events;
  if (all.length === 0) delete events[name];
  else events[name] = [...all];
  emitter._eventsCount += Number(name in events) - Number(had);
}

function add<T extends EventEmitter>(emitter: T, name: Name, registered: Registered, isFirst: boolean): T {
  if (typeof registered.listener !== "function")
    throw Object.assign(new TypeError('The "listener" argument must be of type function.'), {
      code: "ERR_INVALID_ARG_TYPE",
    });
  if (allOf(emitter, "newListener").length > 0) emitter.emit("newListener", name, registered.listener);
  const all = allOf(emitter, name);
  setAll(emitter, name, isFirst ? [registered, ...all] : [...all, registered]);
  return emitter;
}

function removeOnce(emitter: EventEmitter, name: Name, registered: Registered): void {
  const all = allOf(emitter, name);
  if (!all.includes(registered)) return;
  setAll(
    emitter,
    name,
    all.filter((other) => other !== registered),
  );
  if (allOf(emitter, "removeListener").length > 0) emitter.emit("removeListener", name, registered.listener);
}

/** Created on demand: kept functions would be closures, which systems cannot capture. */
const wrapped = (emitter: EventEmitter, name: Name, registered: Registered): Listener =>
  Object.assign(
    (...args: unknown[]) => {
      removeOnce(emitter, name, registered);
      Reflect.apply(registered.listener, emitter, args);
    },
    { listener: registered.listener },
  );

const unwrapped = (listener: Listener): Listener =>
  (listener as (Listener & { listener?: Listener }) | undefined)?.listener ?? listener;

function emitError(emitter: EventEmitter, args: readonly unknown[]): void {
  if (allOf(emitter, errorMonitor).length > 0) emitter.emit(errorMonitor, ...args);
  if (allOf(emitter, "error").length > 0) return;
  if (args[0] instanceof Error) throw args[0];
  throw Object.assign(new Error(`Unhandled error. (${String(args[0])})`), {
    code: "ERR_UNHANDLED_ERROR",
    context: args[0],
  });
}
