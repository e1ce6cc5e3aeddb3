/** Declarations, assignments, calls and results of names and functions. */
import type TypeScript from "typescript";
import { boundNames } from "./names.js";
import { isAssignment, isFunction, unwrapped, type FunctionNode } from "./syntax.js";

export type Declaration = TypeScript.VariableDeclaration | TypeScript.ParameterDeclaration;

/** `let tab;`, but not the variable of a loop or of a `catch`. */
export const isUnassigned = (ts: typeof TypeScript, declaration: Declaration): boolean =>
  ts.isVariableDeclaration(declaration) &&
  ts.isVariableStatement(declaration.parent.parent) &&
  (!declaration.initializer || /^(null|undefined)$/.test(declaration.initializer.getText()));

/** Declarations that a name may refer to: in the innermost enclosing function (or the file) that has any. */
export function declarationsOf(ts: typeof TypeScript, name: TypeScript.Identifier): Declaration[] {
  for (let at: TypeScript.Node | undefined = name.parent; at; at = at.parent) {
    if (!ts.isFunctionLike(at) && !ts.isSourceFile(at)) continue;
    const found: Declaration[] = [];
    const visit = (node: TypeScript.Node): void => {
      const isDeclaration = ts.isVariableDeclaration(node) || ts.isParameter(node);
      if (isDeclaration && boundNames(ts, node.name).includes(name.text)) found.push(node);
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(at, visit);
    if (found.length > 0) return found;
  }
  return [];
}

/** Names assigned by other means than `name = …`. */
export function otherwiseAssignedIn(
  ts: typeof TypeScript,
  scripts: readonly TypeScript.SourceFile[],
): ReadonlySet<string> {
  const names = new Set<string>();
  const addAll = (node: TypeScript.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, addAll);
  };
  const visit = (node: TypeScript.Node): void => {
    if (ts.isBinaryExpression(node) && isAssignment(ts, node)) {
      const target = unwrapped(ts, node.left);
      const isPattern = ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target);
      const isPlain = node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
      if (isPattern || (ts.isIdentifier(target) && !isPlain)) addAll(target);
    }
    if (ts.isForOfStatement(node) || ts.isForInStatement(node))
      if (!ts.isVariableDeclarationList(node.initializer)) addAll(node.initializer);
    ts.forEachChild(node, visit);
  };
  scripts.forEach(visit);
  return names;
}

export function elementOf(
  ts: typeof TypeScript,
  pattern: TypeScript.BindingName,
  name: string,
): TypeScript.BindingElement | undefined {
  if (ts.isIdentifier(pattern)) return undefined;
  for (const element of pattern.elements) {
    if (!ts.isBindingElement(element)) continue;
    if (ts.isIdentifier(element.name)) {
      if (element.name.text === name) return element;
    } else {
      const inner = elementOf(ts, element.name, name);
      if (inner) return inner;
    }
  }
  return undefined;
}

/** All calls, by the last name of the callee and by the names of their arguments. */
export function callsIn(
  ts: typeof TypeScript,
  scripts: readonly TypeScript.SourceFile[],
): Map<string, TypeScript.CallExpression[]> {
  const calls = new Map<string, TypeScript.CallExpression[]>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node))
      for (const name of new Set([node.expression, ...node.arguments].map((each) => lastName(ts, each))))
        if (name !== undefined) calls.set(name, [...(calls.get(name) ?? []), node]);
    ts.forEachChild(node, visit);
  };
  scripts.forEach(visit);
  return calls;
}

export function lastName(ts: typeof TypeScript, node: TypeScript.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : undefined;
}

export const denotes = (ts: typeof TypeScript, node: TypeScript.Expression, of: TypeScript.Node): boolean =>
  node === of ||
  (ts.isFunctionDeclaration(of) && of.name !== undefined && lastName(ts, node) === of.name.text) ||
  (isFunction(ts, of) &&
    ts.isVariableDeclaration(of.parent) &&
    lastName(ts, node) === of.parent.name.getText());

/** Expressions of all `return` statements; undefined for one without an expression. The end of the body is not included. */
export function returnsOf(ts: typeof TypeScript, of: FunctionNode): (TypeScript.Expression | undefined)[] {
  if (!of.body) return [undefined];
  if (!ts.isBlock(of.body)) return [of.body];
  const found: (TypeScript.Expression | undefined)[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (ts.isReturnStatement(node)) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(of.body, visit);
  return found;
}
