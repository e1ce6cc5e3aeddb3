/**
 * Calls that return data of other windows to a page shared by all, and filters that exclude private windows.
 *
 * Invariant: unless every use of the result provably skips private windows, the result counts as theirs.
 */
import type TypeScript from "typescript";
import { nth } from "../../model/known.js";
import type { Answers } from "./answers.js";
import { declarationsOf } from "./bindings.js";
import { isAssignment, isFunction, unwrapped } from "./syntax.js";

/** Box from which these calls read. */
export const OTHER_WINDOWS = "other windows";

const ASKS_FOR_ALL =
  /^(tabs\.query|windows\.getAll|tabs\.getAllInWindow|windows\.(get|getCurrent|getLastFocused))$/;

/**
 * Whether the result can contain data of other windows. `isOfFront`: the caller is in the focused window, or about none
 * in particular.
 */
export function reachesOtherWindows(
  ts: typeof TypeScript,
  path: string,
  call: TypeScript.CallExpression,
  isOfFront: boolean,
): boolean {
  const [query] = call.arguments;
  if (path === "tabs.get") return query !== undefined && isCounted(ts, query); // sound: test/languages/webextension/windows.test.ts
  if (path === "tabs.captureVisibleTab") return !isOfFront && !isOfGivenWindow(ts, call.arguments); // sound: test/languages/webextension/windows.test.ts
  if (!ASKS_FOR_ALL.test(path)) return false;
  // The focused window may be private while a tab of another window loads.
  if (path === "tabs.query" && query && !isOfFront && LOOKS_AT_FRONT.test(query.getText())) return true; // sound: test/languages/webextension/windows.test.ts
  if (!isOfFront && isWindowInFront(path, query) && !readsOnlyIncognito(ts, call)) return true; // sound: test/languages/webextension/windows.test.ts
  if (/^windows\.get(Current|LastFocused)?$/.test(path))
    return call.arguments.some((each) =>
      !ts.isObjectLiteralExpression(each) ? !isPlainId(ts, each) : /\bpopulate\b/.test(each.getText()),
    );
  return path !== "tabs.query" || !query || !isOfOneWindow(ts, query);
}

const isPlainId = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isNumericLiteral(node);

const LOOKS_AT_FRONT = /\b(currentWindow|lastFocusedWindow)\b|\bWINDOW_ID_CURRENT\b/;

const isWindowInFront = (path: string, asked: TypeScript.Expression | undefined): boolean =>
  /^windows\.get(Current|LastFocused)$/.test(path) ||
  (path === "windows.get" && asked !== undefined && LOOKS_AT_FRONT.test(asked.getText()));

/** `(await windows.getLastFocused()).incognito`, and no other property. */
function readsOnlyIncognito(ts: typeof TypeScript, call: TypeScript.CallExpression): boolean {
  const { parent } = outer(ts, call);
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text === "incognito";
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return false;
  return parent.name.elements.every((each) => (each.propertyName ?? each.name).getText() === "incognito");
}

const isOfGivenWindow = (ts: typeof TypeScript, [first]: readonly TypeScript.Expression[]): boolean =>
  first !== undefined && isPlainId(ts, first) && !LOOKS_AT_FRONT.test(first.getText());

/** A computed number rather than an id from the browser: any tab may have it. */
function isCounted(ts: typeof TypeScript, node: TypeScript.Expression): boolean {
  const inner = unwrapped(ts, node);
  if (!ts.isIdentifier(inner)) return !ts.isPropertyAccessExpression(inner);
  return declarationsOf(ts, inner).some((declaration) => {
    if (ts.isParameter(declaration)) {
      const { parent } = declaration;
      return isFunction(ts, parent) && ts.isCallExpression(parent.parent) && !isListening(parent.parent);
    }
    return declaration.initializer !== undefined && isNumber(ts, declaration.initializer);
  });
}

const isListening = ({ expression }: TypeScript.CallExpression): boolean =>
  /\.addListener$/.test(expression.getText());

const isNumber = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isNumericLiteral(node) || ts.isPrefixUnaryExpression(node) || ts.isBinaryExpression(node);

