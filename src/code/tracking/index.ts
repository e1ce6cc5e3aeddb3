/**
 * The runtime of instrumented code, named `everypath$`, and the promise hooks for the host. Evaluated in realms after
 * the world, only if turns are compared.
 *
 * Read `tracker.ts` first (races), then `objects.ts`, `promises.ts` and `effects.ts` (accesses).
 */
import { worldKey } from "../world/current.js";
import type { World } from "../world/world.js";
import { Effects, type Effect } from "./effects.js";
import { Objects, isObject } from "./objects.js";
import { PromiseTracker, markTracked } from "./promises.js";
import { Tracker } from "./tracker.js";

type Fn = (...args: unknown[]) => unknown;

const world = (globalThis as unknown as Record<symbol, World>)[worldKey]!;
const tracker = new Tracker();
const objects = new Objects(tracker, world);
const promises = new PromiseTracker(tracker);
const effects = new Effects(objects, promises);
let frames = 0;

/** Short names, because they occur everywhere in the script. */
const api = {
  /** A new activation of a function. */
  n: () => ++frames,
  r: (frame: number, number: number) => objects.variable(frame, number, "read"),
  w: (frame: number, number: number) => objects.variable(frame, number, "write"),
  u: (frame: number, number: number) => objects.variable(frame, number, "write"),
  wv: (frame: number, number: number, value?: unknown) => {
    objects.variable(frame, number, "write");
    return value;
  },
  ws: (places: readonly number[], value: unknown) => {
    for (let i = 0; i < places.length; i += 2) objects.variable(places[i]!, places[i + 1]!, "write");
    return value;
  },
  G: () => objects.read(globalThis),
  g: <T>(value: T): T => (objects.read(value), value),
  p: <T>(value: T): T => (objects.write(value), value),
  wo: (object: unknown, value: unknown) => (objects.write(object), value),
  v: <T>(value: T): T => {
    if (isObject(value)) objects.deep(value);
    return value;
  },
  /** Inspects the previous value after evaluating `value`. */
  after: <T>(before: unknown, value: T): T => (api.v(before), value),
  /** `x++` and `x--`: conversion to a number, then the next or previous number. */
  num: (value: unknown): unknown => {
    const held = { number: api.v(value) as number };
    return held.number++;
  },
  inc: (value: unknown): unknown => {
    const held = { number: api.v(value) as number };
    return ++held.number;
  },
  dec: (value: unknown): unknown => {
    const held = { number: api.v(value) as number };
    return --held.number;
  },
  it: <T>(value: T): T => (objects.iterate(value), value),
  /** Destructures `value` to `depth` levels. */
  pat: <T>(value: T, depth: number): T => (takenApart(value, depth), value),
  each: (values: Iterable<unknown>, depth: number) => watched(values, depth),
  no: <T>(what: string, value: T): T => (tracker.markIncomplete(what), value),
  f: (fn: unknown) => called(fn, undefined),
  m: (object: object, key: PropertyKey) => {
    objects.read(object);
    return called((object as Record<PropertyKey, unknown>)[key], object);
  },
  a: (fn: unknown, self: unknown) => called(fn, self),
  k: (type: unknown) => constructing(type),
  base: (type: unknown) => {
    if (!objects.isTracked(type) && type !== null && !plainTypes.has(type) && !collections.has(type))
      tracker.markIncomplete("a class that extends one of the language");
    return type;
  },
};

Object.defineProperty(globalThis, "everypath$", { value: Object.freeze(api) });
world.watch(tracker);

/** Reports a function's accesses before calling it. Instrumented functions are called directly. */
function called(fn: unknown, self: unknown): Fn {
  if (typeof fn !== "function") return fn as never;
  if (objects.isTrusted(fn))
    return (...args) => {
      args.forEach((arg) => objects.read(arg)); // sound: test/code/reduction/natives.test.ts
      return Reflect.apply(fn, self, args.map(effects.passed)); // sound: test/code/reduction/natives.test.ts
    };
  if (objects.isTracked(fn))
    return self === undefined ? (fn as Fn) : (...args) => Reflect.apply(fn, self, args);
  return (...args) => {
    const effect: Effect = effects.of(fn) ?? (() => tracker.touchAll());
    effect(self, args);
    if (fn === JSON.stringify) return stringified(args);
    const passed = effects.calls(fn) ? args.map(effects.passed) : args;
    const result: unknown = Reflect.apply(fn, self, passed);
    if (fn === Function.prototype.bind) effects.bound(result as object, self, args);
    else if (isObject(result) && "next" in result) objects.made(result, self);
    return result;
  };
}

