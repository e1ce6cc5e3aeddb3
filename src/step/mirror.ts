/**
 * Objects of the host as records in the memory: their fields are copied there before step code runs, and written fields are
 * copied back after it.
 *
 * A number stands for itself, a boolean for 0 or 1, an array for its address, a list of arrays for the address of a table of
 * addresses, and an object that has a mirror for the mirror's address.
 */
import { OUTSIDE, type StepMemory } from "./memory.js";

export class Mirrors {
  readonly #memory: StepMemory;
  readonly #mirrors: Mirror[] = [];
  readonly #byObject = new Map<object, Mirror>();
  readonly #objects = new Map<number, object>();
  readonly #tables = new WeakMap<readonly Int32Array[], Table>();

  constructor(memory: StepMemory) {
    this.#memory = memory;
  }

  /** The record of an object, with those fields at its beginning; step code writes the `written` ones. */
  of(object: object, fields: readonly string[] = [], written: readonly string[] = []): Mirror {
    const known = this.#byObject.get(object);
    if (known) return known;
    const mirror = new Mirror(object, this.#memory.require(MOST_FIELDS), this.#memory);
    for (const field of fields) mirror.slot(field, written.includes(field));
    this.#mirrors.push(mirror);
    this.#byObject.set(object, mirror);
    this.#objects.set(mirror.address, object);
    return mirror;
  }

  objectAt(address: number): object | undefined {
    return this.#objects.get(address);
  }

  /** From the host to the memory. */
  load(): void {
    for (const { object, fields, words, known } of this.#mirrors)
      for (let k = 0; k < fields.length; k++) {
        const value = (object as Record<string, unknown>)[fields[k]!];
        // A list may have changed inside.
        if (value === known[k] && !Array.isArray(value)) continue;
        known[k] = value;
        words[k] = this.wordOf(value);
      }
  }

  /** Copies written fields back. */
  keep(): void {
    for (const { object, fields, words, written, known } of this.#mirrors)
      for (const k of written) {
        const before = known[k];
        if (typeof before === "number" && before === words[k]) continue;
        const value =
          typeof before === "number"
            ? words[k]!
            : typeof before === "boolean"
              ? words[k] !== 0
              : this.#objects.get(words[k]!);
        (object as Record<string, unknown>)[fields[k]!] = known[k] = value;
      }
  }

  wordOf(value: unknown): number {
    if (typeof value === "number") return clamp(value);
    if (typeof value === "boolean") return Number(value);
    if (value === undefined) return 0;
    if (value instanceof Int32Array) return this.#addressOf(value);
    if (Array.isArray(value)) return this.#table(value as Int32Array[]);
    return this.of(value as object).address;
  }

  /** For an array outside of the memory, which step code must not touch, an address that traps. */
  #addressOf(array: Int32Array): number {
    if (array.length === 0) return 0;
    return this.#memory.isOwn(array) ? this.#memory.addressOf(array) : OUTSIDE;
  }

  #table(arrays: readonly Int32Array[]): number {
    const table = this.#tables.get(arrays);
    if (table && table.length === arrays.length && table.last === arrays.at(-1)) return table.address;
    const words =
      table && table.words.length >= arrays.length
        ? table.words
        : this.#memory.require(Math.max(64, 2 * arrays.length));
    if (table && table.words !== words) this.#memory.free(table.words);
    arrays.forEach((array, i) => (words[i] = this.#addressOf(array)));
    const address = this.#memory.addressOf(words);
    this.#memory.words[address - 1] = arrays.length;
    this.#tables.set(arrays, { words, address, length: arrays.length, last: arrays.at(-1) });
    return address;
  }
}

interface Table {
  readonly words: Int32Array;
  readonly address: number;
  readonly length: number;
  readonly last: Int32Array | undefined;
}

export class Mirror {
  readonly object: object;
  readonly words: Int32Array;
  readonly address: number;
  readonly fields: string[] = [];
  readonly written: number[] = [];
  readonly known: unknown[] = [];

  constructor(object: object, words: Int32Array, memory: StepMemory) {
    this.object = object;
    this.words = words;
    this.address = memory.addressOf(words);
  }

  slot(field: string, isWritten = false): number {
    let slot = this.fields.indexOf(field);
    if (slot < 0) slot = this.fields.push(field) - 1;
    if (slot >= MOST_FIELDS) throw new Error("a record with too many fields");
    if (isWritten && !this.written.includes(slot)) this.written.push(slot);
    return slot;
  }
}

const MOST_FIELDS = 32;

/** Maps an infinite limit to the largest word. */
const clamp = (value: number): number => (value >= 2 ** 31 ? 2 ** 31 - 1 : value | 0);
