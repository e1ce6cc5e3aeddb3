/** Arithmetic on safe integers. Where the bounds of an expression show that a 32-bit operation will do, it is one. */
import { NO_SITE, type RuleExpr, type RuleOperator } from "../../../model/rules.js";

export function emitBinary(e: RuleExpr & { kind: "binary" }, left: string, right: string): string {
  const { op, site } = e;
  switch (op) {
    case "+":
    case "-":
    case "*":
      // sound: test/compile/rules/conditions.test.ts
      return site === NO_SITE ? `(${left} ${op} ${right})` : `safe(${left} ${op} ${right}, ${site})`;
    case "/":
      return `quotient(${left}, ${right}, ${site})`;
    case "%":
      return `remainder(${left}, ${right}, ${site})`;
    case "&":
    case "|":
    case "^":
      // sound: test/compile/rules/conditions.test.ts
      return isInt32(e.left) && isInt32(e.right)
        ? `(${left} ${op} ${right})`
        : `bitwise("${op}", ${left}, ${right})`;
    case "<<":
    case ">>":
      return `shifted(${left}, ${op === "<<" ? right : `-${right}`}, ${site})`;
    default:
      throw new Error(`${op} gives no number`);
  }
}

/** Undefined where the operation would be a fault: that is left to the running code. */
export function foldBinary(op: RuleOperator, a: number, b: number): number | undefined {
  switch (op) {
    case "+":
      return safely(a + b);
    case "-":
      return safely(a - b);
    case "*":
      return safely(a * b);
    case "/":
      return b === 0 ? undefined : (a - (a % b)) / b; // sound: test/compile/rules/conditions.test.ts
    case "%":
      return b === 0 ? undefined : a % b; // sound: test/compile/rules/conditions.test.ts
    case "<":
      return Number(a < b); // sound: test/compile/rules/conditions.test.ts
    case "<=":
      return Number(a <= b); // sound: test/compile/rules/conditions.test.ts
    case ">":
      return Number(a > b); // sound: test/compile/rules/conditions.test.ts
    case ">=":
      return Number(a >= b); // sound: test/compile/rules/conditions.test.ts
    case "==":
      return Number(a === b); // sound: test/compile/rules/conditions.test.ts
    case "!=":
      return Number(a !== b); // sound: test/compile/rules/conditions.test.ts
    default:
      return undefined;
  }
}

const safely = (value: number): number | undefined => (Number.isSafeInteger(value) ? value : undefined); // sound: test/compile/rules/conditions.test.ts

const isInt32 = ({ type }: RuleExpr): boolean => type.low >= -(2 ** 31) && type.high < 2 ** 31; // sound: test/compile/rules/conditions.test.ts
