/** Floating-point numbers: always concrete. One that would depend on inputs gets a single value, and the analysis is incomplete. */
import type { CastOperator, FloatOperator } from "../../model/module.js";
import type { Machine } from "./machine.js";
import type { PathState } from "./state.js";
import { integer, isTerm, Partial, Pointer, type Value } from "./values.js";

export function floatOperation(
  operator: FloatOperator | "fneg",
  bits: 32 | 64,
  a: number,
  b: number,
): number {
  const fit = (value: number): number => (bits === 32 ? Math.fround(value) : value);
  switch (operator) {
    case "fadd":
      return fit(a + b);
    case "fsub":
      return fit(a - b);
    case "fmul":
      return fit(a * b);
    case "fdiv":
      return fit(a / b);
    case "frem":
      return fit(a % b);
    case "fneg":
      return -a;
  }
}

/** `o…`: both are numbers and …; `u…`: one is not a number, or …. */
export function compareFloats(predicate: string, a: number, b: number): boolean {
  const isUnordered = Number.isNaN(a) || Number.isNaN(b);
  if (predicate === "true" || predicate === "false") return predicate === "true";
  if (predicate === "ord") return !isUnordered;
  if (predicate === "uno") return isUnordered;
  if (isUnordered) return predicate.startsWith("u");
  switch (predicate.slice(1)) {
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "gt":
      return a > b;
    case "ge":
      return a >= b;
    case "lt":
      return a < b;
    default:
      return a <= b;
  }
}

export function castFloat(
  machine: Machine,
  state: PathState,
  operator: CastOperator,
  from: number,
  to: number,
  value: Value,
): Value {
  if (value instanceof Partial)
    throw machine.violation(state, "uninitialised", "converts a number that is not initialised");
  switch (operator) {
    case "fptrunc":
      return Math.fround(value as number);
    case "fpext":
      return value;
    case "uitofp":
    case "sitofp": {
      const whole = isTerm(value)
        ? machine.pin(state, value, from, "float", "floating-point numbers that depend on inputs")
        : value instanceof Pointer
          ? machine.expose(state, value)
          : BigInt(value as number | bigint);
      const signed = operator === "sitofp" ? BigInt.asIntN(from, whole) : whole;
      return to === 32 ? roundedSingle(signed) : Number(signed);
    }
    default: {
      const number = value as number;
      if (!Number.isFinite(number))
        throw machine.violation(
          state,
          "undefined behaviour",
          "converts a number that is not finite to an integer",
        );
      const whole = BigInt(Math.trunc(number));
      const isSigned = operator === "fptosi";
      const low = isSigned ? -(1n << BigInt(to - 1)) : 0n;
      const high = isSigned ? 1n << BigInt(to - 1) : 1n << BigInt(to);
      if (whole < low || whole >= high)
        throw machine.violation(
          state,
          "undefined behaviour",
          "converts a number that does not fit into the integer type",
        );
      return integer(to, whole);
    }
  }
}

/** Rounds once: via a double, the largest integers would be rounded twice. */
function roundedSingle(value: bigint): number {
  const size = (value < 0n ? -value : value).toString(2).length;
  if (size <= 53) return Math.fround(Number(value));
  const drop = BigInt(size - 30);
  const isInexact = value % (1n << drop) !== 0n ? 1n : 0n;
  return Math.fround(Number((value >> drop) | isInexact) * 2 ** Number(drop));
}
