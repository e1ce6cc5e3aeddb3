/**
 * Allocates bits: sizes and positions of values.
 *
 * Values of up to 32 bits lie inside one word; larger ones begin a word and leave the rest of their last word free. So no
 * scalar straddles two words: reading is load, shift and mask.
 */

/** Bits `bit … bit+bits-1` counted from the start of the record; never across words. */
export interface ScalarSlot {
  readonly kind: "scalar";
  readonly bit: number;
  /** If 0, the value is always `base`. */
  readonly bits: number;
  readonly signed: boolean;
  /** Added to the stored number. */
  readonly base: number;
  /** Width to which assignments truncate. */
  readonly declared: { readonly bits: number; readonly signed: boolean };
  /** Narrower than declared: stores must be checked (`ranges.ts`). Undefined: every declared value fits. */
  readonly narrowedLeaf: number | undefined;
}

export interface ArraySlot extends Series {
  readonly kind: "array";
  readonly bit: number;
  readonly length: number;
  /** Relative to the element. */
  readonly element: Slot;
}

export interface RecordSlot {
  readonly kind: "record";
  readonly bit: number;
  /** Relative to the record. */
  readonly fields: readonly Slot[];
}

export type Slot = ScalarSlot | ArraySlot | RecordSlot;

/** Equal elements in sequence. */
export interface Series {
  /** Bits of each; above a word a multiple of 32. */
  readonly stride: number;
  /** Elements per word; 1 for elements of a word or more. */
  readonly perWord: number;
}

/** Position of element `i`, relative to the first. */
export function bitInSeries({ stride, perWord }: Series, i: number): number {
  if (stride >= 32) return i * stride;
  return Math.floor(i / perWord) * 32 + (i % perWord) * stride;
}

/** Places `length` elements of `bits` bits in sequence. */
export function seriesOf(bits: number, length: number): Series & { readonly bits: number } {
  if (bits >= 32) {
    const stride = Math.ceil(bits / 32) * 32;
    // sound: test/compile/packing.test.ts
    return { stride, perWord: 1, bits: length === 0 ? 0 : (length - 1) * stride + bits };
  }
  const dense = wordsFor(bits, length);
  // A power of two turns division into a shift; used if it costs no additional word.
  const stride = dense > 1 && wordsFor(powerOfTwo(bits), length) === dense ? powerOfTwo(bits) : bits;
  const perWord = stride === 0 ? Math.max(1, length) : Math.floor(32 / stride);
  const last = length - (dense - 1) * perWord;
  return { stride, perWord, bits: length === 0 ? 0 : (dense - 1) * 32 + (last - 1) * stride + bits };
}

/** A type with the storage of each scalar. */
export type StoredType =
  | ScalarSlot
  | { readonly kind: "array"; readonly element: StoredType; readonly length: number }
  | { readonly kind: "record"; readonly fields: readonly StoredType[] };

/** The shape of a type, at bit 0, and its size. */
export function shapeOf(type: StoredType): { readonly slot: Slot; readonly bits: number } {
  switch (type.kind) {
    case "scalar":
      return { slot: type, bits: type.bits };
    case "array": {
      const element = shapeOf(type.element);
      const { stride, perWord, bits } = seriesOf(element.bits, type.length);
      const slot: ArraySlot = {
        kind: "array",
        bit: 0,
        stride,
        perWord,
        length: type.length,
        element: element.slot,
      };
      return { slot, bits };
    }
    case "record": {
      const packer = new Packer();
      const places = packer.addAll(type.fields.map((f) => shapeOf(f).bits));
      const fields = type.fields.map((f, i) => at(shapeOf(f).slot, places[i]!));
      return { slot: { kind: "record", bit: 0, fields }, bits: packer.bits };
    }
  }
}

export class Packer {
  /** Bits in use at the bottom of each word. */
  readonly #used: number[] = [];

  get words(): number {
    return this.#used.length;
  }

  get bits(): number {
    return this.#used.length === 0 ? 0 : (this.#used.length - 1) * 32 + this.#used[this.#used.length - 1]!;
  }

