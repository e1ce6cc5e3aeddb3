/**
 * Narrower fields than declared, from what was seen.
 *
 * A `byte` that only ever holds 0…3 needs two bits. What a variable will hold cannot be known beforehand, but it can
 * be seen: a search looks at its first states (`RangeMeter`), the layout gives each scalar as many bits as those
 * needed, and generated code checks every store. A value that does not fit throws `LayoutExceeded`; the search starts
 * again with more room for that scalar. So the answer never depends on the guess, only the memory does.
 *
 * The scalars of a program are its *leaves*: the scalars of the globals, then of each template's locals, then the
 * length, claims and message fields of each channel type, in order. All elements of an array share a leaf. The length
 * counts as a scalar because a channel that never holds more than two messages needs only two slots.
 */
import type { Program, ScalarType, Type } from "../model/index.js";
import type { Layout, Slot } from "./layout.js";

/** The values seen in each leaf; undefined: not seen, or to be kept at its declared width. */
export type Ranges = readonly (Range | undefined)[];

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** How a scalar is kept: `base` is added to what is stored. */
export interface Storage {
  readonly bits: number;
  readonly signed: boolean;
  readonly base: number;
}

/** Narrowed storage for a scalar, or undefined when the declared one is as good. */
export function storageFor(
  type: ScalarType,
  range: Range | undefined,
  isConstant: boolean,
): Storage | undefined {
  if (!range || range.low < 0) return undefined;
  if (isConstant && range.low === range.high) return { bits: 0, signed: false, base: range.low };
  const bits = range.high === 0 ? 0 : 32 - Math.clz32(range.high);
  return bits < type.bits ? { bits, signed: false, base: 0 } : undefined;
}

/** How many leaves a type has. */
export function leafCount(type: Type): number {
  switch (type.kind) {
    case "scalar":
      return 1;
    case "array":
      return leafCount(type.element);
    case "record":
      return type.fields.reduce((n, f) => n + leafCount(f.type), 0);
  }
}

/** First leaf of each global, of each template's locals, of each channel type (see `Leaf`). */
export interface LeafNumbers {
  readonly globals: readonly number[];
  readonly locals: readonly (readonly number[])[];
  readonly channels: readonly number[];
  readonly count: number;
}

/** The leaves of a channel type, counted from its first. */
export const Leaf = { length: 0, claims: 1, fields: 2 } as const;

export function numberLeaves(program: Program): LeafNumbers {
  let count = 0;
  // Channel types that look alike share their leaves, so that narrowing does not make them different.
  const alike = new Map<string, number>();
  const next = (leaves: number): number => (count += leaves) - leaves;
  return {
    globals: program.globals.map((v) => next(leafCount(v.type))),
    locals: program.templates.map((t) => t.locals.map((v) => next(leafCount(v.type)))),
    channels: program.channelTypes.map((c) => {
      const key = `${c.capacity}:${c.fields.map((f) => `${f.bits}${f.signed ? "s" : "u"}`).join()}`;
      if (!alike.has(key)) alike.set(key, next(Leaf.fields + c.fields.length));
      return alike.get(key)!;
    }),
    get count() {
      return count;
    },
  };
}

/**
 * Looks at states and tells how many bits each leaf needs. Fast, because a search waits for it: the words of all states
 * are or-ed together, and only the result is taken apart. So `high` may be above the largest value, but has as
 * many bits; the lengths of channels, which decide about whole slots, are exact.
 */
export class RangeMeter {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #fixed: Int32Array;
  /** All blocks of a template or-ed together. */
  readonly #blocks: readonly Int32Array[];
  readonly #isSeen: boolean[];
  /** Most messages seen in each channel type. */
  readonly #lengths: number[];
  #first: Int32Array | undefined;

  constructor(program: Program, layout: Layout) {
    this.#program = program;
    this.#layout = layout;
    this.#fixed = new Int32Array(layout.fixedWords);
    this.#blocks = layout.templates.map((t) => new Int32Array(t.blockWords));
    this.#isSeen = layout.templates.map(() => false);
    this.#lengths = layout.channelTypes.map(() => 0);
  }

  /** Takes the state of `width` words at `words[at…]` into account. */
  add(words: Int32Array, at: number, width: number): void {
    const { fixedWords, globalChannels, template, templates } = this.#layout;
    this.#first ??= words.slice(at, at + width);
    for (let i = 0; i < fixedWords; i++) this.#fixed[i]! |= words[at + i]!;
    for (const q of globalChannels) this.#addLength(words, at + q.word, q.channelType);
    for (let b = fixedWords; b < width;) {
      const t = (words[at + b]! & (2 ** template.bits - 1)) - 1;
      if (t < 0) break;
      const block = this.#blocks[t]!;
      this.#isSeen[t] = true;
      for (let i = 0; i < block.length; i++) block[i]! |= words[at + b + i]!;
      for (const q of templates[t]!.channels) this.#addLength(words, at + b + q.word, q.channelType);
      b += block.length;
    }
  }

