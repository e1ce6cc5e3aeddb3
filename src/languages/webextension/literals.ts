/** Recognises scripts, pages and attributes that are literals in arguments of calls. */
import type TypeScript from "typescript";
import { lastOf } from "../../model/known.js";
import type { ComponentFacts } from "./component.js";
import { isOfExtension, isScript } from "./scripts.js";
import { pathIn } from "./names.js";
import { isFunction, unwrapped } from "./syntax.js";

export class Literals {
  readonly #facts: ComponentFacts;
  readonly #ts: typeof TypeScript;

  constructor(facts: ComponentFacts, ts: typeof TypeScript) {
    this.#facts = facts;
    this.#ts = ts;
  }

  /** `window["ev" + "al"]`, but not a function of the component by index or name. */
  isMadeName(callee: TypeScript.Expression): boolean {
    const ts = this.#ts;
    const inner = unwrapped(ts, callee);
    if (!ts.isElementAccessExpression(inner) || inner.expression.kind === ts.SyntaxKind.ThisKeyword)
      return false;
    const path = pathIn(ts, this.#facts.roles, inner);
    return path === "*" || /^(document|navigator|location|Reflect|Object)\b.*\*/.test(path);
  }

  isLoaded(node: TypeScript.CallExpression): boolean {
    const ts = this.#ts;
    const isNamed = (each: TypeScript.Expression): boolean =>
      ts.isStringLiteralLike(each)
        ? isOfExtension(node, each.text) || node.expression.getText() === "require"
        : ts.isCallExpression(each) &&
          /\.getURL$/.test(each.expression.getText()) &&
          each.arguments.every((name) => ts.isStringLiteralLike(name));
    return node.arguments
      .slice(0, node.expression.kind === ts.SyntaxKind.ImportKeyword ? 1 : undefined)
      .every(isNamed);
  }

  isScriptName(node: TypeScript.Expression): boolean {
    const ts = this.#ts;
    if (ts.isStringLiteralLike(node)) return isScript(node.text);
    if (ts.isIdentifier(node))
      return isScript((this.#facts.constants.get(node.text) ?? "").replace(/["'`]/g, "").trim());
    const [only] = (ts.isNewExpression(node) || ts.isCallExpression(node) ? node.arguments : undefined) ?? [];
    return only !== undefined && ts.isStringLiteralLike(only) && isScript(only.text);
  }

  /** Not `onclick`, and not a computed name. */
  isPlainAttribute(given: readonly TypeScript.Expression[]): boolean {
    const [name] = given.length > 2 ? given.slice(1) : given;
    if (!name) return false;
    const text = this.#ts.isStringLiteralLike(name) ? name.text : this.#facts.constants.get(name.getText());
    return text !== undefined && !/^\W*(on|srcdoc)/i.test(text);
  }

  /**
   * `executeScript({ files: ["paint.js"] })`, `{ func: () => … }`: the files are analysed, the function belongs to this
   * component.
   */
  isWrittenHere(
    path: string,
    { arguments: given = [] }: { readonly arguments?: readonly TypeScript.Expression[] },
  ): boolean {
    if (!INJECTS.test(path)) return false;
    const ts = this.#ts;
    const isListed = (node: TypeScript.Expression): boolean =>
      ts.isArrayLiteralExpression(node)
        ? node.elements.every(isListed)
        : ts.isObjectLiteralExpression(node)
          ? isInjection(node)
          : ts.isStringLiteralLike(node) && isScript(node.text); // sound: test/languages/webextension/flows.test.ts
    const isOwnFunction = (node: TypeScript.Expression): boolean =>
      isFunction(ts, node) ||
      (ts.isIdentifier(node) &&
        this.#facts.functions.has(node.text) &&
        !this.#facts.parameters.has(node.text));
    const isInjection = ({ properties }: TypeScript.ObjectLiteralExpression): boolean =>
      properties.every((property) => {
        const name = property.name?.getText().replace(/["']/g, "") ?? "";
        if (/^(code|args|func|function|js|files?|\W*)$/.test(name) === false)
          return !ts.isSpreadAssignment(property);
        if (name === "args") return true;
        if (ts.isShorthandPropertyAssignment(property))
          return /^func(tion)?$/.test(name) && isOwnFunction(property.name);
        if (!ts.isPropertyAssignment(property)) return false;
        if (/^func(tion)?$/.test(name)) return isOwnFunction(property.initializer);
        return /^(js|files?)$/.test(name) && isListed(property.initializer);
      });
    return given.every(
      (argument, index) =>
        isFunction(ts, argument) ||
        (index === 0 &&
          given.length > 1 &&
          !ts.isObjectLiteralExpression(argument) &&
          !ts.isArrayLiteralExpression(argument)) ||
        ((ts.isObjectLiteralExpression(argument) || ts.isArrayLiteralExpression(argument)) &&
          isListed(argument)),
    );
  }

  namesPage(given: readonly TypeScript.Expression[]): boolean {
    const ts = this.#ts;
    const isWritten = (node: TypeScript.Expression): boolean => {
      const inner = unwrapped(ts, node);
      if (inner.kind === ts.SyntaxKind.NullKeyword || isFunction(ts, inner)) return true;
      if (ts.isConditionalExpression(inner)) return isWritten(inner.whenTrue) && isWritten(inner.whenFalse);
      if (ts.isBinaryExpression(inner)) return isWritten(inner.left) && isWritten(inner.right);
      if (ts.isCallExpression(inner))
        return (
          /^(runtime|extension)\.getURL$/.test(pathIn(ts, this.#facts.roles, inner.expression)) &&
          inner.arguments.every(isWritten)
        );
      return this.isNamed(inner);
    };
    return given.every((argument) => {
      if (!ts.isObjectLiteralExpression(argument)) return isWritten(argument);
      return argument.properties.every((property) => {
        if (!property.name || ts.isComputedPropertyName(property.name)) return false;
        if (!/^["']?(popup|panel|path|url)["']?$/.test(property.name.getText())) return true;
        return ts.isPropertyAssignment(property)
          ? isWritten(property.initializer)
          : ts.isIdentifier(property.name) && isWritten(property.name);
      });
    });
  }

  /** Whether the file is a literal, or evidently not a page. */
  isNamed(node: TypeScript.Expression): boolean {
    const ts = this.#ts;
    if (ts.isStringLiteralLike(node)) return true;
    if (ts.isIdentifier(node)) return this.#facts.constants.has(node.text);
    const end = ts.isTemplateExpression(node)
      ? lastOf(node.templateSpans).literal.text
      : ts.isBinaryExpression(node) && ts.isStringLiteralLike(node.right)
        ? node.right.text
        : "";
    return /\.(png|svg|jpe?g|gif|ico|webp|json|css|txt|wasm|woff2?|mp3|ogg)$/.test(end);
  }
}

const INJECTS =
  /^((scripting|tabs)\.executeScript|scripting\.(register|update)ContentScripts|contentScripts\.register|userScripts\.(register|update|execute))$/;
