import type { BlockStatement, GotoStatement, LabelledStatement, RemoteLabel } from "../ast.js";
import type { LabelSymbol, ProcessSymbol, Scope } from "../check.js";
import type { Context, MutableProcess, MutableScope } from "./context.js";
import { suggest } from "../../toolkit/spelling.js";

export function declareLabels(
  context: Context,
  statement: LabelledStatement,
  process: MutableProcess,
  scope: MutableScope,
  dStep: BlockStatement | undefined,
): void {
  const symbols = statement.labels.map((name): LabelSymbol => {
    const twin = context.labelsNamed(process, name.text).find((each) => each.scope === scope);
    if (twin) {
      context.error("duplicate-label", `label \`${name.text}\` is declared twice`, name.span, {
        notes: [{ span: twin.declared.span, message: "first declared here" }],
      });
    }
    const symbol: LabelSymbol = { kind: "label", name: name.text, declared: name, statement, process, scope };
    process.labels.push(symbol);
    context.addLabel(symbol);
    context.dStepOf.set(symbol, dStep);
    return symbol;
  });
  context.info.labelsAt.set(statement, symbols);
}

export function resolveGoto(context: Context, statement: GotoStatement): void {
  const { process, scope } = context;
  if (!process || !scope) return;
  const name = statement.label.text;
  const symbol = nearest(context.labelsNamed(process, name), scope);
  if (!symbol) {
    const hint = suggest(
      name,
      process.labels.map((label) => label.name),
    );
    context.error("undefined-label", `there is no label \`${name}\` in this process`, statement.label.span, {
      hint,
    });
    return;
  }
  context.info.labelUses.set(statement, symbol);
  const into = context.dStepOf.get(symbol);
  if (into === context.dStep) return;
  const message = into ? `\`${name}\` lies inside a d_step` : `\`${name}\` lies outside this d_step`;
  context.error("jump-across-d-step", message, statement.span, {
    hint: "a d_step is entered at its start and left at its end",
    notes: [{ span: symbol.declared.span, message: "the label" }],
  });
}

/** The label in the innermost block around the jump; otherwise, as in Spin, a label in any block. */
function nearest(candidates: readonly LabelSymbol[], from: Scope): LabelSymbol | undefined {
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    const found = candidates.find((label) => label.scope === scope);
    if (found) return found;
  }
  return candidates[0];
}

export function resolveRemoteLabel(context: Context, expression: RemoteLabel, process: ProcessSymbol): void {
  const { label } = expression;
  const symbol = nearest(context.labelsNamed(process, label.text), process.scope);
  if (symbol) {
    context.info.labelUses.set(expression, symbol);
    return;
  }
  const names = process.labels.map((each) => each.name);
  const message = `proctype \`${process.name}\` has no label \`${label.text}\``;
  context.error("undefined-label", message, label.span, { hint: suggest(label.text, names) });
}
