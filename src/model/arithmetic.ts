/** Arithmetic on 32-bit signed integers, as in C. */
import type { BinaryOp } from "./program.js";

export function unary(op: "-" | "~" | "!", v: number): number {
  switch (op) {
    case "-":
      return -v | 0;
    case "~":
      return ~v;
    case "!":
      return Number(v === 0);
  }
}

/** Callers exclude division by zero. */
export function binary(op: BinaryOp, l: number, r: number): number {
  switch (op) {
    case "+":
      return (l + r) | 0;
    case "-":
      return (l - r) | 0;
    case "*":
      return Math.imul(l, r);
    case "/":
      return (l / r) | 0;
    case "%":
      return (l % r) | 0;
    case "<<":
      return l << r;
    case ">>":
      return l >> r;
    case "&":
      return l & r;
    case "^":
      return l ^ r;
    case "|":
      return l | r;
    case "<":
      return Number(l < r);
    case "<=":
      return Number(l <= r);
    case ">":
      return Number(l > r);
    case ">=":
      return Number(l >= r);
    case "==":
      return Number(l === r);
    case "!=":
      return Number(l !== r);
    case "&&":
      return Number(l !== 0 && r !== 0);
    case "||":
      return Number(l !== 0 || r !== 0);
  }
}
