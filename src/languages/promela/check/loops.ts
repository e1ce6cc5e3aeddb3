/** Checks the counters and collections of `for` and `select`. */
import type {
  ForInStatement,
  ForRangeStatement,
  SelectStatement,
  Sequence,
  VariableReference,
} from "../ast.js";
import type { ValueType } from "../check.js";
import { checkTarget } from "./assignments.js";
import { constantValue } from "./constants.js";
import type { Context } from "./context.js";
import { checkReference } from "./references.js";
import { describeType } from "./types.js";

export function checkForRange(context: Context, statement: ForRangeStatement): void {
  checkRange(context, statement, "for");
  checkLoopBody(context, statement.body);
}

function checkLoopBody(context: Context, body: Sequence): void {
  context.loops++;
  context.circle.body(context, body);
  context.loops--;
}

export function checkRange(
  context: Context,
  statement: ForRangeStatement | SelectStatement,
  word: string,
): void {
  const { variable, from, to } = statement;
  checkCounter(context, variable, word);
  context.checkExpression(from);
  context.checkExpression(to);
  const low = constantValue(context, from);
  const high = constantValue(context, to);
  if (low !== undefined && high !== undefined && low > high) {
    context.error("empty-range", `the range ${low} .. ${high} is empty`, from.span);
  }
}

/** Checks the variable of a `for` or `select`, which must be a scalar. */
function checkCounter(context: Context, variable: VariableReference, word: string): void {
  const before = context.diagnostics.length;
  const type = checkTarget(context, variable, true);
  if (context.diagnostics.length > before) return;
  const symbol = context.info.variables.get(variable);
  const isArray = symbol?.kind === "variable" && symbol.size !== undefined;
  if (type.kind !== "chan" && type.kind !== "record" && !isArray && variable.fields.length === 0) return;
  const message = `\`${word}\` needs a plain integer variable, not ${isArray ? "an array" : `one of type \`${describeType(type)}\``}`;
  context.error("bad-counter", message, variable.span);
}

export function checkForIn(context: Context, statement: ForInStatement): void {
  const { variable, collection } = statement;
  const before = context.diagnostics.length;
  const type = checkReference(context, variable);
  context.info.types.set(variable, type);
  const walked = checkReference(context, collection, true);
  context.info.types.set(collection, walked);
  if (context.diagnostics.length === before) {
    if (type.kind === "record") checkForInChannel(context, statement, type);
    else checkForInArray(context, statement);
  }
  checkLoopBody(context, statement.body);
}

function checkForInArray(context: Context, statement: ForInStatement): void {
  const symbol = context.denoted(statement.collection);
  if (symbol?.kind === "variable" && symbol.size !== undefined) {
    checkCounter(context, statement.variable, "for");
    context.info.loops.set(statement, "array");
    return;
  }
  const isChannel = context.info.types.get(statement.collection)?.kind === "chan";
  context.error(
    "not-iterable",
    `\`${statement.collection.name.text}\` is no array`,
    statement.collection.span,
    {
      hint: isChannel
        ? "to walk over a channel, the loop variable must have the record type of its messages"
        : undefined,
    },
  );
}

function checkForInChannel(
  context: Context,
  statement: ForInStatement,
  type: Extract<ValueType, { kind: "record" }>,
): void {
  const symbol = context.denoted(statement.collection);
  const shape = symbol?.kind === "variable" ? symbol.channel : undefined;
  const [field, ...more] = shape?.declared ?? [];
  const isMatch = field?.kind === "record" && field.typedef === type.typedef && more.length === 0;
  if (shape && isMatch && shape.capacity > 0) {
    context.info.loops.set(statement, "channel");
    return;
  }
  const message = `\`${statement.collection.name.text}\` is not a buffered channel of \`${type.typedef.name}\` messages`;
  context.error("not-iterable", message, statement.collection.span);
}
