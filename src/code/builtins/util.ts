/** `node:util`, for code without a terminal. */
import { refuse } from "../world/failure.js";
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
export const debuglog = (): AnyFunction => Object.assign(() => undefined, { enabled: false });
export const debug = debuglog;
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
export const isBoolean = (value: unknown): boolean => typeof value === "boolean";
export const isFunction = (value: unknown): boolean => typeof value === "function";
export const isNull = (value: unknown): boolean => value === null;
export const isNullOrUndefined = (value: unknown): boolean => value === null || value === undefined;
export const isNumber = (value: unknown): boolean => typeof value === "number";
export const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
export const isPrimitive = (value: unknown): boolean => Object(value) !== value;
export const isString = (value: unknown): boolean => typeof value === "string";
export const isSymbol = (value: unknown): boolean => typeof value === "symbol";
export const isUndefined = (value: unknown): boolean => value === undefined;
export const isDate = (value: unknown): boolean => value instanceof Date;
export const isRegExp = (value: unknown): boolean => value instanceof RegExp;
export const isError = (value: unknown): boolean => value instanceof Error;
export const _extend = (target: object, source: object): object => Object.assign(target, source);
export const formatWithOptions = (_options: object, ...args: unknown[]): string => formatAll(args);
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

function typedArrays(): Record<string, (value: unknown) => boolean> {
  const names = [
    "Int8",
    "Uint8Clamped",
    "Int16",
    "Uint16",
    "Int32",
    "Uint32",
    "Float32",
    "Float64",
    "BigInt64",
    "BigUint64",
  ];
  return Object.fromEntries(
    names.map((name) => [
      `is${name}Array`,
      (value: unknown): boolean =>
        ArrayBuffer.isView(value) &&
        (value as unknown as Record<symbol, unknown>)[Symbol.toStringTag] === `${name}Array`,
    ]),
  );
}

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
  isWeakMap: (value: unknown): boolean => value instanceof WeakMap,
  isWeakSet: (value: unknown): boolean => value instanceof WeakSet,
  isArrayBuffer: (value: unknown): boolean => value instanceof ArrayBuffer,
  isSharedArrayBuffer: tagged("SharedArrayBuffer"),
  isDataView: (value: unknown): boolean => value instanceof DataView,
  isMapIterator: tagged("Map Iterator"),
  isSetIterator: tagged("Set Iterator"),
  isNumberObject: tagged("Number"),
  isStringObject: tagged("String"),
  isBooleanObject: tagged("Boolean"),
  isSymbolObject: (value: unknown): boolean => typeof value === "object" && value instanceof Symbol,
  isBigIntObject: (value: unknown): boolean => typeof value === "object" && value instanceof BigInt,
  isBoxedPrimitive: (value: unknown): boolean =>
    typeof value === "object" &&
    [Number, String, Boolean, Symbol, BigInt].some((type) => value instanceof type),
  isArgumentsObject: tagged("Arguments"),
  ...typedArrays(),
  // The language does not tell.
  isProxy: () => refuse("util.types.isProxy"),
  isModuleNamespaceObject: tagged("Module"),
  isExternal: () => false,
  isKeyObject: () => false,
  isCryptoKey: () => false,
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
  ...{ stripVTControlCharacters, toUSVString, TextDecoder, TextEncoder, debug, aborted, formatWithOptions },
  ...{
    isBoolean,
    isFunction,
    isNull,
    isNullOrUndefined,
    isNumber,
    isObject,
    isPrimitive,
    isString,
    isSymbol,
  },
  ...{ isUndefined, isDate, isRegExp, isError, _extend },
};