  skipWords(count: number): void {
    for (let i = 0; i < count; i++) this.#used.push(32);
  }

  /** The position of a value of that size, in the first word from `from` on with enough room. */
  add(bits: number, from = 0): number {
    if (bits === 0) return 0;
    if (bits > 32) return this.#wholeWords(bits);
    let word = from;
    while (word < this.#used.length && this.#used[word]! + bits > 32) word++;
    if (word === this.#used.length) this.#used.push(0);
    const place = word * 32 + this.#used[word]!;
    this.#used[word]! += bits;
    return place;
  }

  /** Positions for all, allocated largest first, so that small ones fill the gaps. */
  addAll(sizes: readonly number[]): number[] {
    const places: number[] = [];
    const order = [...sizes.keys()].sort((a, b) => sizes[b]! - sizes[a]! || a - b);
    for (const i of order) places[i] = this.add(sizes[i]!);
    return places;
  }

  #wholeWords(bits: number): number {
    const first = this.#used.length;
    this.skipWords(Math.ceil(bits / 32) - 1);
    this.#used.push(bits - (this.#used.length - first) * 32);
    return first * 32;
  }
}

/**
 * Packs groups into few words. Members of a group change together, and a store that shares equal parts between states
 * gains if they are adjacent; so prefers, at equal size, the packing that keeps groups together.
 */
export function packGroups(
  groups: readonly (readonly number[])[],
  firstWord: number,
): { readonly places: readonly (readonly number[])[]; readonly words: number } {
  const packings = [packTogether(groups, firstWord, 2), packTogether(groups, firstWord, Infinity)];
  const packer = new Packer();
  packer.skipWords(firstWord);
  const flat = packer.addAll(groups.flat());
  let next = 0;
  packings.push({ places: groups.map((g) => g.map(() => flat[next++]!)), words: packer.words });
  return packings.reduce((best, other) => (other.words < best.words ? other : best));
}

/** Group by group, each into the last `open` words while there is room. */
function packTogether(groups: readonly (readonly number[])[], firstWord: number, open: number) {
  const packer = new Packer();
  packer.skipWords(firstWord);
  const places = groups.map((sizes): number[] => {
    const found: number[] = [];
    const order = [...sizes.keys()].sort((a, b) => sizes[b]! - sizes[a]! || a - b);
    const from = Math.max(0, packer.words - open);
    for (const i of order) found[i] = packer.add(sizes[i]!, from);
    return found;
  });
  return { places, words: packer.words };
}

export interface Extent {
  readonly bit: number;
  readonly bits: number;
}

/** Masks of the extents, by word. */
export function masksOf(extents: readonly Extent[]): ReadonlyMap<number, number> {
  const masks = new Map<number, number>();
  for (const { bit, bits } of extents)
    for (let from = bit; from < bit + bits; from = (from | 31) + 1) {
      const size = Math.min(bit + bits, (from | 31) + 1) - from;
      const mask = (size === 32 ? -1 : (1 << size) - 1) << (from & 31);
      masks.set(from >> 5, (masks.get(from >> 5) ?? 0) | mask);
    }
  return masks;
}

/** A control field: never narrowed. */
export const scalar = (bits: number, base = 0): ScalarSlot => ({
  kind: "scalar",
  bit: 0,
  bits,
  signed: false,
  base,
  declared: { bits: 32, signed: true },
  narrowedLeaf: undefined,
});

export const at = <S extends Slot>(slot: S, bit: number): S => ({ ...slot, bit });

/** Bits that hold 0 … `max`; at least one. */
export function bitsFor(max: number): number {
  return Math.max(1, 32 - Math.clz32(max));
}

const powerOfTwo = (bits: number): number => (bits <= 1 ? bits : 1 << (32 - Math.clz32(bits - 1)));

const wordsFor = (bits: number, length: number): number =>
  bits === 0 ? 1 : Math.ceil(length / Math.floor(32 / bits));
