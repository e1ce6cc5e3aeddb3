/**
 * The shallow image of one object: its kind, and its labelled fields, in observable order.
 *
 * Labels: `^` the prototype; `.key` a property that is writable, enumerable and configurable, `5.key` one with other
 * attributes (writable 4, enumerable 2, configurable 1), `get3.key` and `set3.key` an accessor; `@…` a property with a
 * symbol key, preceded by the symbol, `sym@…`; `k…` and `v…` keys and values of a map, `e…` members of a set; `w…` a
 * weak map's entry for the object. A map's value is labelled by a primitive key rather than by its position, so
 * removing an entry does not relabel the others.
 *
 * Always true: an image is immutable and shared by all states in which the object has these contents.
 */
import { isDeepStrictEqual, types } from "node:util";
import { intlFacts } from "./intl.js";
import type { HeapRules } from "./rules.js";

export interface Image {
  readonly kind: Kind;
  /**
   * Further distinguishing data: the kind of a typed array, a regular expression's source, `fixed` if not extensible.
   */
  readonly tag: string;
  readonly labels: readonly string[];
  /** Primitives and registered symbols are values; everything else is an edge. */
  readonly values: readonly unknown[];
  readonly bytes: Uint8Array | undefined;
}

export type Kind =
  | "roots"
  | "object"
  | "array"
  | "function"
  | "map"
  | "set"
  | "date"
  | "regexp"
  | "error"
  | "buffer"
  | "view"
  | "boxed"
  | "intl"
  | "symbol";

/** An object that cannot be captured as data, with the reason. */
export class Opaque {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

export function readImage(value: object | symbol, rules: HeapRules): Image | Opaque {
  if (typeof value === "symbol") return simple("symbol", value.description ?? "");
  const opaque = rules.opaque(value);
  if (opaque !== undefined) return new Opaque(opaque); // sound: test/code/heap/conditions.test.ts
  const labels: string[] = [];
  const values: unknown[] = [];
  const kind = kindOf(value);
  labels.push("^");
  values.push(Reflect.getPrototypeOf(value));
  const tag = Object.isExtensible(value) ? tagOf(value, kind) : `${tagOf(value, kind)} fixed`; // sound: test/code/heap/conditions.test.ts
  readSlots(value, kind, labels, values);
  readProperties(value, kind, rules, labels, values);
  readWeak(value, rules, labels, values);
  return {
    kind,
    tag,
    labels,
    values,
    bytes: kind === "buffer" ? new Uint8Array(value as ArrayBuffer) : undefined,
  };
}

/** The mutable parts of a frozen object: bytes, internal slots, entries of weak maps. */
export function readHeld(value: object, rules: HeapRules): Image {
  const kind = kindOf(value);
  const labels: string[] = [];
  const values: unknown[] = [];
  readSlots(value, kind, labels, values);
  readWeak(value, rules, labels, values);
  // A detached buffer has no bytes.
  const isBuffer = kind === "buffer" && !isDetached(value as ArrayBuffer);
  return {
    kind,
    tag: "",
    labels,
    values,
    bytes: isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined,
  };
}

/** An image that can be stored: copies an array buffer's bytes, which may change. */
export const settled = (image: Image): Image =>
  image.bytes ? { ...image, bytes: image.bytes.slice() } : image; // sound: test/code/heap/conditions.test.ts

export function sameImage(a: Image, b: Image): boolean {
  if (a.kind !== b.kind || a.tag !== b.tag || a.labels.length !== b.labels.length) return false; // sound: test/code/heap/conditions.test.ts
  for (let i = 0; i < a.labels.length; i++)
    if (a.labels[i] !== b.labels[i] || !Object.is(a.values[i], b.values[i])) return false; // sound: test/code/heap/conditions.test.ts
  return a.bytes === undefined || (b.bytes !== undefined && Buffer.compare(a.bytes, b.bytes) === 0); // sound: test/code/heap/conditions.test.ts
}

/** Whether the value has an identity, so that it is an object of the heap rather than part of its holder. */
export function isNode(value: unknown): value is object | symbol {
  if (typeof value === "object") return value !== null; // sound: test/code/heap/conditions.test.ts
  if (typeof value === "function") return true; // sound: test/code/heap/conditions.test.ts
  return typeof value === "symbol" && !isNamedSymbol(value); // sound: test/code/heap/conditions.test.ts
}

/** Registered or well-known symbols, which are equal everywhere. */
const isNamedSymbol = (symbol: symbol): boolean =>
  Symbol.keyFor(symbol) !== undefined || wellKnown.has(symbol); // sound: test/code/heap/conditions.test.ts

const wellKnown = new Set(
  Object.values(Object.getOwnPropertyDescriptors(Symbol)).map(({ value }) => value as unknown),
);

/** An object's kind is constant, and determining it takes several calls into the engine. */
const kinds = new WeakMap<object, Kind>();

function kindOf(value: object): Kind {
  let kind = kinds.get(value);
  if (!kind) {
    kind = classify(value);
    kinds.set(value, kind);
  }
  return kind;
}

function classify(value: object): Kind {
  if (typeof value === "function") return "function";
  if (Array.isArray(value)) return "array";
  if (types.isMap(value)) return "map";
  if (types.isSet(value)) return "set";
  if (types.isDate(value)) return "date";
  if (types.isRegExp(value)) return "regexp";
  if (types.isNativeError(value)) return "error";
  if (types.isAnyArrayBuffer(value)) return "buffer";
  if (ArrayBuffer.isView(value)) return "view";
  if (types.isBoxedPrimitive(value)) return "boxed";
  return intlFacts(value) ? "intl" : "object";
}

export function isDetached(buffer: ArrayBuffer): boolean {
  if (buffer.byteLength > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}

export function tagOf(value: object, kind: Kind): string {
  switch (kind) {
    case "view": {
      const { byteOffset, byteLength } = value as DataView;
      return `${Object.prototype.toString.call(value)} ${byteOffset} ${byteLength}`;
    }
    case "regexp":
      return String((value as RegExp).source) + "/" + (value as RegExp).flags;
    case "intl": {
      const { name, made } = intlFacts(value)!;
      return `${name} ${made}`;
    }
    default:
      return "";
  }
}

/** Reads internal slots, which are not properties. */
function readSlots(value: object, kind: Kind, labels: string[], values: unknown[]): void {
  switch (kind) {
    case "map": {
      let position = 0;
      mapForEach.call(value as Map<unknown, unknown>, (held, key) => {
        labels.push(`k${position}`, isNode(key) ? `v#${position}` : `v${primitiveLabel(key)}`);
        values.push(key, held);
        position++;
      });
      return;
    }
    case "set": {
      let position = 0;
      setForEach.call(value as Set<unknown>, (member) => {
        labels.push(isNode(member) ? `e#${position}` : `e${primitiveLabel(member)}`);
        values.push(member);
        position++;
      });
      return;
    }
    case "date":
      labels.push("time");
      values.push(dateValue.call(value as Date));
      return;
    case "boxed":
      labels.push("primitive");
      values.push(unboxed(value));
      return;
    case "view":
      labels.push("buffer");
      values.push((value as DataView).buffer);
      return;
    default:
  }
}

/** Does not call `valueOf`, which the program may have replaced. */
export function unboxed(value: object): unknown {
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value);
  if (types.isStringObject(value)) return String.prototype.valueOf.call(value);
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value);
  if (types.isBigIntObject(value)) return BigInt.prototype.valueOf.call(value);
  return Symbol.prototype.valueOf.call(value);
}

