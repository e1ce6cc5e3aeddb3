/**
 * Values of registers. Integers of up to 32 bits are numbers, wider ones are big integers, both unsigned; floating-point values
 * are numbers; terms are integers that depend on inputs.
 */
import type { Term } from "../../model/terms.js";

export type Value = number | bigint | Pointer | Partial | Aggregate | Term;

/** An address in an object. Object 0 does not exist: its pointers are plain numbers, such as null. */
export class Pointer {
  constructor(
    readonly object: number,
    /** In bytes; a term has 64 bits. */
    readonly offset: number | Term,
    /** Of a symbolic offset: it is congruent to `phase` modulo `stride`. */
    readonly stride = 1,
    readonly phase = 0,
  ) {}
}

export const NULL = new Pointer(0, 0);

/** A value whose bits in `mask` are not initialised. */
export class Partial {
  constructor(
    readonly value: number | bigint | Term,
    readonly mask: bigint,
  ) {}
}

export class Aggregate {
  constructor(readonly parts: readonly Value[]) {}
}

export const isTerm = (value: unknown): value is Term =>
  typeof value === "object" && value !== null && "sort" in value && "id" in value;

/** A concrete integer in the form for its width. */
export const integer = (bits: number, value: bigint): number | bigint =>
  bits <= 32 ? Number(BigInt.asUintN(bits, value)) : BigInt.asUintN(bits, value);

export const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
