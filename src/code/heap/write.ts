/** Writes an image into its object, or into a new one of the same kind: the inverse of `readImage`. */
import { isDetached, isHidden, tagOf, type Image } from "./image.js";
import type { HeapRules } from "./rules.js";
import { nth, lastOf } from "../../model/known.js";

/**
 * Makes the object equal to the image. The object keeps its identity, so that code that references it continues with
 * it. `at` translates the image's targets; returns false if the language forbids the change.
 */
export function writeImage(
  target: object | symbol,
  image: Image,
  rules: HeapRules,
  at: (value: unknown) => unknown = same,
): boolean {
  if (typeof target === "symbol") return true;
  if (!isStillThat(target, image)) return false; // sound: test/code/heap/conditions.test.ts
  const fields = new Fields(image, at);
  writeSlots(target, image, fields);
  const isWritten = writeProperties(target, image, fields);
  if (rules.weak) {
    rules.weak.clear(target);
    for (const [map, held] of fields.weak()) rules.weak.add(target, map, held);
  }
  const prototype = fields.prototype() as object | null;
  return isWritten && Reflect.setPrototypeOf(target, prototype); // sound: test/code/heap/conditions.test.ts
}

const same = (value: unknown): unknown => value;

/** Immutable parts: the source of a regular expression, the memory of a buffer. */
function isStillThat(target: object, { kind, tag }: Image): boolean {
  if (kind === "buffer") return !isDetached(target as ArrayBuffer);
  return tagOf(target, kind) === tag.replace(/ fixed$/, "");
}

/** The translated fields of an image, by kind of label. */
class Fields {
  readonly #image: Image;
  readonly #at: (value: unknown) => unknown;

  constructor(image: Image, at: (value: unknown) => unknown) {
    this.#image = image;
    this.#at = at;
  }

  value(index: number): unknown {
    return this.#at(this.#image.values[index]);
  }

  prototype(): unknown {
    return this.value(0);
  }

  /** Values whose labels begin with the letter: keys or values of a map's entries, in order. */
  withLetter(letter: string): unknown[] {
    return this.#image.labels.flatMap((label, index) =>
      label.startsWith(letter) ? [this.value(index)] : [],
    );
  }

  weak(): [object, unknown][] {
    const maps = this.withLetter("wm");
    return this.withLetter("wv").map((held, index) => [maps[index] as object, held]);
  }

  properties(): [string | symbol, PropertyDescriptor][] {
    const { labels } = this.#image;
    const found: [string | symbol, PropertyDescriptor][] = [];
    let symbolKey: symbol | undefined;
    for (let i = 1; i < labels.length; i++) {
      const label = nth(labels, i);
      if (label.startsWith("sym@")) {
        symbolKey = this.#image.values[i] as symbol;
        continue;
      }
      const [, accessor, bits, sign, name] = /^(get|set)?([0-7]?)([.@])([^]*)$/.exec(label) ?? [];
      if (sign === undefined) continue;
      const key = sign === "." ? name! : symbolKey!;
      if (accessor === "set") lastOf(found)[1].set = this.value(i) as (value: unknown) => void;
      else found.push([key, descriptor(accessor, Number(bits || 7), this.value(i))]);
      if (accessor !== "get") symbolKey = undefined;
    }
    return found;
  }
}

function descriptor(accessor: string | undefined, bits: number, value: unknown): PropertyDescriptor {
  const common = { enumerable: (bits & 2) !== 0, configurable: (bits & 1) !== 0 };
  if (accessor === "get") return { ...common, get: value as () => unknown };
  return { ...common, value, writable: (bits & 4) !== 0 };
}

function writeSlots(target: object, image: Image, fields: Fields): void {
  switch (image.kind) {
    case "map": {
      mapClear.call(target as Map<unknown, unknown>);
      const held = fields.withLetter("v");
      fields.withLetter("k").forEach((key, i) => mapSet.call(target as Map<unknown, unknown>, key, held[i]));
      return;
    }
    case "set":
      setClear.call(target as Set<unknown>);
      for (const member of fields.withLetter("e")) setAdd.call(target as Set<unknown>, member);
      return;
    case "date":
      setTime.call(target as Date, fields.withLetter("time")[0] as number);
      return;
    case "buffer":
      new Uint8Array(target as ArrayBuffer).set(image.bytes!);
      return;
    default:
  }
}

const mapClear = Map.prototype.clear;
const mapSet = Map.prototype.set;
const setClear = Set.prototype.clear;
const setAdd = Set.prototype.add;
const setTime = Date.prototype.setTime;

function writeProperties(target: object, { kind, tag }: Image, fields: Fields): boolean {
  const wanted = fields.properties();
  const present = Reflect.ownKeys(target).filter((key) => isState(kind, key));
  // sound: test/code/heap/conditions.test.ts
  if (!hasSameOrder(present, wanted)) {
    // Faster than deleting elements one by one.
    if (kind === "array") Reflect.set(target, "length", 0);
    for (const key of present)
      if (!(kind === "array" && key === "length") && !Reflect.deleteProperty(target, key)) return false;
  }
  for (const [key, property] of wanted) if (!define(target, key, property)) return false; // sound: test/code/heap/conditions.test.ts
  if (tag.endsWith(" fixed") && Object.isExtensible(target)) Object.preventExtensions(target);
  return Object.isExtensible(target) !== tag.endsWith(" fixed");
}

const isState = (kind: Image["kind"], key: string | symbol): boolean =>
  kind === "view" ? typeof key === "symbol" || !/^\d+$/.test(key) : !isHidden(kind, key);

const hasSameOrder = (
  present: readonly (string | symbol)[],
  wanted: readonly [string | symbol, unknown][],
): boolean =>
  present.length === wanted.length && present.every((key, index) => key === nth(wanted, index)[0]);

/** Most properties are plain values; assignment keeps the engine's fast representation of the object. */
function define(target: object, key: string | symbol, property: PropertyDescriptor): boolean {
  const present = Reflect.getOwnPropertyDescriptor(target, key);
  if (present && isSameProperty(present, property)) return true; // sound: test/code/heap/conditions.test.ts
  return Reflect.defineProperty(target, key, property);
}

const isSameProperty = (a: PropertyDescriptor, b: PropertyDescriptor): boolean =>
  Object.is(a.value, b.value) &&
  a.get === b.get &&
  a.set === b.set &&
  a.writable === b.writable &&
  a.enumerable === b.enumerable &&
  a.configurable === b.configurable;
