/**
 * Names of data read from the extension's storage, and values of fields in its pages.
 *
 * Invariant: a setting is declared once, and only computed with or written back.
 */
import type TypeScript from "typescript";
import { constantsIn, isBoolean } from "./constants.js";
import type { Declarations } from "./declarations.js";
import { boundNames, pathIn } from "./names.js";
import { isAssignment, isFunction, unwrapped } from "./syntax.js";

export class Settings {
  readonly #ts: typeof TypeScript;
  readonly #found: Declarations;
  readonly #settings = new Set<string>();
  readonly #otherwise = new Set<string>();
  readonly #doubtful = new Set<string>();
  readonly #ticked: TypeScript.Expression[] = [];
  readonly #filledIn: TypeScript.Expression[] = [];

  constructor(ts: typeof TypeScript, found: Declarations) {
    this.#ts = ts;
    this.#found = found;
  }

  /** Names whose every use computes with them or writes them back unchanged. */
  names(): Set<string> {
    return new Set(
      [...this.#settings].filter(
        (name) =>
          this.#found.isDeclaredOnce(name) &&
          !this.#found.assigned.has(name) &&
          !this.#otherwise.has(name) &&
          !this.#doubtful.has(name),
      ),
    );
  }

  ticksSettings(): boolean {
    return this.#areSettings(this.#ticked);
  }

  fillsInSettings(): boolean {
    return this.#areSettings([...this.#ticked, ...this.#filledIn]);
  }

  #areSettings(values: readonly TypeScript.Expression[]): boolean {
    const settings = new Set(this.#settings);
    const constants = constantsIn(this.#ts, this.#found);
    return values.every((value) => {
      if (this.#ts.isLiteralExpression(value) || constants.has(value.getText())) return true;
      const [root = ""] = pathIn(this.#ts, this.#found.roles, value).split(".");
      return isBoolean(this.#ts, value) || (settings.has(root) && !this.#otherwise.has(root)); // sound: test/languages/webextension/flows.test.ts
    });
  }

  visit(node: TypeScript.Node): void {
    const ts = this.#ts;
    if (ts.isCallExpression(node) && /\.setAttribute$/.test(node.expression.getText()))
      this.#filledIn.push(...node.arguments.slice(1));
    if (ts.isVariableDeclaration(node)) this.#noteSetting(node.name, node.initializer);
    if (ts.isParameter(node)) this.#noteSetting(node.name, readFor(ts, node));
    if (ts.isBinaryExpression(node) && isAssignment(ts, node)) this.#assignment(node);
    if (ts.isIdentifier(node) && !this.#isOnlyComputedWith(node)) this.#doubtful.add(node.text); // sound: test/languages/webextension/flows.test.ts
  }

  #assignment(node: TypeScript.BinaryExpression): void {
    const ts = this.#ts;
    const target = unwrapped(ts, node.left);
    const isTick =
      (ts.isPropertyAccessExpression(target) && target.name.text === "checked") ||
      ts.isElementAccessExpression(target);
    if (isTick) this.#ticked.push(unwrapped(ts, node.right));
    else if (ts.isPropertyAccessExpression(target)) this.#filledIn.push(unwrapped(ts, node.right));
  }

  /** `const { dark } = await browser.storage.sync.get({ dark: false })`, or the parameter of the callback. */
  #noteSetting(name: TypeScript.BindingName, value: TypeScript.Expression | undefined): void {
    const ts = this.#ts;
    const call = value && unwrapped(ts, value);
    const isRead =
      call !== undefined &&
      ts.isCallExpression(call) &&
      /^storage\.(local|sync|managed)\.get$/.test(pathIn(ts, this.#found.roles, call.expression)) &&
      call.arguments.every((each) => isFunction(ts, each) || isLiteral(ts, each));
    for (const each of boundNames(ts, name)) (isRead ? this.#settings : this.#otherwise).add(each);
  }

  #isOnlyComputedWith(name: TypeScript.Identifier): boolean {
    const ts = this.#ts;
    const { parent } = name;
    const isName =
      (ts.isPropertyAccessExpression(parent) && parent.name === name) ||
      (ts.isPropertyAssignment(parent) && parent.name === name) ||
      ts.isBindingElement(parent) ||
      ts.isParameter(parent) ||
      (ts.isVariableDeclaration(parent) && parent.name === name);
    if (isName) return true;
    let at: TypeScript.Node = name;
    while (
      (ts.isPropertyAccessExpression(at.parent) && at.parent.expression === at) ||
      ts.isParenthesizedExpression(at.parent)
    )
      at = at.parent;
    const around = at.parent;
    if (ts.isPrefixUnaryExpression(around))
      return (
        around.operator !== ts.SyntaxKind.PlusPlusToken && around.operator !== ts.SyntaxKind.MinusMinusToken
      );
    if (ts.isBinaryExpression(around))
      return !isAssignment(ts, around) && !/^(\|\||&&|\?\?|,)$/.test(around.operatorToken.getText());
    if (ts.isTemplateSpan(around) || ts.isIfStatement(around)) return true;
    if (ts.isConditionalExpression(around)) return around.condition === at;
    if (!ts.isPropertyAssignment(around) && !ts.isShorthandPropertyAssignment(around)) return false;
    // Written back to its origin.
    const call = around.parent.parent;
    return (
      ts.isCallExpression(call) &&
      /^storage\.(local|sync)\.set$/.test(pathIn(ts, this.#found.roles, call.expression))
    );
  }
}

/** The call whose result a callback receives: `asked.then((answer) => …)`, `ask(key, (answer) => …)`. */
function readFor(
  ts: typeof TypeScript,
  { parent }: TypeScript.ParameterDeclaration,
): TypeScript.Expression | undefined {
  const call = parent.parent;
  if (!isFunction(ts, parent) || !ts.isCallExpression(call)) return undefined;
  const { expression } = call;
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "then"
    ? expression.expression
    : call;
}

function isLiteral(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  if (
    ts.isIdentifier(node) ||
    ts.isCallExpression(node) ||
    ts.isComputedPropertyName(node) ||
    ts.isSpreadAssignment(node)
  )
    return false;
  if (ts.isPropertyAssignment(node))
    return !ts.isComputedPropertyName(node.name) && isLiteral(ts, node.initializer);
  return ts.forEachChild(node, (child) => (isLiteral(ts, child) ? undefined : true)) === undefined;
}
