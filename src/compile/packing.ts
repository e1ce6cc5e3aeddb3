/**
 * Bits handed out: how much room a value takes, and where it stands.
 *
 * Anything of up to 32 bits stands inside one word; anything larger begins a word, and what it leaves of its last word is
 * free for others. So no scalar ever straddles two words: to read one is to load, shift and mask.
 */

/** Bits `bit … bit+bits-1` counted from the start of the record; never across a word. */
export interface ScalarSlot {
  readonly kind: "scalar";
  readonly bit: number;
  /** May be 0: then the value is always `base`. */
  readonly bits: number;
  readonly signed: boolean;
  /** The value is what is stored plus this. */
  readonly base: number;
  /** What an assignment truncates to. */
  readonly declared: { readonly bits: number; readonly signed: boolean };
  /** Narrower than declared: a store must be checked (`ranges.ts`). Undefined: everything declared fits. */
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

/** Equal things one after the other. */
export interface Series {
  /** Bits of each; above a word a multiple of 32. */
  readonly stride: number;
  /** How many stand in one word; the next begins a new one. 1 when they are as large as a word or larger. */
  readonly perWord: number;
}

/** Position of number `i` of a series, relative to the first. */
export function bitInSeries({ stride, perWord }: Series, i: number): number {
  if (stride >= 32) return i * stride;
  return Math.floor(i / perWord) * 32 + (i % perWord) * stride;
}

/** How `length` things of `bits` bits stand one after the other. */
export function seriesOf(bits: number, length: number): Series & { readonly bits: number } {
  if (bits >= 32) {
    const stride = Math.ceil(bits / 32) * 32;
    // sound: test/compile/packing.test.ts
    return { stride, perWord: 1, bits: length === 0 ? 0 : (length - 1) * stride + bits };
  }
  const dense = wordsFor(bits, length);
  // In several words a power of two makes division a shift; it is taken where it costs nothing.
  const stride = dense > 1 && wordsFor(powerOfTwo(bits), length) === dense ? powerOfTwo(bits) : bits;
  const perWord = stride === 0 ? Math.max(1, length) : Math.floor(32 / stride);
  const last = length - (dense - 1) * perWord;
  return { stride, perWord, bits: length === 0 ? 0 : (dense - 1) * 32 + (last - 1) * stride + bits };
}

/** A type with how each scalar is kept. */
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

/** Hands out bits. */
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

  /** The place of something of that size, in the first word from `from` on that has room for it. */
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

  /** Places for all of them. Largest first, so that small ones fill the gaps. */
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
 * Places for groups of things, in as few words as are found. Things of one group change together, and a store that
 * shares equal parts between states gains when they stand side by side: so of packings that need equally many words
 * the one that keeps groups together is taken.
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

/** Group by group, each into the last `open` words as long as there is room. */
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

/** The bits that extents take, by word. */
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
