/** Statements. */
import {
  isSimple,
  NO_SITE,
  type Place,
  type RuleExpr,
  type RuleStatement,
  type SimpleType,
} from "../../../model/rules.js";
import type { Actual, AliasNode, PropertyNode, Statement } from "../ast.js";
import { findProcedure, lowerCall } from "./calls.js";
import { coerce, unify } from "./coerce.js";
import type { Context } from "./context.js";
import { lowerElementsWhere } from "./multisets.js";
import { lowerCondition, valueOf } from "./values.js";
import { elementSlot, lowerMultiset, lowerTarget, resolveDesignator } from "./places.js";
import type { Resolved } from "./scope.js";
import { lowerQuantifier } from "./quantifiers.js";
import { BOOLEAN, describeType, fits, isAlike, offsetIn } from "./types.js";

export const lowerStatements = (context: Context, nodes: readonly Statement[]): RuleStatement[] =>
  nodes.flatMap((node) => lowerStatement(context, node));

function lowerStatement(context: Context, node: Statement): readonly RuleStatement[] {
  switch (node.kind) {
    case "assign":
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
    case "call":
      return listed(lowerCallStatement(context, node));
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

type Of<K extends Statement["kind"]> = Statement & { kind: K };

// ---- assignment ----------------------------------------------------------------------------------

function lowerAssignment(
  context: Context,
  { target: written, value: node, span }: Of<"assign">,
): RuleStatement | undefined {
  if (node.kind === "undefined") {
    const place = lowerTarget(context, written, "changed");
    return place && { kind: "undefine", place, span };
  }
  const complex = node.kind === "call" ? lowerComplexCall(context, node, written) : undefined;
  if (complex) return complex === "broken" ? undefined : complex;
  const source = resolveValue(context, node);
  const target = lowerTarget(context, written, "assigned");
  if (!source || !target) return undefined;
  const site = (isPossible: boolean): number =>
    context.siteIf(
      isPossible,
      "out-of-range",
      `write of out-of-range value into ${context.text(written.span)}`,
      written.span,
    );
  const copied = copyOf(context, source, target, site, span);
  if (copied) return copied === "broken" ? undefined : copied;
  const { type } = target;
  const read = valueOf(context, source, node.span);
  if (!isSimple(type))
    return (
      read &&
      context.error(
        "type-mismatch",
        `${describeType(context, read.type)} cannot be assigned to ${describeType(context, type)}`,
        node.span,
      )
    );
  const value = read && coerce(context, read, type, "value of this variable");
  return value && { kind: "assign", value, target, site: site(!fits(value.type, type)), span };
}

function resolveValue(context: Context, node: Exclude<Actual, { kind: "undefined" }>): Resolved | undefined {
  if (node.kind === "designator") return resolveDesignator(context, node);
  const value = context.expression(node);
  return value && { kind: "value", value, what: "the value" };
}

/** Whole records and the like; in CMurphi's dialect simple variables too: both with all that is undefined. */
function copyOf(
  context: Context,
  source: Resolved,
  target: Place,
  site: (isPossible: boolean) => number,
  span: Place["span"],
): RuleStatement | "broken" | undefined {
  if (source.kind !== "place" || (context.isRumur && isSimple(source.place.type))) return undefined;
  const [from, to] = [source.place.type, target.type];
  const offset = isSimple(from) && isSimple(to) ? unionOffset(from, to) : undefined;
  if (offset === undefined && !isAlike(context, from, to)) {
    if (isSimple(from)) return undefined;
    const [given, needed] = [describeType(context, from), describeType(context, to)];
    context.error(
      "type-mismatch",
      `${given} cannot be assigned to ${needed} of another type`,
      source.place.span,
    );
    return "broken";
  }
  // Every element of a member is one of the union, but not the other way round.
  const isPossible = offset === undefined ? !fits(from, to) : from.kind === "union";
  return { kind: "copy", source: source.place, target, offset: offset ?? 0, site: site(isPossible), span };
}

/** What is added to go from one type to the other; undefined where there is no way between them but by being alike. */
function unionOffset(from: SimpleType, to: SimpleType): number | undefined {
  if (to.kind === "union" && from.kind !== "union") return offsetIn(to, from);
  const offset = from.kind === "union" && to.kind !== "union" ? offsetIn(from, to) : undefined;
  return offset === undefined ? undefined : -offset;
}

/** Undefined where the function's result is a simple value. */
function lowerComplexCall(
  context: Context,
  node: Of<"call">,
  written: Of<"assign">["target"],
): RuleStatement | "broken" | undefined {
  const known = context.scope.find(node.name.text)?.symbol;
  const procedure = known?.kind === "procedure" ? context.procedures[known.index] : undefined;
  if (!procedure?.complexResult) return undefined;
  const target = lowerTarget(context, written, "assigned");
  if (!target) return "broken";
  if (
    !isAlike(context, procedure.complexResult, target.type) ||
    !fits(procedure.complexResult, target.type)
  ) {
    context.error(
      "type-mismatch",
      `the result of \`${procedure.name}\` cannot be assigned to ${describeType(context, target.type)} of another type`,
      node.span,
    );
    return "broken";
  }
  const call = lowerCall(context, node, procedure, target);
  return call ? { kind: "call", ...call } : "broken";
}

function lowerCallStatement(context: Context, node: Of<"call">): RuleStatement | undefined {
  const procedure = findProcedure(context, node);
  if (!procedure) return undefined;
  if (procedure.complexResult)
    return context.error(
      "unused-result",
      `the result of \`${procedure.name}\` must go somewhere`,
      node.span,
      "assign it to a variable",
    );
  if (procedure.result && !context.isRumur)
    return context.error(
      "unused-result",
      `in CMurphi the function \`${procedure.name}\` cannot be called as a statement`,
      node.span,
    );
  const call = lowerCall(context, node, procedure);
  return call && { kind: "call", ...call };
}

// ---- control -------------------------------------------------------------------------------------

function lowerIf(context: Context, node: Of<"if">): RuleStatement | undefined {
  const branches = node.branches.map(({ condition, body }) => ({
    condition: lowerCondition(context, condition, "condition of `if`"),
    body: lowerStatements(context, body),
  }));
  const otherwise = lowerStatements(context, node.otherwise);
  const good = branches.flatMap(({ condition, body }) => (condition ? [{ condition, body }] : []));
  return good.length < branches.length
    ? undefined
    : { kind: "if", branches: good, otherwise, span: node.span };
}

/** The subject is evaluated once; the first case with an equal label is run. */
function lowerSwitch(context: Context, node: Of<"switch">): readonly RuleStatement[] {
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
  labels: Of<"switch">["cases"][0]["labels"],
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

/** Several quantifiers are loops inside each other. */
function lowerFor(context: Context, node: Of<"for">): readonly RuleStatement[] {
  const [first, ...rest] = node.quantifiers;
  return context.inBlock(() => {
    const quantified = lowerQuantifier(context, first!);
    const body =
      rest.length > 0
        ? lowerFor(context, { ...node, quantifiers: rest })
        : lowerStatements(context, node.body);
    return quantified
      ? [{ kind: "for", slot: quantified.slot, over: quantified.over, body, span: node.span }]
      : [];
  });
}

function lowerWhile(context: Context, node: Of<"while">): RuleStatement | undefined {
  const condition = lowerCondition(context, node.condition, "condition of `while`");
  const body = lowerStatements(context, node.body);
  const site = context.siteIf(true, "endless", "too many iterations in while loop", node.span);
  return condition && { kind: "while", condition, body, site, span: node.span };
}

/** Names for places, whose indices are evaluated here, and for values. Later ones see earlier ones. */
export function lowerAliases(
  context: Context,
  aliases: readonly AliasNode[],
): readonly (RuleStatement & { kind: "bind" | "refer" })[] {
  return aliases.flatMap((alias): readonly (RuleStatement & { kind: "bind" | "refer" })[] => {
    const { name, value: node, span } = alias;
    const resolved = resolveValue(context, node);
    if (!resolved) {
      context.declare(name, { kind: "broken" });
      return [];
    }
    if (resolved.kind === "place") {
      const { place, readOnly } = resolved;
      const { type } = place;
      const slot = context.newSlot({
        kind: "reference",
        name: name.text,
        type,
        isReadOnly: readOnly !== undefined,
      });
      if (context.isLocal(place)) context.localReferences.add(slot);
      context.declare(name, { kind: "place", slot, type, readOnly });
      return [{ kind: "refer", slot, place, span }];
    }
    const { value } = resolved;
    const { type } = value;
    if (value.kind === "constant") {
      context.declare(name, { kind: "constant", type, value: value.value });
      return [];
    }
    const slot = context.newSlot({ kind: "value", name: name.text, type, isReadOnly: true });
    context.declare(name, { kind: "value", slot, type, what: `the alias \`${name.text}\` of a value` });
    return [{ kind: "bind", slot, value, span }];
  });
}

// ---- the rest ------------------------------------------------------------------------------------

function lowerLocalProperty(context: Context, node: PropertyNode): RuleStatement | undefined {
  const { category, message, span } = node;
  const condition = lowerCondition(context, node.condition, `condition of \`${category}\``);
  if (!context.isRumur && category !== "assert")
    return context.error(
      "not-in-dialect",
      `CMurphi has no \`${category}\` statement`,
      span,
      "write `assert`, or leave `--dialect cmurphi` out",
    );
  if (category === "liveness")
    return context.error(
      "misplaced-liveness",
      "`liveness` cannot stand inside a rule",
      span,
      "state it outside, beside the invariants",
    );
  if (!condition) return undefined;
  const text = message ?? context.text(node.condition.span);
  switch (category) {
    case "assume":
      return { kind: "assume", condition, span };
    case "cover": {
      const name = context.uniqueName(message ?? `cover ${context.covers.length + 1}`);
      return {
        kind: "cover",
        condition,
        cover: context.covers.push({ name, condition: undefined, span }) - 1,
        span,
      };
    }
    case "invariant":
    case "assert":
      return {
        kind: "assert",
        condition,
        site: context.site("assertion", `assertion failed: ${text}`, span),
        span,
      };
  }
}

function lowerPut(context: Context, { what, span }: Of<"put">): RuleStatement | undefined {
  if (context.body.procedure) context.body.procedure.isImpure = true;
  if (typeof what === "string") return { kind: "put", what, span };
  const resolved = resolveValue(context, what);
  if (!resolved) return undefined;
  const isPlace = resolved.kind === "place" && (context.isRumur || !isSimple(resolved.place.type));
  const shown = isPlace ? resolved.place : valueOf(context, resolved, what.span);
  return shown && { kind: "put", what: shown, span };
}

function lowerReturn(context: Context, { value: node, span }: Of<"return">): readonly RuleStatement[] {
  const { procedure } = context.body;
  const needed = procedure?.result ?? procedure?.resultPlace?.type;
  if (!node) {
    if (needed)
      context.error("missing-result", "the function must return a value", span, "write `return VALUE`");
    return [{ kind: "return", value: undefined, site: NO_SITE, span }];
  }
  const resolved = resolveValue(context, node);
  if (!resolved) return [];
  if (!needed) {
    context.error(
      "needless-result",
      "nothing is to be returned here",
      node.span,
      procedure ? "a function has a type behind its parameters" : "write `return` alone",
    );
    return [];
  }
  if (procedure?.resultPlace)
    return lowerComplexReturn(context, resolved, procedure.resultPlace, node.span, span);
  const read = valueOf(context, resolved, node.span);
  const value = read && isSimple(needed) ? coerce(context, read, needed, "result") : undefined;
  if (!value) return [];
  const site = context.siteIf(
    !fits(value.type, needed),
    "out-of-range",
    "return of an out-of-range value",
    node.span,
  );
  return [{ kind: "return", value, site, span }];
}

function lowerComplexReturn(
  context: Context,
  resolved: Resolved,
  { slot, type }: { readonly slot: number; readonly type: Place["type"] },
  at: Place["span"],
  span: Place["span"],
): readonly RuleStatement[] {
  if (resolved.kind !== "place" || !isAlike(context, resolved.place.type, type)) {
    context.error(
      "type-mismatch",
      `this is not ${describeType(context, type)} of the type to be returned`,
      at,
    );
    return [];
  }
  const target: Place = { root: { kind: "slot", slot }, path: [], type, span: at };
  const site = context.siteIf(
    !fits(resolved.place.type, type),
    "out-of-range",
    "return of an out-of-range value",
    at,
  );
  return [
    { kind: "copy", source: resolved.place, target, offset: 0, site, span },
    { kind: "return", value: undefined, site: NO_SITE, span },
  ];
}

// ---- multisets -----------------------------------------------------------------------------------

function lowerMultisetAdd(context: Context, node: Of<"multisetadd">): RuleStatement | undefined {
  const multiset = lowerMultiset(context, node.multiset, true);
  const resolved = resolveDesignator(context, node.element);
  if (!multiset || !resolved) return undefined;
  const { span } = node;
  const { element: type } = multiset.type;
  if (resolved.kind !== "place")
    return context.error(
      "not-a-variable",
      "`multisetadd` takes a variable",
      node.element.span,
      "assign the value to a variable first",
    );
  const { place } = resolved;
  if (!isAlike(context, place.type, type))
    return context.error(
      "type-mismatch",
      `${describeType(context, place.type)} cannot be added to this multiset: its elements have another type`,
      node.element.span,
    );
  return {
    kind: "multiset-add",
    element: place,
    multiset,
    site: context.siteIf(
      true,
      "out-of-range",
      `maximum size of multiset exceeded: ${context.text(node.multiset.span)} has room for ${multiset.type.bound}`,
      span,
    ),
    range: context.siteIf(
      !fits(place.type, type),
      "out-of-range",
      `out-of-range value in ${context.text(node.element.span)}`,
      span,
    ),
    span,
  };
}

function lowerMultisetRemove(context: Context, node: Of<"multisetremove">): RuleStatement | undefined {
  const multiset = lowerMultiset(context, node.multiset, true);
  const { name, span } = node;
  const slot =
    multiset && elementSlot(context, multiset, { kind: "designator", name, path: [], span: name.span });
  if (!multiset || slot === undefined) return undefined;
  const site = context.siteIf(
    true,
    "undefined-value",
    `\`${name.text}\` was removed from the multiset already`,
    span,
  );
  return { kind: "multiset-remove", slot, multiset, site, span };
}

function lowerMultisetRemoveIf(context: Context, node: Of<"multisetremovepred">): RuleStatement | undefined {
  const found = lowerElementsWhere(context, node, true);
  return found && { kind: "multiset-remove-if", ...found, span: node.span };
}
