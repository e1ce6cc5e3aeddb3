/** Accesses of the language's functions, which cannot be instrumented. Unlisted functions touch everything. */
import { isMarkedTracked, markTracked, type PromiseTracker } from "./promises.js";
import { isObject, type Objects } from "./objects.js";

export type Effect = (self: unknown, args: readonly unknown[]) => void;

export class Effects {
  readonly #objects: Objects;
  readonly #effects = new Map<unknown, Effect>();
  readonly #bound = new WeakMap<object, { target: unknown; self: unknown; args: readonly unknown[] }>();
  /** Functions that call their arguments, now or later. */
  readonly #calling = new Set<unknown>();

  constructor(objects: Objects, promises: PromiseTracker) {
    this.#objects = objects;
    this.#install(promises);
  }

  /** The effect of a function of the language or of the checker; undefined if unknown. */
  of(fn: unknown): Effect | undefined {
    const effect = this.#effects.get(fn);
    if (effect) return effect;
    const bound = this.#bound.get(fn as object);
    if (bound) {
      const inner = this.#objects.isTracked(bound.target) ? nothing : this.of(bound.target);
      return (_self, args) => (inner ?? this.#everything)(bound.self, [...bound.args, ...args]); // sound: test/code/reduction/natives.test.ts
    }
    return undefined;
  }

  isKnown = (fn: unknown): boolean => this.#effects.has(fn);

  calls = (fn: unknown): boolean => this.#calling.has(fn);

  /** `fn.bind(self, ...args)`: the function finally called is `fn`. */
  bound(made: object, target: unknown, [self, ...args]: readonly unknown[]): void {
    this.#bound.set(made, { target, self, args });
  }

  /** Wraps a function of the language that untracked code calls, to report its accesses. */
  passed = (fn: unknown): unknown => {
    if (typeof fn !== "function" || this.#objects.isTracked(fn)) return fn;
    const tell = this.of(fn) ?? this.#everything;
    return markTracked(function (this: unknown, ...args: unknown[]): unknown {
      tell(this, args); // sound: test/code/reduction/natives.test.ts
      return Reflect.apply(fn, this, args);
    });
  };

  readonly #everything: Effect = () => this.#objects.all();

  #install(promises: PromiseTracker): void {
    const o = this.#objects;
    const readSelf: Effect = (self) => o.read(self);
    const writeSelf: Effect = (self) => o.write(self);
    const deepSelf: Effect = (self) => o.deep(self);
    const readArgs: Effect = (_self, args) => args.forEach((arg) => o.read(arg));
    const deepArgs: Effect = (_self, args) => args.forEach((arg) => o.deep(arg));
    // Conversions to numbers or strings.
    const convert: Effect = (self, args) => {
      o.deep(self);
      args.forEach((arg) => o.deep(arg));
    };
    const writeFirst: Effect = (_self, [first, ...rest]) => {
      o.write(first);
      rest.forEach((arg) => o.read(arg));
    };
    const both =
      (a: Effect, b: Effect): Effect =>
      (self, args) => (a(self, args), b(self, args));
    const put = (owner: object | undefined, names: string, effect: Effect): void => {
      for (const name of names.split(" ")) {
        const key = name === "@@iterator" ? Symbol.iterator : name;
        const found = owner && Object.getOwnPropertyDescriptor(owner, key);
        for (const fn of [found?.value, found?.get] as unknown[])
          if (typeof fn === "function" && !this.#effects.has(fn)) this.#effects.set(fn, effect);
      }
    };
    const all = (owner: object | undefined, effect: Effect): void =>
      put(owner, Object.getOwnPropertyNames(owner ?? {}).join(" "), effect);

    put(Array.prototype, "push pop shift unshift splice reverse fill copyWithin", both(writeSelf, readArgs));
    // Compares elements as strings.
    put(Array.prototype, "sort", both(writeSelf, deepSelf));
    put(Array.prototype, "join toString toLocaleString flat toSorted", convert);
    // Reads the callback's results.
    put(Array.prototype, "flatMap", this.#everything);
    put(
      Array.prototype,
      "concat toSpliced",
      both(readSelf, (_s, args) => args.forEach((arg) => o.iterate(arg))),
    );
    all(Array.prototype, readSelf);
    put(Array, "isArray of", nothing);
    put(Array, "from", (_s, [first]) => o.iterate(first));
    put(Array, "fromAsync", () => o.markIncomplete("Array.fromAsync"));
    for (const type of [Map, Set, WeakMap, WeakSet] as { prototype: object }[]) {
      put(type.prototype, "set add delete clear", writeSelf);
      all(type.prototype, readSelf);
    }
    put(Map as object, "groupBy", (_s, [first]) => o.iterate(first));
    put(Object, "defineProperty defineProperties", this.#defining(writeFirst));
    put(Object, "create", this.#defining(readArgs));
    put(Object, "assign freeze seal preventExtensions", writeFirst);
    put(Object, "fromEntries", (_s, [first]) => {
      if (!isPlainCollection(first)) o.all(); // sound: test/code/reduction/natives.test.ts
      o.deep(first);
    });
    put(Object, "groupBy", (_s, [first]) => o.iterate(first));
    put(Object, "setPrototypeOf", this.#everything);
    all(Object, readArgs);
    put(Object.prototype, "hasOwnProperty propertyIsEnumerable isPrototypeOf valueOf", readSelf);
    put(Object.prototype, "toString toLocaleString", deepSelf);
    put(Reflect, "defineProperty", this.#defining(writeFirst));
    put(
      Reflect,
      "set",
      both(writeFirst, (_s, [, , , receiver]) => o.write(receiver)), // sound: test/code/reduction/natives.test.ts
    );
    put(Reflect, "deleteProperty preventExtensions", writeFirst);
    put(Reflect, "get has ownKeys getOwnPropertyDescriptor getPrototypeOf isExtensible", readArgs);
    put(JSON, "stringify", deepArgs);
    for (const owner of [JSON, Math, Number, BigInt, Symbol, String]) all(owner, convert);
    for (const { prototype } of [Number, BigInt, Boolean, Symbol]) all(prototype, convert);
    put(
      String.prototype,
      "match matchAll replace replaceAll search split",
      both(convert, (_s, [first]) => o.write(first)),
    );
    all(String.prototype, convert);
    all(RegExp.prototype, both(writeSelf, deepArgs));
    put(Error, "captureStackTrace", writeFirst);
    all(Error, nothing);
    all(Error.prototype, readSelf);
    const dates = Object.getOwnPropertyNames(Date.prototype);
    put(Date.prototype, dates.filter((name) => name.startsWith("set")).join(" "), both(writeSelf, deepArgs));
    all(Date.prototype, readSelf);
    // The world itself reports clock readings and random draws.
    put(Date, "now", nothing);
    put(Date, "parse UTC", convert);
    put(performance, "now", nothing);
    const typed = Object.getPrototypeOf(Uint8Array.prototype) as object;
    for (const prototype of [typed, ArrayBuffer.prototype, DataView.prototype])
      all(prototype, both(writeSelf, deepArgs));
    put(ArrayBuffer, "isView", nothing);
    const iterators = [
      Object.getPrototypeOf([][Symbol.iterator]()) as object,
      Object.getPrototypeOf(new Map().entries()) as object,
      Object.getPrototypeOf(new Set().values()) as object,
      Object.getPrototypeOf(""[Symbol.iterator]()) as object,
      Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()) as object) as object,
    ];
    for (const prototype of iterators) put(prototype, "next return throw", writeSelf);
    put(Object.getPrototypeOf(iterators[0]!) as object, "@@iterator", readSelf);

    const functions = Function.prototype as object;
    put(functions, "call", (self, [inner, ...rest]) => this.#call(self, inner, rest));
    put(functions, "apply", (self, [inner, rest]) => {
      o.read(rest);
      this.#call(self, inner, Array.isArray(rest) ? (rest as unknown[]) : []);
    });
    put(functions, "bind toString", nothing);
    put(Reflect, "apply", (_s, [fn, inner, rest]) => this.#call(fn, inner, rest as unknown[]));

    all(Promise.prototype, nothing);
    put(Promise, "resolve reject", nothing);
    this.#combinators(promises);
    for (const name of [
      "setTimeout",
      "setInterval",
      "setImmediate",
      "clearTimeout",
      "clearInterval",
      "clearImmediate",
    ])
      put(globalThis, name, nothing);
    put(globalThis, "queueMicrotask", nothing);
    put(
      globalThis,
      "parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI",
      convert,
    );
    for (const convert of [String, Number, Boolean, BigInt, Symbol, Object] as unknown[])
      this.#effects.set(convert, deepArgs);
    all(console, deepArgs);
    put(process, "nextTick", nothing);
    put(process, "hrtime uptime", nothing);
    all(Object.getPrototypeOf(o.world) as object, nothing);
    this.#installCalling(typed);
  }

  #installCalling(typed: object): void {
    const put = (owner: object | undefined, names: string): void => {
      for (const name of names.split(" ")) {
        const fn = owner && Object.getOwnPropertyDescriptor(owner, name)?.value;
        if (typeof fn === "function") this.#calling.add(fn);
      }
    };
    const each =
      "forEach map filter find findIndex findLast findLastIndex every some reduce reduceRight flatMap sort toSorted";
    for (const owner of [Array.prototype, typed, Map.prototype, Set.prototype]) put(owner, each);
    put(Array, "from");
    put(Object, "groupBy");
    put(Map, "groupBy");
    put(String.prototype, "replace replaceAll");
    put(JSON, "parse stringify");
    put(Promise.prototype, "then catch finally");
    put(Promise, "try");
    put(globalThis, "setTimeout setInterval setImmediate queueMicrotask");
    put(process, "nextTick");
  }

  /** Untracked getters and setters run at each access. */
  #defining(effect: Effect): Effect {
    const hides = (value: unknown, depth: number): boolean =>
      isObject(value) &&
      Reflect.ownKeys(value).some((key) => {
        const inner: unknown = Reflect.getOwnPropertyDescriptor(value, key)?.value;
        return key === "get" || key === "set"
          ? !this.#objects.isTracked(inner)
          : depth > 0 && hides(inner, depth - 1);
      });
    return (self, args) => {
      if (args.slice(1).some((arg) => hides(arg, 1)))
        this.#objects.markIncomplete("a getter of the language"); // sound: test/code/reduction/natives.test.ts
      effect(self, args);
    };
  }

  #call(fn: unknown, self: unknown, args: readonly unknown[]): void {
    if (this.#objects.isTracked(fn)) return;
    const isHidden = this.calls(fn) && args.some((arg) => !this.#objects.isTracked(arg)); // sound: test/code/reduction/natives.test.ts
    if (isHidden) this.#objects.markIncomplete("a function of the language that is called by another");
    (this.of(fn) ?? this.#everything)(self, args);
  }

  /** `Promise.all` and similar functions, in versions that report their results. */
  #combinators(promises: PromiseTracker): void {
    const kinds = { all: "fulfilled", allSettled: "both", any: "rejected", race: "none" } as const;
    for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const native = Promise[name] as (this: unknown, values: unknown) => Promise<unknown>;
      const objects = this.#objects;
      const replaced = function (this: unknown, values: Iterable<unknown>): Promise<unknown> {
        if (this !== Promise) objects.markIncomplete(`Promise.${name} of another class`);
        objects.iterate(values);
        return promises.combined((all) => native.call(Promise, all), [...values], kinds[name]);
      };
      Object.defineProperty(replaced, "name", { value: name });
      Object.defineProperty(Promise, name, {
        value: markTracked(replaced),
        writable: true,
        configurable: true,
      });
    }
    const { withResolvers } = Promise as unknown as { withResolvers?: () => never };
    if (withResolvers)
      Object.defineProperty(Promise, "withResolvers", {
        value: markTracked(() => promises.withResolvers(withResolvers.call(Promise))),
        writable: true,
        configurable: true,
      });
  }
}

export const nothing: Effect = () => {};

/** Whether its elements can be read without iterating. */
export const isPlainCollection = (value: unknown): boolean =>
  Array.isArray(value) || value instanceof Map || value instanceof Set;
export { isMarkedTracked as isTelling };
