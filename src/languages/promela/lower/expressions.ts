/** Lowers expressions. All arithmetic is on 32-bit signed integers. */
import type { Span } from "../../../model/index.js";
import type { Expr, Pattern, Place } from "../../../model/program.js";
import type {
  Expression,
  PollExpression,
  ProcessQuery,
  ReceiveArgument,
  RemoteLabel,
  RemoteVariable,
  VariableReference,
} from "../ast.js";
import type { LabelSymbol, ProcessSymbol } from "../check.js";
import type { Context } from "./context.js";
import { placeOf, placesOf, type Slots } from "./places.js";

/** Slots and locations in scope of an expression. */
export interface Names {
  readonly context: Context;
  readonly slots: Slots;
  readonly templates: ReadonlyMap<ProcessSymbol, number>;
  /** Locations of a label; empty if control never rests there. */
  locationsOf(label: LabelSymbol): readonly number[];
}

export const constant = (value: number): Expr => ({ kind: "constant", value });

export function lowerExpression(expression: Expression, names: Names): Expr {
  const { context } = names;
  const lower = (inner: Expression): Expr => lowerExpression(inner, names);
  switch (expression.kind) {
    case "number":
      return constant(expression.value);
    case "mtypeConstant": {
      const symbol = context.info.mtypeUses.get(expression);
      if (!symbol) throw new Error(`${expression.name} passed the checks without a value`);
      return constant(symbol.value);
    }
    case "variable":
      return lowerReference(expression, names);
    case "unary":
      return { kind: "unary", op: expression.operator, operand: lower(expression.operand) };
    case "binary": {
      const op = expression.operator;
      const isDivision = op === "/" || op === "%";
      const message = `division by zero: ${context.textAt(expression.right.span)} is 0`;
      const site = isDivision ? context.site("division-by-zero", message, expression.span) : -1;
      return { kind: "binary", op, left: lower(expression.left), right: lower(expression.right), site };
    }
    case "conditional":
      return {
        kind: "conditional",
        test: lower(expression.condition),
        then: lower(expression.then),
        otherwise: lower(expression.otherwise),
      };
    case "len":
      return { kind: "length", ...lowerChannel(expression.channel, names) };
    case "channelTest":
      return { kind: "channel-test", test: expression.test, ...lowerChannel(expression.channel, names) };
    case "poll":
      return lowerPoll(expression, names);
    case "enabled":
    case "pcValue":
    case "getPriority":
      return lowerQuery(expression, names);
    case "timeout":
      return { kind: "timeout" };
    case "nonProgress":
      return { kind: "no-progress" };
    case "remoteLabel":
      return lowerRemoteLabel(expression, names);
    case "remoteVariable":
      return lowerRemoteVariable(expression, names);
    case "run":
    case "method":
    case "embeddedC":
      throw new Error(`${expression.kind} inside an expression passed the checks`);
  }
}

export const lowerPlace = (reference: VariableReference, names: Names): Place =>
  placeOf(reference, names.slots, names.context, (index) => lowerExpression(index, names));

/** Lowers an argument of `run` or of a send; a record expands to its fields. */
export function lowerArgument(argument: Expression, names: Names): Expr[] {
  if (argument.kind !== "variable" || names.context.lookUp(argument).kind !== "variable")
    return [lowerExpression(argument, names)];
  return lowerPlaces(argument, names).map((place) => ({ kind: "load", place }));
}

export const lowerPlaces = (reference: VariableReference, names: Names): Place[] =>
  placesOf(reference, names.slots, names.context, (index) => lowerExpression(index, names));

/** A field of a send in a `trace` that matches any value, compared by identity. `_` is readable only there. */
export const ANYTHING: Expr = { kind: "constant", value: 0 };

