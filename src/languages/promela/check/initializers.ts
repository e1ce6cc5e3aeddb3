import type { Span } from "../../../model/diagnostic.js";
import type { Initializer } from "../ast.js";
import type { VariableSymbol } from "../check.js";
import { constantValue } from "./constants.js";
import type { Context } from "./context.js";
import { checkMtypes } from "./messages.js";
import { describeType } from "./types.js";
import { nth } from "../../../model/known.js";

export function checkInitializer(context: Context, symbol: VariableSymbol): void {
  const { initializer } = symbol.declarator;
  if (!initializer) return;
  if (initializer.kind === "list") checkList(context, symbol, initializer);
  else if (initializer.kind === "value") checkValue(context, symbol, initializer);
}

function checkValue(
  context: Context,
  symbol: VariableSymbol,
  { value }: Extract<Initializer, { kind: "value" }>,
): void {
  const { name, type } = symbol;
  const found = context.checkExpression(value);
  if (type.kind === "record") {
    warnRecord(context, symbol, value.span);
  } else if (type.kind === "chan" && constantValue(context, value) !== undefined) {
    const message = `a constant cannot be assigned to channel \`${name}\``;
    context.error("constant-as-channel", message, value.span, { hint: "write `chan q = [n] of { … }`" });
  }
  checkMtypes(context, type, found, value.span);
}

/** Spin ignores it silently. */
function warnRecord(context: Context, { name, type }: VariableSymbol, span: Span): void {
  const message = `the initial value of \`${name}\`, a record of type \`${describeType(type)}\`, is ignored`;
  context.warn("record-initialiser", message, span, {
    hint: "give its fields initial values in the typedef",
  });
}

function checkList(
  context: Context,
  symbol: VariableSymbol,
  list: Extract<Initializer, { kind: "list" }>,
): void {
  const { name, size, type } = symbol;
  if (type.kind === "record") warnRecord(context, symbol, list.span);
  if (size === undefined) {
    context.error("list-for-scalar", `\`${name}\` is no array`, list.span, {
      hint: `write \`${name}[n] = { … }\``,
    });
  } else if (list.values.length > size) {
    const message = `\`${name}\` has ${size} elements, the list ${list.values.length}`;
    context.warn("list-too-long", message, nth(list.values, size).span);
  }
  for (const value of list.values) {
    context.checkExpression(value);
    if (constantValue(context, value) === undefined) {
      context.error("not-constant", "the elements of a list must be constants", value.span);
    }
  }
}
