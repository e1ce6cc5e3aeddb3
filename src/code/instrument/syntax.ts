/** Predicates on syntax for the transformation. */
import ts from "typescript";

export type FunctionNode =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration
  | ts.AccessorDeclaration;

export const isFunctionNode = (node: ts.Node): node is FunctionNode => ts.isFunctionLike(node);

export type Member = ts.PropertyAccessExpression | ts.ElementAccessExpression;

export const isMember = (node: ts.Node): node is Member =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);

export type Link = ts.PropertyAccessChain | ts.ElementAccessChain | ts.CallChain;

export const isChain = (node: ts.Node): boolean => ts.isOptionalChain(node);

export function unwrapped(node: ts.Node): ts.Expression {
  let at = node as ts.Expression;
  while (ts.isParenthesizedExpression(at)) at = at.expression;
  return at;
}

/** Whether it contains an `await` or `yield` of the same function. */
export function suspends(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true;
  if (isFunctionNode(node)) return false;
  if (ts.isForOfStatement(node) && node.awaitModifier) return true;
  return ts.forEachChild(node, (child) => suspends(child) || undefined) ?? false;
}

/** Nesting depth of a pattern. */
export function depthOf(node: ts.Node): number {
  let deepest = 0;
  const visit = (child: ts.Node): void => {
    if (!isFunctionNode(child)) deepest = Math.max(deepest, depthOf(child));
  };
  ts.forEachChild(node, visit);
  const isOne =
    ts.isObjectBindingPattern(node) ||
    ts.isArrayBindingPattern(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node);
  return deepest + (isOne ? 1 : 0);
}

/** Whether parameters might use the activation before the body begins. */
export const hasBusyParameters = (node: FunctionNode): boolean =>
  node.parameters.some(
    ({ name, initializer }) =>
      (initializer !== undefined && !isPlainValue(initializer)) || !ts.isIdentifier(name),
  );

export const isAnonymousFunction = (node: ts.Expression): boolean => {
  const value = unwrapped(node);
  return (
    ts.isArrowFunction(value) ||
    ((ts.isFunctionExpression(value) || ts.isClassExpression(value)) && !value.name)
  );
};

export const isPlainValue = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTypeOfExpression(node) ||
  node.kind === ts.SyntaxKind.TrueKeyword ||
  node.kind === ts.SyntaxKind.FalseKeyword ||
  node.kind === ts.SyntaxKind.NullKeyword;
