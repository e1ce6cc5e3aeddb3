/** Statements: dispatch by kind, control flow, and short statements; longer ones have separate files. */
import { isSimple, NO_SITE, type RuleExpr, type RuleStatement } from "../../../model/rules.js";
import type { Expression, Statement, StatementOf } from "../ast.js";
import { lowerAliases } from "./aliases.js";
import { lowerAssignment } from "./assignments.js";
import { findProcedure, lowerCall, temporary } from "./calls.js";
import { unify } from "./coerce.js";
import { branched, isComplexConditional, liftedArgument } from "./complex-conditionals.js";
import type { Context } from "./context.js";
import { lowerLocalProperty } from "./local-properties.js";
import { lowerMultisetAdd, lowerMultisetRemove, lowerMultisetRemoveIf } from "./multiset-statements.js";
import { lowerTarget, resolveValue } from "./places.js";
import { lowerQuantifier } from "./quantifiers.js";
import { lowerReturn } from "./returns.js";
import { BOOLEAN } from "./types.js";
import { lowerCondition, valueOf } from "./values.js";
import { known } from "../../../model/known.js";

export const lowerStatements = (context: Context, nodes: readonly Statement[]): RuleStatement[] =>
  nodes.flatMap((node) => {
    const outer = context.before;
    const before: RuleStatement[] = (context.before = []);
    const lowered = lowerStatement(context, node);
    context.before = outer;
    return [...before, ...lowered];
  });

function lowerStatement(context: Context, node: Statement): readonly RuleStatement[] {
  switch (node.kind) {
    case "assign":
      if (isComplexConditional(context, node.value))
        return listed(
          lowerIf(
            context,
            branched(node.value, (value) => ({ ...node, value })),
          ),
        );
      return listed(lowerAssignment(context, node));
    case "if":
      return listed(lowerIf(context, node));
    case "switch":
      return lowerSwitch(context, node);
    case "for":
      return lowerFor(context, node);
    case "while":
      return listed(lowerWhile(context, node));
    case "alias":
      return context.inBlock(() => [
        ...lowerAliases(context, node.aliases),
        ...lowerStatements(context, node.body),
      ]);
    case "call": {
      const lifted = liftedArgument(context, node);
      if (lifted) return listed(lowerIf(context, branched(lifted.conditional, lifted.withBranch)));
      return listed(lowerCallStatement(context, node));
    }
    case "clear":
    case "undefine": {
      const place = lowerTarget(context, node.target, node.kind === "clear" ? "cleared" : "undefined");
      return listed(place && { kind: node.kind, place, span: node.span });
    }
    case "error":
      return [{ kind: "error", site: context.site("error", node.message, node.span), span: node.span }];
    case "property":
      return listed(lowerLocalProperty(context, node));
    case "put":
      return listed(lowerPut(context, node));
    case "return":
      if (node.value && isComplexConditional(context, node.value))
        return listed(
          lowerIf(
            context,
            branched(node.value, (value) => ({ ...node, value })),
          ),
        );
      return lowerReturn(context, node);
    case "multisetadd":
      return listed(lowerMultisetAdd(context, node));
    case "multisetremove":
      return listed(lowerMultisetRemove(context, node));
    case "multisetremovepred":
      return listed(lowerMultisetRemoveIf(context, node));
  }
}

const listed = (statement: RuleStatement | undefined): readonly RuleStatement[] =>
  statement ? [statement] : [];

function lowerIf(context: Context, node: StatementOf<"if">): RuleStatement | undefined {
  const lowerTest = (condition: Expression): RuleExpr | undefined =>
    lowerCondition(context, condition, "condition of `if`");
  const branches = node.branches.map(({ condition, body }, i) => ({
    condition: i === 0 ? lowerTest(condition) : context.conditionally(() => lowerTest(condition)),
    body: lowerStatements(context, body),
  }));
  const otherwise = lowerStatements(context, node.otherwise);
  const good = branches.flatMap(({ condition, body }) => (condition ? [{ condition, body }] : []));
  return good.length < branches.length
    ? undefined
    : { kind: "if", branches: good, otherwise, span: node.span };
}

