/** `=` and `!=`: of simple values, of records and arrays, and of possibly undefined values. */
import { NO_SITE, isSimple, type Place, type RuleExpr, type SimpleType } from "../../../model/rules.js";
import type { Expression } from "../ast.js";
import { unify } from "./coerce.js";
import { chosen, isComplexConditional } from "./complex-conditionals.js";
import type { Context } from "./context.js";
import { constant, valueOf } from "./values.js";
import { resolveDesignator } from "./places.js";
import type { Resolved } from "./scope.js";
import { BOOLEAN, containsKind, describeType, isAlike, isSameType, offsetIn } from "./types.js";

type Comparison = Expression & { kind: "binary" };

export function lowerEquality(context: Context, node: Comparison): RuleExpr | undefined {
  if (isComplexConditional(context, node.left))
    return context.expression(chosen(node.left, (left) => ({ ...node, left })));
  if (isComplexConditional(context, node.right))
    return context.expression(chosen(node.right, (right) => ({ ...node, right })));
  const left = resolve(context, node.left);
  const right = resolve(context, node.right);
  if (!left || !right) return undefined;
  if (isComplex(left) || isComplex(right)) return compareComplex(context, node, left, right);
  if (!context.isRumur && (hasNames(left) || hasNames(right))) {
    const tolerant = compareTolerantly(node, left, right);
    if (tolerant) return tolerant;
  }
  const first = valueOf(context, left, node.left.span);
  const second = valueOf(context, right, node.right.span);
  const both = first && second && unify(context, first, second);
  return both && compareValues(node, both[0], both[1]);
}

/** Keeps places unread: whether an undefined one is a fault depends on the other operand. */
function resolve(context: Context, node: Expression): Resolved | undefined {
  if (node.kind === "designator") return resolveDesignator(context, node);
  const value = context.expression(node);
  return value && { kind: "value", value, what: "the value" };
}

const isComplex = (resolved: Resolved): resolved is Resolved & { kind: "place" } =>
  resolved.kind === "place" && !isSimple(resolved.place.type);

function compareValues({ op, span }: Comparison, left: RuleExpr, right: RuleExpr): RuleExpr {
  const isNegated = op === "!=";
  if (left.kind === "constant" && right.kind === "constant")
    return constant(BOOLEAN, Number((left.value === right.value) !== isNegated), span);
  return { kind: "binary", op: isNegated ? "!=" : "==", type: BOOLEAN, left, right, site: NO_SITE, span };
}

function compareComplex(
  context: Context,
  { op, span }: Comparison,
  left: Resolved,
  right: Resolved,
): RuleExpr | undefined {
  const [a, b] = [typeOf(left), typeOf(right)];
  if (left.kind !== "place" || right.kind !== "place" || !isAlike(context, a, b))
    return context.error(
      "type-mismatch",
      `${describeType(context, a)} and ${describeType(context, b)} do not go together`,
      span,
    );
  if (!context.isRumur)
    return context.error(
      "not-in-dialect",
      "CMurphi does not compare records and arrays",
      span,
      "compare their parts, or leave `--dialect cmurphi` out",
    );
  if (containsKind(a, "multiset"))
    return context.error(
      "type-mismatch",
      "multisets cannot be compared",
      span,
      "count elements with `multisetcount`",
    );
  return { kind: "same", type: BOOLEAN, left: left.place, right: right.place, isNegated: op === "!=", span };
}

const typeOf = (resolved: Resolved): Place["type"] =>
  resolved.kind === "place" ? resolved.place.type : resolved.value.type;

/** Values without literals: of a scalarset or a union. */
const hasNames = (resolved: Resolved): boolean => ["scalarset", "union"].includes(typeOf(resolved).kind);

/**
 * CMurphi's comparison: undefined equals undefined and differs from every value. Returns undefined if neither operand
 * is a place, or the types are incompatible.
 */
function compareTolerantly({ op, span }: Comparison, left: Resolved, right: Resolved): RuleExpr | undefined {
  const isNegated = op === "!=";
  if (left.kind === "place" && right.kind === "place") {
    if (isSameType(left.place.type, right.place.type))
      return { kind: "same", type: BOOLEAN, left: left.place, right: right.place, isNegated, span };
    return comparePlaces(left.place, right.place, isNegated, span);
  }
  const [place, value] =
    left.kind === "place" ? [left.place, right] : right.kind === "place" ? [right.place, left] : [];
  if (!place || value?.kind !== "value") return undefined;
  const offset = offsetBetween(place.type as SimpleType, value.value.type);
  if (offset === undefined) return undefined;
  return { kind: "has-value", type: BOOLEAN, place, offset, value: value.value, isNegated, span };
}

/** Offset to add to a value of `a` before a comparison with a value of `b`. */
function offsetBetween(a: SimpleType, b: SimpleType): number | undefined {
  if (isSameType(a, b)) return 0;
  if (b.kind === "union") return offsetIn(b, a);
  const offset = a.kind === "union" ? offsetIn(a, b) : undefined;
  return offset === undefined ? undefined : -offset;
}

/** Compares a union with one of its members: both undefined, or both defined and equal. */
function comparePlaces(
  left: Place,
  right: Place,
  isNegated: boolean,
  span: RuleExpr["span"],
): RuleExpr | undefined {
  const offset = offsetBetween(left.type as SimpleType, right.type as SimpleType);
  if (offset === undefined) return undefined;
  const isUndefined = (place: Place): RuleExpr => ({ kind: "is-undefined", type: BOOLEAN, place, span });
  const value: RuleExpr = { kind: "read", type: right.type as SimpleType, place: right, site: NO_SITE, span };
  const isEqual: RuleExpr = { kind: "has-value", type: BOOLEAN, place: left, offset, value, isNegated, span };
  return {
    kind: "conditional",
    type: BOOLEAN,
    condition: isUndefined(right),
    then: isNegated
      ? { kind: "unary", op: "!", type: BOOLEAN, operand: isUndefined(left), span }
      : isUndefined(left),
    otherwise: isEqual,
    span,
  };
}
