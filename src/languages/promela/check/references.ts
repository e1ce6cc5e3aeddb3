/** Resolves references to variables, and checks indices and fields. */
import type { Expression, FieldAccess, Name, VariableReference } from "../ast.js";
import type { ValueType, VariableSymbol } from "../check.js";
import { constantValue } from "./constants.js";
import type { Context } from "./context.js";
import { suggest } from "../../toolkit/spelling.js";
import { describeType, INT, PID } from "./types.js";

/** Resolves the names in a reference and checks its indices. `asArray` permits a whole array (`for … in`). */
export function checkReference(context: Context, reference: VariableReference, asArray = false): ValueType {
  const symbol = resolveVariable(context, reference.name);
  const isLast = reference.fields.length === 0;
  if (!symbol) {
    if (reference.index) context.checkExpression(reference.index);
    checkFieldIndices(context, reference.fields);
    return INT;
  }
  context.info.variables.set(reference, symbol);
  if (symbol.kind === "predefined") {
    if (reference.index)
      context.error("index-of-scalar", `\`${symbol.name}\` is no array`, reference.index.span);
    return symbol.name === "_nr_pr" ? INT : PID;
  }
  checkIndex(context, symbol, reference.index, reference.name, asArray && isLast);
  return checkFields(context, symbol, reference.fields, asArray);
}

function resolveVariable(context: Context, name: Name): ReturnType<Context["lookup"]> {
  const symbol = context.lookup(name.text);
  if (symbol) return symbol;
  const late = context.lookupLater(name.text);
  if (late) {
    context.error("used-before-declaration", `\`${name.text}\` is used before it is declared`, name.span, {
      notes: [{ span: late.declarator.name.span, message: "declared here" }],
    });
  } else if (name.text === "STDIN") {
    context.error("stdin", "reading from `STDIN` cannot be verified", name.span, {
      hint: "model the input as a nondeterministic choice, for instance `select (c : 0 .. 255)`",
    });
  } else {
    const hint = describeProcess(context, name.text) ?? suggest(name.text, context.visibleNames());
    context.error("undeclared-name", `\`${name.text}\` is not declared`, name.span, { hint });
  }
  return undefined;
}

function describeProcess(context: Context, name: string): string | undefined {
  return context.proctypes.has(name)
    ? `\`${name}\` is a proctype: start it with \`run ${name}(…)\``
    : undefined;
}

export function checkIndex(
  context: Context,
  symbol: VariableSymbol,
  index: Expression | undefined,
  name: Name,
  asArray: boolean,
): void {
  if (index) context.checkExpression(index);
  if (symbol.size === undefined && index && constantValue(context, index) !== 0) {
    const notes = [{ span: symbol.declarator.span, message: "declared here" }];
    context.error("index-of-scalar", `\`${symbol.name}\` is no array`, index.span, { notes });
  } else if (symbol.size !== undefined && !index && !asArray) {
    const notes = [{ span: symbol.declarator.span, message: "declared here" }];
    context.error("missing-index", `array \`${symbol.name}\` needs an index`, name.span, { notes });
  } else if (symbol.size !== undefined && index) {
    checkBounds(context, symbol, symbol.size, index);
  }
}

/** An index out of bounds is a run-time error, as in Spin; warns about constant ones. */
function checkBounds(context: Context, symbol: VariableSymbol, size: number, index: Expression): void {
  const value = constantValue(context, index);
  if (value === undefined || (value >= 0 && value < size)) return;
  const message = `index ${value} is outside \`${symbol.name}\`, which has ${size} element${size === 1 ? "" : "s"}`;
  context.warn("index-out-of-bounds", message, index.span);
}

function checkFields(
  context: Context,
  variable: VariableSymbol,
  fields: readonly FieldAccess[],
  asArray: boolean,
): ValueType {
  let current = variable;
  for (const [i, access] of fields.entries()) {
    const { type } = current;
    if (type.kind !== "record") {
      const message = `\`${current.name}\` is of type \`${describeType(type)}\`, which has no fields`;
      context.error("not-a-record", message, access.name.span);
      checkFieldIndices(context, fields.slice(i));
      return INT;
    }
    const field = type.typedef.fields.find((each) => each.name === access.name.text);
    if (!field) {
      const names = type.typedef.fields.map((each) => each.name);
      const hint =
        suggest(access.name.text, names) ?? `it has ${names.map((each) => `\`${each}\``).join(", ")}`;
      const message = `\`${type.typedef.name}\` has no field \`${access.name.text}\``;
      context.error("unknown-field", message, access.name.span, { hint });
      checkFieldIndices(context, fields.slice(i));
      return INT;
    }
    context.info.fields.set(access, field);
    checkIndex(context, field, access.index, access.name, asArray && i === fields.length - 1);
    current = field;
  }
  return current.type;
}

/** Checks the indices even if the reference does not resolve. */
function checkFieldIndices(context: Context, fields: readonly FieldAccess[]): void {
  for (const field of fields) if (field.index) context.checkExpression(field.index);
}

export function checkChannel(context: Context, channel: VariableReference): void {
  const before = context.diagnostics.length;
  const type = checkReference(context, channel);
  context.info.types.set(channel, type);
  if (type.kind === "chan" || context.diagnostics.length > before) return;
  const message = `\`${channel.name.text}\` is of type \`${describeType(type)}\`, not a channel`;
  context.error("not-a-channel", message, channel.span);
}
