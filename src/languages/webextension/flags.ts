/** Variables with the result of a test for private windows. */
import type TypeScript from "typescript";
import type { Answers } from "./answers.js";
import { isBoolean } from "./constants.js";
import type { Declarations } from "./declarations.js";
import { pathIn } from "./names.js";
import { isAssignment, unwrapped } from "./syntax.js";

export interface Flag {
  readonly isTrueInPrivate: boolean;
  /** Updated by an observer. */
  readonly isKept: boolean;
}

/**
 * Variables declared once and assigned only from tests of windows, with the same polarity; or constant until an
 * observer assigns them.
 */
export function flagsIn(ts: typeof TypeScript, found: Declarations, windows: Answers): Map<string, Flag> {
  const flags = new Map<string, Flag>();
  for (let size = -1; size < flags.size;) {
    size = flags.size;
    for (const [name, all] of found.values) {
      if (found.declarations.get(name) !== 1 || found.destructured.has(name) || found.parameters.has(name))
        continue;
      const answers = all.flatMap(({ node, isFirst }) => {
        if (isFirst && isBoolean(ts, node)) return [];
        return [answerOf(ts, found.roles, node, flags, windows)];
      });
      if (!found.variables.has(name) && !isSetFirst(ts, found, name)) continue; // sound: test/languages/webextension/windows.test.ts
      if (all.some(({ node }) => !isOfFocus(ts, found, name, node))) continue; // sound: test/languages/webextension/windows.test.ts
      const [first] = answers;
      if (first === undefined || answers.some((answer) => answer !== first)) continue;
      flags.set(name, { isTrueInPrivate: first, isKept: all.length > 1 || found.assigned.has(name) });
    }
  }
  for (const name of found.destructured)
    if (!found.assigned.has(name) && !found.values.has(name) && isBoundToAnswers(ts, found, windows, name))
      flags.set(name, { isTrueInPrivate: true, isKept: false });
  return flags;
}

/** Whether a local variable is assigned at its declaration, or once in the same block before its uses. */
function isSetFirst(ts: typeof TypeScript, found: Declarations, name: string): boolean {
  const uses = found.uses.get(name) ?? [];
  const declaration = uses.map(({ parent }) => parent).find((each) => ts.isVariableDeclaration(each));
  if (!declaration || !ts.isVariableStatement(declaration.parent.parent)) return false;
  const block = declaration.parent.parent.parent;
  const areBehind = (start: TypeScript.Node): boolean =>
    uses.every((use) => use.parent === declaration || (use.pos >= start.pos && use.end <= block.end));
  const isScoped = (declaration.parent.flags & ts.NodeFlags.BlockScoped) !== 0;
  if (!found.assigned.has(name)) return isScoped || areBehind(declaration); // sound: test/languages/webextension/windows.test.ts
  const [set, another] = uses.flatMap(({ parent }) => (ts.isBinaryExpression(parent) ? [parent] : []));
  return (
    set !== undefined &&
    another === undefined &&
    isAssignment(ts, set) &&
    set.parent.parent === block &&
    areBehind(set)
  ); // sound: test/languages/webextension/windows.test.ts
}

/** A flag shared by all handlers refers to the focused window: only focus events keep it up to date. */
function isOfFocus(
  ts: typeof TypeScript,
  found: Declarations,
  name: string,
  node: TypeScript.Expression,
): boolean {
  if (!found.variables.has(name) || isBoolean(ts, node)) return true;
  for (let at: TypeScript.Node = node; at.parent; at = at.parent)
    if (ts.isCallExpression(at.parent)) {
      const path = pathIn(ts, found.roles, at.parent.expression);
      if (/\.addListener$/.test(path)) return /^(windows\.onFocusChanged|tabs\.onActivated)\./.test(path); // sound: test/languages/webextension/windows.test.ts
    }
  return true;
}

/** Whether all bindings of the name are such results. */
function isBoundToAnswers(
  ts: typeof TypeScript,
  found: Declarations,
  windows: Answers,
  name: string,
): boolean {
  const declared = (found.uses.get(name) ?? []).filter(({ parent }) => {
    if (!ts.isBindingElement(parent) || parent.name.getText() !== name) return false;
    return (parent.propertyName ?? parent.name).getText() === "incognito"; // sound: test/languages/webextension/windows.test.ts
  });
  return (
    declared.length > 0 &&
    declared.length === found.declarations.get(name) &&
    declared.every((use) => windows.isBoundToAnswer(use))
  ); // sound: test/languages/webextension/windows.test.ts
}

function answerOf(
  ts: typeof TypeScript,
  roles: ReadonlyMap<string, string>,
  node: TypeScript.Expression,
  flags: ReadonlyMap<string, Flag>,
  windows: Answers,
): boolean | undefined {
  const inner = unwrapped(ts, node);
  if (ts.isPropertyAccessExpression(inner)) return isAnswer(ts, inner, roles, windows) ? true : undefined;
  if (ts.isIdentifier(inner)) return flags.get(inner.text)?.isTrueInPrivate;
  if (!ts.isPrefixUnaryExpression(inner) || inner.operator !== ts.SyntaxKind.ExclamationToken)
    return undefined;
  const operand = answerOf(ts, roles, inner.operand, flags, windows);
  return operand === undefined ? undefined : !operand;
}

/** `tab.incognito` of a tab of the browser, `extension.inIncognitoContext`. */
export function isAnswer(
  ts: typeof TypeScript,
  node: TypeScript.PropertyAccessExpression,
  roles: ReadonlyMap<string, string>,
  windows: Answers,
): boolean {
  const { name, expression } = node;
  if (name.text === "inIncognitoContext") return pathIn(ts, roles, expression) === "extension";
  if (name.text !== "incognito" || !windows.isWindow(expression)) return false; // sound: test/languages/webextension/windows.test.ts
  return !ts.isOptionalChain(node) || !windows.mayBeAbsent(expression); // sound: test/languages/webextension/absence.test.ts
}