/** Also reads the results of `toJSON` and the replacer. */
function stringified([value, replacer, space]: readonly unknown[]): unknown {
  if (Array.isArray(replacer)) {
    tracker.touchAll();
    return JSON.stringify(value, replacer as string[], space as string);
  }
  const replace = typeof replacer === "function" ? (effects.passed(replacer) as Fn) : undefined;
  const reporting = function (this: unknown, key: string, inner: unknown): unknown {
    const result = replace ? Reflect.apply(replace, this, [key, inner]) : inner;
    objects.read(result); // sound: test/code/reduction/natives.test.ts
    return result;
  };
  return JSON.stringify(value, reporting, space as string);
}

function constructing(type: unknown): unknown {
  if (typeof type !== "function" || objects.isTracked(type)) return type;
  if (type === Promise)
    return function (executor: unknown) {
      return new Promise(promises.executor(effects.passed(executor)) as never);
    };
  return function (...args: unknown[]) {
    if (type === Proxy) tracker.markIncomplete("Proxy");
    else if (collections.has(type)) args.forEach((arg) => takenApart(arg, 2));
    else if (plainTypes.has(type)) args.forEach((arg) => objects.deep(arg));
    else tracker.touchAll();
    return Reflect.construct(type, args) as object;
  };
}

const collections = new Set<unknown>([Array, Map, Set, WeakMap, WeakSet]);
const plainTypes = new Set<unknown>([
  Object,
  Error,
  TypeError,
  RangeError,
  SyntaxError,
  EvalError,
  ReferenceError,
  URIError,
  AggregateError,
  RegExp,
  Date,
  Number,
  String,
  Boolean,
  ArrayBuffer,
  DataView,
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  Uint8ClampedArray,
  WeakRef,
]);

function takenApart(value: unknown, depth: number): void {
  if (!isObject(value)) return;
  if (Array.isArray(value) || !(Symbol.iterator in value)) objects.read(value);
  else objects.iterate(value);
  if (depth <= 1) return;
  // Results of a class's getters and iterators are not among its own properties.
  const prototype: unknown = Reflect.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  if (!isPlain) return tracker.touchAll(); // sound: test/code/reduction/natives.test.ts
  for (const key of Reflect.ownKeys(value)) {
    const property = Reflect.getOwnPropertyDescriptor(value, key);
    if (property?.get) return tracker.touchAll();
    takenApart(property?.value, depth - 1);
  }
}

/** Reads the collection again for each step, since steps may belong to different turns. */
function watched(values: Iterable<unknown>, depth: number): Iterable<unknown> {
  objects.iterate(values);
  const inner = values[Symbol.iterator]();
  const outer: Iterator<unknown> & Iterable<unknown> = {
    [Symbol.iterator]: () => outer,
    next: () => {
      objects.iterate(values);
      const step = inner.next();
      if (depth > 0 && !step.done) takenApart(step.value, depth);
      return step;
    },
    ...(inner.return ? { return: (value?: unknown) => inner.return!(value) } : {}),
  };
  markTracked(outer.next);
  return outer;
}

/** For the host: promise hooks, and the resulting races. */
Object.defineProperty(globalThis, Symbol.for("everypath.tracking"), {
  value: {
    init: (promise: Promise<unknown>, parent: Promise<unknown> | undefined) => promises.init(promise, parent),
    settled: (promise: Promise<unknown>) => promises.settled(promise),
    before: (promise: Promise<unknown>) => promises.before(promise),
    after: () => promises.after(),
    /** JSON: the reason for incompleteness, or races as [choice, sets of options]. */
    races: () =>
      JSON.stringify(
        tracker.incomplete ??
          [...tracker.races].map(([choice, sets]) => [
            choice,
            [...sets].map((s) => s.split(",").map(Number)),
          ]),
      ),
  },
});
