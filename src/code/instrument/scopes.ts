/** Finds shared variables, used in one function and declared in another: only these are visible to unrelated turns. */
import ts from "typescript";
import { nth } from "../../model/known.js";

export interface Shared {
  readonly number: number;
  /** Each activation of it has one instance. */
  readonly owner: ts.Node;
  /** Constant while its owner runs: a function that is never assigned. */
  isFixed: boolean;
}

export interface Scopes {
  /** The shared variable of an identifier; undefined: local. */
  shared(identifier: ts.Identifier): Shared | undefined;
  isGlobal(identifier: ts.Identifier): boolean;
  ownedBy(node: ts.Node): boolean;
}

interface Bound extends ts.Node {
  readonly locals?: ReadonlyMap<ts.__String, ts.Symbol>;
  readonly symbol?: ts.Symbol;
}

export function scopesOf(file: ts.SourceFile): Scopes {
  bind(file);
  const found = new Map<ts.Symbol, Shared>();
  const symbols = new Map<ts.Identifier, ts.Symbol | undefined>();
  const assigned = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && (isReference(node) || isDeclared(node))) {
      const symbol = resolve(node);
      symbols.set(node, symbol);
      if (symbol && isReference(node)) {
        const owner = functionOf(nth(symbol.declarations!, 0));
        if (isTarget(node)) assigned.add(symbol);
        if (functionOf(node) !== owner && !found.has(symbol))
          found.set(symbol, { number: found.size + 1, owner, isFixed: false });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const [symbol, shared] of found)
    shared.isFixed = !assigned.has(symbol) && (symbol.declarations ?? []).every(isFunction);
  const owners = new Set([...found.values()].filter(({ isFixed }) => !isFixed).map(({ owner }) => owner));
  const shared = (identifier: ts.Identifier): Shared | undefined => {
    const symbol = symbols.get(identifier);
    const one = symbol && found.get(symbol);
    return one?.isFixed ? undefined : one;
  };
  return {
    shared,
    isGlobal: (identifier) => symbols.has(identifier) && symbols.get(identifier) === undefined,
    ownedBy: (node) => owners.has(node),
  };
}

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node);

/** TypeScript's binder finds the scopes; it is not in the published types. */
function bind(file: ts.SourceFile): void {
  const { bindSourceFile } = ts as unknown as {
    bindSourceFile(file: ts.SourceFile, options: ts.CompilerOptions): void;
  };
  bindSourceFile(file, { target: ts.ScriptTarget.ESNext });
}

function resolve(identifier: ts.Identifier): ts.Symbol | undefined {
  const name = identifier.escapedText;
  for (let node = identifier.parent as Bound | undefined; node; node = node.parent as Bound | undefined) {
    const local = node.locals?.get(name);
    if (local) return local;
    const { name: own } = node as { name?: ts.Identifier };
    const isNamed = ts.isFunctionExpression(node as ts.Node) || ts.isClassExpression(node as ts.Node);
    if (isNamed && own?.escapedText === name) return node.symbol;
  }
  return undefined;
}

/** The function in whose activation a node is evaluated; field initialisers run at construction. */
export function functionOf(node: ts.Node): ts.Node {
  let at = node.parent;
  while (!ts.isSourceFile(at) && !isBoundary(at)) at = at.parent;
  return at;
}

const isBoundary = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) ||
  ts.isClassStaticBlockDeclaration(node) ||
  (ts.isPropertyDeclaration(node) && node.initializer !== undefined);

const isDeclared = ({ parent }: ts.Identifier): boolean =>
  ts.isVariableDeclaration(parent) ||
  ts.isBindingElement(parent) ||
  ts.isParameter(parent) ||
  ts.isClassDeclaration(parent);

/** Whether it is a use of a variable, rather than a property name or declaration. */
export function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isPropertyDeclaration(parent))
    return parent.initializer === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent) || ts.isMetaProperty(parent))
    return false;
  if (ts.isFunctionLike(parent)) return ts.isArrowFunction(parent) && parent.body === node;
  return !ts.isClassLike(parent);
}

/** Whether it is a write to the variable. */
export function isTarget(node: ts.Identifier): boolean {
  let at: ts.Node = node;
  for (;;) {
    const { parent } = at;
    if (ts.isBinaryExpression(parent) && isAssignment(parent.operatorToken.kind)) return parent.left === at;
    if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      return (
        parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken
      );
    if (ts.isForInStatement(parent) || ts.isForOfStatement(parent)) return parent.initializer === at;
    const isPattern =
      ts.isArrayLiteralExpression(parent) ||
      ts.isObjectLiteralExpression(parent) ||
      ts.isSpreadElement(parent) ||
      ts.isSpreadAssignment(parent) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isParenthesizedExpression(parent);
    if (!isPattern) return false;
    at = parent;
  }
}

export const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
