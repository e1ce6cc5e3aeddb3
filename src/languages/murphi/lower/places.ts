/** Resolves designators: names with fields and indices. */
import type { Span } from "../../../model/diagnostic.js";
import {
  isSimple,
  type MultisetType,
  type PathStep,
  type Place,
  type RuleType,
} from "../../../model/rules.js";
import { suggest } from "../../toolkit/spelling.js";
import type { Designator, DesignatorStep, Expression, Name } from "../ast.js";
import { coerce } from "./coerce.js";
import type { Context } from "./context.js";
import { describeType, fits } from "./types.js";
import type { Declared, Resolved } from "./scope.js";
import { nth } from "../../../model/known.js";

export function resolveDesignator(context: Context, node: Designator): Resolved | undefined {
  const found = context.find(node.name);
  if (!found) return undefined;
  const base = baseOf(context, node.name, found);
  if (!base) return undefined;
  if (node.path.length === 0)
    return base.kind === "value" ? base : { ...base, place: { ...base.place, span: node.span } };
  if (base.kind === "value")
    return context.error(
      "not-indexable",
      `${base.what} has no parts`,
      node.span,
      "records have fields, arrays have elements",
    );
  return followPath(context, node, base);
}

/** Resolves an expression: to a place if it designates one, otherwise to a value. */
export function resolveValue(context: Context, node: Expression): Resolved | undefined {
  if (node.kind === "designator") return resolveDesignator(context, node);
  const value = context.expression(node);
  return value && { kind: "value", value, what: "the value" };
}

function baseOf(
  context: Context,
  { text, span }: Name,
  { symbol, span: declaredAt }: Declared,
): Resolved | undefined {
  const notes = [{ span: declaredAt, message: "declared here" }];
  switch (symbol.kind) {
    case "constant":
      return {
        kind: "value",
        value: { kind: "constant", type: symbol.type, value: symbol.value, span },
        what: `the constant \`${text}\``,
      };
    case "value":
      return {
        kind: "value",
        value: { kind: "slot", type: symbol.type, slot: symbol.slot, span },
        what: symbol.what,
      };
    case "variable":
      return placeAt({ kind: "state", variable: symbol.index }, symbol.type, undefined, span);
    case "place":
      return placeAt({ kind: "slot", slot: symbol.slot }, symbol.type, symbol.readOnly, span);
    case "element":
      return context.error(
        "bad-element-use",
        `\`${text}\` stands for an element of a multiset, and has no value itself`,
        span,
        `write \`NET[${text}]\`, with the name of the multiset`,
        notes,
      );
    case "type":
      return context.error("not-a-value", `\`${text}\` is a type`, span, undefined, notes);
    case "procedure":
      return context.error(
        "not-a-value",
        `\`${text}\` is a procedure or function`,
        span,
        `a call is written \`${text}(…)\``,
        notes,
      );
    case "broken":
      return undefined;
  }
}

const placeAt = (
  root: Place["root"],
  type: RuleType,
  readOnly: string | undefined,
  span: Span,
): Resolved & { kind: "place" } => ({
  kind: "place",
  place: { root, path: [], type, span },
  readOnly,
});

function followPath(
  context: Context,
  node: Designator,
  base: Resolved & { kind: "place" },
): Resolved | undefined {
  const path: PathStep[] = [];
  let { type } = base.place;
  for (const step of node.path) {
    const end = step.kind === "field" ? step.name.span.end : step.span.end;
    const span = { ...node.span, end };
    const taken =
      step.kind === "field"
        ? takeField(context, type, step)
        : takeIndex(context, { ...base.place, path: [...path], type }, step, span);
    if (!taken) return undefined;
    path.push(taken.step);
    type = taken.type;
  }
  return { ...base, place: { root: base.place.root, path, type, span: node.span } };
}

interface Taken {
  readonly step: PathStep;
  readonly type: RuleType;
}

function takeField(
  context: Context,
  type: RuleType,
  { name }: DesignatorStep & { kind: "field" },
): Taken | undefined {
  if (type.kind !== "record")
    return context.error("not-indexable", `${describeType(context, type)} has no fields`, name.span);
  const field = type.fields.findIndex((each) => each.name === name.text);
  if (field >= 0) return { step: { kind: "field", field }, type: nth(type.fields, field).type };
  const names = type.fields.map((each) => each.name);
  const hint = suggest(name.text, names) ?? `its fields are: ${names.join(", ")}`;
  return context.error("unknown-field", `the record has no field \`${name.text}\``, name.span, hint);
}

