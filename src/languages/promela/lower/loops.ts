/**
 * Expands `for` and `select` into assignments and `do` loops exactly as Spin does, because the number of steps is part
 * of the semantics.
 *
 * Places the first assignment at once and returns only the loop. A label before a `for` therefore marks the loop, after
 * the assignment, as in Spin.
 */
import type { Span } from "../../../model/diagnostic.js";
import { known } from "../../../model/known.js";
import type {
  AssignStatement,
  BinaryOperator,
  Expression,
  ForInStatement,
  ForRangeStatement,
  NumberLiteral,
  ReceiveStatement,
  SelectStatement,
  SendStatement,
  VariableReference,
} from "../ast.js";
import type { LabelSymbol, VariableSymbol } from "../check.js";
import type { BasicStatement, Chain, Destination } from "./nodes.js";
import type { Builder, Read } from "./reads.js";

/** `labels` precede a `select`; the caller handles the labels of a `for`. */
export function readLoop(
  builder: Builder,
  loop: ForRangeStatement | ForInStatement | SelectStatement,
  labels: readonly LabelSymbol[] = [],
): Read {
  switch (loop.kind) {
    case "forRange":
      return readRange(builder, loop, loop.variable, loop.from, loop.to);
    case "forIn": {
      if (builder.context.info.loops.get(loop) === "channel") return readChannelLoop(builder, loop);
      const length = known(walked(builder, loop)?.size, "the size of an array");
      return readRange(builder, loop, loop.variable, number(0, loop.span), number(length - 1, loop.span));
    }
    case "select":
      return readSelect(builder, loop, labels);
  }
}

/** The array or channel; of `t.a` the field. */
function walked({ context }: Builder, { collection }: ForInStatement): VariableSymbol | undefined {
  const last = collection.fields.at(-1);
  return last ? context.info.fields.get(last) : context.symbolOf(collection);
}

/** `i = from; do :: i <= to -> …; i++ :: else -> break od`. */
function readRange(
  builder: Builder,
  loop: ForRangeStatement | ForInStatement,
  variable: VariableReference,
  from: Expression,
  to: Expression,
): Read {
  const exit = builder.openLoop();
  builder.place(assign(builder, variable, from));
  const round = builder.chainOf(() => {
    builder.place(compare(builder, variable, "<=", to));
    builder.placeScope(loop.body);
    builder.place(increment(builder, variable));
  });
  const leave = leaveOption(builder, loop.span, exit, true);
  builder.closeLoop();
  return { kind: "selection", span: loop.span, options: [leave, round], exit };
}

/** Receives each message and sends it back, so that a full round restores the channel. */
function readChannelLoop(builder: Builder, loop: ForInStatement): Read {
  const { span, variable, collection } = loop;
  const isLarge = known(walked(builder, loop)?.channel, "a channel").capacity > 255;
  const counter = builder.context.refer(
    builder.counter(() => counterSymbol(builder, loop, isLarge ? "short" : "byte")),
    span,
  );
  const receive: ReceiveStatement = {
    ...{ kind: "receive", span, channel: collection, random: false, peek: false },
    arguments: [{ kind: "bind", span: variable.span, variable }],
  };
  const send: SendStatement = {
    kind: "send",
    span,
    channel: collection,
    sorted: false,
    arguments: [variable],
  };
  const channelText = builder.context.textAt(collection.span);
  const messageText = builder.context.textAt(variable.span);

  const exit = builder.openLoop();
  builder.place(assign(builder, counter, number(0, span)));
  const round = builder.chainOf(() => {
    builder.place(compare(builder, counter, "<", { kind: "len", span, channel: collection }));
    builder.place(basic(receive, `${channelText}?${messageText}`));
    builder.place(basic(send, `${channelText}!${messageText}`));
    builder.placeScope(loop.body);
    builder.place(increment(builder, counter));
  });
  const leave = leaveOption(builder, span, exit, true);
  builder.closeLoop();
  return { kind: "selection", span, options: [leave, round], exit };
}

/**
 * Spin has three forms. Outside inlines, for a plain name and two numbers: a selection with an option for each of up to
 * 33 values, or a loop for more. Otherwise a loop with its options reversed.
 */
function readSelect(builder: Builder, select: SelectStatement, labels: readonly LabelSymbol[]): Read {
  const { span, variable, from, to } = select;
  const labelled = (inner: Read): Read => (labels.length > 0 ? { kind: "labelled", labels, inner } : inner);
  const isPlain =
    !select.expandedFrom &&
    /^[A-Za-z0-9]+$/.test(variable.name.text) &&
    !variable.index &&
    variable.fields.length === 0 &&
    isPlainNumber(builder, from) &&
    isPlainNumber(builder, to);
  if (isPlain && to.value - from.value <= 32) {
    const values = Array.from({ length: to.value - from.value + 1 }, (_, i) => from.value + i);
    const options = values.map((value) =>
      builder.chainOf(() => void builder.place(assign(builder, variable, number(value, span)))),
    );
    return labelled({ kind: "selection", span, options, exit: undefined });
  }
  const start = assign(builder, variable, from);
  builder.place(isPlain ? labelled(start) : start);
  const round = builder.chainOf(() => {
    builder.place(compare(builder, variable, "<", to));
    builder.place(increment(builder, variable));
  });
  const exit = builder.openLoop();
  const leave = leaveOption(builder, span, exit, false);
  builder.closeLoop();
  const loop: Read = { kind: "selection", span, options: isPlain ? [round, leave] : [leave, round], exit };
  return isPlain ? loop : labelled(loop);
}

function leaveOption(builder: Builder, span: Span, destination: Destination, isElse: boolean): Chain {
  return builder.chainOf(() => {
    if (isElse) builder.place({ kind: "else", span });
    builder.place({ kind: "goto", span, text: "break", destination });
  });
}

const basic = (statement: BasicStatement, text: string): Read => ({ kind: "basic", statement, text });

function assign(builder: Builder, target: VariableReference, value: Expression): Read {
  const statement: AssignStatement = { kind: "assign", span: target.span, target, value, isReturn: false };
  return basic(statement, `${nameOf(builder, target)} = ${shown(builder, value)}`);
}

function compare(
  builder: Builder,
  left: VariableReference,
  operator: BinaryOperator,
  right: Expression,
): Read {
  const span = left.span;
  const expression: Expression = { kind: "binary", span, operator, left, right };
  return basic(
    { kind: "expression", span, expression },
    `${nameOf(builder, left)} ${operator} ${shown(builder, right)}`,
  );
}

const increment = (builder: Builder, target: VariableReference): Read =>
  basic({ kind: "increment", span: target.span, target, by: 1 }, `${nameOf(builder, target)}++`);

const number = (value: number, span: Span): Expression => ({ kind: "number", span, value, form: "decimal" });

const nameOf = (builder: Builder, reference: VariableReference): string =>
  builder.context.isMade(reference) ? reference.name.text : builder.context.textAt(reference.span);

const shown = (builder: Builder, expression: Expression): string => {
  if (expression.kind === "number") return String(expression.value);
  if (expression.kind === "len") return `len(${builder.context.textAt(expression.channel.span)})`;
  return builder.context.textAt(expression.span);
};

const isPlainNumber = (builder: Builder, e: Expression): e is NumberLiteral =>
  e.kind === "number" && e.form === "decimal" && e.value >= 0 && builder.context.isBareNumber(e.span);

function counterSymbol(builder: Builder, loop: ForInStatement, kind: "byte" | "short"): VariableSymbol {
  return builder.context.makeLocal("(loop counter)", { kind }, loop.span, builder.process);
}
