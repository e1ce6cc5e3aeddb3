/** Checks number and types of message fields and parameters. */
import type { Span } from "../../../model/diagnostic.js";
import type {
  Expression,
  PollExpression,
  ReceiveArgument,
  ReceiveStatement,
  RunExpression,
  SendStatement,
  VariableReference,
} from "../ast.js";
import type { ChannelShape, ValueType } from "../check.js";
import type { Context, Use } from "./context.js";
import { checkChannel, checkReference } from "./references.js";
import { findProcess } from "./remote.js";
import { describeType, flatten } from "./types.js";
import { nth } from "../../../model/known.js";

const MESSAGE: Use = { record: true };
const EVENT: Use = { record: true, underscore: true };

export function checkSend(context: Context, statement: SendStatement): void {
  checkChannel(context, statement.channel);
  const use = context.process?.unit.kind === "trace" ? EVENT : MESSAGE;
  const types = statement.arguments.map((value) => context.checkExpression(value, use));
  checkAgainstShape(context, statement.channel, statement.arguments, types, statement.span);
}

export function checkReceive(context: Context, statement: ReceiveStatement): void {
  checkReceived(context, statement.channel, statement.arguments, statement.span);
}

export function checkPoll(context: Context, expression: PollExpression): void {
  checkReceived(context, expression.channel, expression.arguments, expression.span);
}

function checkReceived(
  context: Context,
  channel: VariableReference,
  values: readonly ReceiveArgument[],
  span: Span,
): void {
  checkChannel(context, channel);
  const types = values.map((value) => {
    if (value.kind === "match") return context.checkExpression(value.value);
    const type = checkReference(context, value.variable);
    context.info.types.set(value.variable, type);
    checkBound(context, value.variable, type);
    return type;
  });
  checkDistinct(context, values);
  const expressions = values.map((value) => (value.kind === "match" ? value.value : value.variable));
  checkAgainstShape(context, channel, expressions, types, span);
}

function checkBound(context: Context, variable: VariableReference, type: ValueType): void {
  const symbol = context.info.variables.get(variable);
  if (symbol?.kind === "predefined" && symbol.name !== "_") {
    const hint = `write \`eval(${symbol.name})\` to match its value`;
    context.error("assignment-to-predefined", `\`${symbol.name}\` cannot be assigned`, variable.span, {
      hint,
    });
  }
  const denoted = context.denoted(variable);
  if (type.kind === "chan" && denoted?.kind === "variable") context.rebound.add(denoted);
}

/** Reports a variable that receives two fields, as Spin does. */
function checkDistinct(context: Context, values: readonly ReceiveArgument[]): void {
  const seen = new Map<string, Span>();
  for (const value of values) {
    if (value.kind !== "bind" || value.variable.name.text === "_") continue;
    const key = placeOf(value.variable);
    const earlier = key === undefined ? undefined : seen.get(key);
    if (earlier) {
      const notes = [{ span: earlier, message: "received here already" }];
      context.error("received-twice", `\`${key}\` receives two fields of one message`, value.span, { notes });
    } else if (key !== undefined) {
      seen.set(key, value.span);
    }
  }
}

