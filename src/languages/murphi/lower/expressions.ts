/** Expressions, with types and constant folding. */
import type { Span } from "../../../model/diagnostic.js";
import { boundsOf, computeRule, mayFail } from "../../../model/rule-arithmetic.js";
import {
  isSimple,
  NO_SITE,
  type RangeType,
  type RuleExpr,
  type RuleOperator,
  type SimpleType,
} from "../../../model/rules.js";
import type { BinaryOperator, Expression } from "../ast.js";
import { lowerCallExpression } from "./calls.js";
import { coerce, unify } from "./coerce.js";
import { lowerEquality } from "./equality.js";
import type { Context } from "./context.js";
import { asInteger, constant, lowerCondition, lowerInteger, valueOf } from "./values.js";
import { lowerElementsWhere } from "./multisets.js";
import { resolveDesignator, resolveSimple } from "./places.js";
import { lowerQuantified } from "./quantifiers.js";
import { BOOLEAN, describeType, lowerType, offsetIn } from "./types.js";

/** Lowers a simple value; undefined after an error. */
export function lowerExpression(context: Context, node: Expression): RuleExpr | undefined {
  switch (node.kind) {
    case "designator": {
      const resolved = resolveDesignator(context, node);
      return resolved && valueOf(context, resolved, node.span);
    }
    case "number":
      return lowerNumber(context, node);
    case "boolean":
      return constant(BOOLEAN, Number(node.value), node.span);
    case "unary":
      return lowerUnary(context, node);
    case "binary":
      return lowerBinary(context, node);
    case "conditional":
      return lowerConditional(context, node);
    case "call":
      return lowerCallExpression(context, node);
    case "quantified":
      return lowerQuantified(context, node);
    case "isundefined": {
      const resolved = resolveSimple(context, node.operand, "isundefined");
      if (resolved?.kind === "value") return constant(BOOLEAN, 0, node.span);
      return resolved && { kind: "is-undefined", type: BOOLEAN, place: resolved.place, span: node.span };
    }
    case "ismember":
      return lowerIsMember(context, node);
    case "multisetcount":
      return lowerMultisetCount(context, node);
  }
}

/** A leading zero means octal in Rumur, as in C, and decimal in CMurphi. */
function lowerNumber(
  context: Context,
  { value: decimal, isOctal, span }: Expression & { kind: "number" },
): RuleExpr | undefined {
  const of = (value: number): RuleExpr => constant({ kind: "range", low: value, high: value }, value, span);
  if (!isOctal || !context.isRumur) return of(decimal);
  const text = context.text(span);
  if (/[89]/.test(text))
    return context.error(
      "bad-number",
      `\`${text}\` is not an octal number`,
      span,
      "a number that starts with 0 is octal in Rumur: leave the zero out, or use `--dialect cmurphi`",
    );
  return of(Number.parseInt(text, 8)); // sound: test/languages/murphi/conditions.test.ts
}

function lowerUnary(
  context: Context,
  { op, operand: node, span }: Expression & { kind: "unary" },
): RuleExpr | undefined {
  if (op === "!") {
    const operand = lowerCondition(context, node, "operand of `!`");
    if (operand?.kind === "constant") return constant(BOOLEAN, 1 - operand.value, span);
    return operand && { kind: "unary", op, type: BOOLEAN, operand, span };
  }
  const operand = lowerInteger(context, node, `operand of \`${op}\``);
  if (!operand) return undefined;
  if (op === "+") return { ...operand, span };
  if (op === "~" && !context.isRumur) return notInDialect(context, "bitwise operators", span);
  const flip = (value: number): number => (op === "-" ? 0 - value : -value - 1);
  const type: RangeType = { kind: "range", low: flip(operand.type.high), high: flip(operand.type.low) };
  if (operand.kind === "constant") return constant(type, flip(operand.value), span);
  return { kind: "unary", op, type, operand, span };
}

const notInDialect = (context: Context, what: string, span: Span): undefined =>
  context.error("not-in-dialect", `CMurphi has no ${what}`, span, "leave `--dialect cmurphi` out");

const LOGICAL = { "&": "and", "&&": "and", "|": "or", "||": "or", "->": "implies" } as const;

function lowerBinary(context: Context, node: Expression & { kind: "binary" }): RuleExpr | undefined {
  const { op, span } = node;
  if (op === "=" || op === "!=") return lowerEquality(context, node);
  const left = lowerExpression(context, node.left);
  const right = context.conditionally(() => lowerExpression(context, node.right));
  if (!left || !right) return undefined;
  switch (op) {
    case "&&":
    case "||":
    case "->":
      return logical(context, op, left, right, span);
    case "&":
    case "|":
      return left.type.kind === "range"
        ? lowerArithmetic(context, op, left, right, span)
        : logical(context, op, left, right, span);
    default:
      return lowerArithmetic(context, op, left, right, span);
  }
}

