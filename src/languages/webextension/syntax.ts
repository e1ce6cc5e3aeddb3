/** What the extraction asks of single nodes of the syntax tree. */
import type TypeScript from "typescript";

export type FunctionNode = TypeScript.FunctionLikeDeclaration;

export const isPrivateName = (name: string): boolean => name === "incognito" || name === "inIncognitoContext";

export const isAssignment = (
  ts: typeof TypeScript,
  { operatorToken: { kind } }: TypeScript.BinaryExpression,
): boolean => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Without parentheses, `await`, `as` and `!`. */
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

export const isFunction = (
  ts: typeof TypeScript,
  node: TypeScript.Node,
): node is TypeScript.ArrowFunction | TypeScript.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);