/** Equal for references to the same variable; undefined if an index is not constant. */
function placeOf(variable: VariableReference): string | undefined {
  const parts = [variable, ...variable.fields].map((part) => {
    if (!part.index) return part.name.text;
    return part.index.kind === "number" ? `${part.name.text}[${part.index.value}]` : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join(".");
}

/** Deferred until all assignments to channel variables are known. */
function checkAgainstShape(
  context: Context,
  channel: VariableReference,
  values: readonly Expression[],
  types: readonly ValueType[],
  span: Span,
): void {
  const symbol = context.denoted(channel);
  if (symbol?.kind !== "variable" || !symbol.channel || symbol.storage === "parameter") return;
  const shape = symbol.channel;
  const { expandedFrom } = context;
  context.later.push(() => {
    if (context.rebound.has(symbol)) return;
    context.expandedFrom = expandedFrom;
    const notes = [{ span: symbol.declarator.span, message: `\`${symbol.name}\` is declared here` }];
    checkFields(context, shape, values, types, span, notes);
  });
}

function checkFields(
  context: Context,
  shape: ChannelShape,
  values: readonly Expression[],
  types: readonly ValueType[],
  span: Span,
  notes: { span: Span; message: string }[],
): void {
  const found = types.flatMap(flatten);
  const expected = shape.fields.length;
  const message = `a message of this channel has ${expected} field${expected === 1 ? "" : "s"}, found ${found.length}`;
  if (found.length > expected) context.error("message-arity", message, span, { notes });
  else if (found.length < expected) {
    context.warn("message-arity", message, span, {
      notes,
      hint: "a send or receive with too few fields is a run-time error; write `_` for a field that does not matter",
    });
  }
  if (found.length !== types.length) return; // with records, fields and arguments do not correspond
  values.forEach((value, i) => {
    const field = shape.fields[i];
    if (field) checkField(context, field, value, nth(types, i));
  });
}

function checkField(context: Context, field: ValueType, value: Expression, type: ValueType): void {
  if (value.kind === "variable" && value.name.text === "_") return;
  if ((field.kind === "chan") !== (type.kind === "chan")) {
    const message = `the field is of type \`${describeType(field)}\`, the value of type \`${describeType(type)}\``;
    context.warn("message-type", message, value.span);
  }
  checkMtypes(context, field, type, value.span);
}

export function checkMtypes(context: Context, expected: ValueType, found: ValueType, span: Span): void {
  if (expected.kind !== "mtype" || found.kind !== "mtype") return;
  if (expected.subtype === undefined || expected.subtype === found.subtype) return;
  const message = `expected type \`${describeType(expected)}\`, found \`${describeType(found)}\``;
  context.warn("mtype-mismatch", message, span);
}

// ------------------------------------------------------------------------------------------------- run

export function checkRun(context: Context, expression: RunExpression, use: Use): void {
  checkRunPlace(context, expression, use);
  const types = expression.arguments.map((value) => context.checkExpression(value, MESSAGE));
  const process = findProcess(context, expression.proctype);
  if (!process) return;
  context.info.processUses.set(expression, process);
  const found = types.flatMap(flatten);
  const expected = process.parameters.flatMap((parameter) => flatten(parameter.type));
  const message = `\`${process.name}\` has ${expected.length} parameter${expected.length === 1 ? "" : "s"}, found ${found.length}`;
  const unit = process.unit.kind === "proctype" ? process.unit.name.span : process.unit.span;
  const notes = [{ span: unit, message: `\`${process.name}\` is declared here` }];
  if (found.length > expected.length) context.error("run-arity", message, expression.span, { notes });
  else if (found.length < expected.length) {
    context.warn("run-arity", message, expression.span, { notes, hint: "missing parameters are 0" });
  }
  if (found.length === types.length && expected.length === process.parameters.length) {
    expression.arguments.forEach((value, i) => checkParameter(context, expected[i], value, nth(types, i)));
  }
}

function checkParameter(
  context: Context,
  parameter: ValueType | undefined,
  value: Expression,
  type: ValueType,
): void {
  if (!parameter) return;
  if ((parameter.kind === "chan") !== (type.kind === "chan")) {
    const message = `the parameter is of type \`${describeType(parameter)}\`, the value of type \`${describeType(type)}\``;
    context.warn("parameter-type", message, value.span);
  }
  checkMtypes(context, parameter, type, value.span);
}

function checkRunPlace(context: Context, { span }: RunExpression, use: Use): void {
  if (!context.process) {
    context.error("misplaced-run", "`run` is outside any process", span);
  } else if (!use.run) {
    const hint = "write `pid p = …; p = run P()` first, then use `p`";
    context.error("misplaced-run", "`run` cannot be part of a larger expression", span, { hint });
  } else if (context.dStep) {
    context.error("run-in-d-step", "`run` is not allowed in a `d_step`", span, { hint: "use `atomic`" });
  }
}
