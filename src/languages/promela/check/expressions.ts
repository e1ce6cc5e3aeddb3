import type { BinaryExpression, ChannelTest, Expression, VariableReference } from "../ast.js";
import type { ValueType } from "../check.js";
import type { Context, Use } from "./context.js";
import { checkPoll, checkRun } from "./messages.js";
import { checkChannel, checkReference } from "./references.js";
import { checkRemoteLabel, checkRemoteVariable } from "./remote.js";
import { BOOL, describeType, INT, PID } from "./types.js";

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
    case "method": // replaced, or an error that was reported
    case "embeddedC":
      return INT;
  }
}

// -------------------------------------------------------------------------------------------- operands

function readVariable(context: Context, reference: VariableReference, use: Use): ValueType {
  const before = context.diagnostics.length;
  const type = checkReference(context, reference);
  if (context.info.variables.get(reference)?.name === "_" && !use.underscore) {
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

const OPPOSITE = { full: "nfull", nfull: "full", empty: "nempty", nempty: "empty" } as const;

function checkChannelTest(context: Context, expression: ChannelTest, use: Use): void {
  checkChannel(context, expression.channel);
  const { test, span } = expression;
  if (context.isInFormula) {
    context.error("channel-test-in-formula", `\`${test}\` is not allowed in a temporal formula`, span, {
      hint: "compare `len(q)` with the capacity instead",
    });
  } else if (!use.channelTest) {
    context.error("misplaced-channel-test", `\`${test}\` can only be combined by \`&&\` and \`||\``, span, {
      hint: `write \`${OPPOSITE[test]}(…)\` for the opposite`,
    });
  }
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
