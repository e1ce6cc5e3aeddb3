import type { Span } from "../../../model/diagnostic.js";
import {
  NO_SITE,
  type Binder,
  type Iteration,
  type RangeType,
  type RuleExpr,
  type SimpleType,
} from "../../../model/rules.js";
import type { Expression, Quantifier } from "../ast.js";
import type { Context } from "./context.js";
import { constant, lowerCondition, lowerInteger } from "./values.js";
import { mayFault } from "./faults.js";
import { BOOLEAN, integerConstant, lowerSimpleType } from "./types.js";
import { known, nth } from "../../../model/known.js";

export interface Quantified {
  readonly slot: number;
  readonly over: Iteration;
  /** The order of its values is irrelevant: elements of a scalarset, up to permutation. */
  readonly isSymmetric: boolean;
}

/** Declares the variable in the current block. */
export function lowerQuantifier(context: Context, node: Quantifier): Quantified | undefined {
  if (node.kind === "over") {
    const type = lowerSimpleType(context, node.type);
    const slot = declareSlot(context, node, type);
    if (!type) return undefined;
    const { low, high } = type;
    return { slot, over: { kind: "values", low, high }, isSymmetric: isSymmetric(context, type) };
  }
  const over = lowerSteps(context, node);
  const slot = declareSlot(context, node, over && rangeOf(over));
  return over && { slot, over, isSymmetric: false };
}

function declareSlot(context: Context, { name }: Quantifier, type: SimpleType | undefined): number {
  if (!type) {
    context.declare(name, { kind: "broken" });
    return -1;
  }
  const slot = context.newSlot({ kind: "value", name: name.text, type, isReadOnly: true });
  context.declare(name, { kind: "value", slot, type, what: `the quantified \`${name.text}\`` });
  return slot;
}

const isSymmetric = (context: Context, type: SimpleType): boolean => {
  if (type.kind === "union") return type.members.some((member) => isSymmetric(context, member.type));
  if (type.kind !== "scalarset") return false;
  const { name, size } = nth(context.scalarsets, type.scalarset);
  return name !== undefined && size > 1;
};

const rangeOf = (over: Iteration): RangeType => {
  if (over.kind === "values") return { kind: "range", low: over.low, high: over.high };
  const [from, to] = [over.from.type, over.to.type];
  return { kind: "range", low: Math.min(from.low, to.low), high: Math.max(from.high, to.high) };
};

function lowerSteps(context: Context, node: Quantifier & { kind: "steps" }): Iteration | undefined {
  const from = lowerInteger(context, node.from, "a bound");
  const to = lowerInteger(context, node.to, "a bound");
  const by = node.by && lowerInteger(context, node.by, "a step");
  if (!from || !to || (node.by && !by)) return undefined;
  const { span } = node;
  if (by && by.kind !== "constant" && !context.isRumur)
    return context.error(
      "not-constant",
      "in CMurphi the step must be constant",
      by.span,
      "leave `--dialect cmurphi` out",
    );
  const step = by ?? defaultStep(context, from, to, span);
  if (step.kind === "constant" && !isGoodStep(context, from, to, step.value, span)) return undefined;
  const isKnown = from.kind === "constant" && to.kind === "constant" && step.kind === "constant";
  if (isKnown && step.value === 1 && from.value <= to.value)
    return { kind: "values", low: from.value, high: to.value };
  return {
    kind: "steps",
    from,
    to,
    step,
    site: context.siteIf(step.kind !== "constant" && !!by, "endless", "loop with a step of zero", span),
    wrongWay: context.siteIf(
      context.isRumur && !!by,
      "endless",
      "loop whose step leads away from its end",
      span,
    ),
  };
}

/** Without a step, Rumur iterates towards the end in either direction; CMurphi iterates upwards. */
function defaultStep(context: Context, from: RuleExpr, to: RuleExpr, span: Span): RuleExpr {
  const one = (value: number): RuleExpr => constant({ kind: "range", low: value, high: value }, value, span);
  if (!context.isRumur || (from.kind === "constant" && to.kind === "constant")) return one(1);
  const condition: RuleExpr = {
    kind: "binary",
    op: "<=",
    type: BOOLEAN,
    left: from,
    right: to,
    site: NO_SITE,
    span,
  };
  return {
    kind: "conditional",
    type: { kind: "range", low: -1, high: 1 },
    condition,
    then: one(1),
    otherwise: one(-1),
    span,
  };
}

function isGoodStep(context: Context, from: RuleExpr, to: RuleExpr, step: number, span: Span): boolean {
  if (step === 0) context.error("bad-step", "the step is zero", span, "the loop would never end");
  else if (
    context.isRumur &&
    from.kind === "constant" &&
    to.kind === "constant" &&
    (to.value - from.value) * step < 0
  )
    context.error(
      "bad-step",
      `the step leads away from ${to.value}`,
      span,
      "swap the bounds, or write `by` with the other sign",
    );
  else return true;
  return false;
}

/** Lowers a parameter of a ruleset, whose bounds must be constant. */
export function lowerParameter(context: Context, node: Quantifier): Binder | undefined {
  if (node.kind === "over") {
    const found = lowerQuantifier(context, node);
    if (found?.over.kind !== "values") return undefined;
    return { kind: "values", slot: found.slot, low: found.over.low, high: found.over.high, step: 1 };
  }
  const low = integerConstant(context, node.from);
  const high = integerConstant(context, node.to);
  const step = node.by ? integerConstant(context, node.by) : 1;
  if (low === undefined || high === undefined || step === undefined) {
    context.declare(node.name, { kind: "broken" });
    return undefined;
  }
  const isEmpty = (high - low) * step < 0;
  if (step === 0 || (isEmpty && context.isRumur))
    context.error(
      "bad-step",
      step === 0 ? "the step is zero" : `the step leads away from ${high}`,
      node.span,
    );
  const type: RangeType = { kind: "range", low: Math.min(low, high), high: Math.max(low, high) };
  return { kind: "values", slot: declareSlot(context, node, type), low, high, step: step === 0 ? 1 : step };
}

export function lowerQuantified(
  context: Context,
  node: Expression & { kind: "quantified" },
): RuleExpr | undefined {
  const [first, ...rest] = node.quantifiers;
  return context.inBlock(() => {
    const quantified = lowerQuantifier(context, known(first, "a quantifier"));
    const inner: Expression = { ...node, quantifiers: rest };
    const body =
      rest.length > 0
        ? lowerQuantified(context, inner)
        : context.conditionally(() => lowerCondition(context, node.body, `body of \`${node.op}\``));
    if (!quantified || !body) return undefined;
    const { slot, over, isSymmetric: isAnyOrder } = quantified;
    const isExhaustive = isAnyOrder && mayFault(context, body);
    return {
      kind: "quantified",
      op: node.op,
      type: BOOLEAN,
      slot,
      over,
      body,
      isExhaustive,
      span: node.span,
    };
  });
}
