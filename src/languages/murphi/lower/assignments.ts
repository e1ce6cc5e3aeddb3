/** Assignments: of simple values, of records, arrays and multisets, of results of functions. */
import { isSimple, type Place, type RuleStatement, type SimpleType } from "../../../model/rules.js";
import type { StatementOf } from "../ast.js";
import { lowerCall } from "./calls.js";
import { coerce } from "./coerce.js";
import type { Context } from "./context.js";
import { lowerTarget, resolveValue } from "./places.js";
import type { Resolved } from "./scope.js";
import { describeType, fits, isAlike, offsetIn } from "./types.js";
import { valueOf } from "./values.js";

export function lowerAssignment(
  context: Context,
  { target: written, value: node, span }: StatementOf<"assign">,
): RuleStatement | undefined {
  if (node.kind === "undefined") {
    const place = lowerTarget(context, written, "changed");
    return place && { kind: "undefine", place, span };
  }
  const complex = node.kind === "call" ? lowerComplexCall(context, node, written) : undefined;
  if (complex) return complex === "broken" ? undefined : complex;
  const source = resolveValue(context, node);
  const target = lowerTarget(context, written, "assigned");
  if (!source || !target) return undefined;
  const site = (isPossible: boolean): number =>
    context.siteIf(
      isPossible,
      "out-of-range",
      `write of out-of-range value into ${context.text(written.span)}`,
      written.span,
    );
  const copied = copyOf(context, source, target, site, span);
  if (copied) return copied === "broken" ? undefined : copied;
  const { type } = target;
  const read = valueOf(context, source, node.span);
  if (!isSimple(type))
    return (
      read &&
      context.error(
        "type-mismatch",
        `${describeType(context, read.type)} cannot be assigned to ${describeType(context, type)}`,
        node.span,
      )
    );
  const value = read && coerce(context, read, type, "value of this variable");
  return value && { kind: "assign", value, target, site: site(!fits(value.type, type)), span };
}

/** Copies a record, array or multiset, including undefined parts; in CMurphi's dialect also a simple variable. */
function copyOf(
  context: Context,
  source: Resolved,
  target: Place,
  site: (isPossible: boolean) => number,
  span: Place["span"],
): RuleStatement | "broken" | undefined {
  if (source.kind !== "place" || (context.isRumur && isSimple(source.place.type))) return undefined;
  const [from, to] = [source.place.type, target.type];
  const offset = isSimple(from) && isSimple(to) ? unionOffset(from, to) : undefined;
  if (offset === undefined && !isAlike(context, from, to)) {
    if (isSimple(from)) return undefined;
    const [given, needed] = [describeType(context, from), describeType(context, to)];
    context.error(
      "type-mismatch",
      `${given} cannot be assigned to ${needed} of another type`,
      source.place.span,
    );
    return "broken";
  }
  // Every element of a member belongs to the union, but not conversely.
  const isPossible = offset === undefined ? !fits(from, to) : from.kind === "union";
  return { kind: "copy", source: source.place, target, offset: offset ?? 0, site: site(isPossible), span };
}

/** Offset for a conversion between a union and a member; undefined for all other pairs. */
function unionOffset(from: SimpleType, to: SimpleType): number | undefined {
  if (to.kind === "union" && from.kind !== "union") return offsetIn(to, from);
  const offset = from.kind === "union" && to.kind !== "union" ? offsetIn(from, to) : undefined;
  return offset === undefined ? undefined : -offset;
}

/** Undefined if the function's result is a simple value. */
function lowerComplexCall(
  context: Context,
  node: StatementOf<"call">,
  written: StatementOf<"assign">["target"],
): RuleStatement | "broken" | undefined {
  const known = context.scope.find(node.name.text)?.symbol;
  const procedure = known?.kind === "procedure" ? context.procedures[known.index] : undefined;
  if (!procedure?.complexResult) return undefined;
  const target = lowerTarget(context, written, "assigned");
  if (!target) return "broken";
  if (
    !isAlike(context, procedure.complexResult, target.type) ||
    !fits(procedure.complexResult, target.type)
  ) {
    context.error(
      "type-mismatch",
      `the result of \`${procedure.name}\` cannot be assigned to ${describeType(context, target.type)} of another type`,
      node.span,
    );
    return "broken";
  }
  const call = lowerCall(context, node, procedure, target);
  return call ? { kind: "call", ...call } : "broken";
}
