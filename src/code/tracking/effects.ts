/** What functions of the language touch that have no text to tell of it. Whatever is not here touches everything. */
import { isTelling, told, type PromiseTracker } from "./promises.js";
import type { Objects } from "./objects.js";

export type Effect = (self: unknown, args: readonly unknown[]) => void;

export class Effects {
  readonly #objects: Objects;
  readonly #effects = new Map<unknown, Effect>();
  readonly #bound = new WeakMap<object, { target: unknown; self: unknown }>();

  constructor(objects: Objects, promises: PromiseTracker) {
    this.#objects = objects;
    this.#install(promises);
  }

  /** Is it a function of the language, or of ours, that nothing is known about? */
  of(fn: unknown): Effect | undefined {
    const effect = this.#effects.get(fn);
    if (effect) return effect;
    const bound = this.#bound.get(fn as object);
    if (bound) {
      const inner = this.#objects.isTold(bound.target) ? nothing : this.of(bound.target);
      return (_self, args) => (inner ?? this.#everything)(bound.self, args);
    }
    return undefined;
  }

  isKnown = (fn: unknown): boolean => this.#effects.has(fn);

  /** `fn.bind(self)`: what is called in the end is `fn`. */
  bound(made: object, target: unknown, self: unknown): void {
    this.#bound.set(made, { target, self });
  }

  readonly #everything: Effect = () => this.#objects.all();

  #install(promises: PromiseTracker): void {
    const o = this.#objects;
    const readSelf: Effect = (self) => o.read(self);
    const writeSelf: Effect = (self) => o.write(self);
    const deepSelf: Effect = (self) => o.deep(self);
    const readArgs: Effect = (_self, args) => args.forEach((arg) => o.read(arg));
    const deepArgs: Effect = (_self, args) => args.forEach((arg) => o.deep(arg));
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

    put(
      Array.prototype,
      "push pop shift unshift splice sort reverse fill copyWithin",
      both(writeSelf, readArgs),
    );
    put(Array.prototype, "join toString toLocaleString flat", deepSelf);
    put(
      Array.prototype,
      "concat toSpliced",
      both(readSelf, (_s, args) => args.forEach((arg) => o.iterate(arg))),
    );
    all(Array.prototype, readSelf);
    put(Array, "isArray of", nothing);
    put(Array, "from", (_s, [first]) => o.iterate(first));
    for (const type of [Map, Set, WeakMap, WeakSet] as { prototype: object }[]) {
      put(type.prototype, "set add delete clear", writeSelf);
      all(type.prototype, readSelf);
    }
    put(Map as object, "groupBy", (_s, [first]) => o.iterate(first));
    put(Object, "assign defineProperty defineProperties freeze seal preventExtensions", writeFirst);
    put(Object, "fromEntries groupBy", (_s, [first]) => {
      o.iterate(first);
      o.deep(first);
    });
    put(Object, "setPrototypeOf", this.#everything);
    all(Object, readArgs);
    put(Object.prototype, "hasOwnProperty propertyIsEnumerable isPrototypeOf valueOf", readSelf);
    put(Object.prototype, "toString toLocaleString", deepSelf);
    put(Reflect, "set deleteProperty defineProperty preventExtensions", writeFirst);
    put(Reflect, "get has ownKeys getOwnPropertyDescriptor getPrototypeOf isExtensible", readArgs);
    put(JSON, "stringify", deepArgs);
    put(JSON, "parse", nothing);
    all(Math, nothing);
    all(Number, nothing);
    all(Number.prototype, nothing);
    all(BigInt, nothing);
    all(BigInt.prototype, nothing);
    all(Boolean.prototype, nothing);
    all(Symbol, nothing);
    all(Symbol.prototype, nothing);
    put(String.prototype, "match matchAll replace replaceAll search split", (_s, [first]) => o.write(first));
    all(String.prototype, nothing);
    put(String, "fromCharCode fromCodePoint raw", nothing);
    all(RegExp.prototype, writeSelf);
    all(Error, nothing);
    all(Error.prototype, readSelf);
    const dates = Object.getOwnPropertyNames(Date.prototype);
    put(Date.prototype, dates.filter((name) => name.startsWith("set")).join(" "), writeSelf);
    all(Date.prototype, readSelf);
    // The world itself tells when its clock is read and its random numbers are drawn.
    put(Date, "now parse UTC", nothing);
    put(performance, "now", nothing);
    const typed = Object.getPrototypeOf(Uint8Array.prototype) as object;
    for (const prototype of [typed, ArrayBuffer.prototype, DataView.prototype]) all(prototype, writeSelf);
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
    put(
      globalThis,
      "queueMicrotask parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent",
      nothing,
    );
    put(globalThis, "encodeURI decodeURI", nothing);
    for (const convert of [String, Number, Boolean, BigInt, Symbol, Object] as unknown[])
      this.#effects.set(convert, deepArgs);
    all(console, deepArgs);
    put(process, "nextTick", nothing);
    put(process, "hrtime uptime", nothing);
    all(Object.getPrototypeOf(o.world) as object, nothing);
  }

  #call(fn: unknown, self: unknown, args: readonly unknown[]): void {
    if (this.#objects.isTold(fn)) return;
    (this.of(fn) ?? this.#everything)(self, args);
  }

  /** `Promise.all` and its like, in versions that tell of their answers. */
  #combinators(promises: PromiseTracker): void {
    const kinds = { all: "fulfilled", allSettled: "both", any: "rejected", race: "none" } as const;
    for (const name of Object.keys(kinds) as (keyof typeof kinds)[]) {
      const native = Promise[name] as (this: unknown, values: unknown) => Promise<unknown>;
      const objects = this.#objects;
      const replaced = function (this: unknown, values: Iterable<unknown>): Promise<unknown> {
        if (this !== Promise) objects.cannotTell(`Promise.${name} of another class`);
        objects.iterate(values);
        return promises.combined((all) => native.call(Promise, all), [...values], kinds[name]);
      };
      Object.defineProperty(replaced, "name", { value: name });
      Object.defineProperty(Promise, name, { value: told(replaced), writable: true, configurable: true });
    }
    const { withResolvers } = Promise as unknown as { withResolvers?: () => never };
    if (withResolvers)
      Object.defineProperty(Promise, "withResolvers", {
        value: told(() => promises.withResolvers(withResolvers.call(Promise))),
        writable: true,
        configurable: true,
      });
  }
}

export const nothing: Effect = () => {};
export { isTelling };
