/** Operands of the instructions and terminators of programs. */
import type { Operand } from "./module.js";

/** Every operand of an instruction of any kind. */
export function operandsOf(part: object): Operand[] {
  const found: Operand[] = [];
  for (const value of Object.values(part) as unknown[]) {
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    for (const item of items) {
      if (
        typeof item !== "object" ||
        item === null ||
        !("kind" in item || "value" in item || "index" in item)
      )
        continue;
      if ("kind" in item && isOperand(item)) found.push(item);
      else found.push(...operandsOf(item));
    }
  }
  return found;
}

const OPERANDS = new Set([
  "register",
  "integer",
  "float",
  "null",
  "zero",
  "undefined",
  "address",
  "bytes",
  "aggregate",
  "unsupported",
]);
const isOperand = (item: object): item is Operand =>
  OPERANDS.has((item as { kind: string }).kind) && !("span" in item);
