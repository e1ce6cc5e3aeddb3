/**
 * `c ? a : b` over records, arrays or multisets. Such values have no place, so their use is duplicated into both
 * branches: `x := c ? a : b` becomes `if c then x := a else x := b end`.
 */
import { isSimple, type RuleType } from "../../../model/rules.js";
import type { Actual, CallNode, Expression, Statement, StatementOf } from "../ast.js";
import type { Context } from "./context.js";
import { hasEffects } from "./effects.js";

export type Conditional = Expression & { readonly kind: "conditional" };

export const isComplexConditional = (context: Context, node: Actual): node is Conditional => {
  if (node.kind !== "conditional") return false;
  const type = typeIn(context, node);
  return type !== undefined && !isSimple(type);
};

/** Duplicates a statement into both branches. */
export const branched = <S extends Statement>(
  { condition, then, otherwise, span }: Conditional,
  inBranch: (value: Expression) => S,
): StatementOf<"if"> => ({
  kind: "if",
  branches: [{ condition, body: [inBranch(then)] }],
  otherwise: [inBranch(otherwise)],
  span,
});

/** Duplicates an expression into both branches. */
export const chosen = (node: Conditional, inBranch: (value: Expression) => Expression): Conditional => ({
  ...node,
  then: inBranch(node.then),
  otherwise: inBranch(node.otherwise),
});

export interface LiftedArgument {
  readonly conditional: Conditional;
  withBranch(value: Expression): CallNode;
}

/**
 * The first conditional argument of a call. Its condition is then evaluated before the preceding arguments, which
 * therefore must be pure.
 */
export function liftedArgument(context: Context, node: CallNode): LiftedArgument | undefined {
  const at = node.arguments.findIndex((actual) => isComplexConditional(context, actual));
  const conditional = node.arguments[at];
  if (conditional?.kind !== "conditional") return undefined;
  // sound: test/languages/murphi/complex-conditionals.test.ts
  if (changesSomething(context, [...node.arguments.slice(0, at), conditional.condition])) return undefined;
  const withBranch = (value: Expression): CallNode => ({
    ...node,
    arguments: node.arguments.with(at, value),
  });
  return { conditional, withBranch };
}

/** Whether the node contains an impure call. */
function changesSomething(context: Context, node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("kind" in node && node.kind === "call") {
    const symbol = context.scope.find((node as CallNode).name.text)?.symbol;
    const called = symbol?.kind === "procedure" ? context.procedures[symbol.index] : undefined;
    if (called && hasEffects(called)) return true;
  }
  return Object.values(node).some((part) => changesSomething(context, part));
}

/** Type of a possible record, array or multiset; reports no diagnostics. */
function typeIn(context: Context, node: Expression): RuleType | undefined {
  if (node.kind === "conditional") return typeIn(context, node.then);
  if (node.kind !== "designator" && node.kind !== "call") return undefined;
  const symbol = context.scope.find(node.name.text)?.symbol;
  if (node.kind === "call")
    return symbol?.kind === "procedure" ? context.procedures[symbol.index]?.complexResult : undefined;
  let type = symbol && (symbol.kind === "variable" || symbol.kind === "place") ? symbol.type : undefined;
  for (const step of node.path) {
    if (step.kind === "field" && type?.kind === "record")
      type = type.fields.find(({ name }) => name === step.name.text)?.type;
    else if (step.kind === "index" && (type?.kind === "array" || type?.kind === "multiset"))
      type = type.element;
    else return undefined;
  }
  return type;
}
