/** Evaluates expressions over one variable that holds a message. */
import { binary } from "../../../model/arithmetic.js";
import type { BinaryOp, Expr } from "../../../model/program.js";

/** The variables of the process that an expression reads; -1 stands for any other input. */
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
    // Numbers of messages are arbitrary, so arithmetic on them is meaningless.
    case "unary":
      return expression.op === "!" ? reads(expression.operand) : [-1]; // sound: test/languages/promela/messages.test.ts
    case "binary":
      return TRUTHS.has(expression.op) ? [...reads(expression.left), ...reads(expression.right)] : [-1]; // sound: test/languages/promela/messages.test.ts
    case "conditional":
      return [expression.test, expression.then, expression.otherwise].flatMap(reads);
    default:
      return [-1];
  }
}

/** Value of the expression if its only variable holds `message`. */
export function evaluate(expression: Expr, message: number): number {
  switch (expression.kind) {
    case "constant":
      return expression.value;
    case "load":
      return message;
    case "unary":
      return Number(evaluate(expression.operand, message) === 0);
    case "conditional": {
      const isTrue = evaluate(expression.test, message) !== 0;
      return evaluate(isTrue ? expression.then : expression.otherwise, message);
    }
    case "binary":
      return binary(expression.op, evaluate(expression.left, message), evaluate(expression.right, message));
    default:
      throw new Error("this reads more than one variable");
  }
}

const TRUTHS: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
