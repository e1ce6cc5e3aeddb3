/** Arithmetic on safe integers. If the bounds of an expression show that 32-bit operations will do, it is step code. */
import { NO_SITE, type RuleExpr, type RuleOperator } from "../../../model/rules.js";

/** `low`: a value of the expression's type, which a fault gives. */
export function emitBinary(e: RuleExpr & { kind: "binary" }, left: string, right: string): string {
  const { op, site } = e;
  const last = `${site}, ${literal(e.type.low)}`;
  // A divisor or count beyond 32 bits needs no care: the quotient and the shifted value have fewer.
  const isNarrow = isInt32(e.left.type) && isInt32(e.type); // sound: test/compile/rules/step.test.ts
  switch (op) {
    case "+":
    case "-":
    case "*":
      // sound: test/compile/rules/conditions.test.ts
      return site === NO_SITE ? `(${left} ${op} ${right})` : `safe(${left} ${op} ${right}, ${last})`;
    case "/":
      return `${isNarrow ? "quotient" : "wideQuotient"}(${left}, ${right}, ${last})`;
    case "%":
      return `remainder(${left}, ${right}, ${last})`;
    case "&":
    case "|":
    case "^":
      return isNarrow ? `(${left} ${op} ${right})` : `bitwise("${op}", ${left}, ${right})`;
    case "<<":
    case ">>": {
      const count = op === "<<" ? right : `-${right}`;
      return isNarrow ? `shifted(${left}, ${count})` : `wideShifted(${left}, ${count}, ${last})`;
    }
    default:
      throw new Error(`${op} gives no number`);
  }
}

export const literal = (value: number): string =>
  value < 0 ? `(${value})` : String(value === 0 ? 0 : value);

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

export const isInt32 = ({ low, high }: { readonly low: number; readonly high: number }): boolean =>
  low >= -(2 ** 31) && high < 2 ** 31; // sound: test/compile/rules/step.test.ts
