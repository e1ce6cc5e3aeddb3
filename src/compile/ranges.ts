/**
 * Narrower fields than declared, from what was seen.
 *
 * A `byte` that only ever holds 0…3 needs two bits. What a variable will hold cannot be known beforehand, but it can
 * be seen: the search looks at its first states (`measureRanges`), the layout gives each scalar as many bits as those
 * needed, and generated code checks every store. A value that does not fit throws `LayoutExceeded`; the search starts
 * again with that scalar at its declared width. So the answer never depends on the guess, only the memory does.
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

/** The ranges of all leaves over `count` states; state `i` is `states(i)`, zero-extended to any width. */
export function measureRanges(
  program: Program,
  layout: Layout,
  states: (index: number) => Int32Array,
  count: number,
): Ranges {
  const leaves = numberLeaves(program);
  const ranges = new RangeCollector(leaves.count);
  for (let i = 0; i < count; i++) {
    const words = states(i);
    layout.globals.forEach((slot, g) => ranges.slot(words, slot, 0, leaves.globals[g]!));
    for (const q of layout.globalChannels) ranges.channel(words, layout, q.channelType, q.word, leaves);
    for (let b = layout.fixedWords; b < words.length;) {
      const t = (words[b]! & (2 ** layout.template.bits - 1)) - 1;
      if (t < 0) break;
      const template = layout.templates[t]!;
      template.locals.forEach((slot, v) => ranges.slot(words, slot, b * 32, leaves.locals[t]![v]!));
      for (const q of template.channels) ranges.channel(words, layout, q.channelType, b + q.word, leaves);
      b += template.blockWords;
    }
  }
  return ranges.collected();
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

  /** Notes the scalars of a slot whose record starts at bit `from`; gives the next leaf. */
  slot(words: Int32Array, slot: Slot, from: number, leaf: number): number {
    const at = from + slot.bit;
    switch (slot.kind) {
      case "scalar":
        this.#note(leaf, scalarAt(words, at, slot.bits, slot.signed) + slot.base);
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

  channel(words: Int32Array, layout: Layout, type: number, word: number, leaves: LeafNumbers): void {
    const shape = layout.channelTypes[type]!;
    const first = leaves.channels[type]!;
    for (const claim of [shape.receiver, shape.sender])
      if (claim) this.#note(first + Leaf.claims, scalarAt(words, word * 32 + claim.bit, claim.bits, false));
    if (shape.capacity === 0) return;
    const length = scalarAt(words, word * 32 + shape.length.bit, shape.length.bits, false);
    this.#note(first + Leaf.length, length);
    for (let i = 0; i < length; i++)
      shape.fields.forEach((f, k) =>
        this.slot(words, f, word * 32 + shape.firstBit + i * shape.stride, first + Leaf.fields + k),
      );
  }

  #note(leaf: number, value: number): void {
    if (value < this.#low[leaf]!) this.#low[leaf] = value;
    if (value > this.#high[leaf]!) this.#high[leaf] = value;
  }
}

function scalarAt(words: Int32Array, bit: number, bits: number, signed: boolean): number {
  if (bits === 0) return 0;
  const word = words[bit >> 5] ?? 0;
  if (bits === 32) return word;
  const raw = (word >>> (bit & 31)) & (2 ** bits - 1);
  return signed ? (raw << (32 - bits)) >> (32 - bits) : raw;
}