/** Evaluates the subject once and runs the first case with an equal label. */
function lowerSwitch(context: Context, node: StatementOf<"switch">): readonly RuleStatement[] {
  const subject = context.expression(node.subject);
  if (!subject) return [];
  const { type, span } = subject;
  const slot = context.newSlot({ kind: "value", name: context.text(span), type, isReadOnly: true });
  const value: RuleExpr = { kind: "slot", type, slot, span };
  const branches = node.cases.map(({ labels, body }) => ({
    condition: lowerLabels(context, value, labels),
    body: lowerStatements(context, body),
  }));
  const otherwise = lowerStatements(context, node.otherwise);
  const good = branches.flatMap(({ condition, body }) => (condition ? [{ condition, body }] : []));
  const bind = { kind: "bind", slot, value: subject, span } as const;
  if (good.length === 0) return [bind, ...otherwise];
  return [bind, { kind: "if", branches: good, otherwise, span: node.span }];
}

function lowerLabels(
  context: Context,
  subject: RuleExpr,
  labels: StatementOf<"switch">["cases"][0]["labels"],
): RuleExpr | undefined {
  let any: RuleExpr | undefined;
  for (const node of labels) {
    const label = context.expression(node);
    if (label && label.kind !== "constant" && label.kind !== "slot" && !context.isRumur)
      context.error("not-constant", "in CMurphi the labels of a `switch` must be constant", node.span);
    const both = label && unify(context, subject, label);
    if (!both) return undefined;
    const [left, right] = both;
    const { span } = node;
    const isEqual: RuleExpr = { kind: "binary", op: "==", type: BOOLEAN, left, right, site: NO_SITE, span };
    any = any ? { kind: "logical", op: "or", type: BOOLEAN, left: any, right: isEqual, span } : isEqual;
  }
  return any;
}

function lowerFor(context: Context, node: StatementOf<"for">): readonly RuleStatement[] {
  const [first, ...rest] = node.quantifiers;
  return context.inBlock(() => {
    const quantified = lowerQuantifier(context, known(first, "a quantifier"));
    const body =
      rest.length > 0
        ? lowerFor(context, { ...node, quantifiers: rest })
        : lowerStatements(context, node.body);
    return quantified
      ? [{ kind: "for", slot: quantified.slot, over: quantified.over, body, span: node.span }]
      : [];
  });
}

function lowerWhile(context: Context, node: StatementOf<"while">): RuleStatement | undefined {
  const condition = context.conditionally(() =>
    lowerCondition(context, node.condition, "condition of `while`"),
  );
  const body = lowerStatements(context, node.body);
  const site = context.siteIf(true, "endless", "too many iterations in while loop", node.span);
  return condition && { kind: "while", condition, body, site, span: node.span };
}

function lowerCallStatement(context: Context, node: StatementOf<"call">): RuleStatement | undefined {
  const procedure = findProcedure(context, node);
  if (!procedure) return undefined;
  if ((procedure.result ?? procedure.complexResult) && !context.isRumur)
    return context.error(
      "unused-result",
      `in CMurphi the function \`${procedure.name}\` cannot be called as a statement`,
      node.span,
    );
  const into = procedure.complexResult && temporary(context, procedure.complexResult, node.span);
  const call = lowerCall(context, node, procedure, into);
  return call && { kind: "call", ...call };
}

function lowerPut(context: Context, { what, span }: StatementOf<"put">): RuleStatement | undefined {
  if (context.body.procedure) context.body.procedure.isImpure = true;
  if (typeof what === "string") return { kind: "put", what, span };
  const resolved = resolveValue(context, what);
  if (!resolved) return undefined;
  const isPlace = resolved.kind === "place" && (context.isRumur || !isSimple(resolved.place.type));
  const shown = isPlace ? resolved.place : valueOf(context, resolved, what.span);
  return shown && { kind: "put", what: shown, span };
}
