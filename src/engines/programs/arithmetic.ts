/** Arithmetic of registers: concrete integers, terms, and values that are partly not initialised. */
import type { BinaryOperator, IntegerPredicate } from "../../model/module.js";
import type { Term } from "../../model/terms.js";
import type { Bits } from "./bits.js";
import { integer, isTerm, ones, Partial } from "./values.js";

type Integer = number | bigint | Term;

export class Arithmetic {
  readonly bits: Bits;

  constructor(bits: Bits) {
    this.bits = bits;
  }

  term(value: Integer, bits: number): Term {
    return isTerm(value) ? value : this.bits.constant(bits, BigInt(value));
  }

  /** A constant term as a concrete integer. */
  value(term: Term, bits: number): Integer {
    return term.kind === "constant" ? integer(bits, term.value) : term;
  }

  /** Divisors are not zero. */
  binary(
    operator: BinaryOperator,
    bits: number,
    left: Integer | Partial,
    right: Integer | Partial,
  ): Integer | Partial {
    if (typeof left === "number" && typeof right === "number" && bits <= 32)
      return small(operator, bits, left, right);
    if (typeof left === "bigint" && typeof right === "bigint") return wide(operator, bits, left, right);
    if (left instanceof Partial || right instanceof Partial)
      return this.#partial(operator, bits, left, right);
    return this.value(this.bits.binary(operator, bits, this.term(left, bits), this.term(right, bits)), bits);
  }

  /** Bitwise operators and shifts compute a mask of undetermined bits; other results are not initialised. */
  #partial(
    operator: BinaryOperator,
    bits: number,
    left: Integer | Partial,
    right: Integer | Partial,
  ): Partial | Integer {
    const a = left instanceof Partial ? left : new Partial(left, 0n);
    const b = right instanceof Partial ? right : new Partial(right, 0n);
    const value = this.binary(operator, bits, a.value, b.value);
    const plain = value instanceof Partial ? value.value : value;
    const mask = this.#maskOf(operator, bits, a, b);
    return mask === 0n ? plain : new Partial(plain, mask);
  }

  #maskOf(operator: BinaryOperator, bits: number, a: Partial, b: Partial): bigint {
    const all = ones(bits);
    /** Bits that are known to be zero (`and`) or one (`or`), so that they decide the result. */
    const deciding = (value: Integer, mask: bigint, isOne: boolean): bigint =>
      isTerm(value) ? 0n : (isOne ? BigInt(value) : all & ~BigInt(value)) & ~mask;
    switch (operator) {
      case "and":
      case "or": {
        const isOne = operator === "or";
        return (a.mask | b.mask) & ~deciding(a.value, a.mask, isOne) & ~deciding(b.value, b.mask, isOne);
      }
      case "xor":
        return a.mask | b.mask;
      case "shl":
      case "lshr":
      case "ashr": {
        if (b.mask !== 0n || isTerm(b.value) || BigInt(b.value) >= BigInt(bits)) return all;
        const by = BigInt(b.value);
        if (operator === "shl") return (a.mask << by) & all;
        return operator === "lshr" ? a.mask >> by : BigInt.asUintN(bits, BigInt.asIntN(bits, a.mask) >> by);
      }
      default:
        return all;
    }
  }

  compare(
    predicate: IntegerPredicate,
    bits: number,
    left: Integer | Partial,
    right: Integer | Partial,
  ): Integer | Partial {
    if (left instanceof Partial || right instanceof Partial) return new Partial(0, 1n);
    if (!isTerm(left) && !isTerm(right))
      return compared(predicate, bits, BigInt(left), BigInt(right)) ? 1 : 0;
    return this.value(this.bits.compare(predicate, bits, this.term(left, bits), this.term(right, bits)), 1);
  }

  truncate(from: number, to: number, value: Integer | Partial): Integer | Partial {
    if (value instanceof Partial) {
      const mask = value.mask & ones(to);
      const plain = this.truncate(from, to, value.value) as Integer;
      return mask === 0n ? plain : new Partial(plain, mask);
    }
    if (isTerm(value)) return this.value(this.bits.extract(value, from, 0, to), to);
    return integer(to, BigInt(value));
  }

  extend(from: number, to: number, value: Integer | Partial, isSigned: boolean): Integer | Partial {
    if (value instanceof Partial) {
      const mask = isSigned ? BigInt.asUintN(to, BigInt.asIntN(from, value.mask)) : value.mask;
      return new Partial(this.extend(from, to, value.value, isSigned) as Integer, mask);
    }
    if (isTerm(value)) return this.value(this.bits.extend(value, from, to, isSigned), to);
    return integer(to, isSigned ? BigInt.asIntN(from, BigInt(value)) : BigInt(value));
  }
}

function small(operator: BinaryOperator, bits: number, a: number, b: number): number {
  const fit = (value: number): number => (bits === 32 ? value >>> 0 : (value & ((1 << bits) - 1)) >>> 0);
  const signed = (value: number): number => (value << (32 - bits)) >> (32 - bits);
  switch (operator) {
    case "add":
      return fit((a + b) | 0);
    case "sub":
      return fit((a - b) | 0);
    case "mul":
      return fit(Math.imul(a, b));
    case "udiv":
      return Math.floor(a / b);
    case "urem":
      return a % b;
    case "sdiv":
      return fit(Math.trunc(signed(a) / signed(b)) | 0);
    case "srem":
      return fit((signed(a) % signed(b)) | 0);
    case "and":
      return (a & b) >>> 0;
    case "or":
      return (a | b) >>> 0;
    case "xor":
      return (a ^ b) >>> 0;
    case "shl":
      return b >= bits ? 0 : fit(a << b);
    case "lshr":
      return b >= bits ? 0 : a >>> b;
    case "ashr":
      return fit(signed(a) >> Math.min(b, bits - 1));
  }
}

function wide(operator: BinaryOperator, bits: number, a: bigint, b: bigint): bigint {
  const fit = (value: bigint): bigint => BigInt.asUintN(bits, value);
  const signed = (value: bigint): bigint => BigInt.asIntN(bits, value);
  const by = b < BigInt(bits) ? b : BigInt(bits);
  switch (operator) {
    case "add":
      return fit(a + b);
    case "sub":
      return fit(a - b);
    case "mul":
      return fit(a * b);
    case "udiv":
      return a / b;
    case "urem":
      return a % b;
    case "sdiv":
      return fit(signed(a) / signed(b));
    case "srem":
      return fit(signed(a) % signed(b));
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return fit(a << by);
    case "lshr":
      return a >> by;
    case "ashr":
      return fit(signed(a) >> by);
  }
}

function compared(predicate: IntegerPredicate, bits: number, a: bigint, b: bigint): boolean {
  const [x, y] = predicate.startsWith("s") ? [BigInt.asIntN(bits, a), BigInt.asIntN(bits, b)] : [a, b];
  switch (predicate) {
    case "eq":
      return x === y;
    case "ne":
      return x !== y;
    case "ugt":
    case "sgt":
      return x > y;
    case "uge":
    case "sge":
      return x >= y;
    case "ult":
    case "slt":
      return x < y;
    case "ule":
    case "sle":
      return x <= y;
  }
}
