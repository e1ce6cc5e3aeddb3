/** Checks references to other processes: `run P`, `P@label`, `P:x`. */
import type { Name, RemoteLabel, RemoteVariable } from "../ast.js";
import type { ProcessSymbol, ValueType } from "../check.js";
import type { Context } from "./context.js";
import { resolveRemoteLabel } from "./labels.js";
import { checkIndex } from "./references.js";
import { suggest } from "../../toolkit/spelling.js";
import { INT } from "./types.js";

export function findProcess(context: Context, name: Name): ProcessSymbol | undefined {
  const process = context.proctypes.get(name.text);
  if (!process) {
    const hint = suggest(name.text, context.proctypes.keys());
    context.error("unknown-proctype", `there is no proctype \`${name.text}\``, name.span, { hint });
  }
  return process;
}

export function checkRemoteLabel(context: Context, expression: RemoteLabel): void {
  if (expression.index) context.checkExpression(expression.index);
  const process = findProcess(context, expression.proctype);
  if (!process) return;
  context.info.processUses.set(expression, process);
  resolveRemoteLabel(context, expression, process);
}

export function checkRemoteVariable(context: Context, expression: RemoteVariable): ValueType {
  if (expression.index) context.checkExpression(expression.index);
  const { variable } = expression;
  const process = findProcess(context, expression.proctype);
  const symbol =
    process && [...process.parameters, ...process.locals].find((each) => each.name === variable.name.text);
  if (!process || !symbol) {
    if (variable.index) context.checkExpression(variable.index);
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
