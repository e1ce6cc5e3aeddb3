import type TypeScript from "typescript";
import type { Declarations } from "./declarations.js";
import { isAssignment, unwrapped } from "./syntax.js";

/** `const STYLE = "…"`: declared once, with a constant string or number. */
export function constantsIn(ts: typeof TypeScript, found: Declarations): Map<string, string> {
  const constants = new Map<string, string>();
  const isConstant = (node: TypeScript.Expression): boolean => {
    const inner = unwrapped(ts, node);
    if (ts.isStringLiteralLike(inner) || ts.isNumericLiteral(inner) || isBoolean(ts, inner)) return true;
    if (ts.isPrefixUnaryExpression(inner)) return isConstant(inner.operand);
    if (ts.isBinaryExpression(inner))
      return !isAssignment(ts, inner) && isConstant(inner.left) && isConstant(inner.right);
    if (ts.isTemplateExpression(inner))
      return inner.templateSpans.every(({ expression }) => isConstant(expression));
    return ts.isIdentifier(inner) && constants.has(inner.text);
  };
  for (let size = -1; size < constants.size;) {
    size = constants.size;
    for (const [name, [only, more]] of found.values)
      if (
        only &&
        !more &&
        found.constDeclared.has(name) &&
        found.isDeclaredOnce(name) &&
        !found.parameters.has(name) &&
        isConstant(only.node)
      )
        constants.set(name, textIn(ts, only.node, constants)); // sound: test/languages/webextension/flows.test.ts
  }
  return constants;
}

/** The node's text with constants expanded. */
export function textIn(
  ts: typeof TypeScript,
  node: TypeScript.Node,
  constants: ReadonlyMap<string, string>,
): string {
  const names: string[] = [];
  const visit = (at: TypeScript.Node): void => {
    if (ts.isIdentifier(at)) names.push(constants.get(at.text) ?? "");
    ts.forEachChild(at, visit);
  };
  visit(node);
  return [node.getText(), ...names].join(" ");
}

export const isBoolean = (ts: typeof TypeScript, node: TypeScript.Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