function lowerReference(reference: VariableReference, names: Names): Expr {
  const symbol = names.context.lookUp(reference);
  if (symbol.kind === "variable") return { kind: "load", place: lowerPlace(reference, names) };
  switch (symbol.name) {
    case "_pid":
      return { kind: "self" };
    case "_nr_pr":
      return { kind: "process-count" };
    case "_last":
      return { kind: "last" };
    case "_priority":
      return { kind: "priority", process: { kind: "self" }, site: -1 };
    case "_":
      return ANYTHING;
  }
}

/** Whether this receive is executable. Variables in it match any value. */
export function lowerPoll(
  receive: Pick<PollExpression, "channel" | "random" | "arguments">,
  names: Names,
): Expr {
  const pattern = lowerPattern(receive.arguments, names).map((part) =>
    part.kind === "store" ? ({ kind: "ignore" } as const) : part,
  );
  return {
    kind: "poll",
    ...lowerMessageChannel(receive.channel, names),
    rendezvousSite: rendezvousSite(receive.channel.span, names),
    pattern,
    random: receive.random,
  };
}

export function rendezvousSite(span: Span, { context }: Names): number {
  const message = `${context.textAt(span)} is a rendezvous channel: it holds no message that could be polled`;
  return context.site("bad-channel", message, span);
}

/** A channel, with the fault site for messages that are too long. */
export function lowerMessageChannel(
  reference: VariableReference,
  names: Names,
): { channel: Expr; site: number; messageSite: number } {
  const { context } = names;
  const text = `too many or too few fields for a message of ${context.textAt(reference.span)}`;
  return {
    ...lowerChannel(reference, names),
    messageSite: context.site("bad-message", text, reference.span),
  };
}

export function lowerChannel(reference: VariableReference, names: Names): { channel: Expr; site: number } {
  const { context } = names;
  const message = `no such channel: ${context.textAt(reference.span)} is not initialised or no longer exists`;
  return {
    channel: { kind: "load", place: lowerPlace(reference, names) },
    site: context.site("bad-channel", message, reference.span),
  };
}

export function lowerPattern(args: readonly ReceiveArgument[], names: Names): Pattern[] {
  return args.flatMap((argument): Pattern[] => {
    if (argument.kind === "match") return [{ kind: "match", value: lowerExpression(argument.value, names) }];
    const symbol = names.context.lookUp(argument.variable);
    if (symbol.kind === "predefined") {
      if (symbol.name !== "_") throw new Error(`receiving into ${symbol.name} passed the checks`);
      return [{ kind: "ignore" }];
    }
    return lowerPlaces(argument.variable, names).map((target) => ({ kind: "store", target }));
  });
}

function lowerQuery(query: ProcessQuery, names: Names): Expr {
  const text = names.context.textAt(query.span);
  const site = names.context.site(
    "bad-process",
    `no such process, or the asking process itself: ${text}`,
    query.span,
  );
  return { kind: queryKind[query.kind], process: lowerExpression(query.process, names), site };
}

const queryKind = { enabled: "enabled", pcValue: "control-point", getPriority: "priority" } as const;

function lowerRemoteLabel(remote: RemoteLabel, names: Names): Expr {
  const label = names.context.info.labelUses.get(remote);
  if (!label) throw new Error(`the label ${remote.label.text} passed the checks without a place`);
  return { kind: "at", ...remoteProcess(remote, names), locations: names.locationsOf(label) };
}

function lowerRemoteVariable(remote: RemoteVariable, names: Names): Expr {
  return { kind: "remote", ...remoteProcess(remote, names), place: lowerPlace(remote.variable, names) };
}

function remoteProcess(
  remote: RemoteLabel | RemoteVariable,
  names: Names,
): { template: number; process: Expr | undefined; site: number } {
  const { context, templates } = names;
  const symbol = context.info.processUses.get(remote);
  const template = symbol && templates.get(symbol);
  if (template === undefined) throw new Error(`${remote.proctype.text} passed the checks without a meaning`);
  const process = remote.index && lowerExpression(remote.index, names);
  const message = `no such process: ${context.textAt(remote.span)}`;
  return { template, process, site: context.site("bad-process", message, remote.span) };
}
