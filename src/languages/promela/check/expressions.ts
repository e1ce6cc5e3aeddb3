/** Expressions: what each name means, what type each value has, and where each operator may stand. */
import type {
  BinaryExpression,
  ChannelTest,
  Expression,
  FieldAccess,
  Name,
  RemoteLabel,
  RemoteVariable,
  VariableReference,
} from "../ast.js";
import type { ProcessSymbol, ValueType, VariableSymbol } from "../check.js";
import { constantValue } from "./constants.js";
import type { Context } from "./context.js";
import { resolveRemoteLabel } from "./labels.js";
import { checkPoll, checkRun } from "./messages.js";
import { suggest } from "./spelling.js";
import { BOOL, describeType, INT, PID } from "./types.js";

/** What may stand where an expression stands. */
export interface Use {
  /** A whole record: in messages and parameters, where it stands for its fields. */
  readonly record?: boolean;
  /** `full(q)` and the like: only where Spin's grammar has a full expression, under `&&` and `||`. */
  readonly channelTest?: boolean;
  /** `run P()`: alone as a statement, or alone on the right of an assignment. */
  readonly run?: boolean;
}

export const VALUE: Use = {};
export const CONDITION: Use = { channelTest: true };

export function checkExpression(context: Context, expression: Expression, use: Use = VALUE): ValueType {
  const type = typeOf(context, expression, use);
  context.info.types.set(expression, type);
  return type;
}

function typeOf(context: Context, expression: Expression, use: Use): ValueType {
  switch (expression.kind) {
    case "number":
      return INT;
    case "mtypeConstant": {
      const symbol = context.info.mtypes.get(expression.name);
      if (!symbol) return INT;
      context.info.mtypeUses.set(expression, symbol);
      return { kind: "mtype", subtype: symbol.subtype };
    }
    case "variable":
      return readVariable(context, expression, use);
    case "unary":
      checkOperand(context, expression.operand, expression.operator);
      return expression.operator === "!" ? BOOL : INT;
    case "binary":
      return checkBinary(context, expression, use);
    case "conditional": {
      checkExpression(context, expression.condition);
      const then = checkExpression(context, expression.then);
      const otherwise = checkExpression(context, expression.otherwise);
      return then.kind === otherwise.kind ? then : INT;
    }
    case "run":
      checkRun(context, expression, use);
      return PID;
    case "len":
      checkChannel(context, expression.channel);
      return INT;
    case "channelTest":
      checkChannelTest(context, expression, use);
      return BOOL;
    case "poll":
      checkPoll(context, expression);
      return BOOL;
    case "enabled":
      checkExpression(context, expression.process);
      return BOOL;
    case "pcValue":
    case "getPriority":
      checkExpression(context, expression.process);
      return INT;
    case "timeout":
    case "nonProgress":
      return BOOL;
    case "remoteLabel":
      checkRemoteLabel(context, expression);
      return BOOL;
    case "remoteVariable":
      return checkRemoteVariable(context, expression);
    case "embeddedC":
      return INT;
  }
}

// ------------------------------------------------------------------------------------------ references

/** A variable whose value is used. */
function readVariable(context: Context, reference: VariableReference, use: Use): ValueType {
  const before = context.diagnostics.length;
  const type = checkReference(context, reference);
  if (context.info.variables.get(reference)?.name === "_") {
    context.error("read-of-underscore", "`_` can only be written to", reference.span);
  }
  if (type.kind === "record" && !use.record && context.diagnostics.length === before) {
    const fields = type.typedef.fields.map((field) => `.${field.name}`).join(", ");
    context.error(
      "record-as-value",
      `\`${reference.name.text}\` is a whole \`${type.typedef.name}\``,
      reference.span,
      {
        hint: `name one of its fields: ${fields}`,
      },
    );
  }
  return type;
}

