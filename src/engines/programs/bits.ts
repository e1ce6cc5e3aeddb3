/**
 * Bit-vector terms with the simplifications that programs need: bytes are taken apart and put together again, and comparisons
 * become integers and conditions again.
 *
 * Integers of one bit are Boolean terms. Always true: a constructor returns a term with the value of the operation in every
 * assignment (test/engines/programs/bits.test.ts).
 */
import type { BitOperation } from "../../model/bit-vectors.js";
import type { BinaryOperator, IntegerPredicate } from "../../model/module.js";
import type { Term, Terms } from "../../model/terms.js";

const OPERATIONS: Readonly<Record<BinaryOperator, BitOperation>> = {
  add: "bvadd",
  sub: "bvsub",
  mul: "bvmul",
  udiv: "bvudiv",
  sdiv: "bvsdiv",
  urem: "bvurem",
  srem: "bvsrem",
  shl: "bvshl",
  lshr: "bvlshr",
  ashr: "bvashr",
  and: "bvand",
  or: "bvor",
  xor: "bvxor",
};

export class Bits {
  readonly terms: Terms;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  constant(bits: number, value: bigint): Term {
    return bits === 1 ? this.terms.bool((value & 1n) === 1n) : this.terms.constant(bits, value);
  }

  binary(operator: BinaryOperator, bits: number, left: Term, right: Term): Term {
    if (bits === 1) return this.#boolean(operator, left, right);
    const ones = (1n << BigInt(bits)) - 1n;
    const isZero = (term: Term): boolean => term.kind === "constant" && term.value === 0n;
    const isOnes = (term: Term): boolean => term.kind === "constant" && term.value === ones;
    const isOne = (term: Term): boolean => term.kind === "constant" && term.value === 1n;
    switch (operator) {
      case "add":
        if (isZero(left)) return right;
        if (isZero(right)) return left;
        break;
      case "sub":
        if (isZero(right)) return left;
        if (left === right) return this.constant(bits, 0n);
        break;
      case "mul":
        if (isZero(left) || isOne(right)) return left;
        if (isZero(right) || isOne(left)) return right;
        break;
      case "and":
        if (isZero(left) || isOnes(right) || left === right) return left;
        if (isZero(right) || isOnes(left)) return right;
        break;
      case "or":
        if (isZero(left) || isOnes(right) || left === right) return right;
        if (isZero(right) || isOnes(left)) return left;
        break;
      case "xor":
        if (isZero(left)) return right;
        if (isZero(right)) return left;
        if (left === right) return this.constant(bits, 0n);
        break;
      case "shl":
      case "lshr":
      case "ashr":
        if (isZero(right) || isZero(left)) return left;
        break;
      default:
        break;
    }
    return this.terms.bits(OPERATIONS[operator], [left, right], bits);
  }