function takeIndex(
  context: Context,
  container: Place,
  { index: node }: DesignatorStep & { kind: "index" },
  span: Span,
): Taken | undefined {
  const { type } = container;
  if (type.kind === "multiset") return takeElement(context, container, type, node, span);
  if (type.kind !== "array")
    return context.error("not-indexable", `${describeType(context, type)} has no elements`, node.span);
  const value = context.expression(node);
  const index = value && coerce(context, value, type.index, "index");
  if (!index) return undefined;
  const site = context.siteIf(
    !fits(index.type, type.index),
    "array-bounds",
    `index out of range in expression ${context.text(span)}`,
    span,
  );
  return { step: { kind: "index", array: type, index, site }, type: type.element };
}

function takeElement(
  context: Context,
  container: Place,
  type: MultisetType,
  node: Expression,
  span: Span,
): Taken | undefined {
  const slot = elementSlot(context, container, node);
  if (slot === undefined) return undefined;
  const site = context.siteIf(
    true,
    "undefined-value",
    `${context.text(span)} was removed from the multiset`,
    span,
  );
  return { step: { kind: "element", multiset: type, slot, site }, type: type.element };
}

/** Slot of an element, if `node` names an element of this multiset. */
export function elementSlot(context: Context, multiset: Place, node: Expression): number | undefined {
  const found = node.kind === "designator" && node.path.length === 0 ? context.find(node.name) : undefined;
  if (found?.symbol.kind === "element" && found.symbol.key === keyOf(multiset)) return found.symbol.slot;
  if (found?.symbol.kind === "broken" || (node.kind === "designator" && node.path.length === 0 && !found))
    return undefined;
  return context.error(
    "bad-element-use",
    `\`${context.text(node.span)}\` does not denote an element of this multiset`,
    node.span,
    "elements are named by `choose`, `multisetcount` and `multisetremovepred` over the same multiset",
  );
}

/** Equal for places with the same root and path. */
export const keyOf = (place: Place): string =>
  JSON.stringify({ root: place.root, path: place.path }, (key, value: unknown) =>
    key === "span" || key === "site" || key === "type" || key === "array" || key === "multiset"
      ? undefined
      : value,
  );

/** Resolves a writable place; `what` names the operation in messages. */
export function lowerTarget(context: Context, node: Designator, what: string): Place | undefined {
  const resolved = resolveDesignator(context, node);
  if (!resolved) return undefined;
  const readOnly = resolved.kind === "value" ? `${resolved.what} cannot be changed` : resolved.readOnly;
  if (readOnly === undefined) {
    const { place } = resolved as Resolved & { kind: "place" };
    context.noteWrite(place);
    return place;
  }
  return context.error(
    "read-only",
    `\`${context.text(node.span)}\` cannot be ${what}: ${readOnly}`,
    node.span,
  );
}

/** Resolves a multiset, writable if required. */
export function lowerMultiset(
  context: Context,
  node: Designator,
  isWritten: boolean,
): (Place & { type: MultisetType }) | undefined {
  const resolved = isWritten ? undefined : resolveDesignator(context, node);
  const place = isWritten
    ? lowerTarget(context, node, "changed")
    : resolved?.kind === "place"
      ? resolved.place
      : undefined;
  if (!place && (isWritten || !resolved)) return undefined;
  if (place?.type.kind === "multiset") return place as Place & { type: MultisetType };
  return context.error("type-mismatch", `\`${context.text(node.span)}\` is not a multiset`, node.span);
}

/** Resolves a simple variable, for `isundefined` and the like; in CMurphi also a name that always has a value. */
export function resolveSimple(context: Context, node: Designator, what: string): Resolved | undefined {
  const resolved = resolveDesignator(context, node);
  if (!resolved) return undefined;
  if (resolved.kind === "place") {
    if (isSimple(resolved.place.type)) return resolved;
    const type = describeType(context, resolved.place.type);
    return context.error("not-simple", `\`${what}\` takes a simple variable, not ${type}`, node.span);
  }
  if (!context.isRumur) return resolved;
  return context.error(
    "not-simple",
    `\`${what}\` takes a variable: ${resolved.what} is always defined`,
    node.span,
    "CMurphi accepts it: `--dialect cmurphi`",
  );
}
