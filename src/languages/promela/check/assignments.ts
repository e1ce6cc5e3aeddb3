import type { AssignStatement, Expression, IncrementStatement, VariableReference } from "../ast.js";
import type { ValueType } from "../check.js";
import type { Context, Use } from "./context.js";
import { checkMtypes } from "./messages.js";
import { checkReference } from "./references.js";
import { describeType } from "./types.js";

const ASSIGNED: Use = { channelTest: true, run: true };

export function checkTarget(context: Context, target: VariableReference, asArray = false): ValueType {
  const known = context.info.types.get(target);
  if (known) return known; // the target of `x = f(…)`, shared by all returns
  const type = checkReference(context, target, asArray);
  context.info.types.set(target, type);
  const symbol = context.info.variables.get(target);
  if (symbol?.kind === "predefined" && symbol.name !== "_" && symbol.name !== "_priority") {
    context.error("assignment-to-predefined", `\`${symbol.name}\` cannot be assigned`, target.span);
  }
  return type;
}

export function checkAssign(context: Context, { target, value }: AssignStatement): void {
  const type = checkTarget(context, target);
  const before = context.diagnostics.length;
  const valueType = context.checkExpression(value, ASSIGNED);
  if (type.kind === "record") {
    const hint = "assign the fields one by one";
    context.error(
      "record-as-value",
      `\`${target.name.text}\` is a whole \`${type.typedef.name}\``,
      target.span,
      { hint },
    );
  } else if (context.diagnostics.length === before) {
    checkAssigned(context, target, type, value, valueType);
  }
}

function checkAssigned(
  context: Context,
  target: VariableReference,
  type: ValueType,
  value: Expression,
  valueType: ValueType,
): void {
  checkMtypes(context, type, valueType, value.span);
  if (type.kind !== "chan") return;
  const symbol = context.denoted(target);
  if (symbol?.kind === "variable") context.rebound.add(symbol);
  if (isLiteral(value) && target.fields.length === 0) {
    const message = `a constant cannot be assigned to channel \`${target.name.text}\``;
    context.error("constant-as-channel", message, value.span);
  } else if (valueType.kind !== "chan") {
    const message = `a value of type \`${describeType(valueType)}\` is assigned to channel \`${target.name.text}\``;
    context.warn("channel-type", message, value.span);
  }
}

/** Spin checks no other constants: it accepts `q = !0`. */
const isLiteral = ({ kind }: Expression): boolean => kind === "number" || kind === "mtypeConstant";

export function checkIncrement(context: Context, { target, by }: IncrementStatement): void {
  const type = checkTarget(context, target);
  const operator = by === 1 ? "++" : "--";
  if (target.name.text === "_")
    context.error("read-of-underscore", "`_` can only be written to", target.span);
  if (type.kind === "chan" || type.kind === "record") {
    const message = `\`${operator}\` cannot be applied to type \`${describeType(type)}\``;
    context.error("bad-increment", message, target.span);
  }
}
