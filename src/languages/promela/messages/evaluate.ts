/** Expressions over one variable that holds a message. */
import { binary } from "../../../model/arithmetic.js";
import type { BinaryOp, Expr } from "../../../model/program.js";

/** The variables of the process that an expression reads; -1 stands for everything else that could change. */
export function variablesIn(expression: Expr): number[] {
  return [...new Set(reads(expression))];
}

function reads(expression: Expr): number[] {
  switch (expression.kind) {
    case "constant":
      return [];
    case "load": {
      const { scope, variable, path } = expression.place;
      return scope === "local" && path.length === 0 ? [variable] : [-1];
    }
    case "unary":
      return reads(expression.operand);
    case "binary":
      return [...reads(expression.left), ...reads(expression.right)];
    case "conditional":
      return [expression.test, expression.then, expression.otherwise].flatMap(reads);
    default:
      return [-1];
  }
}

/** The value while the variable holds `message`. */
export function evaluate(expression: Expr, message: number): number {
  switch (expression.kind) {
    case "constant":
      return expression.value;
    case "load":
      return message;
    case "unary": {
      const operand = evaluate(expression.operand, message);
      return expression.op === "!" ? Number(operand === 0) : expression.op === "-" ? -operand : ~operand;
    }
    case "conditional": {
      const isTrue = evaluate(expression.test, message) !== 0;
      return evaluate(isTrue ? expression.then : expression.otherwise, message);
    }
    case "binary":
      // Numbers of messages mean nothing, so neither does arithmetic on them.
      if (!TRUTHS.has(expression.op)) return NaN;
      return binary(expression.op, evaluate(expression.left, message), evaluate(expression.right, message));
    default:
      return NaN;
  }
}

/** What says yes or no. */
const TRUTHS: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
