/**
 * Initial values, in the order of Spin's verifier: globals by type and then by declaration, locals by declaration. All
 * others are 0.
 */
import type { Expr, Initialiser, Place } from "../../../model/program.js";
import type { ValueType, VariableSymbol } from "../check.js";
import { lowerExpression, type Names } from "./expressions.js";
import { allPlaces } from "./places.js";
import { nth } from "../../../model/known.js";

export function globalInitialisers(names: Names): Initialiser[] {
  const ranked = names.context.info.globals.map((symbol) => ({
    symbol,
    rank: typeOrder.indexOf(symbol.type.kind),
  }));
  return ranked
    .sort((a, b) => rankOf(a.rank) - rankOf(b.rank))
    .flatMap(({ symbol }) => initialisersOf(symbol, allPlaces(symbol, names.slots), names));
}

export const localInitialisers = (locals: readonly VariableSymbol[], names: Names): Initialiser[] =>
  locals.flatMap((symbol) => initialisersOf(symbol, allPlaces(symbol, names.slots), names));

const typeOrder: readonly ValueType["kind"][] = [
  ...(["unsigned", "bit", "bool", "byte", "pid", "chan", "mtype", "short", "int", "record"] as const),
];

/** Spin treats `bool` as `bit` and `pid` as `byte`. */
const rankOf = (rank: number): number =>
  rank === typeOrder.indexOf("bool") || rank === typeOrder.indexOf("pid") ? rank - 1 : rank;

/** `places`: all scalars of the variable or field, including array elements. */
function initialisersOf(symbol: VariableSymbol, places: readonly Place[], names: Names): Initialiser[] {
  const { initializer } = symbol.declarator;
  if (symbol.type.kind === "record")
    return recordInitialisers(symbol, symbol.type.typedef.fields, places, names);
  switch (initializer?.kind) {
    case undefined:
      return [];
    case "channel": {
      const channelType = names.context.channelType(symbol);
      return places.map((target) => ({ kind: "channel", target, channelType }));
    }
    case "value":
      return places
        .map((target) => value(target, lowerExpression(initializer.value, names)))
        .filter(isNeeded);
    case "list": {
      // A short list is padded with its last value.
      const values = initializer.values.map((item) => lowerExpression(item, names));
      return places
        .map((target, i) => value(target, nth(values, Math.min(i, values.length - 1))))
        .filter(isNeeded);
    }
  }
}

/** Initialises each record of an array in turn, field by field. */
function recordInitialisers(
  symbol: VariableSymbol,
  fields: readonly VariableSymbol[],
  places: readonly Place[],
  names: Names,
): Initialiser[] {
  const all: Initialiser[] = [];
  let at = 0;
  for (let i = 0; i < (symbol.size ?? 1); i++)
    for (const field of fields) {
      const size = scalarCount(field);
      all.push(...initialisersOf(field, places.slice(at, at + size), names));
      at += size;
    }
  return all;
}

const scalarCount = (symbol: VariableSymbol): number =>
  (symbol.size ?? 1) *
  (symbol.type.kind === "record"
    ? symbol.type.typedef.fields.reduce((sum, field) => sum + scalarCount(field), 0)
    : 1);

const value = (target: Place, expression: Expr): Initialiser => ({
  kind: "value",
  target,
  value: expression,
});

const isNeeded = (initialiser: Initialiser): boolean =>
  !(initialiser.kind === "value" && initialiser.value.kind === "constant" && initialiser.value.value === 0);
