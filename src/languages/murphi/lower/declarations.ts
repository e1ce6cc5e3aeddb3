/** Declarations of constants, types, variables and procedures. */
import {
  isSimple,
  NO_SITE,
  type Parameter,
  type Procedure,
  type RuleStatement,
  type RuleType,
} from "../../../model/rules.js";
import type { Declaration, Expression, ProcedureUnit } from "../ast.js";
import { lowerConstant } from "./constants.js";
import type { Context, LoweredProcedure, ProcedureInProgress } from "./context.js";
import { describeType, lowerType } from "./types.js";
import { lowerStatements } from "./statements.js";
import { nth } from "../../../model/known.js";

/** `overrides`: values of constants given by the user. */
export function lowerDeclaration(
  context: Context,
  node: Declaration,
  isGlobal: boolean,
  overrides: (name: string) => Expression | undefined = () => undefined,
): void {
  switch (node.kind) {
    case "const":
      for (const name of node.names) {
        const constant = lowerConstant(context, overrides(name.text) ?? node.value);
        context.declare(
          name,
          constant ? { kind: "constant", type: constant.type, value: constant.value } : { kind: "broken" },
        );
      }
      return;
    case "type": {
      const type = lowerType(context, node.type, node.names[0]?.text);
      for (const name of node.names)
        context.declare(name, type ? { kind: "type", type } : { kind: "broken" });
      return;
    }
    case "var": {
      const type = lowerType(context, node.type);
      for (const name of node.names) {
        if (!type) context.declare(name, { kind: "broken" });
        else if (isGlobal) {
          const index = context.variables.push({ name: name.text, type, span: name.span }) - 1;
          context.declare(name, { kind: "variable", index, type });
        } else {
          const slot = context.newSlot({ kind: "variable", name: name.text, type, isReadOnly: false });
          context.declare(name, { kind: "place", slot, type, readOnly: undefined });
        }
      }
    }
  }
}

/** Returns undefined if the head is invalid; declares the name in either case. */
export function lowerProcedure(context: Context, node: ProcedureUnit): Procedure | undefined {
  const index = context.procedures.length;
  const head = lowerHead(context, node, index);
  if (!head) {
    context.declare(node.name, { kind: "broken" });
    return undefined;
  }
  const { signature, inProgress } = head;
  context.procedures.push(signature);
  context.declare(node.name, { kind: "procedure", index });
  const where = `${signature.result || signature.complexResult ? "function" : "procedure"} ${node.name.text}`;
  const { result: body, slots } = context.inFrame({ where, isPure: false, procedure: inProgress }, () => {
    declareParameters(context, node, signature);
    // Names of the body hide parameters only in a nested block; both tools refuse that.
    for (const declaration of node.declarations) lowerDeclaration(context, declaration, false);
    return lowerStatements(context, node.body);
  });
  signature.isImpure = inProgress.isImpure;
  signature.writesParameters = inProgress.writesParameters;
  signature.isPure = !inProgress.isImpure && !inProgress.writesParameters;
  const isMissing = (signature.result ?? signature.complexResult) !== undefined && !alwaysReturns(body);
  const message = `The end of function ${node.name.text} reached without returning values.`;
  const noResult = isMissing ? context.site("error", message, node.span) : NO_SITE;
  const { name, parameters, result, isPure, span } = signature;
  return { name, parameters, result, isPure, span, slots, body, noResult };
}

interface Head {
  readonly signature: LoweredProcedure;
  readonly inProgress: ProcedureInProgress;
}

function lowerHead(context: Context, node: ProcedureUnit, index: number): Head | undefined {
  const formals: { isVar: boolean; type: RuleType; name: string }[] = [];
  let isBroken = false;
  for (const { isVar, names, type: written } of node.formals) {
    const type = lowerType(context, written);
    isBroken ||= !type;
    if (type) formals.push(...names.map(({ text }) => ({ isVar, type, name: text })));
  }
  const result = node.result && lowerType(context, node.result);
  if (isBroken || (node.result && !result)) return undefined;
  if (node.result && result && !isSimple(result) && !context.isRumur)
    return context.error(
      "not-simple",
      `in CMurphi a function cannot return ${describeType(context, result)}`,
      node.result.span,
      "use a `var` parameter",
    );
  const complexResult = result && !isSimple(result) ? result : undefined;
  const simpleResult = result && isSimple(result) ? result : undefined;
  const kindOf = ({ isVar, type }: (typeof formals)[0], i: number): Parameter["kind"] =>
    isVar
      ? "reference"
      : isSimple(type) && !context.undefinedArguments.has(`${node.name.text}#${i}`)
        ? "value"
        : "copy";
  const parameters: Parameter[] = formals.map((formal, i) => ({
    kind: kindOf(formal, i),
    type: formal.type,
  }));
  if (complexResult) parameters.push({ kind: "reference", type: complexResult });
  const common = { isImpure: false, writesParameters: complexResult !== undefined };
  return {
    signature: {
      name: node.name.text,
      parameters,
      formals,
      result: simpleResult,
      complexResult,
      span: node.name.span,
      isPure: false,
      // A conservative assumption during lowering; bodies without any fault are rare.
      mayFault: true,
      ...common,
    },
    inProgress: {
      index,
      result: simpleResult,
      resultPlace: complexResult && { slot: formals.length, type: complexResult },
      ...common,
    },
  };
}

function declareParameters(
  context: Context,
  node: ProcedureUnit,
  { parameters, complexResult }: LoweredProcedure,
): void {
  node.formals
    .flatMap(({ names }) => names)
    .forEach((name, i) => {
      const { kind, type } = nth(parameters, i);
      const readOnly = kind === "reference" ? undefined : `the parameter \`${name.text}\` is not \`var\``;
      const slotKind = kind === "reference" ? "reference" : kind === "copy" ? "variable" : "value";
      const slot = context.newSlot({
        kind: slotKind,
        name: name.text,
        type,
        isReadOnly: kind !== "reference",
      });
      if (kind === "value" && isSimple(type))
        context.declare(name, { kind: "value", slot, type, what: `the parameter \`${name.text}\`` });
      else context.declare(name, { kind: "place", slot, type, readOnly });
    });
  if (complexResult)
    context.newSlot({ kind: "reference", name: "result", type: complexResult, isReadOnly: false });
}

/** Whether every path ends in a `return` or an error. */
function alwaysReturns(body: readonly RuleStatement[]): boolean {
  const last = body.at(-1);
  if (!last) return false;
  if (last.kind === "return" || last.kind === "error") return true;
  return (
    last.kind === "if" && [...last.branches.map((branch) => branch.body), last.otherwise].every(alwaysReturns)
  );
}
