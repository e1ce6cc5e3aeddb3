/** Lowers types, and decides their compatibility. */
import type { Span } from "../../../model/diagnostic.js";
import {
  isSimple,
  type EnumType,
  type RuleType,
  type ScalarsetType,
  type SimpleType,
  type UnionType,
} from "../../../model/rules.js";
import type { Expression, TypeExpression } from "../ast.js";
import type { Context } from "./context.js";
import { lowerConstant } from "./constants.js";
import { nth } from "../../../model/known.js";

export const BOOLEAN = { kind: "boolean", low: 0, high: 1 } as const;

/** `name`: of the declaration, if this is its whole type. */
export function lowerType(context: Context, node: TypeExpression, name?: string): RuleType | undefined {
  switch (node.kind) {
    case "boolean":
      return BOOLEAN;
    case "named":
      return namedType(context, node);
    case "range":
      return rangeType(context, node);
    case "enum":
      return enumType(context, node, name);
    case "record":
      return recordType(context, node);
    case "array":
      return arrayType(context, node);
    case "scalarset":
      return scalarsetType(context, node, name);
    case "union":
      return unionType(context, node, name);
    case "multiset":
      return multisetType(context, node);
  }
}

/** Lowers a simple type, for quantifiers, indices and results. */
export function lowerSimpleType(context: Context, node: TypeExpression): SimpleType | undefined {
  const type = lowerType(context, node);
  if (!type || isSimple(type)) return type;
  return context.error(
    "not-simple",
    `${describeType(context, type)} is not allowed here`,
    node.span,
    "a simple type is needed",
  );
}

function namedType(context: Context, { name }: TypeExpression & { kind: "named" }): RuleType | undefined {
  if (name.text.toLowerCase() === "real" && !context.scope.find(name.text))
    return context.error("real-number", "real types are not supported", name.span, "scale to integers");
  const found = context.find(name);
  if (!found || found.symbol.kind === "broken") return undefined;
  if (found.symbol.kind === "type") return found.symbol.type;
  return context.error("not-a-type", `\`${name.text}\` is not a type`, name.span, undefined, [
    { span: found.span, message: "declared here" },
  ]);
}

function rangeType(
  context: Context,
  { low, high, span }: TypeExpression & { kind: "range" },
): RuleType | undefined {
  const from = integerConstant(context, low);
  const to = integerConstant(context, high);
  if (from === undefined || to === undefined) return undefined;
  if (from > to)
    return context.error(
      "empty-range",
      `the range ${from}..${to} has no values`,
      span,
      "the lower bound comes first",
    );
  if (to - from >= MOST_VALUES)
    return context.error("range-too-large", `the range ${from}..${to} has more than 2^31 - 2 values`, span);
  return { kind: "range", low: from, high: to };
}

/** The values and "undefined" must fit into 31 bits. */
const MOST_VALUES = 2 ** 31 - 2;

export function integerConstant(context: Context, node: Expression): number | undefined {
  const constant = lowerConstant(context, node);
  if (!constant) return undefined;
  if (constant.type.kind === "range") return constant.value;
  return context.error("type-mismatch", `${describeType(context, constant.type)} is no number`, node.span);
}

function enumType(context: Context, { members }: TypeExpression & { kind: "enum" }, name?: string): EnumType {
  const texts = members.map(({ text }) => text);
  const type: EnumType = { kind: "enum", name, members: texts, low: 0, high: texts.length - 1 };
  members.forEach((member, value) => context.declare(member, { kind: "constant", type, value }));
  return type;
}

function recordType(context: Context, node: TypeExpression & { kind: "record" }): RuleType | undefined {
  const seen = new Map<string, Span>();
  const fields: { name: string; type: RuleType }[] = [];
  let isBroken = false;
  for (const { names, type: written } of node.fields) {
    const type = lowerType(context, written);
    isBroken ||= !type;
    for (const { text, span } of names) {
      const before = seen.get(text);
      if (before)
        context.error("redeclared", `the record has a field \`${text}\` already`, span, undefined, [
          { span: before, message: "declared here before" },
        ]);
      else seen.set(text, span);
      if (type) fields.push({ name: text, type });
    }
  }
  return isBroken ? undefined : { kind: "record", fields };
}

function arrayType(context: Context, node: TypeExpression & { kind: "array" }): RuleType | undefined {
  const index = lowerSimpleType(context, node.index);
  const element = lowerType(context, node.element);
  return index && element && { kind: "array", index, element };
}

function scalarsetType(
  context: Context,
  { size: written, span }: TypeExpression & { kind: "scalarset" },
  name: string | undefined,
): ScalarsetType | undefined {
  const size = integerConstant(context, written);
  if (size === undefined) return undefined;
  if (size < 1)
    return context.error(
      "bad-size",
      `a scalarset of ${size} elements has no values`,
      written.span,
      "it needs at least one",
    );
  if (size > MOST_VALUES)
    return context.error("range-too-large", `a scalarset of ${size} elements is too large`, span);
  if (name === undefined)
    context.warn(
      "anonymous-scalarset",
      "a scalarset without a name takes no part in symmetry reduction",
      span,
      "give it a name in a `type` section",
    );
  return {
    kind: "scalarset",
    scalarset: context.scalarsets.push({ name, size, span }) - 1,
    low: 0,
    high: size - 1,
  };
}

