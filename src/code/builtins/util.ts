/** `node:util`, for code without a terminal. */
import { isDeepStrictEqual } from "./deep-equal.js";
import { format as formatAll, inspect as inspectValue } from "../world/inspect.js";
import { TextDecoder, TextEncoder, wellFormed } from "./encoding.js";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const custom = Symbol.for("nodejs.util.promisify.custom");

export const promisify = Object.assign(
  (original: AnyFunction & { [custom]?: AnyFunction }): AnyFunction => {
    if (original[custom]) return original[custom];
    return function (this: unknown, ...args: unknown[]) {
      return new Promise((resolve, reject) => {
        original.call(this, ...args, (error: unknown, value: unknown) => {
          if (error) reject(error as Error);
          else resolve(value);
        });
      });
    };
  },
  { custom },
);

// Node defines special promise versions of these two.
Object.assign(globalThis.setTimeout, {
  [custom]: (delayMs?: number, value?: unknown) =>
    new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), delayMs)),
});
Object.assign(globalThis.setImmediate, {
  [custom]: (value?: unknown) => new Promise((resolve) => void globalThis.setImmediate(() => resolve(value))),
});

export function callbackify(original: (...args: unknown[]) => Promise<unknown>): AnyFunction {
  return function (this: unknown, ...args: unknown[]) {
    const callback = args.pop() as (error: unknown, value?: unknown) => void;
    original.apply(this, args).then(
      (value) => process.nextTick(() => callback(null, value)),
      (error: unknown) => process.nextTick(() => callback(error)),
    );
  };
}

export const inspect = Object.assign(
  (value: unknown, options?: { depth?: number | null }) =>
    inspectValue(value, options?.depth === null ? 20 : (options?.depth ?? 2)),
  { custom: Symbol.for("nodejs.util.inspect.custom") },
);
export const format = (...args: unknown[]): string => formatAll(args);
export { isDeepStrictEqual };
export const deprecate = <T>(fn: T): T => fn;
export const debuglog = (): AnyFunction => () => undefined;
export const isArray = Array.isArray;
export const stripVTControlCharacters = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, ""); // eslint-disable-line no-control-regex
export const toUSVString = (text: string): string => wellFormed(String(text));

export function inherits(type: { prototype: object }, parent: { prototype: object }): void {
  Object.defineProperty(type, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(type.prototype, parent.prototype);
}

const tagged =
  (tag: string) =>
  (value: unknown): boolean =>
    Object.prototype.toString.call(value) === `[object ${tag}]`;

export const types = {
  isPromise: (value: unknown): boolean => value instanceof Promise,
  isDate: (value: unknown): boolean => value instanceof Date,
  isRegExp: (value: unknown): boolean => value instanceof RegExp,
  isMap: (value: unknown): boolean => value instanceof Map,
  isSet: (value: unknown): boolean => value instanceof Set,
  isNativeError: (value: unknown): boolean => value instanceof Error,
  isUint8Array: (value: unknown): boolean => value instanceof Uint8Array,
  isTypedArray: (value: unknown): boolean => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isArrayBufferView: (value: unknown): boolean => ArrayBuffer.isView(value),
  isAnyArrayBuffer: (value: unknown): boolean => value instanceof ArrayBuffer,
  isAsyncFunction: tagged("AsyncFunction"),
  isGeneratorFunction: (value: unknown): boolean =>
    tagged("GeneratorFunction")(value) || tagged("AsyncGeneratorFunction")(value),
  isGeneratorObject: tagged("Generator"),
};

export { TextDecoder, TextEncoder };
export default {
  ...{
    promisify,
    callbackify,
    inspect,
    format,
    isDeepStrictEqual,
    deprecate,
    debuglog,
    isArray,
    inherits,
    types,
  },
  ...{ stripVTControlCharacters, toUSVString, TextDecoder, TextEncoder },
};
