/**
 * Requests upgraded to a secure connection to the same host: `{ redirectUrl: details.url.replace("http:", "https:") }`.
 *
 * Invariant: the address belongs to the request itself, which an inline listener receives and does not change.
 */
import type TypeScript from "typescript";
import { pathIn } from "./names.js";
import { isAssignment, isFunction, unwrapped } from "./syntax.js";

export function isUpgrade(
  ts: typeof TypeScript,
  roles: ReadonlyMap<string, string>,
  node: TypeScript.Expression,
): boolean {
  const call = unwrapped(ts, node);
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  const { expression: address, name } = call.expression;
  const [from, to] = call.arguments;
  if (name.text !== "replace" || !from || !to) return false;
  const isHttp = ts.isRegularExpressionLiteral(from)
    ? /^\/\^http:(\\\/\\\/)?\/i?$/.test(from.text)
    : ts.isStringLiteralLike(from) && /^http:(\/\/)?$/.test(from.text);
  const length = from.getText().includes("//") || from.getText().includes("\\/") ? "https://" : "https:";
  return isHttp && ts.isStringLiteralLike(to) && to.text === length && isOfRequest(ts, roles, address); // sound: test/languages/webextension/manifest.test.ts
}

/** `details.url` of a listener's first parameter that is neither changed nor passed on. */
function isOfRequest(
  ts: typeof TypeScript,
  roles: ReadonlyMap<string, string>,
  node: TypeScript.Expression,
): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== "url" || !ts.isIdentifier(node.expression))
    return false;
  const { text } = node.expression;
  let listener: TypeScript.Node = node;
  while (listener.parent && !ts.isFunctionLike(listener)) listener = listener.parent;
  if (!isFunction(ts, listener) || !ts.isCallExpression(listener.parent)) return false;
  const [parameter] = listener.parameters;
  if (!parameter || !ts.isIdentifier(parameter.name) || parameter.name.text !== text) return false;
  if (pathIn(ts, roles, listener.parent.expression) !== "webRequest.onBeforeRequest.addListener")
    return false; // sound: test/languages/webextension/manifest.test.ts
  const isFine = (at: TypeScript.Node): boolean => {
    if (ts.isIdentifier(at) && at.text === text && at !== parameter.name) return isRead(ts, at);
    return ts.forEachChild(at, (child) => (isFine(child) ? undefined : true)) === undefined;
  };
  return isFine(listener.body);
}

function isRead(ts: typeof TypeScript, { parent, text }: TypeScript.Identifier): boolean {
  if (!ts.isPropertyAccessExpression(parent)) return false;
  const isOwner = ts.isIdentifier(parent.expression) && parent.expression.text === text;
  const around = parent.parent;
  const isChanged =
    (ts.isBinaryExpression(around) && isAssignment(ts, around) && around.left === parent) ||
    ts.isDeleteExpression(around) ||
    ts.isArrayLiteralExpression(around) ||
    ts.isPropertyAssignment(around);
  return isOwner && !isChanged; // sound: test/languages/webextension/manifest.test.ts
}