  #boolean(operator: BinaryOperator, left: Term, right: Term): Term {
    const { terms } = this;
    switch (operator) {
      case "and":
      case "mul":
        return terms.and([left, right]);
      case "or":
        return terms.or([left, right]);
      case "add":
      case "sub":
      case "xor":
        return terms.not(terms.equal(left, right));
      default: {
        // Shifts and divisions of single bits: two bits wide, the result fits.
        const wide = terms.bits(
          OPERATIONS[operator],
          [this.extend(left, 1, 2, false), this.extend(right, 1, 2, false)],
          2,
        );
        return this.extract(wide, 2, 0, 1);
      }
    }
  }

  compare(predicate: IntegerPredicate, bits: number, left: Term, right: Term): Term {
    const { terms } = this;
    switch (predicate) {
      case "eq":
        return this.equal(left, right);
      case "ne":
        return terms.not(this.equal(left, right));
      case "ult":
        return this.#less("bvult", bits, left, right);
      case "ule":
        return terms.not(this.#less("bvult", bits, right, left));
      case "ugt":
        return this.#less("bvult", bits, right, left);
      case "uge":
        return terms.not(this.#less("bvult", bits, left, right));
      case "slt":
        return this.#less("bvslt", bits, left, right);
      case "sle":
        return terms.not(this.#less("bvslt", bits, right, left));
      case "sgt":
        return this.#less("bvslt", bits, right, left);
      case "sge":
        return terms.not(this.#less("bvslt", bits, left, right));
    }
  }

  #less(operation: "bvult" | "bvslt", bits: number, left: Term, right: Term): Term {
    if (left === right) return this.terms.false;
    if (bits === 1) {
      // As a signed number, a set bit is -1.
      const [low, high] = operation === "bvult" ? [left, right] : [right, left];
      return this.terms.and([this.terms.not(low), high]);
    }
    for (const [term, other, isLeft] of [
      [left, right, true],
      [right, left, false],
    ] as const)
      if (isChoice(term) && other.kind === "constant") {
        const below = (value: Term): Term =>
          isLeft
            ? this.terms.bits(operation, [value, other], "bool")
            : this.terms.bits(operation, [other, value], "bool");
        return this.terms.ite(term.condition, below(term.yes), below(term.no));
      }
    return this.terms.bits(operation, [left, right], "bool");
  }

  equal(left: Term, right: Term): Term {
    if (right.kind !== "constant")
      return left.kind === "constant" ? this.equal(right, left) : this.terms.equal(left, right);
    if (isChoice(left))
      return this.terms.ite(
        left.condition,
        this.terms.equal(left.yes, right),
        this.terms.equal(left.no, right),
      );
    if (left.kind === "bits" && left.operation === "zero_extend") {
      const [inner] = left.args;
      const width = widthOf(inner);
      if (inner && typeof inner.sort === "number")
        return right.value >> BigInt(width) === 0n
          ? this.equal(inner, this.constant(width, right.value))
          : this.terms.false;
    }
    return this.terms.equal(left, right);
  }

  ite(condition: Term, yes: Term, no: Term): Term {
    return this.terms.ite(condition, yes, no);
  }

  /** From `from` to more bits. */
  extend(term: Term, from: number, to: number, isSigned: boolean): Term {
    if (from === to) return term;
    if (from === 1) {
      const set = isSigned ? (1n << BigInt(to)) - 1n : 1n;
      return this.terms.ite(term, this.constant(to, set), this.constant(to, 0n));
    }
    if (!isSigned && term.kind === "bits" && term.operation === "zero_extend" && term.args[0])
      return this.terms.bits("zero_extend", [term.args[0]], to);
    if (isChoice(term))
      return this.terms.ite(
        term.condition,
        this.extend(term.yes, from, to, isSigned),
        this.extend(term.no, from, to, isSigned),
      );
    return this.terms.bits(isSigned ? "sign_extend" : "zero_extend", [term], to);
  }

  /** `bits` bits from the bit `low` on. */
  extract(term: Term, from: number, low: number, bits: number): Term {
    if (low === 0 && bits === from) return term;
    if (bits === 1) {
      const bit = this.#extracted(term, low, 1);
      return this.terms.equal(bit, this.terms.constant(1, 1n));
    }
    return this.#extracted(term, low, bits);
  }

  #extracted(term: Term, low: number, bits: number): Term {
    if (term.sort === bits && low === 0) return term;
    if (isChoice(term))
      return this.terms.ite(
        term.condition,
        this.#extracted(term.yes, low, bits),
        this.#extracted(term.no, low, bits),
      );
    if (term.kind === "bits") {
      const [first, second] = term.args;
      if (term.operation === "extract" && first) return this.#extracted(first, low + term.low, bits);
      if ((term.operation === "zero_extend" || term.operation === "sign_extend") && first) {
        const width = widthOf(first);
        if (low + bits <= width) return this.#extracted(first, low, bits);
        if (low >= width && term.operation === "zero_extend") return this.terms.constant(bits, 0n);
        if (low === 0) return this.terms.bits(term.operation, [first], bits);
      }
      if (term.operation === "concat" && first && second) {
        const width = widthOf(second);
        if (low + bits <= width) return this.#extracted(second, low, bits);
        if (low >= width) return this.#extracted(first, low - width, bits);
      }
    }
    return this.terms.bits("extract", [term], bits, low);
  }

  /** Bytes as a number, the lowest first. */
  fromBytes(bytes: readonly Term[]): Term {
    let result = bytes[0] ?? this.terms.constant(8, 0n);
    for (const high of bytes.slice(1)) result = this.#concat(high, result);
    return result;
  }

  #concat(high: Term, low: Term): Term {
    const bits = widthOf(high) + widthOf(low);
    if (high.kind === "constant" && low.kind === "constant")
      return this.terms.constant(bits, (high.value << BigInt(widthOf(low))) | low.value);
    if (high.kind === "constant" && high.value === 0n) return this.extend(low, widthOf(low), bits, false);
    const above = partOf(high);
    const below = partOf(low);
    if (above.of === below.of && above.low === below.low + widthOf(low))
      return this.#extracted(below.of, below.low, bits);
    return this.terms.bits("concat", [high, low], bits);
  }
}

const isChoice = (term: Term): term is Extract<Term, { kind: "ite" }> =>
  term.kind === "ite" && term.yes.kind === "constant" && term.no.kind === "constant";

const partOf = (term: Term): { readonly of: Term; readonly low: number } =>
  term.kind === "bits" && term.operation === "extract" && term.args[0]
    ? { of: term.args[0], low: term.low }
    : { of: term, low: 0 };

const widthOf = (term: Term | undefined): number => (typeof term?.sort === "number" ? term.sort : 1);