  ranges(): Ranges {
    const { globals, globalChannels, templates } = this.#layout;
    const leaves = numberLeaves(this.#program);
    const ranges = new RangeCollector(leaves.count);
    globals.forEach((slot, g) => {
      ranges.slot(this.#fixed, slot, 0, leaves.globals[g]!);
      // The value of a constant is the same in every state, so the first tells.
      if (this.#first) ranges.slot(this.#first, slot, 0, leaves.globals[g]!);
    });
    for (const q of globalChannels) this.#channel(ranges, this.#fixed, q, leaves);
    templates.forEach((template, t) => {
      if (!this.#isSeen[t]) return;
      template.locals.forEach((slot, v) => ranges.slot(this.#blocks[t]!, slot, 0, leaves.locals[t]![v]!));
      for (const q of template.channels) this.#channel(ranges, this.#blocks[t]!, q, leaves);
    });
    return ranges.collected();
  }

  #addLength(words: Int32Array, word: number, type: number): void {
    const { length, capacity } = this.#layout.channelTypes[type]!;
    if (capacity === 0) return;
    const found = scalarAt(words, word * 32 + length.bit, length.bits, false);
    if (found > this.#lengths[type]!) this.#lengths[type] = found;
  }

  #channel(
    ranges: RangeCollector,
    words: Int32Array,
    { channelType, word }: { readonly channelType: number; readonly word: number },
    leaves: LeafNumbers,
  ): void {
    const shape = this.#layout.channelTypes[channelType]!;
    const first = leaves.channels[channelType]!;
    for (const claim of [shape.receiver, shape.sender])
      if (claim) ranges.slot(words, claim, word * 32, first + Leaf.claims);
    if (shape.capacity === 0) return;
    ranges.note(first + Leaf.length, this.#lengths[channelType]!);
    for (let i = 0; i < shape.slots; i++)
      shape.fields.forEach((f, k) =>
        ranges.slot(words, f, word * 32 + shape.firstBit + i * shape.stride, first + Leaf.fields + k),
      );
  }
}

class RangeCollector {
  readonly #low: Int32Array;
  readonly #high: Int32Array;

  constructor(count: number) {
    this.#low = new Int32Array(count).fill(0x7fffffff);
    this.#high = new Int32Array(count).fill(-0x80000000);
  }

  collected(): Ranges {
    return Array.from(this.#low, (low, i) =>
      low > this.#high[i]! ? undefined : { low, high: this.#high[i]! },
    );
  }

  note(leaf: number, value: number): void {
    if (value < this.#low[leaf]!) this.#low[leaf] = value;
    if (value > this.#high[leaf]!) this.#high[leaf] = value;
  }

  /** Notes the scalars of a slot whose record starts at bit `from`; gives the next leaf. */
  slot(words: Int32Array, slot: Slot, from: number, leaf: number): number {
    const at = from + slot.bit;
    switch (slot.kind) {
      case "scalar":
        this.note(leaf, scalarAt(words, at, slot.bits, slot.signed) + slot.base);
        return leaf + 1;
      case "array": {
        let next = leaf;
        for (let i = 0; i < slot.length; i++)
          next = this.slot(words, slot.element, at + i * slot.stride, leaf);
        return next;
      }
      case "record":
        return slot.fields.reduce((next, field) => this.slot(words, field, at, next), leaf);
    }
  }
}

function scalarAt(words: Int32Array, bit: number, bits: number, signed: boolean): number {
  if (bits === 0) return 0;
  const word = words[bit >> 5] ?? 0;
  if (bits === 32) return word;
  const raw = (word >>> (bit & 31)) & (2 ** bits - 1);
  return signed ? (raw << (32 - bits)) >> (32 - bits) : raw;
}

/** The same ranges with more room for one leaf, which a value was too large for. */
export const withMoreRoom = (ranges: Ranges, leaf: number): Ranges =>
  ranges.map((range, i) => (i === leaf && range ? widened(range) : range));

/** Two more bits; from some point on the declared width. */
function widened({ low, high }: Range): Range | undefined {
  return high >= 2 ** 24 ? undefined : { low: Math.min(low, 0), high: 4 * high + 3 };
}
