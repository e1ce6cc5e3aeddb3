/** Names and access paths in the syntax tree. */
import type TypeScript from "typescript";

/** `storage.local.set` for `browser.storage.local.set`; `*` for a computed name; the role of a store or port. */
export function pathIn(
  ts: typeof TypeScript,
  roles: ReadonlyMap<string, string>,
  node: TypeScript.Node,
): string {
  const inside = (inner: TypeScript.Node): string => pathIn(ts, roles, inner);
  if (ts.isPropertyAccessExpression(node)) return joined(inside(node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) {
    const { argumentExpression: key } = node;
    return joined(inside(node.expression), ts.isStringLiteralLike(key) ? key.text : "*");
  }
  if (ts.isCallExpression(node)) return inside(node.expression);
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isNonNullExpression(node))
    return inside(node.expression);
  if (ts.isConditionalExpression(node)) return either(inside(node.whenTrue), inside(node.whenFalse));
  if (ts.isBinaryExpression(node) && /^(\|\||\?\?)$/.test(node.operatorToken.getText()))
    return either(inside(node.left), inside(node.right));
  if (ts.isIdentifier(node)) return roles.get(node.text) ?? node.text;
  if (node.kind === ts.SyntaxKind.ThisKeyword) return "this";
  if (node.kind === ts.SyntaxKind.SuperKeyword) return "super";
  return "";
}

/** `globalThis.browser ?? chrome` denotes the browser's API in either case. */
const either = (a: string, b: string): string =>
  a === b ? a : [a, b].every((each) => /^(browser|chrome)$/.test(each)) ? "browser" : "";

export const joined = (owner: string, name: string): string => (isGlobal(owner) ? name : `${owner}.${name}`);

/** `browser`, or an object with all globals: the window, including a frame's or a document's. */
const isGlobal = (path: string): boolean =>
  /^(browser|chrome|window|self|globalThis|this)$|(^|\.)(defaultView|contentWindow|wrappedJSObject)$/.test(
    path,
  ); // sound: test/languages/webextension/conditions.test.ts

export function boundNames(ts: typeof TypeScript, name: TypeScript.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) =>
    ts.isBindingElement(element) ? boundNames(ts, element.name) : [],
  );
}

export const nameOf = (ts: typeof TypeScript, name: TypeScript.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isPrivateIdentifier(name) ? name.text : "*";
