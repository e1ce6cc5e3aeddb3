/** Reads and writes the scalars of a packed state. */
import type { Words } from "../../model/index.js";
import type { ScalarSlot } from "../layout.js";

/** The value of a scalar whose record starts at `word`; `bit` is counted from there. */
export function readScalar(words: Words, word: number, slot: ScalarSlot, bit = slot.bit): number {
  const { bits, signed, base } = slot;
  if (bits === 0) return base;
  const shift = bit & 31;
  const found = words[word + (bit >> 5)]!;
  if (bits === 32) return found;
  return truncate(found >>> shift, bits, signed) + base;
}

/** Stores `value`, cut to the scalar's declared width. */
export function writeScalar(
  words: Words,
  word: number,
  slot: ScalarSlot,
  value: number,
  bit = slot.bit,
): void {
  const kept = truncate(value, slot.declared.bits, slot.declared.signed) - slot.base;
  // sound: test/compile/layout.test.ts
  if (slot.narrowedLeaf !== undefined && truncate(kept, slot.bits, false) !== kept)
    throw new Error(`the value ${value} does not fit its narrowed field`);
  const shift = bit & 31;
  const mask = maskOf(slot.bits) << shift;
  const index = word + (bit >> 5);
  words[index] = (words[index]! & ~mask) | ((kept << shift) & mask);
}

/** Zeroes the bits of an absent scalar, regardless of its base. */
export function clearScalar(words: Words, slot: ScalarSlot, bit: number): void {
  words[bit >> 5]! &= ~(maskOf(slot.bits) << (bit & 31));
}

/** `value` as read back from a field of `bits` bits. */
export function truncate(value: number, bits: number, signed: boolean): number {
  if (bits === 32) return value | 0;
  const cut = value & maskOf(bits);
  // sound: test/compile/cases/values.test.ts
  return signed ? (cut << (32 - bits)) >> (32 - bits) : cut;
}

const maskOf = (bits: number): number => (bits === 32 ? -1 : 2 ** bits - 1) | 0;