/** `{ currentWindow: true }`: the handler's window. */
function isOfOneWindow(ts: typeof TypeScript, query: TypeScript.Expression): boolean {
  const inner = unwrapped(ts, query);
  if (!ts.isObjectLiteralExpression(inner)) return false;
  return inner.properties.some((each) => {
    const name = each.name?.getText().replace(/["']/g, "") ?? "";
    if (name === "windowId") return true;
    const isTrue = ts.isPropertyAssignment(each) && each.initializer.kind === ts.SyntaxKind.TrueKeyword;
    return isTrue && /^(currentWindow|lastFocusedWindow)$/.test(name);
  });
}

/** `….filter((tab) => !tab.incognito)` of the browser's tabs: excludes private windows. */
export function leavesPrivateOut(
  ts: typeof TypeScript,
  value: TypeScript.Expression,
  answers: Answers,
): boolean {
  const call = unwrapped(ts, value);
  if (!ts.isCallExpression(call)) return false;
  const filter = unwrapped(ts, call.expression);
  return (
    ts.isPropertyAccessExpression(filter) &&
    filter.name.text === "filter" &&
    answers.areWindows(filter.expression) &&
    isCareful(ts, filter)
  ); // sound: test/languages/webextension/windows.test.ts
}

export function isFiltered(ts: typeof TypeScript, call: TypeScript.CallExpression): boolean {
  const callback = call.arguments.find((each) => isFunction(ts, each));
  if (!callback) return isUsedWithCare(ts, outer(ts, call));
  const [parameter, another] = (callback as TypeScript.ArrowFunction).parameters;
  return parameter !== undefined && !another && isNameUsedWithCare(ts, callback, parameter.name);
}

/** `all`, if each use excludes private windows; or `[tab]`, if a test precedes each use. */
function isNameUsedWithCare(
  ts: typeof TypeScript,
  declaration: TypeScript.Node,
  name: TypeScript.BindingName,
): boolean {
  if (ts.isIdentifier(name))
    return (
      usesOf(ts, declaration, name.text).every((use) => isUsedWithCare(ts, outer(ts, use))) ||
      isGuarded(ts, declaration, name.text)
    );
  const [only, another] = ts.isArrayBindingPattern(name) ? name.elements : [];
  if (!only || another || !ts.isBindingElement(only) || only.dotDotDotToken) return false;
  return ts.isIdentifier(only.name) && isGuarded(ts, declaration, only.name.text);
}

/** `if (tab.incognito) return;` before every other use of the tab, or `if (!tab.incognito) …` around them all. */
function isGuarded(ts: typeof TypeScript, declaration: TypeScript.Node, name: string): boolean {
  const uses = usesOf(ts, declaration, name).filter(({ parent }) => !ts.isBindingElement(parent));
  let guard: TypeScript.Node | undefined = uses[0];
  while (guard && !ts.isIfStatement(guard) && !ts.isStatement(guard)) guard = guard.parent;
  if (!guard || !ts.isIfStatement(guard) || !uses[0] || !isWithin(uses[0], guard.expression)) return false;
  const { expression, thenStatement, elseStatement, parent } = guard;
  const others = uses.filter((use) => !isWithin(use, expression));
  if (isNotPrivate(ts, expression, name)) return others.every((use) => isWithin(use, thenStatement));
  const then = ts.isBlock(thenStatement) ? thenStatement.statements : [thenStatement];
  const leaves =
    then.length === 1 && (ts.isContinueStatement(nth(then, 0)) || ts.isReturnStatement(nth(then, 0)));
  return (
    leaves &&
    !elseStatement &&
    isPrivate(ts, expression, name) &&
    others.every((use) => use.pos >= guard.end && isWithin(use, parent))
  ); // sound: test/languages/webextension/windows.test.ts
}

const isWithin = ({ pos, end }: TypeScript.Node, around: TypeScript.Node): boolean =>
  pos >= around.pos && end <= around.end;

function isUsedWithCare(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return isCareful(ts, parent);
  if (ts.isForOfStatement(parent) && parent.expression === node) return isCarefulLoop(ts, parent);
  return ts.isVariableDeclaration(parent) && isNameUsedWithCare(ts, parent, parent.name);
}

/** `all.filter((tab) => !tab.incognito)`, `asked.then((all) => …)`; not `all.length`. */
function isCareful(ts: typeof TypeScript, access: TypeScript.PropertyAccessExpression): boolean {
  const call = access.parent;
  if (!ts.isCallExpression(call) || call.expression !== access) return false;
  const [first] = call.arguments;
  if (!first || !(ts.isArrowFunction(first) || ts.isFunctionExpression(first))) return false;
  const [parameter, another] = first.parameters;
  if (another || !parameter) return false;
  if (access.name.text === "then") return isNameUsedWithCare(ts, first, parameter.name);
  if (!ts.isIdentifier(parameter.name)) return false;
  const name = parameter.name.text;
  switch (access.name.text) {
    case "filter": {
      const condition = ts.isBlock(first.body) ? onlyReturn(ts, first.body) : first.body;
      return condition !== undefined && isNotPrivate(ts, condition, name);
    }
    case "forEach":
    case "map":
      return ts.isBlock(first.body) && skipsFirst(ts, first.body.statements[0], name);
    default:
      return false;
  }
}

function isCarefulLoop(ts: typeof TypeScript, loop: TypeScript.ForOfStatement): boolean {
  const { initializer, statement } = loop;
  if (!ts.isVariableDeclarationList(initializer)) return false;
  const [declared] = initializer.declarations;
  if (!declared || !ts.isIdentifier(declared.name)) return false;
  return skipsFirst(ts, ts.isBlock(statement) ? statement.statements[0] : statement, declared.name.text);
}

/** `if (tab.incognito) continue;` */
function skipsFirst(ts: typeof TypeScript, first: TypeScript.Statement | undefined, name: string): boolean {
  if (!first || !ts.isIfStatement(first)) return false;
  if (isNotPrivate(ts, first.expression, name)) {
    const { parent } = first;
    return first.elseStatement === undefined && (!ts.isBlock(parent) || parent.statements.length === 1);
  }
  const then = ts.isBlock(first.thenStatement) ? first.thenStatement.statements : [first.thenStatement];
  const leaves =
    then.length === 1 && then.every((each) => ts.isContinueStatement(each) || ts.isReturnStatement(each));
  return leaves && first.elseStatement === undefined && isPrivate(ts, first.expression, name);
}

function isPrivate(ts: typeof TypeScript, node: TypeScript.Expression, name: string): boolean {
  const inner = unwrapped(ts, node);
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.BarBarToken)
    return isPrivate(ts, inner.left, name) || (isPure(ts, inner.left) && isPrivate(ts, inner.right, name));
  return (
    ts.isPropertyAccessExpression(inner) &&
    inner.name.text === "incognito" &&
    ts.isIdentifier(inner.expression) &&
    inner.expression.text === name
  );
}

function isNotPrivate(ts: typeof TypeScript, node: TypeScript.Expression, name: string): boolean {
  const inner = unwrapped(ts, node);
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
    return (
      isNotPrivate(ts, inner.left, name) || (isPure(ts, inner.left) && isNotPrivate(ts, inner.right, name))
    );
  if (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken)
    return inner.right.kind === ts.SyntaxKind.FalseKeyword && isPrivate(ts, inner.left, name);
  return (
    ts.isPrefixUnaryExpression(inner) &&
    inner.operator === ts.SyntaxKind.ExclamationToken &&
    isPrivate(ts, inner.operand, name)
  );
}

/** Whether the condition has no effects. */
function isPure(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  if (ts.isBinaryExpression(node) && isAssignment(ts, node)) return false;
  if (ts.isPostfixUnaryExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node))
    return false;
  if (ts.isCallExpression(node) && !/\.(startsWith|endsWith|includes|test)$/.test(node.expression.getText()))
    return false;
  return ts.forEachChild(node, (child) => (isPure(ts, child) ? undefined : true)) === undefined;
}

function onlyReturn(
  ts: typeof TypeScript,
  { statements }: TypeScript.Block,
): TypeScript.Expression | undefined {
  const [only, more] = statements;
  return only && !more && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** Other uses of the name in the function or file of its declaration. */
function usesOf(ts: typeof TypeScript, declaration: TypeScript.Node, name: string): TypeScript.Node[] {
  let scope: TypeScript.Node = declaration;
  if (!ts.isFunctionLike(scope))
    do scope = scope.parent;
    while (!ts.isFunctionLike(scope) && !ts.isSourceFile(scope));
  const uses: TypeScript.Node[] = [];
  const visit = (node: TypeScript.Node): void => {
    const isOther = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
    const isDeclared =
      (ts.isVariableDeclaration(node.parent) || ts.isParameter(node.parent)) && node.parent.name === node;
    if (ts.isIdentifier(node) && node.text === name && !isOther && !isDeclared) uses.push(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(scope, visit);
  return uses;
}

function outer(ts: typeof TypeScript, node: TypeScript.Node): TypeScript.Node {
  const { parent } = node;
  return ts.isParenthesizedExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isNonNullExpression(parent)
    ? outer(ts, parent)
    : node;
}
