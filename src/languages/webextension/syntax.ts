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

/** A string or concatenation that is not part of a larger one. */
export function isOuterText(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  const isSum = (at: TypeScript.Node): boolean =>
    ts.isBinaryExpression(at) && at.operatorToken.kind === ts.SyntaxKind.PlusToken;
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node) && !isSum(node)) return false;
  return !isSum(node.parent) && !ts.isTemplateSpan(node.parent);
}

/** Literal parts of the text, with a blank for each computed part. */
export function piecesOf(ts: typeof TypeScript, node: TypeScript.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => piecesOf(ts, expression) + literal.text).join("")
    );
  if (ts.isBinaryExpression(node)) return piecesOf(ts, node.left) + piecesOf(ts, node.right);
  return ts.isParenthesizedExpression(node) ? piecesOf(ts, node.expression) : " ";
}

export function onlyCalls(ts: typeof TypeScript, node: FunctionNode, index: number): boolean {
  const parameter = node.parameters[index];
  if (!parameter || !ts.isIdentifier(parameter.name) || parameter.dotDotDotToken || !node.body) return false;
  const { text } = parameter.name;
  const isFine = (at: TypeScript.Node): boolean => {
    if (ts.isIdentifier(at) && at.text === text && !isNamePosition(ts, at))
      return ts.isCallExpression(at.parent) && at.parent.expression === at;
    return ts.forEachChild(at, (child) => (isFine(child) ? undefined : true)) === undefined;
  };
  return isFine(node.body);
}

/** The name of a property or declaration rather than a value. */
export function isNamePosition(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  const { parent } = node;
  if (!ts.isIdentifier(node)) return false;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node || parent.name === node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  return (
    ((ts.isVariableDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isFunctionLike(parent) ||
      ts.isClassLike(parent) ||
      ts.isPropertyDeclaration(parent)) &&
      (parent as { name?: TypeScript.Node }).name === node) ||
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent) ||
    ts.isLabeledStatement(parent) ||
    ts.isBreakOrContinueStatement(parent) ||
    ts.isTypeNode(parent)
  );
}

/** The node with enclosing parentheses and the like. */
export function outermost(ts: typeof TypeScript, node: TypeScript.Node): TypeScript.Node {
  const { parent } = node;
  return ts.isParenthesizedExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isNonNullExpression(parent)
    ? outermost(ts, parent)
    : node;
}
