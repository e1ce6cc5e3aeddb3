/** Integer arithmetic of rule programs: exact on safe integers; other results are undefined. */
import type { RangeType, RuleOperator } from "./rules.js";

/** Undefined: a division by zero, or a result beyond the safe integers. Comparisons return 0 or 1. */
export function computeRule(op: RuleOperator, left: number, right: number): number | undefined {
  const result = compute(op, left, right);
  return Number.isSafeInteger(result) ? result + 0 : undefined;
}

function compute(op: RuleOperator, left: number, right: number): number {
  switch (op) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? NaN : Math.trunc(left / right);
    case "%":
      return right === 0 ? NaN : left % right;
    case "&":
      return bitwise(
        left,
        right,
        (a, b) => a & b,
        (a, b) => a & b,
      );
    case "|":
      return bitwise(
        left,
        right,
        (a, b) => a | b,
        (a, b) => a | b,
      );
    case "^":
      return bitwise(
        left,
        right,
        (a, b) => a ^ b,
        (a, b) => a ^ b,
      );
    case "<<":
      return shift(left, right);
    case ">>":
      return shift(left, -right);
    case "<":
      return Number(left < right);
    case "<=":
      return Number(left <= right);
    case ">":
      return Number(left > right);
    case ">=":
      return Number(left >= right);
    case "==":
      return Number(left === right);
    case "!=":
      return Number(left !== right);
  }
}

function bitwise(
  left: number,
  right: number,
  narrow: (a: number, b: number) => number,
  wide: (a: bigint, b: bigint) => bigint,
): number {
  if ((left | 0) === left && (right | 0) === right) return narrow(left, right);
  return Number(wide(BigInt(left), BigInt(right)));
}

/** To the left, or with a negative count to the right. */
function shift(value: number, count: number): number {
  if (count >= 64 || count <= -64) return 0;
  return count >= 0 ? value * 2 ** count : Math.floor(value / 2 ** -count);
}

/** Bounds of the result of an operator, for all operands within their bounds; both ends are safe integers. */
export function boundsOf(op: RuleOperator, left: RangeType, right: RangeType): RangeType {
  switch (op) {
    case "+":
      return between(left.low + right.low, left.high + right.high);
    case "-":
      return between(left.low - right.high, left.high - right.low);
    case "*": {
      const corners = [left.low, left.high].flatMap((l) => [l * right.low, l * right.high]);
      return between(Math.min(...corners), Math.max(...corners));
    }
    case "/": {
      const most = Math.max(Math.abs(left.low), Math.abs(left.high));
      return between(left.low >= 0 && right.low >= 0 ? 0 : -most, most);
    }
    case "%": {
      const most = Math.max(Math.abs(right.low), Math.abs(right.high)) - 1;
      return between(Math.max(-most, Math.min(left.low, 0)), Math.min(most, Math.max(left.high, 0)));
    }
    case "&":
    case "|":
    case "^": {
      const most = Math.max(...[left, right].flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
      const power = 2 ** Math.ceil(Math.log2(most + 2));
      return between(left.low >= 0 && right.low >= 0 ? 0 : -power, power - 1);
    }
    case "<<":
    case ">>": {
      const counts = op === "<<" ? [right.low, right.high] : [-right.high, -right.low];
      const corners = [left.low, left.high].flatMap((l) => counts.map((count) => l * 2 ** count));
      return between(Math.floor(Math.min(0, ...corners)), Math.max(0, ...corners));
    }
    default:
      return { kind: "range", low: 0, high: 1 };
  }
}

/** Can the operation fail, or have a result beyond the safe integers? */
export function mayFail(op: RuleOperator, left: RangeType, right: RangeType): boolean {
  if (op === "/" || op === "%") return right.low <= 0 && right.high >= 0;
  const { low, high } = boundsOf(op, left, right);
  return low === -MOST || high === MOST;
}

const MOST = Number.MAX_SAFE_INTEGER;
const between = (low: number, high: number): RangeType => ({
  kind: "range",
  low: Math.max(low, -MOST) + 0,
  high: Math.min(high, MOST) + 0,
});
