/** Flat tables for computing representatives: parts of a state by number, and the names among their values. */
import type { Words } from "../../model/index.js";
import type { Families } from "./families.js";
import type { Parts } from "./parts.js";

/** Members of families, by slot. */
export class FlatFamilies {
  readonly base: Int32Array;
  /** Its elements and strides are at `start[slot] … start[slot + 1] - 1`. */
  readonly start: Int32Array;
  readonly element: Int32Array;
  readonly stride: Int32Array;
  /** By element, the first of its set. */
  readonly #firstOfSet: Int32Array;

  constructor({ bases, elements, strides }: Families, firstOfSet: Int32Array) {
    this.#firstOfSet = firstOfSet;
    this.base = Int32Array.from(bases);
    this.start = new Int32Array(elements.length + 1);
    elements.forEach((own, slot) => (this.start[slot + 1] = this.start[slot]! + own.length));
    this.element = Int32Array.from(elements.flat());
    this.stride = Int32Array.from(strides.flat());
  }

  /** The slot of the image under the renaming `ranks`. */
  moved(slot: number, ranks: Int32Array): number {
    const end = this.start[slot + 1]!;
    let image = this.base[slot]!;
    for (let i = this.start[slot]!; i < end; i++) {
      const element = this.element[i]!;
      image += (ranks[element]! - this.#firstOfSet[element]!) * this.stride[i]!;
    }
    return image;
  }
}

export class Tables {
  readonly count: number;
  readonly parts: FlatFamilies;
  readonly names: FlatFamilies;
  /** By slot, the value that names it. */
  readonly values: Int32Array;
  readonly #bit: Int32Array;
  readonly #bits: Int32Array;
  /** By part: maps values to slots or -1; undefined: no value names anything. */
  readonly #slots: readonly (Int32Array | undefined)[];
  /** Of message fields: position of the length, and index in the channel; of others, -1, which is below every length. */
  readonly #lengthBit: Int32Array;
  readonly #lengthBits: Int32Array;
  readonly #place: Int32Array;

  constructor({ parts, families, names, nameFamilies }: Parts, firstOfSet: Int32Array) {
    this.count = parts.length;
    this.parts = new FlatFamilies(families, firstOfSet);
    this.names = new FlatFamilies(nameFamilies, firstOfSet);
    this.values = new Int32Array(nameFamilies.size);
    const tables = names.map(({ slots }) => {
      const table = new Int32Array(Math.max(-1, ...slots.keys()) + 1).fill(-1);
      for (const [value, slot] of slots) {
        table[value] = slot;
        this.values[slot] = value;
      }
      return table;
    });
    this.#slots = parts.map((part) => (part.names < 0 ? undefined : tables[part.names]!));
    this.#bit = Int32Array.from(parts, ({ bit }) => bit);
    this.#bits = Int32Array.from(parts, ({ bits }) => bits);
    this.#lengthBit = Int32Array.from(parts, ({ message }) => message?.bit ?? 0);
    this.#lengthBits = Int32Array.from(parts, ({ message }) => message?.bits ?? 0);
    this.#place = Int32Array.from(parts, ({ message }) => message?.place ?? -1);
  }

  read(words: Words, at: number, part: number): number {
    return bitsAt(words, at, this.#bit[part]!, this.#bits[part]!);
  }

  /** The slot that a part's value names, or -1. Absent messages name nothing. */
  named(words: Words, at: number, part: number, value: number): number {
    const table = this.#slots[part];
    if (table === undefined || value < 0 || value >= table.length) return -1;
    // sound: test/compile/symmetry/canonical.test.ts
    if (this.#place[part]! >= bitsAt(words, at, this.#lengthBit[part]!, this.#lengthBits[part]!)) return -1;
    return table[value]!;
  }

  write(words: Words, at: number, part: number, value: number): void {
    const [bit, bits] = [this.#bit[part]!, this.#bits[part]!];
    const mask = (bits === 32 ? -1 : (1 << bits) - 1) << (bit & 31);
    const word = at + (bit >> 5);
    words[word] = (words[word]! & ~mask) | ((value << (bit & 31)) & mask);
  }
}

/** Unsigned: names are not negative. */
export function bitsAt(words: Words, at: number, bit: number, bits: number): number {
  const found = words[at + (bit >> 5)]! >>> (bit & 31);
  return bits === 32 ? found | 0 : found & ((1 << bits) - 1);
}
