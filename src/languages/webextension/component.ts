/** What a component declares: its functions, the variables its handlers share, and flags that tell private windows apart. */
import type TypeScript from "typescript";
import type { Component } from "./manifest.js";

export type FunctionNode = TypeScript.FunctionLikeDeclaration;

export interface ComponentFacts {
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  readonly sharesVariables: boolean;
  /** By name, methods too; two of one name are both possible. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  /** Variables outside of functions: what is put into them can be read by every handler. */
  readonly variables: ReadonlySet<string>;
  /** Variables that say whether the window is private. */
  readonly flags: ReadonlySet<string>;
  /** Names that stand for an object store, or a port. */
  readonly roles: ReadonlyMap<string, string>;
  /** Names imported from packages, which are not seen. */
  readonly unseen: ReadonlySet<string>;
}

export function factsOf(component: Component, ts: typeof TypeScript): ComponentFacts {
  const { name, scripts, sharesVariables } = component;
  const functions = new Map<string, FunctionNode[]>();
  const variables = new Set<string>();
  const roles = new Map<string, string>();
  const unseen = new Set<string>();
  const values = new Map<string, TypeScript.Expression[]>();
  const note = (key: string, value: TypeScript.Expression): void =>
    void values.set(key, [...(values.get(key) ?? []), value]);
  const addFunction = (key: string, node: FunctionNode): void =>
    void functions.set(key, [...(functions.get(key) ?? []), node]);

  const visit = (node: TypeScript.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name && node.body)
      addFunction(node.name.getText(), node);
    if (ts.isPropertyAssignment(node) && isFunction(ts, node.initializer))
      addFunction(node.name.getText(), node.initializer);
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const initializer = unwrapped(ts, node.initializer);
      if (isFunction(ts, initializer)) addFunction(node.name.text, initializer);
      else {
        note(node.name.text, initializer);
        if (/\bobjectStore\s*\(/.test(initializer.getText())) roles.set(node.name.text, "objectStore");
        if (/\b(runtime|tabs)\.connect\s*\(/.test(initializer.getText())) roles.set(node.name.text, "port");
      }
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isOutside(ts, node))
      variables.add(node.name.text);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const target = unwrapped(ts, node.left);
      if (ts.isIdentifier(target)) note(target.text, unwrapped(ts, node.right));
    }
    if (ts.isImportDeclaration(node)) for (const imported of namesOf(ts, node)) unseen.add(imported);
    ts.forEachChild(node, visit);
  };
  scripts.forEach(visit);
  const flags = flagsAmong(ts, values);
  for (const flag of flags) variables.delete(flag);
  for (const key of functions.keys()) variables.delete(key);
  return { name, scripts, sharesVariables, functions, variables, flags, roles, unseen };
}

/** Assigned from a question about private windows, or a constant until one is asked. */
function flagsAmong(
  ts: typeof TypeScript,
  values: ReadonlyMap<string, readonly TypeScript.Expression[]>,
): Set<string> {
  const flags = new Set<string>();
  const isConstant = (node: TypeScript.Expression): boolean =>
    node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
  for (let size = -1; size < flags.size;) {
    size = flags.size;
    for (const [name, all] of values) {
      const asked = all.filter((value) => asksAboutWindow(ts, value, flags));
      if (asked.length > 0 && all.every((value) => asked.includes(value) || isConstant(value)))
        flags.add(name);
    }
  }
  return flags;
}

/** `tab.incognito`, `extension.inIncognitoContext`, a flag, or such with `!`, `&&`, `||`, `===` around. */
export function asksAboutWindow(
  ts: typeof TypeScript,
  node: TypeScript.Expression,
  flags: ReadonlySet<string>,
): boolean {
  const inner = unwrapped(ts, node);
  if (ts.isPropertyAccessExpression(inner)) return isPrivateName(inner.name.text);
  if (ts.isIdentifier(inner)) return flags.has(inner.text) || isPrivateName(inner.text);
  if (ts.isPrefixUnaryExpression(inner)) return asksAboutWindow(ts, inner.operand, flags);
  return false;
}

export const isPrivateName = (name: string): boolean => name === "incognito" || name === "inIncognitoContext";

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

function isOutside(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  for (let at: TypeScript.Node | undefined = node.parent; at; at = at.parent)
    if (ts.isFunctionLike(at) || ts.isClassLike(at)) return false;
  return true;
}

/** What an import of something that is no file of the extension brings in. */
function namesOf(ts: typeof TypeScript, node: TypeScript.ImportDeclaration): string[] {
  if (!ts.isStringLiteral(node.moduleSpecifier) || node.moduleSpecifier.text.startsWith(".")) return [];
  const { name, namedBindings } = node.importClause ?? {};
  const inner = !namedBindings
    ? []
    : ts.isNamespaceImport(namedBindings)
      ? [namedBindings.name.text]
      : namedBindings.elements.map((element) => element.name.text);
  return [...(name ? [name.text] : []), ...inner];
}
