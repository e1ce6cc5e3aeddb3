/** Instructions for operators of step code, signed and unsigned. */
import { Op } from "./encode.js";
import { NotStepCode, type BinaryOp, type Expr } from "./syntax.js";

export function operator(op: BinaryOp, left: Expr, right: Expr): number {
  const isUnsigned = mayExceed(left) || mayExceed(right);
  // Equal as 32 bits, but not as numbers.
  // sound: test/step/wasm.test.ts
  if (isUnsigned && (op === "===" || op === "!==") && !isNumber(right, 0))
    throw new NotStepCode("an unsigned number is compared for equality");
  return (isUnsigned ? UNSIGNED[op] : undefined) ?? OPERATORS[op]!;
}

export const isNumber = (e: Expr, value: number): boolean => e.kind === "number" && e.value === value;

/** Can the value be 2^31 or more? */
function mayExceed(e: Expr): boolean {
  if (e.kind !== "binary" || e.op !== ">>>") return false;
  const shift = e.right.kind === "number" ? e.right.value : 0;
  // sound: test/step/wasm.test.ts
  return (shift & 31) === 0;
}

const OPERATORS: Readonly<Partial<Record<BinaryOp, number>>> = {
  "+": Op.add,
  "-": Op.sub,
  "*": Op.mul,
  "%": Op.remS,
  "&": Op.and,
  "|": Op.or,
  "^": Op.xor,
  "<<": Op.shl,
  ">>": Op.shrS,
  ">>>": Op.shrU,
  "===": Op.eq,
  "!==": Op.ne,
  "<": Op.ltS,
  "<=": Op.leS,
  ">": Op.gtS,
  ">=": Op.geS,
};

const UNSIGNED: Readonly<Partial<Record<BinaryOp, number>>> = {
  "<": Op.ltU,
  "<=": Op.leU,
  ">": Op.gtU,
  ">=": Op.geU,
};