function logical(
  context: Context,
  op: keyof typeof LOGICAL,
  first: RuleExpr,
  second: RuleExpr,
  span: Span,
): RuleExpr | undefined {
  const left = coerce(context, first, BOOLEAN, `operand of \`${op}\``);
  const right = coerce(context, second, BOOLEAN, `operand of \`${op}\``);
  if (!left || !right) return undefined;
  const kind = LOGICAL[op];
  if (left.kind === "constant") {
    if (left.value === (kind === "or" ? 1 : 0)) return constant(BOOLEAN, kind === "and" ? 0 : 1, span);
    return { ...right, span };
  }
  return { kind: "logical", op: kind, type: BOOLEAN, left, right, span };
}

function lowerArithmetic(
  context: Context,
  op: Exclude<BinaryOperator, "=" | "!=" | "&&" | "||" | "->">,
  first: RuleExpr,
  second: RuleExpr,
  span: Span,
): RuleExpr | undefined {
  const left = asInteger(context, first, `operand of \`${op}\``);
  const right = asInteger(context, second, `operand of \`${op}\``);
  if (!left || !right) return undefined;
  if (BITWISE.has(op) && !context.isRumur) return notInDialect(context, "bitwise operators", span);
  return arithmetic(context, op, left, right, span);
}

const BITWISE: ReadonlySet<string> = new Set(["&", "|", "^", "<<", ">>"]);
const COMPARISONS: ReadonlySet<string> = new Set(["<", "<=", ">", ">=", "==", "!="]);

type Integer = RuleExpr & { type: RangeType };

function arithmetic(context: Context, op: RuleOperator, left: Integer, right: Integer, span: Span): RuleExpr {
  const type = COMPARISONS.has(op) ? BOOLEAN : boundsOf(op, left.type, right.type);
  const value =
    left.kind === "constant" && right.kind === "constant"
      ? computeRule(op, left.value, right.value)
      : undefined;
  if (value !== undefined)
    return constant(type.kind === "range" ? { ...type, low: value, high: value } : type, value, span);
  const isDivision = op === "/" || op === "%";
  const message = `${isDivision ? "division by zero" : "integer overflow"} in expression ${context.text(span)}`;
  const fault = isDivision ? "division-by-zero" : "out-of-range";
  const site = context.siteIf(
    !COMPARISONS.has(op) && mayFail(op, left.type, right.type),
    fault,
    message,
    span,
  );
  return { kind: "binary", op, type, left, right, site, span };
}

function lowerConditional(
  context: Context,
  node: Expression & { kind: "conditional" },
): RuleExpr | undefined {
  const condition = lowerCondition(context, node.condition, "condition of `? :`");
  const first = context.conditionally(() => lowerExpression(context, node.then));
  const second = context.conditionally(() => lowerExpression(context, node.otherwise));
  const both = first && second && unify(context, first, second);
  if (!condition || !both) return undefined;
  const [then, otherwise] = both;
  const { span } = node;
  if (condition.kind === "constant") return { ...(condition.value === 1 ? then : otherwise), span };
  return { kind: "conditional", type: joined(then.type, otherwise.type), condition, then, otherwise, span };
}

const joined = (a: SimpleType, b: SimpleType): SimpleType =>
  a.kind === "range" ? { kind: "range", low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) } : a;

function lowerIsMember(
  context: Context,
  { operand, type: written, span }: Expression & { kind: "ismember" },
): RuleExpr | undefined {
  const resolved = resolveSimple(context, operand, "ismember");
  const type = lowerType(context, written);
  if (!resolved || !type) return undefined;
  const union = resolved.kind === "place" ? resolved.place.type : resolved.value.type;
  if (union.kind !== "union")
    return context.error(
      "type-mismatch",
      `\`ismember\` takes a variable of a union type, not ${describeType(context, union)}`,
      operand.span,
    );
  const offset = isSimple(type) ? offsetIn(union, type) : undefined;
  if (offset === undefined || !isSimple(type))
    return context.error(
      "type-mismatch",
      `${describeType(context, type)} is not a member of the union`,
      written.span,
    );
  if (resolved.kind === "value") return isBetween(resolved.value, offset, offset + type.high, span);
  const message = `read of undefined value in ${context.text(operand.span)}`;
  const site = context.siteIf(context.isRumur, "undefined-value", message, operand.span);
  const { place } = resolved;
  return { kind: "is-within", type: BOOLEAN, place, low: offset, high: offset + type.high, site, span };
}

/** The bounds are integers, not elements of the type. */
function isBetween(value: RuleExpr, low: number, high: number, span: Span): RuleExpr {
  const compared = (op: ">=" | "<=", bound: number): RuleExpr => ({
    kind: "binary",
    op,
    type: BOOLEAN,
    left: value,
    right: constant({ kind: "range", low: bound, high: bound }, bound, span),
    site: NO_SITE,
    span,
  });
  return {
    kind: "logical",
    op: "and",
    type: BOOLEAN,
    left: compared(">=", low),
    right: compared("<=", high),
    span,
  };
}

function lowerMultisetCount(
  context: Context,
  node: Expression & { kind: "multisetcount" },
): RuleExpr | undefined {
  const found = lowerElementsWhere(context, node, false);
  if (!found) return undefined;
  const range: RangeType = { kind: "range", low: 0, high: found.multiset.type.bound };
  return { kind: "multiset-count", type: range, ...found, span: node.span };
}
