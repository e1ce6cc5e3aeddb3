import type ts from "typescript";
import { T } from "./names.js";
import { isPlainValue } from "./syntax.js";
import type { Walk } from "./walk.js";

/** An operand that may be an object with `toString` or `valueOf`. */
export function emitOperand(walk: Walk, node: ts.Expression): string {
  const text = walk.core(node);
  return isPlainValue(node) ? text : `${T}.v(${text})`;
}