function unionType(
  context: Context,
  { members: written, span }: TypeExpression & { kind: "union" },
  name: string | undefined,
): UnionType | undefined {
  const types = written.map((member) => ({ type: lowerType(context, member), span: member.span }));
  const members: { type: EnumType | ScalarsetType; offset: number }[] = [];
  let size = 0;
  for (const { type, span: place } of types) {
    if (!type) return undefined;
    if (type.kind !== "enum" && type.kind !== "scalarset")
      return context.error(
        "bad-union",
        `${describeType(context, type)} cannot be a member of a union`,
        place,
        "scalarsets and enums can",
      );
    if (members.some((member) => isSameType(member.type, type)))
      return context.error(
        "bad-union",
        `${describeType(context, type)} is a member of this union already`,
        place,
      );
    members.push({ type, offset: size });
    size += type.high + 1;
  }
  if (members.length < 2) return context.error("bad-union", "a union needs at least two members", span);
  return { kind: "union", name, members, low: 0, high: size - 1 };
}

function multisetType(context: Context, node: TypeExpression & { kind: "multiset" }): RuleType | undefined {
  const bound = integerConstant(context, node.bound);
  const element = lowerType(context, node.element);
  if (bound === undefined || !element) return undefined;
  if (bound < 1)
    return context.error(
      "bad-size",
      `a multiset of at most ${bound} elements is always empty`,
      node.bound.span,
      "it needs at least one",
    );
  return { kind: "multiset", bound, element };
}

// ---- compatibility ------------------------------------------------------------------------------

/** Equality by declaration; ranges are equal if their bounds are. */
export function isSameType(a: RuleType, b: RuleType): boolean {
  if (a === b || (a.kind === "boolean" && b.kind === "boolean")) return true;
  if (a.kind === "range" && b.kind === "range") return a.low === b.low && a.high === b.high;
  return a.kind === "scalarset" && b.kind === "scalarset" && a.scalarset === b.scalarset;
}

/**
 * Whether values of one type can be assigned to the other, up to ranges. Records and arrays are compared by structure
 * in Rumur's dialect.
 */
export function isAlike(context: Context, a: RuleType, b: RuleType): boolean {
  if (isSameType(a, b) || (a.kind === "range" && b.kind === "range")) return true;
  if (!context.isRumur) return false;
  if (a.kind === "record" && b.kind === "record")
    return (
      a.fields.length === b.fields.length &&
      a.fields.every(
        ({ name, type }, i) =>
          name === nth(b.fields, i).name && isAlike(context, type, nth(b.fields, i).type),
      )
    );
  if (a.kind === "array" && b.kind === "array")
    return isSameType(a.index, b.index) && isAlike(context, a.element, b.element);
  if (a.kind === "multiset" && b.kind === "multiset")
    return a.bound === b.bound && isAlike(context, a.element, b.element);
  return false;
}

/** Whether every value of `source` fits into `target`, which is alike. */
export function fits(source: RuleType, target: RuleType): boolean {
  if (source.kind === "record" && target.kind === "record")
    return source.fields.every(({ type }, i) => fits(type, nth(target.fields, i).type));
  if (source.kind === "array" && target.kind === "array") return fits(source.element, target.element);
  if (source.kind === "multiset" && target.kind === "multiset") return fits(source.element, target.element);
  return isSimple(source) && isSimple(target) && source.low >= target.low && source.high <= target.high;
}

/** Offset of a member's values in a union; undefined for other types. */
export const offsetIn = (union: UnionType, member: SimpleType): number | undefined =>
  union.members.find(({ type }) => isSameType(type, member))?.offset;

export function containsKind(type: RuleType, ...kinds: readonly RuleType["kind"][]): boolean {
  if (kinds.includes(type.kind)) return true;
  switch (type.kind) {
    case "record":
      return type.fields.some((field) => containsKind(field.type, ...kinds));
    case "array":
    case "multiset":
      return containsKind(type.element, ...kinds);
    default:
      return false;
  }
}

export function describeType(context: Context, type: RuleType): string {
  switch (type.kind) {
    case "boolean":
      return "a boolean";
    case "range":
      return "an integer";
    case "enum":
      return type.name === undefined
        ? `an enum (${type.members.slice(0, 3).join(", ")}…)`
        : `a value of the enum \`${type.name}\``;
    case "scalarset":
      return `an element of the scalarset \`${nth(context.scalarsets, type.scalarset).name ?? "without a name"}\``;
    case "union":
      return `a value of the union \`${type.name ?? "without a name"}\``;
    case "record":
      return "a record";
    case "array":
      return "an array";
    case "multiset":
      return "a multiset";
  }
}
