import {
  isSimple,
  type Argument,
  type Call,
  type Place,
  type RuleExpr,
  type RuleType,
} from "../../../model/rules.js";
import type { Actual, CallNode } from "../ast.js";
import { coerce } from "./coerce.js";
import { chosen, liftedArgument } from "./complex-conditionals.js";
import type { Context, LoweredProcedure } from "./context.js";
import { hasEffects } from "./effects.js";
import { valueOf } from "./values.js";
import { resolveDesignator } from "./places.js";
import type { Resolved } from "./scope.js";
import { describeType, fits, isAlike, isSameType } from "./types.js";
import { nth } from "../../../model/known.js";

export function lowerCallExpression(context: Context, node: CallNode): RuleExpr | undefined {
  const procedure = findProcedure(context, node);
  if (!procedure) return undefined;
  const { result: type, complexResult } = procedure;
  if (!type)
    return complexResult
      ? context.error(
          "not-simple",
          `the result of \`${node.name.text}\` is ${describeType(context, complexResult)}, which is not allowed here`,
          node.span,
          "assign it to a variable first",
        )
      : context.error(
          "no-result",
          `\`${node.name.text}\` has no result`,
          node.span,
          "only functions can be called in expressions",
        );
  const lifted = liftedArgument(context, node);
  if (lifted) return context.expression(chosen(lifted.conditional, lifted.withBranch));
  const call = lowerCall(context, node, procedure);
  return call && { kind: "call", type, ...call };
}

/** An anonymous local variable. */
export function temporary(context: Context, type: RuleType, span: Place["span"]): Place {
  const slot = context.newSlot({ kind: "variable", name: "result", type, isReadOnly: false });
  return { root: { kind: "slot", slot }, path: [], type, span };
}

/**
 * Lowers a call whose result is a record, array or multiset to a place, assigned before the enclosing statement.
 * Requires a pure function, because other parts of the statement are evaluated later than their order in the text.
 */
export function lowerComplexResult(context: Context, node: CallNode): Place | undefined {
  const procedure = findProcedure(context, node);
  const type = procedure?.complexResult;
  if (!type || !context.before || hasEffects(procedure)) return undefined;
  const place = temporary(context, type, node.span);
  const call = lowerCall(context, node, procedure, place);
  if (call) context.before.push({ kind: "call", ...call });
  return call && place;
}

export function findProcedure(context: Context, { name }: CallNode): LoweredProcedure | undefined {
  const found = context.find(name);
  if (!found || found.symbol.kind === "broken") return undefined;
  if (found.symbol.kind === "procedure") return context.procedures[found.symbol.index];
  return context.error(
    "not-a-procedure",
    `\`${name.text}\` is neither a function nor a procedure`,
    name.span,
    undefined,
    [{ span: found.span, message: "declared here" }],
  );
}

/** `into`: destination of a result that is not simple. */
export function lowerCall(
  context: Context,
  node: CallNode,
  procedure: LoweredProcedure,
  into?: Place,
): Call | undefined {
  const { formals, name } = procedure;
  const index = context.procedures.indexOf(procedure);
  if (node.arguments.length !== formals.length)
    return context.error(
      "argument-count",
      `\`${name}\` takes ${formals.length} argument${formals.length === 1 ? "" : "s"}, not ${node.arguments.length}`,
      node.span,
    );
  const moved = context.before?.length ?? 0;
  const found = node.arguments.map((actual, i) => lowerArgument(context, actual, procedure, i));
  if (found.some((argument) => argument === undefined)) return undefined;
  // sound: test/languages/murphi/conditions.test.ts
  if ((context.before?.length ?? 0) > moved && changesSomething(context, found))
    return context.error(
      "not-simple",
      "a function with side effects is combined with one whose result is a record",
      node.span,
      "assign the record to a variable first",
    );
  const passed = [...(found as Argument[]), ...(into ? [{ kind: "reference", place: into } as const] : [])];
  noteEffects(context, node, procedure, passed);
  const isRecursive = context.body.procedure?.index === index;
  const tooDeep = context.siteIf(
    isRecursive,
    "endless",
    `calls of \`${name}\` inside each other are too deep`,
    node.span,
  );
  return { procedure: index, arguments: passed, tooDeep, span: node.span };
}

const changesSomething = (context: Context, node: unknown): boolean => {
  if (typeof node !== "object" || node === null) return false;
  const called = "procedure" in node ? context.procedures[node.procedure as number] : undefined;
  if (called && hasEffects(called)) return true;
  return Object.values(node).some((part) => changesSomething(context, part));
};

