/** Predicates on single nodes of the syntax tree. */
import type TypeScript from "typescript";

export type FunctionNode = TypeScript.FunctionLikeDeclaration;

export const isPrivateName = (name: string): boolean => name === "incognito" || name === "inIncognitoContext";

export const isAssignment = (
  ts: typeof TypeScript,
  { operatorToken: { kind } }: TypeScript.BinaryExpression,
): boolean => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Strips parentheses, `await`, `as` and `!`. */
export function unwrapped(ts: typeof TypeScript, node: TypeScript.Expression): TypeScript.Expression {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node)
  )
    return unwrapped(ts, node.expression);
  return node;
}

/** Whether `unwrapped` strips an `await`. */
export function isAwaiting(ts: typeof TypeScript, node: TypeScript.Expression): boolean {
  if (ts.isAwaitExpression(node)) return true;
  const isAround =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node);
  return isAround && isAwaiting(ts, node.expression);
}

export const isAsync = (ts: typeof TypeScript, { modifiers }: FunctionNode): boolean =>
  modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;

export const isFunction = (
  ts: typeof TypeScript,
  node: TypeScript.Node,
): node is TypeScript.ArrowFunction | TypeScript.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);
