/**
 * Allocates variables, and resolves references such as `a.b[i].c`.
 *
 * A parameter of a record type becomes one local per field, because arguments are scalars. Every other variable is one
 * variable of the program.
 */
import type { Span } from "../../../model/diagnostic.js";
import type { Expr, Place, RecordType, Type, Variable } from "../../../model/program.js";
import type { Expression, VariableReference } from "../ast.js";
import type { VariableSymbol } from "../check.js";
import type { Context } from "./context.js";
import { variableType } from "./types.js";
import { entryOf, known, nth } from "../../../model/known.js";

export type Slot =
  | {
      readonly kind: "whole";
      readonly scope: "global" | "local";
      readonly variable: number;
      readonly type: Type;
    }
  | { readonly kind: "spread"; readonly fields: ReadonlyMap<VariableSymbol, Slot> };

export type Slots = Map<VariableSymbol, Slot>;

/** Allocates slots at the end of `variables`. */
export function declare(
  symbols: readonly VariableSymbol[],
  variables: Variable[],
  slots: Slots,
  context: Context,
): void {
  for (const symbol of symbols) slots.set(symbol, slotFor(symbol, symbol.name, variables, context));
}

/** Allocates locals introduced by the lowering. */
export function declareInternal(
  symbols: readonly VariableSymbol[],
  variables: Variable[],
  slots: Slots,
  context: Context,
): void {
  for (const symbol of symbols) {
    slots.set(symbol, slotFor(symbol, symbol.name, variables, context));
    variables.push({ ...variables.pop()!, internal: true });
  }
}

type LowerIndex = (index: Expression) => Expr;

export function placeOf(
  reference: VariableReference,
  slots: Slots,
  context: Context,
  lowerIndex: LowerIndex,
): Place {
  const [place, ...others] = placesOf(reference, slots, context, lowerIndex);
  if (!place || others.length > 0) throw new Error(`${reference.name.text} is no scalar`);
  return place;
}

/** The scalars that a reference denotes: several for a record, by field and element. */
export function placesOf(
  reference: VariableReference,
  slots: Slots,
  context: Context,
  lowerIndex: LowerIndex,
): Place[] {
  const symbol = context.symbolOf(reference);
  if (!symbol) throw new Error(`${reference.name.text} has no place`);
  const bounds = (name: string, length: number, span: Span): number =>
    context.site("array-bounds", `array index out of range: ${name} has ${length} elements`, span);
  let at: Cursor = { symbol, slot: slotOf(symbol, slots), path: [], type: undefined };
  at = indexed(at, reference.index, reference.span, lowerIndex, bounds);
  for (const access of reference.fields) {
    const field = context.info.fields.get(access);
    if (!field) throw new Error(`the field ${access.name.text} passed the checks without a meaning`);
    at = indexed(fieldOf(at, field), access.index, access.span, lowerIndex, bounds);
  }
  return leaves(at);
}

export function slotOf(symbol: VariableSymbol, slots: Slots): Slot {
  const slot = slots.get(symbol);
  if (!slot) throw new Error(`${symbol.name} has no slot`);
  return slot;
}

/** All scalars of a variable, in order. */
export const allPlaces = (symbol: VariableSymbol, slots: Slots): Place[] =>
  leaves({ symbol, slot: slotOf(symbol, slots), path: [], type: undefined });

/** A path into a variable. `type` is undefined before the first step. */
interface Cursor {
  readonly symbol: VariableSymbol;
  readonly slot: Slot;
  readonly path: Place["path"];
  readonly type: Type | undefined;
}

function slotFor(symbol: VariableSymbol, name: string, variables: Variable[], context: Context): Slot {
  const { type } = symbol;
  if (type.kind === "record" && symbol.storage === "parameter") {
    const spread = (fields: readonly VariableSymbol[], prefix: string): Slot => ({
      kind: "spread",
      fields: new Map(
        fields.map((field) => [
          field,
          field.type.kind === "record"
            ? spread(field.type.typedef.fields, `${prefix}.${field.name}`)
            : slotFor(field, `${prefix}.${field.name}`, variables, context),
        ]),
      ),
    });
    return spread(type.typedef.fields, name);
  }
  const own: Variable = {
    name,
    type: variableType(symbol, context),
    span: symbol.declarator.name.span,
    hidden: symbol.visibility === "hidden" && symbol.storage === "global",
    internal: false,
  };
  const scope = symbol.storage === "global" ? "global" : "local";
  return { kind: "whole", scope, variable: variables.push(own) - 1, type: own.type };
}

const typeAt = (at: Cursor): Type | undefined =>
  at.type ?? (at.slot.kind === "whole" ? at.slot.type : undefined);

function indexed(
  at: Cursor,
  index: Expression | undefined,
  span: Span,
  lowerIndex: LowerIndex,
  bounds: (name: string, length: number, span: Span) => number,
): Cursor {
  const type = typeAt(at);
  if (type?.kind !== "array") return at;
  const value: Expr = index ? lowerIndex(index) : { kind: "constant", value: 0 };
  const isSafe = value.kind === "constant" && value.value >= 0 && value.value < type.length;
  const site = isSafe ? -1 : bounds(at.symbol.name, type.length, span);
  return element(at, value, type.length, site, type.element);
}

const element = (at: Cursor, index: Expr, length: number, site: number, type: Type): Cursor => ({
  ...at,
  path: [...at.path, { kind: "index", index, length, site }],
  type,
});

function fieldOf(at: Cursor, field: VariableSymbol): Cursor {
  if (at.slot.kind === "spread")
    return { symbol: field, slot: entryOf(at.slot.fields, field), path: [], type: undefined };
  const type = typeAt(at);
  if (type?.kind !== "record") throw new Error(`${at.symbol.name} has no fields`);
  const position = fieldPosition(type, field);
  const path = [...at.path, { kind: "field", field: position } as const];
  return { symbol: field, slot: at.slot, path, type: nth(type.fields, position).type };
}

const fieldPosition = (type: RecordType, field: VariableSymbol): number =>
  type.fields.findIndex(({ name }) => name === field.name);

function leaves(at: Cursor): Place[] {
  if (at.slot.kind === "spread")
    return [...at.slot.fields.keys()].flatMap((field) => leaves(fieldOf(at, field)));
  const type = known(typeAt(at), "the type of a place");
  switch (type.kind) {
    case "scalar":
      return [{ scope: at.slot.scope, variable: at.slot.variable, path: at.path, type }];
    case "array":
      return Array.from({ length: type.length }, (_, index) =>
        leaves(element(at, { kind: "constant", value: index }, type.length, -1, type.element)),
      ).flat();
    case "record": {
      if (at.symbol.type.kind !== "record") throw new Error(`${at.symbol.name} is no record`);
      return at.symbol.type.typedef.fields.flatMap((field) => leaves(fieldOf(at, field)));
    }
  }
}