function noteEffects(
  context: Context,
  node: CallNode,
  procedure: LoweredProcedure,
  passed: readonly Argument[],
): void {
  const { isPure, procedure: caller } = context.body;
  const writesOthers =
    procedure.writesParameters &&
    passed.some((argument) => argument.kind === "reference" && !context.isLocal(argument.place));
  if (isPure && (procedure.isImpure || procedure.writesParameters))
    context.error(
      "impure-condition",
      `\`${procedure.name}\` changes something, and may not be called in a condition`,
      node.span,
      "a condition only looks at the state",
    );
  if (caller && procedure.isImpure) caller.isImpure = true;
  if (caller && writesOthers)
    for (const argument of passed) if (argument.kind === "reference") context.noteWrite(argument.place);
}

function lowerArgument(
  context: Context,
  actual: Actual,
  procedure: LoweredProcedure,
  index: number,
): Argument | undefined {
  const { isVar, type, name } = nth(procedure.formals, index);
  const parameter = nth(procedure.parameters, index);
  if (isVar) return lowerReference(context, actual, type);
  if (actual.kind === "undefined") return { kind: "undefined" };
  const resolved =
    actual.kind === "designator"
      ? resolveDesignator(context, actual)
      : (complexArgument(context, actual, type) ?? lowerValue(context, actual));
  if (!resolved) return undefined;
  const message = `out-of-range value for parameter \`${name}\` of \`${procedure.name}\``;
  // Copying an undefined variable is allowed; reading the copy is a fault.
  const isCopied =
    parameter.kind === "copy" && resolved.kind === "place" && isAlike(context, resolved.place.type, type);
  if (!isSimple(type) || isCopied) return lowerCopy(context, actual, resolved, type, message);
  const read = valueOf(context, resolved, actual.span);
  const value = read && coerce(context, read, type, "argument");
  if (!value || parameter.kind === "reference") return undefined;
  return {
    kind: "value",
    value,
    site: context.siteIf(!fits(value.type, type), "out-of-range", message, actual.span),
  };
}

function complexArgument(context: Context, actual: Actual, type: RuleType): Resolved | undefined {
  const place = actual.kind === "call" && !isSimple(type) ? lowerComplexResult(context, actual) : undefined;
  return place && { kind: "place", place, readOnly: "it is the result of a function" };
}

function lowerValue(context: Context, actual: Exclude<Actual, { kind: "undefined" }>): Resolved | undefined {
  const value = context.expression(actual);
  return value && { kind: "value", value, what: "the value" };
}

function lowerCopy(
  context: Context,
  actual: Actual,
  resolved: Resolved,
  type: RuleType,
  message: string,
): Argument | undefined {
  const given = resolved.kind === "place" ? resolved.place.type : resolved.value.type;
  if (resolved.kind !== "place" || !isAlike(context, given, type))
    return context.error(
      "type-mismatch",
      `${describeType(context, given)} cannot be used as argument: ${describeType(context, type)} of another type is needed`,
      actual.span,
    );
  const site = context.siteIf(!fits(given, type), "out-of-range", message, actual.span);
  return { kind: "copy", place: resolved.place, site };
}

function lowerReference(context: Context, actual: Actual, type: RuleType): Argument | undefined {
  const needed = (): undefined =>
    context.error(
      "not-a-variable",
      "a `var` parameter needs a variable",
      actual.span,
      "assign the value to a variable first",
    );
  if (actual.kind !== "designator") return needed();
  const resolved = resolveDesignator(context, actual);
  if (!resolved) return undefined;
  if (resolved.kind === "value") return needed();
  if (resolved.readOnly !== undefined)
    return context.error(
      "read-only",
      `\`${context.text(actual.span)}\` cannot be passed as \`var\`: ${resolved.readOnly}`,
      actual.span,
    );
  const { place } = resolved;
  const isFitting = isSimple(type)
    ? isSameType(place.type, type)
    : isAlike(context, place.type, type) && fits(place.type, type) && fits(type, place.type);
  if (isFitting) return { kind: "reference", place };
  return context.error(
    "type-mismatch",
    `${describeType(context, place.type)} cannot be passed as \`var\`: the types differ`,
    actual.span,
    place.type.kind === "range" && type.kind === "range"
      ? `the bounds ${type.low}..${type.high} are needed`
      : undefined,
  );
}
