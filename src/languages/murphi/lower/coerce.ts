/** Conversions: integers between ranges, unions from and to their members. */
import { NO_SITE, type RuleExpr, type SimpleType } from "../../../model/rules.js";
import type { Context } from "./context.js";
import { describeType, isSameType, offsetIn } from "./types.js";
import { known } from "../../../model/known.js";

/** `what`: the use of the value, for the message. Does not check ranges of integers. */
export function coerce(
  context: Context,
  value: RuleExpr,
  target: SimpleType,
  what: string,
): RuleExpr | undefined {
  const { type, span } = value;
  if (isSameType(type, target) || (type.kind === "range" && target.kind === "range")) return value;
  if (target.kind === "union") {
    const offset = offsetIn(target, type);
    if (offset !== undefined) return shifted(value, target, offset, NO_SITE);
  }
  if (type.kind === "union") {
    const offset = offsetIn(type, target);
    const message = `${context.text(span)} is not ${describeType(context, target)}`;
    if (offset !== undefined)
      return shifted(value, target, -offset, context.siteIf(true, "out-of-range", message, span));
  }
  return context.error(
    "type-mismatch",
    `${describeType(context, type)} cannot be used as ${what}: ${describeType(context, target)} is needed`,
    span,
    hintFor(type, target),
  );
}

function shifted(value: RuleExpr, type: SimpleType, offset: number, site: number): RuleExpr {
  const { span } = value;
  if (value.kind === "constant" && site === NO_SITE)
    return { kind: "constant", type, value: value.value + offset, span };
  return { kind: "convert", type, operand: value, offset, site, span };
}

/** Converts both operands of a comparison to one type. */
export function unify(
  context: Context,
  left: RuleExpr,
  right: RuleExpr,
): readonly [RuleExpr, RuleExpr] | undefined {
  const [a, b] = [left.type, right.type];
  if (isSameType(a, b) || (a.kind === "range" && b.kind === "range")) return [left, right];
  if (a.kind === "union" && offsetIn(a, b) !== undefined)
    return [left, known(coerce(context, right, a, "operand"), "a member of the union")];
  if (b.kind === "union" && offsetIn(b, a) !== undefined)
    return [known(coerce(context, left, b, "operand"), "a member of the union"), right];
  const span = { ...left.span, end: right.span.end };
  return context.error(
    "type-mismatch",
    `${describeType(context, a)} and ${describeType(context, b)} do not go together`,
    span,
    hintFor(a, b),
  );
}

function hintFor(a: SimpleType, b: SimpleType): string | undefined {
  if (a.kind === "scalarset" && b.kind === "scalarset")
    return "two scalarsets never mix, even if they have the same size";
  if (a.kind === "scalarset" || b.kind === "scalarset")
    return "elements of a scalarset have no names: only variables and parameters hold them";
  if ((a.kind === "boolean") !== (b.kind === "boolean"))
    return "`&`, `|` and `!` bind less tightly than `=` and `<`: parentheses may be missing";
  return undefined;
}
