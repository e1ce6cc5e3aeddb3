/** Creates objects of a realm for copies, so that conditions never receive objects of another realm. */
import { unboxed, type Image } from "./image.js";
import { intlFacts } from "./intl.js";
import { REFUSAL } from "./refusal.js";

export interface Makers {
  array(): object;
  map(): object;
  set(): object;
  date(): object;
  /** Without a stack, which would show the copying. */
  error(): object;
  buffer(length: number): object;
  regexp(source: string, flags: string): object;
  boxed(value: unknown): object;
  /** `made`: options, or the text of a locale, as JSON. */
  intl(name: string, made: string): object;
  view(name: string, buffer: unknown, offset: number, byteLength: number): object;
  object(): object;
  /** Replaces methods that would change a copy. */
  readonly refuse: () => never;
}

const VIEWS = [
  ...[
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
  ],
  ...["Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "DataView"],
];

/** An expression to evaluate in the realm, before a program can change the functions it uses. */
export const realmMakers = `(({ Map, Set, Date, Error, TypeError, ArrayBuffer, RegExp, Object }, views, formats, parse) => ({
  array: () => [],
  map: () => new Map(),
  set: () => new Set(),
  date: () => new Date(0),
  error: () => {
    const made = new Error();
    delete made.stack;
    return made;
  },
  buffer: (length) => new ArrayBuffer(length),
  regexp: (source, flags) => new RegExp(source, flags),
  boxed: (value) => Object(value),
  intl: (name, made) => {
    const options = parse(made);
    return new formats[name](options.locale ?? options, options.locale ? options : undefined);
  },
  view: (name, buffer, offset, byteLength) =>
    new views[name](buffer, offset, byteLength / (views[name].BYTES_PER_ELEMENT ?? 1)),
  object: () => ({}),
  refuse: () => {
    throw new TypeError(${JSON.stringify(REFUSAL)});
  },
}))(globalThis, { ${VIEWS.join(", ")} }, Object.defineProperties({}, Object.getOwnPropertyDescriptors(Intl)), JSON.parse)`;

/**
 * A new object of that kind without fields; a typed array uses `buffer`. Code and symbols are shared, being stateless.
 */
export function emptyLike(
  original: object | symbol,
  image: Image,
  makers: Makers,
  buffer?: unknown,
): object | symbol {
  switch (image.kind) {
    case "array":
      return makers.array();
    case "map":
      return makers.map();
    case "set":
      return makers.set();
    case "date":
      return makers.date();
    case "error":
      return makers.error();
    case "buffer":
      return makers.buffer(image.bytes!.length);
    case "regexp":
      return makers.regexp((original as RegExp).source, (original as RegExp).flags);
    case "boxed":
      return makers.boxed(unboxed(original as object));
    case "intl": {
      const { name, made } = intlFacts(original as object)!;
      return makers.intl(name, made);
    }
    case "view": {
      const name = Object.prototype.toString.call(original).slice("[object ".length, -1);
      const { byteOffset, byteLength } = original as ArrayBufferView;
      return makers.view(name, buffer, byteOffset, byteLength);
    }
    case "function":
    case "symbol":
      return original;
    case "roots":
    case "object":
      return makers.object();
  }
}
