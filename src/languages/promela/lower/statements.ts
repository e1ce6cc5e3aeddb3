/** Lowers basic statements: executability and effects. */
import type { Communication, Effect, Expr, Guard, PrintArgument } from "../../../model/program.js";
import type { AssignStatement, Expression, PrintfStatement, RunExpression } from "../ast.js";
import { constant, lowerArgument, lowerExpression, lowerPlace, type Names } from "./expressions.js";
import { canCommunicate, lowerReceive, lowerSend } from "./messages.js";
import type { BasicStatement } from "./nodes.js";
import { displayOf } from "./types.js";

/** The parts of an edge without its target. */
export interface Action {
  readonly guard: Guard;
  readonly communication: Communication | undefined;
  readonly effects: readonly Effect[];
}

export const always: Guard = { kind: "always" };

export const noAction: Action = { guard: always, communication: undefined, effects: [] };

export function lowerStatement(statement: BasicStatement, names: Names): Action {
  const doing = (...effects: Effect[]): Action => ({ ...noAction, effects });
  switch (statement.kind) {
    case "expression":
      return lowerCondition(statement.expression, names);
    case "send":
      return { ...noAction, communication: lowerSend(statement, names) };
    case "receive":
      return { ...noAction, communication: lowerReceive(statement, names) };
    case "assign":
      return doing(...lowerAssignment(statement, names));
    case "increment": {
      const target = lowerPlace(statement.target, names);
      const op = statement.by > 0 ? "+" : "-";
      const value: Expr = {
        kind: "binary",
        op,
        left: { kind: "load", place: target },
        right: constant(1),
        site: -1,
      };
      return doing({ kind: "assign", target, value });
    }
    case "assert": {
      const text = withoutParentheses(names.context.textAt(statement.span).replace(/^assert\s*/, ""));
      const site = names.context.site("assertion", `assertion violated: ${text}`, statement.span);
      return doing({ kind: "assert", condition: lowerExpression(statement.condition, names), site });
    }
    case "printf":
      return doing(lowerPrintf(statement, names));
    case "printm":
      return doing({ kind: "print", format: "%e", arguments: [printArgument(statement.value, names)] });
    case "setPriority":
      return doing(
        setPriority(lowerExpression(statement.process, names), statement, statement.priority, names),
      );
  }
}

/** Executability of a statement, as an expression. */
export function executable(statement: BasicStatement, names: Names): Expr {
  if (statement.kind === "send" || statement.kind === "receive") return canCommunicate(statement, names);
  if (statement.kind !== "expression" || statement.expression.kind === "run") return constant(1);
  return lowerExpression(statement.expression, names);
}

function lowerCondition(condition: Expression, names: Names): Action {
  if (condition.kind === "run") return { ...noAction, effects: [lowerRun(condition, undefined, names)] };
  if (condition.kind === "number" && condition.value !== 0) return noAction;
  return { ...noAction, guard: { kind: "condition", condition: lowerExpression(condition, names) } };
}

function lowerAssignment(statement: AssignStatement, names: Names): Effect[] {
  const { target, value } = statement;
  const symbol = names.context.lookUp(target);
  if (symbol.kind === "predefined") {
    if (symbol.name === "_priority") return [setPriority({ kind: "self" }, statement, value, names)];
    return value.kind === "run" ? [lowerRun(value, undefined, names)] : [];
  }
  if (value.kind === "run") return [lowerRun(value, target, names)];
  return [{ kind: "assign", target: lowerPlace(target, names), value: lowerExpression(value, names) }];
}

/** As in Spin, the default priority of a new process is 1, even if its proctype declares another. */
function lowerRun(run: RunExpression, target: AssignStatement["target"] | undefined, names: Names): Effect {
  const { context, templates } = names;
  const symbol = context.info.processUses.get(run);
  const template = symbol && templates.get(symbol);
  if (template === undefined) throw new Error(`${run.proctype.text} passed the checks without a meaning`);
  return {
    kind: "run",
    template,
    arguments: run.arguments.flatMap((argument) => lowerArgument(argument, names)),
    priority: constant(run.priority?.value || 1),
    target: target && lowerPlace(target, names),
    site: context.site(
      "too-many-processes",
      `too many processes: ${context.textAt(run.span)} needs more than ${context.rules.maxProcesses}`,
      run.span,
    ),
    channelSite: context.site(
      "too-many-channels",
      `too many channels: ${context.textAt(run.span)} needs more than ${context.rules.maxChannels}`,
      run.span,
    ),
  };
}

function setPriority(process: Expr, statement: BasicStatement, value: Expression, names: Names): Effect {
  const message = `no priority from 1 to 255: ${names.context.textAt(statement.span)}`;
  return {
    kind: "set-priority",
    process,
    value: lowerExpression(value, names),
    site: names.context.site("bad-process", message, statement.span),
  };
}

const lowerPrintf = (statement: PrintfStatement, names: Names): Effect => ({
  kind: "print",
  format: unescape(statement.format),
  arguments: statement.arguments.map((argument) => printArgument(argument, names)),
});

const printArgument = (value: Expression, names: Names): PrintArgument => ({
  value: lowerExpression(value, names),
  display: displayOf(names.context.info.types.get(value), names.context),
});

/** Strips the parentheses of `(a)`, but not of `(a) && (b)`. */
function withoutParentheses(text: string): string {
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  if (inner === undefined) return text;
  let depth = 0;
  for (const character of inner) {
    if (character === "(") depth++;
    if (character === ")" && --depth < 0) return text;
  }
  return inner.trim();
}

/** Processes the escapes of C that models use; other characters are unchanged. */
const unescape = (format: string): string =>
  format.replace(/\\(.)/gs, (_, character: string) => characters.get(character) ?? character);

const characters = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
]);
