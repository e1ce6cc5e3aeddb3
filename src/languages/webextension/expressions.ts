/** Expressions: reads, computations and assignments. */
import type TypeScript from "typescript";
import { nth } from "../../model/known.js";
import { isFetching, isFetchingStyle, PART_OF_ADDRESS } from "./apis.js";
import { Calls } from "./calls.js";
import type { ComponentFacts } from "./component.js";
import type { Surroundings } from "./flows.js";
import { choose, repeated, type Line } from "./lines.js";
import { boundNames, pathIn } from "./names.js";
import { OTHER_WINDOWS } from "./other-windows.js";
import { decide, type Mode, type Question } from "./windows.js";
import { isAssignment, isFunction, unwrapped } from "./syntax.js";

/** Properties that only display their value. */
const SHOWN = /^(textContent|innerText|className|title|hidden|disabled|checked|value|placeholder|id)$/;

export abstract class Expressions extends Calls {
  protected readonly question: Question;

  constructor(facts: ComponentFacts, mode: Mode, around: Surroundings) {
    super(facts, mode, around);
    this.question = {
      ts: around.ts,
      facts,
      mode,
      pagesSend: around.pagesSend,
      seesOthers: around.mayHold(OTHER_WINDOWS),
      note: (node, message) => around.note(node, message),
    };
  }