/** Resolves the names in a reference and checks its indices. `asArray` allows a whole array (`for … in`). */
export function checkReference(context: Context, reference: VariableReference, asArray = false): ValueType {
  const symbol = resolveVariable(context, reference.name);
  const isLast = reference.fields.length === 0;
  if (!symbol) {
    if (reference.index) checkExpression(context, reference.index);
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

function checkIndex(
  context: Context,
  symbol: VariableSymbol,
  index: Expression | undefined,
  name: Name,
  asArray: boolean,
): void {
  if (index) checkExpression(context, index);
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

/** Out of bounds is an error of the run, as in Spin; what is sure beforehand is said beforehand. */
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

/** After an error in a reference, what stands in its brackets is still looked at. */
function checkFieldIndices(context: Context, fields: readonly FieldAccess[]): void {
  for (const field of fields) if (field.index) checkExpression(context, field.index);
}

// ------------------------------------------------------------------------------------------- operators

const ARITHMETIC = new Set(["+", "-", "*", "/", "%", "&", "^", "|", "<<", ">>", "~"]);
const COMPARISON = new Set(["<", "<=", ">", ">=", "==", "!="]);

function checkBinary(context: Context, expression: BinaryExpression, use: Use): ValueType {
  const { operator, left, right } = expression;
  if (operator === "&&" || operator === "||") {
    const inner: Use = { channelTest: use.channelTest };
    checkExpression(context, left, inner);
    checkExpression(context, right, inner);
    return BOOL;
  }
  const leftType = checkOperand(context, left, operator);
  const rightType = checkOperand(context, right, operator);
  if (!COMPARISON.has(operator)) return INT;
  checkComparedMtypes(context, expression, leftType, rightType);
  return BOOL;
}

function checkOperand(context: Context, operand: Expression, operator: string): ValueType {
  const type = checkExpression(context, operand);
  if (type.kind === "chan" && ARITHMETIC.has(operator)) {
    context.warn(
      "arithmetic-on-channel",
      `\`${operator}\` computes with the number of a channel`,
      operand.span,
    );
  }
  return type;
}

function checkComparedMtypes(
  context: Context,
  { span }: BinaryExpression,
  left: ValueType,
  right: ValueType,
): void {
  if (left.kind !== "mtype" || right.kind !== "mtype" || left.subtype === right.subtype) return;
  // A plain `mtype` variable may hold constants of any subtype, as in Spin.
  if (left.subtype === undefined || right.subtype === undefined) return;
  const message = `compares \`${describeType(left)}\` with \`${describeType(right)}\``;
  context.warn("mtype-mismatch", message, span);
}

// -------------------------------------------------------------------------------------------- channels

/** A reference that must denote one channel. */
export function checkChannel(context: Context, channel: VariableReference): void {
  const before = context.diagnostics.length;
  const type = checkReference(context, channel);
  context.info.types.set(channel, type);
  if (type.kind === "chan" || context.diagnostics.length > before) return;
  const message = `\`${channel.name.text}\` is of type \`${describeType(type)}\`, not a channel`;
  context.error("not-a-channel", message, channel.span);
}

const OPPOSITE = { full: "nfull", nfull: "full", empty: "nempty", nempty: "empty" } as const;

function checkChannelTest(context: Context, expression: ChannelTest, use: Use): void {
  checkChannel(context, expression.channel);
  const { test, span } = expression;
  if (context.isInFormula) {
    context.error("channel-test-in-formula", `\`${test}\` cannot stand in a temporal formula`, span, {
      hint: "compare `len(q)` with the capacity instead",
    });
  } else if (!use.channelTest) {
    context.error("misplaced-channel-test", `\`${test}\` can only be combined by \`&&\` and \`||\``, span, {
      hint: `write \`${OPPOSITE[test]}(…)\` for the opposite`,
    });
  }
}

// ---------------------------------------------------------------------------------------------- remote

export function findProcess(context: Context, name: Name): ProcessSymbol | undefined {
  const process = context.proctypes.get(name.text);
  if (!process) {
    const hint = suggest(name.text, context.proctypes.keys());
    context.error("unknown-proctype", `there is no proctype \`${name.text}\``, name.span, { hint });
  }
  return process;
}

function checkRemoteLabel(context: Context, expression: RemoteLabel): void {
  if (expression.index) checkExpression(context, expression.index);
  const process = findProcess(context, expression.proctype);
  if (!process) return;
  context.info.processUses.set(expression, process);
  resolveRemoteLabel(context, expression, process);
}

function checkRemoteVariable(context: Context, expression: RemoteVariable): ValueType {
  if (expression.index) checkExpression(context, expression.index);
  const { variable } = expression;
  const process = findProcess(context, expression.proctype);
  const symbol =
    process && [...process.parameters, ...process.locals].find((each) => each.name === variable.name.text);
  if (!process || !symbol) {
    if (variable.index) checkExpression(context, variable.index);
    if (process) {
      const message = `proctype \`${process.name}\` has no variable \`${variable.name.text}\``;
      context.error("unknown-remote-variable", message, variable.span);
    }
    return INT;
  }
  context.info.processUses.set(expression, process);
  context.info.variables.set(variable, symbol);
  context.info.types.set(variable, symbol.type);
  checkIndex(context, symbol, variable.index, variable.name, false);
  return symbol.type;
}
