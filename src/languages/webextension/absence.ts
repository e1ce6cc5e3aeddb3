/**
 * Finds tabs that may be `null` or `undefined`. `tab.incognito` then throws, and nothing is written; `tab?.incognito` is
 * false, although the window may be private, so it is not a test.
 *
 * Conservative: an expression counts as present only if it is known to be.
 */
import type TypeScript from "typescript";
import { callsIn, declarationsOf, lastName, returnsOf, type Declaration } from "./bindings.js";
import type { Names } from "./answers.js";
import { pathIn } from "./names.js";
import { isFunction, unwrapped, type FunctionNode } from "./syntax.js";
import { ANSWERS } from "./window-kinds.js";

export class Absence {
  readonly #ts: typeof TypeScript;
  readonly #names: Names;
  readonly #busy = new Set<TypeScript.Node>();
  #calls: ReadonlyMap<string, readonly TypeScript.CallExpression[]> | undefined;

  constructor(ts: typeof TypeScript, names: Names) {
    this.#ts = ts;
    this.#names = names;
  }

  mayBeAbsent(node: TypeScript.Expression): boolean {
    const inner = unwrapped(this.#ts, node);
    if (this.#busy.has(inner)) return false;
    this.#busy.add(inner);
    try {
      return this.#mayBeAbsent(inner);
    } finally {
      this.#busy.delete(inner);
    }
  }

  #mayBeAbsent(inner: TypeScript.Expression): boolean {
    const ts = this.#ts;
    if (ts.isIdentifier(inner)) return this.#ofName(inner);
    // `sender.tab`: `isSendersTab` decides.
    if (ts.isPropertyAccessExpression(inner)) return false;
    if (ts.isCallExpression(inner)) return this.#ofCall(inner);
    if (ts.isConditionalExpression(inner))
      return this.mayBeAbsent(inner.whenTrue) || this.mayBeAbsent(inner.whenFalse); // sound: test/languages/webextension/absence.test.ts
    if (ts.isBinaryExpression(inner) && /^(\|\||\?\?)$/.test(inner.operatorToken.getText()))
      return this.mayBeAbsent(inner.right);
    return true; // sound: test/languages/webextension/absence.test.ts
  }

  #ofName(name: TypeScript.Identifier): boolean {
    const declarations = declarationsOf(this.#ts, name);
    return (
      declarations.length === 0 ||
      declarations.some((each) => this.#ofDeclaration(each)) ||
      this.#assignedTo(name.text).some((each) => this.mayBeAbsent(each)) // sound: test/languages/webextension/absence.test.ts
    );
  }

  #ofDeclaration(declaration: Declaration): boolean {
    const ts = this.#ts;
    if (!ts.isIdentifier(declaration.name)) return true; // sound: test/languages/webextension/absence.test.ts
    if (ts.isParameter(declaration)) return this.#ofParameter(declaration);
    if (ts.isForOfStatement(declaration.parent.parent)) return false;
    return !declaration.initializer || this.mayBeAbsent(declaration.initializer);
  }

  #ofParameter(parameter: TypeScript.ParameterDeclaration): boolean {
    const ts = this.#ts;
    const own = parameter.parent as FunctionNode;
    const index = own.parameters.indexOf(parameter);
    if (isFunction(ts, own) && ts.isCallExpression(own.parent)) return !this.#passesValue(own.parent);
    const names = [...this.#names.functions].filter(([, all]) => all.includes(own)).map(([name]) => name);
    this.#calls ??= callsIn(ts, this.#names.scripts);
    const calls = names.flatMap((name) => (this.#calls?.get(name) ?? []).map((call) => ({ name, call })));
    return (
      calls.length === 0 ||
      calls.some(({ name, call }) => {
        if (lastName(ts, call.expression) !== name) return !this.#passesValue(call);
        const given = call.arguments[index];
        return !given || this.mayBeAbsent(given); // sound: test/languages/webextension/absence.test.ts
      })
    );
  }

  /** Whether the call passes existing values to its callback: an event, or a method of lists. */
  #passesValue(call: TypeScript.CallExpression): boolean {
    return /^(addListener|filter|map|flatMap|find|findLast|findIndex|some|every|forEach|sort)$/.test(
      lastName(this.#ts, unwrapped(this.#ts, call.expression)) ?? "",
    );
  }

  /** The browser's functions reject if there is no tab; methods of lists return `undefined`. */
  #ofCall(call: TypeScript.CallExpression): boolean {
    const ts = this.#ts;
    const path = pathIn(ts, this.#names.roles, call.expression);
    if (ANSWERS.test(path)) return false;
    const own = this.#names.functions.get(path.slice(path.lastIndexOf(".") + 1)) ?? [];
    return own.length === 0 || own.some((each) => this.#mayReturnNothing(each));
  }

  #mayReturnNothing(own: FunctionNode): boolean {
    const ts = this.#ts;
    const returned = returnsOf(ts, own);
    if (own.body && ts.isBlock(own.body) && !ends(ts, own.body)) return true; // sound: test/languages/webextension/absence.test.ts
    return returned.some((each) => each === undefined || this.mayBeAbsent(each));
  }

  #assignedTo(name: string): TypeScript.Expression[] {
    const ts = this.#ts;
    const found: TypeScript.Expression[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
        if (ts.isIdentifier(node.left) && node.left.text === name) found.push(node.right);
      ts.forEachChild(node, visit);
    };
    this.#names.scripts.forEach(visit);
    return found;
  }
}

/** Whether control never reaches the end of the statement; false if unknown. */
function ends(ts: typeof TypeScript, statement: TypeScript.Statement | undefined): boolean {
  if (!statement) return false;
  if (ts.isReturnStatement(statement) || ts.isThrowStatement(statement)) return true;
  if (ts.isBlock(statement)) return ends(ts, statement.statements.at(-1));
  return (
    ts.isIfStatement(statement) && ends(ts, statement.thenStatement) && ends(ts, statement.elseStatement)
  );
}