const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;
const dateValue = Date.prototype.getTime;

export const primitiveLabel = (key: unknown): string =>
  `${typeof key}:${Object.is(key, -0) ? "-0" : String(key as string)}`;

function readProperties(
  value: object,
  kind: Kind,
  { sortsKeys }: HeapRules,
  labels: string[],
  values: unknown[],
): void {
  // The elements of a typed array are in its buffer.
  let keys = kind === "view" ? namesOf(value) : Reflect.ownKeys(value);
  if (sortsKeys && kind === "object") keys = [...keys].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  for (const key of keys) {
    if (isHidden(kind, key)) continue; // sound: test/code/heap/conditions.test.ts
    const found = Reflect.getOwnPropertyDescriptor(value, key)!;
    const bits = (found.writable ? 4 : 0) + (found.enumerable ? 2 : 0) + (found.configurable ? 1 : 0); // sound: test/code/heap/conditions.test.ts
    const name = typeof key === "string" ? nameLabel(key) : symbolLabel(key, labels, values);
    if (found.get || found.set) {
      // sound: test/code/heap/conditions.test.ts
      labels.push(`get${bits}${name}`, `set${bits}${name}`);
      values.push(found.get, found.set);
    } else {
      labels.push(bits === 7 ? name : `${bits}${name}`); // sound: test/code/heap/conditions.test.ts
      values.push(found.value);
    }
  }
}

/** Interns labels: identical strings compare fast. */
function nameLabel(name: string): string {
  const known = nameLabels.get(name);
  if (known !== undefined) return known;
  if (nameLabels.size > 10_000) return `.${name}`;
  const label = `.${name}`;
  nameLabels.set(name, label);
  return label;
}

const nameLabels = new Map<string, string>();

/**
 * Names other than indices. Enumerating a large typed array creates a string per element, so it is compared with a
 * nameless view of the same elements; non-enumerable properties are missed there.
 */
function namesOf(value: object): readonly (string | symbol)[] {
  const { length } = value as Uint8Array;
  if (length > 64 && isDeepStrictEqual(value, nameless(value as Uint8Array))) return []; // sound: test/code/heap/conditions.test.ts
  return Reflect.ownKeys(value).filter((key) => typeof key === "symbol" || !/^\d+$/.test(key));
}

function nameless(view: Uint8Array): object {
  const { buffer, byteOffset, length } = view;
  const name = nameOfView.call(view) as string;
  const made = new (globalThis as unknown as Record<string, Uint8ArrayConstructor>)[name]!(
    buffer,
    byteOffset,
    length,
  );
  return Object.setPrototypeOf(made, Reflect.getPrototypeOf(view)) as object;
}

const nameOfView = Reflect.getOwnPropertyDescriptor(
  Reflect.getPrototypeOf(Uint8Array.prototype)!,
  Symbol.toStringTag,
)!.get as (this: unknown) => unknown;

/** An error's stack is not part of the state. */
export const isHidden = (kind: Kind, key: string | symbol): boolean => kind === "error" && key === "stack"; // sound: test/code/heap/conditions.test.ts

function symbolLabel(key: symbol, labels: string[], values: unknown[]): string {
  labels.push(`sym@${key.description}`);
  values.push(key);
  return `@${key.description}`;
}

/**
 * Pairs of a weak map and its entry for this object. As if strong, which may distinguish states but never merges them.
 */
function readWeak(value: object, { weak }: HeapRules, labels: string[], values: unknown[]): void {
  let position = 0;
  for (const [map, held] of weak?.entriesOf(value) ?? []) {
    labels.push(`wm${position}`, `wv${position}`);
    values.push(map, held);
    position++;
  }
}

const simple = (kind: Kind, tag: string): Image => ({ kind, tag, labels: [], values: [], bytes: undefined });