  protected expression(node: TypeScript.Node): Line[] {
    const ts = this.ts;
    if (isFunction(ts, node) || ts.isTypeNode(node)) return [];
    if (ts.isCallExpression(node)) return this.callExpression(node);
    if (ts.isNewExpression(node)) return this.newExpression(node);
    if (ts.isTaggedTemplateExpression(node)) return this.tagged(node);
    if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node) || ts.isDeleteExpression(node))
      return this.#changed(node);
    if (ts.isConditionalExpression(node)) {
      const isPrivate = decide(this.question, node.condition);
      const [yes, no] = this.maybe(() => [this.expression(node.whenTrue), this.expression(node.whenFalse)]);
      const ways = isPrivate === undefined ? choose([yes, no]) : isPrivate ? yes : no;
      return [...this.expression(node.condition), ...ways];
    }
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isIdentifier(node)) return this.#read(node);
    if (ts.isPropertyAccessExpression(node)) return this.expression(node.expression);
    if (ts.isPropertyAssignment(node)) return this.expression(node.initializer);
    const lines: Line[] = [];
    ts.forEachChild(node, (child) => void lines.push(...this.expression(child)));
    return lines;
  }

  #binary(node: TypeScript.BinaryExpression): Line[] {
    const ts = this.ts;
    const { kind } = node.operatorToken;
    const isAnd = kind === ts.SyntaxKind.AmpersandAmpersandToken;
    if (isAnd || kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) {
      const isPrivate =
        kind === ts.SyntaxKind.QuestionQuestionToken ? undefined : decide(this.question, node.left);
      const right = this.maybe(() => this.expression(node.right));
      const isTaken = isPrivate === undefined ? undefined : isPrivate === isAnd;
      return [
        ...this.expression(node.left),
        ...(isTaken === undefined ? choose([right, []]) : isTaken ? right : []),
      ];
    }
    if (!isAssignment(ts, node)) return [...this.expression(node.left), ...this.expression(node.right)];
    const value = isFunction(ts, node.right) ? [] : this.expression(node.right);
    return [...this.inTarget(node.left), ...value, ...this.#stored(node.left, [node.right], node)];
  }

  protected inTarget(left: TypeScript.Expression): Line[] {
    const ts = this.ts;
    const inner = unwrapped(ts, left);
    if (ts.isPropertyAccessExpression(inner)) return this.expression(inner.expression);
    if (ts.isElementAccessExpression(inner))
      return [...this.expression(inner.expression), ...this.expression(inner.argumentExpression)];
    return ts.isIdentifier(inner) ? [] : this.loose(inner);
  }

  /** `n++`, `delete list[key]`: the count and the key are data. */
  #changed(
    node: TypeScript.PostfixUnaryExpression | TypeScript.PrefixUnaryExpression | TypeScript.DeleteExpression,
  ): Line[] {
    const ts = this.ts;
    const target = ts.isDeleteExpression(node) ? node.expression : node.operand;
    const isChange =
      ts.isDeleteExpression(node) ||
      node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken;
    if (!isChange) return this.expression(target);
    return [...this.inTarget(target), ...this.#stored(target, [target], node)];
  }

  /** Assigns to a variable, to a property that is fetched or persisted, or to the heap. */
  #stored(
    left: TypeScript.Expression,
    values: readonly TypeScript.Expression[],
    node: TypeScript.Node,
  ): Line[] {
    const ts = this.ts;
    const target = unwrapped(ts, left);
    const path = pathIn(ts, this.facts.roles, target);
    const last = path.slice(path.lastIndexOf(".") + 1);
    if (/(^|\.)(localStorage\.[^.]*|cookie)$/.test(path))
      // sound: test/languages/webextension/flows.test.ts

      return this.effect({ kind: "sink", sink: "Storage" }, values, node);
    if (/^sessionStorage\./.test(path)) return this.effect({ kind: "put", box: "session" }, values, node);
    if (ts.isIdentifier(target) && this.facts.variables.has(target.text))
      return this.assigned(target.text, nth(values, 0), node);
    if (ts.isIdentifier(target) && (this.facts.flags.has(target.text) || this.#isOfThisFunction(target)))
      return [];
    const isFetched = isFetching(path) && (path.includes(".") || last === "location");
    const isOfLink =
      path.includes(".") && PART_OF_ADDRESS.test(last) && !this.facts.urls.has(nth(path.split("."), 0)); // sound: test/languages/webextension/flows.test.ts
    const isAccess = ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target);
    const isComputed =
      isAccess && (last === "*" || isFetchingStyle(last)) && this.mayBeElement(target.expression); // sound: test/languages/webextension/flows.test.ts
    const isField = /^(value|nodeValue|textContent|checked|data)$/.test(last) && this.sendsFields(); // sound: test/languages/webextension/flows.test.ts
    const isOfSheet = /^(textContent|innerText|content)$/.test(last) && this.fetchesText(); // sound: test/languages/webextension/flows.test.ts
    if ((isFetched || isOfSheet || isOfLink || isComputed || isField) && !this.isOwnText(values))
      return this.fetched(last, values, node);
    // A page shared by all windows may read it back for another window.
    const isShown = SHOWN.test(last) && !this.facts.sharesVariables; // sound: test/languages/webextension/flows.test.ts
    if (!ts.isIdentifier(target) && isShown && !this.facts.variables.has(nth(path.split("."), 0))) return [];
    const [root = ""] = path.split(".");
    const named = this.facts.variables.has(root) ? this.assigned(root, nth(values, 0), node) : [];
    const within =
      ts.isObjectLiteralExpression(target) || ts.isArrayLiteralExpression(target)
        ? this.#inPattern(target, node)
        : [];
    return [...named, ...within, ...(values.every((value) => this.isEmpty([value])) ? [] : this.heap(node))];
  }

  /** The variables in `({ a, b: [c] } = …)`. */
  #inPattern(target: TypeScript.Node, node: TypeScript.Node): Line[] {
    const lines: Line[] = [];
    const visit = (at: TypeScript.Node): void => {
      if (this.ts.isIdentifier(at) && this.facts.variables.has(at.text))
        lines.push(...repeated(this.sending(this.box(at.text), node)));
      this.ts.forEachChild(at, visit);
    };
    visit(target);
    return lines;
  }

  /** Whether the variable is declared in the function that assigns it, and therefore ends with it. */
  #isOfThisFunction(name: TypeScript.Identifier): boolean {
    const ts = this.ts;
    let at: TypeScript.Node = name;
    while (at.parent && !ts.isFunctionLike(at)) at = at.parent;
    if (!ts.isFunctionLike(at)) return false;
    const { parameters } = at;
    let isDeclared = parameters.some((each) => boundNames(ts, each.name).includes(name.text));
    const visit = (node: TypeScript.Node): void => {
      if (ts.isVariableDeclaration(node) && boundNames(ts, node.name).includes(name.text)) isDeclared = true;
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(at, visit);
    return isDeclared;
  }

  /** Assigns a variable that other handlers can read. Inside a function, even a constant is an implicit flow. */
  protected assigned(name: string, value: TypeScript.Expression, node: TypeScript.Node): Line[] {
    if (!this.facts.variables.has(name)) return [];
    if (this.calls.length === 0) return this.effect({ kind: "put", box: this.box(name) }, [value], node);
    return repeated(this.sending(this.box(name), node));
  }

  #read(node: TypeScript.Identifier): Line[] {
    if (!this.facts.variables.has(node.text)) return [];
    return this.effect({ kind: "get", box: this.box(node.text) }, [], node);
  }
}
