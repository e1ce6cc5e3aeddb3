/** Constant expressions: array sizes, channel capacities, numbers of processes. */
import { binary } from "../../../model/arithmetic.js";
import type { BinaryExpression, Expression } from "../ast.js";
import type { Context } from "./context.js";

/** Value of a constant expression; undefined for others. Reports no diagnostics. */
export function constantValue(context: Context, expression: Expression): number | undefined {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "mtypeConstant":
      return context.info.mtypes.get(expression.name)?.value;
    case "unary": {
      const value = constantValue(context, expression.operand);
      if (value === undefined) return undefined;
      return expression.operator === "-" ? -value | 0 : expression.operator === "~" ? ~value : Number(!value);
    }
    case "binary":
      return binaryValue(context, expression);
    case "conditional": {
      const condition = constantValue(context, expression.condition);
      if (condition === undefined) return undefined;
      return constantValue(context, condition ? expression.then : expression.otherwise);
    }
    default:
      return undefined;
  }
}

/** Like `constantValue`, but also accepts a variable with a constant initialiser, as Spin does in array sizes. */
export function requireConstant(context: Context, expression: Expression, what: string): number | undefined {
  const value = constantValue(context, expression) ?? initialValue(context, expression, what);
  if (value === undefined) {
    context.error("not-constant", `${what} must be a constant`, expression.span, {
      hint: "use a number, a macro or an expression over them",
    });
  } else {
    context.info.constants.set(expression, value);
  }
  return value;
}

function initialValue(context: Context, expression: Expression, what: string): number | undefined {
  if (expression.kind !== "variable" || expression.index || expression.fields.length > 0) return undefined;
  const symbol = context.lookup(expression.name.text);
  if (symbol?.kind !== "variable" || symbol.size !== undefined) return undefined;
  const { initializer } = symbol.declarator;
  const value = initializer?.kind === "value" ? constantValue(context, initializer.value) : undefined;
  if (value === undefined) return undefined;
  context.warn(
    "variable-as-constant",
    `${what} is read as ${value}, the initial value of \`${symbol.name}\``,
    expression.span,
    {
      hint: "use a macro: the variable may change, the size does not",
    },
  );
  return value;
}

function binaryValue(context: Context, { operator, left, right }: BinaryExpression): number | undefined {
  const a = constantValue(context, left);
  const b = constantValue(context, right);
  if (a === undefined || b === undefined) return undefined;
  return b === 0 && (operator === "/" || operator === "%") ? undefined : binary(operator, a, b);
}
