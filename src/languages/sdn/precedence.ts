/** Precedences of operators; `->` associates to the right, the others to the left. */
import type { BinaryOperator } from "./ast.js";

export const PRECEDENCE: Readonly<Record<BinaryOperator, number>> = {
  "->": 1,
  "||": 2,
  "&&": 3,
  "==": 4,
  "!=": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  in: 4,
  "+": 5,
  "-": 5,
};
