/**
 * Calls that give a page that is there for all windows what is in the others, and whether private ones are left out of it at once.
 *
 * Always true: where not every use of the result is seen to skip private windows, the result is taken to be of them.
 */
import type TypeScript from "typescript";
import { isAssignment, isFunction, isPrivateName, unwrapped } from "./syntax.js";

/** The box from which such calls take. */
export const OTHER_WINDOWS = "other windows";

const ASKS_FOR_ALL =
  /^(tabs\.query|windows\.getAll|tabs\.getAllInWindow|windows\.(get|getCurrent|getLastFocused))$/;

/** Is something of other windows in what this call answers? */
export function reachesOtherWindows(
  ts: typeof TypeScript,
  path: string,
  call: TypeScript.CallExpression,
): boolean {
  if (!ASKS_FOR_ALL.test(path)) return false;
  const [query] = call.arguments;
  if (/^windows\.get(Current|LastFocused)?$/.test(path))
    return call.arguments.some((each) =>
      !ts.isObjectLiteralExpression(each) ? !isPlainId(ts, each) : /\bpopulate\b/.test(each.getText()),
    );
  return path !== "tabs.query" || !query || !isOfOneWindow(ts, query);
}

const isPlainId = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isNumericLiteral(node);

/** `{ currentWindow: true }`: that of the handler, as a window is at hand wherever one is looked for. */
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

/** `….filter((tab) => !tab.incognito)`: nothing of private windows is in it. */
export function leavesPrivateOut(ts: typeof TypeScript, value: TypeScript.Expression): boolean {
  const call = unwrapped(ts, value);
  if (!ts.isCallExpression(call)) return false;
  const filter = unwrapped(ts, call.expression);
  return ts.isPropertyAccessExpression(filter) && filter.name.text === "filter" && isCareful(ts, filter);
}

/** Are private windows left out wherever the result is used? */
export function isFiltered(ts: typeof TypeScript, call: TypeScript.CallExpression): boolean {
  const callback = call.arguments.find((each) => isFunction(ts, each));
  if (!callback) return isUsedWithCare(ts, outer(ts, call));
  const [parameter, another] = (callback as TypeScript.ArrowFunction).parameters;
  if (!parameter || another || !ts.isIdentifier(parameter.name)) return false;
  return usesOf(ts, callback, parameter.name.text).every((use) => isUsedWithCare(ts, outer(ts, use)));
}

function isUsedWithCare(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return isCareful(ts, parent);
  if (ts.isForOfStatement(parent) && parent.expression === node) return isCarefulLoop(ts, parent);
  if (!ts.isVariableDeclaration(parent)) return false;
  if (ts.isIdentifier(parent.name))
    return usesOf(ts, parent, parent.name.text).every((use) => isUsedWithCare(ts, outer(ts, use)));
  return false;
}

/** `all.filter((tab) => !tab.incognito)`, `asked.then((all) => …)`, `all.length` of nothing. */
function isCareful(ts: typeof TypeScript, access: TypeScript.PropertyAccessExpression): boolean {
  const call = access.parent;
  if (!ts.isCallExpression(call) || call.expression !== access) return false;
  const [first] = call.arguments;
  if (!first || !(ts.isArrowFunction(first) || ts.isFunctionExpression(first))) return false;
  const [parameter, another] = first.parameters;
  if (another || !parameter || !ts.isIdentifier(parameter.name)) return false;
  const name = parameter.name.text;
  switch (access.name.text) {
    case "filter": {
      const condition = ts.isBlock(first.body) ? onlyReturn(ts, first.body) : first.body;
      return condition !== undefined && isNotPrivate(ts, condition, name);
    }
    case "then":
      return usesOf(ts, first, name).every((use) => isUsedWithCare(ts, outer(ts, use)));
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
    isPrivateName(inner.name.text) &&
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

/** Does nothing with what it asks about. */
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

/** Every other mention of the name in the function, or the file, around its declaration. */
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
