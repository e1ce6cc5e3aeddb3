import type { Span } from "../../../model/diagnostic.js";
import { isSimple, type RangeType, type RuleExpr, type SimpleType } from "../../../model/rules.js";
import type { Expression } from "../ast.js";
import { coerce } from "./coerce.js";
import type { Context } from "./context.js";
import type { Resolved } from "./scope.js";
import { BOOLEAN, describeType } from "./types.js";

export const constant = (type: SimpleType, value: number, span: Span): RuleExpr & { kind: "constant" } => ({
  kind: "constant",
  type,
  value,
  span,
});

/** Reads a place; returns a value unchanged. */
export function valueOf(context: Context, resolved: Resolved, span: Span): RuleExpr | undefined {
  if (resolved.kind === "value") return { ...resolved.value, span };
  const { place } = resolved;
  if (!isSimple(place.type))
    return context.error(
      "not-simple",
      `${describeType(context, place.type)} is not allowed here`,
      span,
      "a simple value is needed: assign it to a variable first",
    );
  const site = context.siteIf(
    true,
    "undefined-value",
    `read of undefined value in ${context.text(span)}`,
    span,
  );
  return { kind: "read", type: place.type, place, site, span };
}

/** Lowers a boolean; `what` names the construct that needs it. */
export function lowerCondition(context: Context, node: Expression, what: string): RuleExpr | undefined {
  const value = context.expression(node);
  return value && coerce(context, value, BOOLEAN, what);
}

/** Lowers an integer; `what` names the construct that needs it. */
export function lowerInteger(
  context: Context,
  node: Expression,
  what: string,
): (RuleExpr & { type: RangeType }) | undefined {
  const value = context.expression(node);
  return value && asInteger(context, value, what);
}

export function asInteger(
  context: Context,
  value: RuleExpr,
  what: string,
): (RuleExpr & { type: RangeType }) | undefined {
  if (isInteger(value)) return value;
  return context.error(
    "type-mismatch",
    `${describeType(context, value.type)} cannot be ${what}: an integer is needed`,
    value.span,
  );
}

const isInteger = (value: RuleExpr): value is RuleExpr & { type: RangeType } => value.type.kind === "range";
