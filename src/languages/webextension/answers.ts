/**
 * Finds expressions that denote a tab or window of the browser, whose `incognito` is therefore authentic.
 *
 * Invariant: an expression of unknown origin is rejected. A setting, a message or an object of the extension may have
 * or lack a property of this name, and some events pass objects without it.
 */
import type TypeScript from "typescript";
import {
  callsIn,
  declarationsOf,
  elementOf,
  denotes,
  isUnassigned,
  lastName,
  otherwiseAssignedIn,
  returnsOf,
  type Declaration,
} from "./bindings.js";
import { Absence } from "./absence.js";
import { pathIn } from "./names.js";
import { isAssignment, isAsync, isAwaiting, isFunction, unwrapped, type FunctionNode } from "./syntax.js";
import {
  ANSWERS,
  answeredBy,
  listenerArgument,
  isLater,
  later,
  memberOf,
  settled,
  type Kind,
} from "./window-kinds.js";

export interface Names {
  readonly scripts: readonly TypeScript.SourceFile[];
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  readonly roles: ReadonlyMap<string, string>;
  readonly declared: ReadonlySet<string>;
}

export class Answers {
  readonly #ts: typeof TypeScript;
  readonly #names: Names;
  readonly #absence: Absence;
  /** Nodes under evaluation; recursion contributes nothing. */
  readonly #busy = new Set<TypeScript.Node>();
  #calls: ReadonlyMap<string, readonly TypeScript.CallExpression[]> | undefined;
  #isOverwritten: boolean | undefined;
  #otherwiseAssigned: ReadonlySet<string> | undefined;

  constructor(ts: typeof TypeScript, names: Names) {
    this.#ts = ts;
    this.#names = names;
    this.#absence = new Absence(ts, names);
  }

  /** Whether the browser sets `incognito` of this value. */
  isWindow(node: TypeScript.Expression): boolean {
    return this.#kindOf(node) === "one" && !this.isOverwritten(); // sound: test/languages/webextension/windows.test.ts
  }

  /** Whether this is a list of the browser's tabs or windows. */
  areWindows(node: TypeScript.Expression): boolean {
    return this.#kindOf(node) === "many" && !this.isOverwritten(); // sound: test/languages/webextension/windows.test.ts
  }

  /** Whether the component assigns `incognito`, or a computed property of a tab. */
  isOverwritten(): boolean {
    if (this.#isOverwritten !== undefined) return this.#isOverwritten;
    const ts = this.#ts;
    this.#isOverwritten = false;
    const names = (node: TypeScript.Node): boolean => /\bincognito\b/.test(node.getText());
    const isOfTab = (node: TypeScript.Expression | undefined): boolean =>
      node !== undefined && settled(this.#kindOf(node)) === "one";
    const isFound = (node: TypeScript.Node): boolean => {
      if (ts.isBinaryExpression(node) && isAssignment(ts, node)) {
        const target = unwrapped(ts, node.left);
        if (names(target) && !ts.isIdentifier(target)) return true;
        if (ts.isElementAccessExpression(target) && isOfTab(target.expression)) return true;
      }
      if (ts.isDeleteExpression(node) && names(node)) return true; // sound: test/languages/webextension/windows.test.ts
      if (ts.isCallExpression(node) && /^(Object|Reflect)\./.test(node.expression.getText()))
        if (CHANGES_OBJECT.test(node.expression.getText()) && isOfTab(node.arguments[0])) return true; // sound: test/languages/webextension/windows.test.ts
      if (ts.isForOfStatement(node) && !ts.isVariableDeclarationList(node.initializer))
        if (names(node.initializer)) return true; // sound: test/languages/webextension/windows.test.ts
      return ts.forEachChild(node, (child) => isFound(child) || undefined) ?? false;
    };
    this.#isOverwritten = this.#names.scripts.some(isFound);
    return this.#isOverwritten;
  }

  /** Whether the value may be `null` or `undefined`. */
  mayBeAbsent(node: TypeScript.Expression): boolean {
    return this.#absence.mayBeAbsent(node);
  }

  isPort(node: TypeScript.Expression): boolean {
    return this.#kindOf(node) === "port";
  }

  /** `sender.tab`, which messages from pages of the extension lack. */
  isSendersTab(node: TypeScript.Expression): boolean {
    const ts = this.#ts;
    const inner = unwrapped(ts, node);
    if (ts.isIdentifier(inner)) return this.#initializersOf(inner).some((each) => this.isSendersTab(each));
    return (
      ts.isPropertyAccessExpression(inner) &&
      inner.name.text === "tab" &&
      this.#kindOf(inner.expression) === "sender"
    );
  }

  /** Whether the name is bound to `incognito` of a tab or window: `const { incognito } = tab`. */
  isBoundToAnswer(name: TypeScript.Identifier): boolean {
    const ts = this.#ts;
    const element = name.parent;
    if (!ts.isBindingElement(element) || !ts.isObjectBindingPattern(element.parent)) return false;
    return this.#ofPattern(element.parent) === "one" && !this.isOverwritten(); // sound: test/languages/webextension/windows.test.ts
  }

  #kindOf(node: TypeScript.Expression): Kind | undefined {
    const kind = this.#kindInside(unwrapped(this.#ts, node));
    return isAwaiting(this.#ts, node) ? settled(kind) : kind; // sound: test/languages/webextension/windows.test.ts
  }

  #kindInside(inner: TypeScript.Expression): Kind | undefined {
    const ts = this.#ts;
    if (this.#busy.has(inner)) return undefined;
    this.#busy.add(inner);
    try {
      if (ts.isIdentifier(inner)) return this.#ofName(inner);
      if (ts.isPropertyAccessExpression(inner))
        return memberOf(this.#kindOf(inner.expression), inner.name.text);
      if (ts.isElementAccessExpression(inner))
        return this.#kindOf(inner.expression) === "many" ? "one" : undefined;
      if (ts.isCallExpression(inner)) return this.#ofCall(inner);
      if (ts.isNewExpression(inner)) return this.#ofPromise(inner);
      if (ts.isConditionalExpression(inner)) return this.#same([inner.whenTrue, inner.whenFalse]);
      if (ts.isBinaryExpression(inner) && /^(\|\||\?\?)$/.test(inner.operatorToken.getText()))
        return this.#same([inner.left, inner.right]);
      return undefined;
    } finally {
      this.#busy.delete(inner);
    }
  }

  /** The common kind of all nodes, ignoring `null` and `undefined`: reading `incognito` of these throws (`absence.ts` for `?.`). */
  #same(nodes: readonly TypeScript.Expression[]): Kind | undefined {
    const kinds = new Set(nodes.filter((each) => !this.#isNothing(each)).map((each) => this.#kindOf(each)));
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }

  #isNothing(node: TypeScript.Expression): boolean {
    const inner = unwrapped(this.#ts, node);
    return inner.kind === this.#ts.SyntaxKind.NullKeyword || inner.getText() === "undefined";
  }

  #ofName(name: TypeScript.Identifier): Kind | undefined {
    const ts = this.#ts;
    const declarations = declarationsOf(ts, name);
    if (declarations.length === 0 || this.#names.functions.has(name.text)) return undefined;
    this.#otherwiseAssigned ??= otherwiseAssignedIn(ts, this.#names.scripts);
    if (this.#otherwiseAssigned.has(name.text)) return undefined; // sound: test/languages/webextension/windows.test.ts
    const kinds = new Set([
      ...declarations
        .filter((each) => !isUnassigned(ts, each))
        .map((each) => this.#ofDeclaration(each, name.text)),
      ...this.#assignedTo(name.text).map((each) => this.#kindOf(each)),
    ]);
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }

  #assignedTo(name: string): TypeScript.Expression[] {
    const ts = this.#ts;
    const found: TypeScript.Expression[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isIdentifier(node.left) &&
        node.left.text === name &&
        !this.#isNothing(node.right)
      )
        found.push(node.right);
      ts.forEachChild(node, visit);
    };
    this.#names.scripts.forEach(visit);
    return found;
  }

  #initializersOf(name: TypeScript.Identifier): TypeScript.Expression[] {
    return declarationsOf(this.#ts, name).flatMap((each) =>
      this.#ts.isVariableDeclaration(each) && each.initializer ? [each.initializer] : [],
    );
  }

  #ofDeclaration(declaration: Declaration, name: string): Kind | undefined {
    const ts = this.#ts;
    if (ts.isIdentifier(declaration.name)) return this.#ofBound(declaration);
    const element = elementOf(ts, declaration.name, name);
    if (!element || element.dotDotDotToken) return undefined;
    const whole = this.#ofPattern(element.parent);
    if (ts.isArrayBindingPattern(element.parent)) return whole === "many" ? "one" : undefined;
    const key = element.propertyName ?? element.name;
    return ts.isIdentifier(key) ? memberOf(whole, key.text) : undefined;
  }

  #ofPattern(pattern: TypeScript.BindingPattern): Kind | undefined {
    const ts = this.#ts;
    const holder = pattern.parent;
    if (!ts.isBindingElement(holder)) return this.#ofBound(holder);
    const outer = this.#ofPattern(holder.parent);
    if (ts.isArrayBindingPattern(holder.parent)) return outer === "many" ? "one" : undefined;
    const key = holder.propertyName;
    return key && ts.isIdentifier(key) ? memberOf(outer, key.text) : undefined;
  }

  #ofBound(declaration: Declaration): Kind | undefined {
    const ts = this.#ts;
    if (ts.isParameter(declaration)) return this.#ofParameter(declaration);
    const loop = declaration.parent.parent;
    if (ts.isForOfStatement(loop)) return this.#kindOf(loop.expression) === "many" ? "one" : undefined;
    return declaration.initializer ? this.#kindOf(declaration.initializer) : undefined;
  }

  /** The kind of the argument, if all calls agree. */
  #ofParameter(parameter: TypeScript.ParameterDeclaration): Kind | undefined {
    if (this.#busy.has(parameter)) return undefined;
    this.#busy.add(parameter);
    try {
      const { parent } = parameter;
      const index = parent.parameters.indexOf(parameter);
      const kinds = new Set(
        this.#usesOf(parent as FunctionNode).map((use) => this.#givenBy(use, parent, index)),
      );
      return kinds.size === 1 ? [...kinds][0] : undefined;
    } finally {
      this.#busy.delete(parameter);
    }
  }

  /** Calls of a function, and calls that receive it as an argument. */
  #usesOf(of: FunctionNode): { readonly call: TypeScript.CallExpression; readonly isHanded: boolean }[] {
    const ts = this.#ts;
    const holder = of.parent;
    if (isFunction(ts, of) && ts.isCallExpression(holder) && holder.arguments.includes(of))
      return [{ call: holder, isHanded: true }];
    return [...this.#names.functions]
      .filter(([, all]) => all.includes(of))
      .flatMap(([name]) => this.#callsWith(name));
  }

  #callsWith(name: string): { readonly call: TypeScript.CallExpression; readonly isHanded: boolean }[] {
    const ts = this.#ts;
    this.#calls ??= callsIn(ts, this.#names.scripts);
    return (this.#calls.get(name) ?? []).map((call) => ({
      call,
      isHanded: call.arguments.some((each) => lastName(ts, each) === name),
    }));
  }

  #givenBy(
    { call, isHanded }: { readonly call: TypeScript.CallExpression; readonly isHanded: boolean },
    of: TypeScript.Node,
    index: number,
  ): Kind | undefined {
    const ts = this.#ts;
    if (!isHanded) {
      const given = call.arguments[index];
      return given && !ts.isSpreadElement(given) ? this.#kindOf(given) : undefined;
    }
    const path = pathIn(ts, this.#names.roles, call.expression);
    const event = /^(.*)\.addListener$/.exec(path)?.[1];
    if (event !== undefined)
      return listenerArgument(event, index, call.expression.getText(), this.#names.declared.has("browser"));
    const callee = unwrapped(ts, call.expression);
    if (ts.isPropertyAccessExpression(callee) && index === 0) {
      const owner = this.#kindOf(callee.expression);
      if (callee.name.text === "then") return isLater(owner) ? settled(owner) : undefined;
      if (/^(filter|map|flatMap|find|findLast|findIndex|some|every|forEach)$/.test(callee.name.text))
        return owner === "many" ? "one" : undefined;
      if (callee.name.text === "sort") return owner === "many" ? "one" : undefined;
    }
    if (index === 0 && ANSWERS.test(path)) return answeredBy(path);
    const own = this.#names.functions.get(path.slice(path.lastIndexOf(".") + 1)) ?? [];
    const at = call.arguments.findIndex(
      (each) => each === of || (!isFunction(ts, each) && denotes(ts, each, of)),
    );
    const kinds = new Set(own.map((each) => this.#givenToParameter(each, at, index)));
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }

  /** `function ask(done) { … done(tab); }` */
  #givenToParameter(own: FunctionNode, at: number, index: number): Kind | undefined {
    const name = own.parameters[at]?.name;
    if (!name || !this.#ts.isIdentifier(name) || !own.body) return undefined;
    return this.#givenTo(name.text, own.body, index);
  }

  #givenTo(name: string, body: TypeScript.Node, index: number): Kind | undefined {
    const ts = this.#ts;
    const kinds = new Set<Kind | undefined>();
    const visit = (node: TypeScript.Node): void => {
      if (
        ts.isIdentifier(node) &&
        node.text === name &&
        !(ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)
      ) {
        const call = node.parent;
        const given =
          ts.isCallExpression(call) && call.expression === node ? call.arguments[index] : undefined;
        // Passed on, it is called with the result of that call.
        const handed =
          ts.isCallExpression(call) && call.expression !== node && index === 0
            ? this.#givenBy({ call, isHanded: true }, node, 0)
            : undefined;
        kinds.add(given ? this.#kindOf(given) : handed);
      }
      ts.forEachChild(node, visit);
    };
    visit(body);
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }

  /** `new Promise((resolve) => chrome.tabs.query({}, (all) => resolve(all)))` */
  #ofPromise(node: TypeScript.NewExpression): Kind | undefined {
    const ts = this.#ts;
    const [run] = node.arguments ?? [];
    if (node.expression.getText() !== "Promise" || !run || !isFunction(ts, run)) return undefined;
    const resolve = run.parameters[0]?.name;
    return resolve && ts.isIdentifier(resolve) ? later(this.#givenTo(resolve.text, run.body, 0)) : undefined;
  }

  #ofCall(call: TypeScript.CallExpression): Kind | undefined {
    const ts = this.#ts;
    const path = pathIn(ts, this.#names.roles, call.expression);
    if (ANSWERS.test(path)) return later(answeredBy(path));
    const callee = unwrapped(ts, call.expression);
    const name = path.slice(path.lastIndexOf(".") + 1);
    if (ts.isPropertyAccessExpression(callee)) {
      const owner = this.#kindOf(callee.expression);
      if (owner === "many" && /^(find|findLast|at|pop|shift)$/.test(name)) return "one";
      if (owner === "many" && /^(filter|slice|sort|reverse|toSorted)$/.test(name)) return "many";
      if (isLater(owner) && /^(catch|finally)$/.test(name)) return owner;
      if (path === "Promise.resolve" && call.arguments[0]) return later(this.#kindOf(call.arguments[0]));
      if (isLater(owner) && name === "then") return later(this.#ofFunctions(call.arguments));
    }
    const own = this.#names.functions.get(name);
    return own ? this.#ofFunctions(own) : undefined;
  }

  #ofFunctions(nodes: readonly TypeScript.Node[]): Kind | undefined {
    const ts = this.#ts;
    const kinds = new Set(
      nodes.map((each) => (ts.isFunctionLike(each) ? this.#ofFunction(each as FunctionNode) : undefined)),
    );
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }

  #ofFunction(node: FunctionNode): Kind | undefined {
    const returned = returnsOf(this.#ts, node);
    const known = returned.filter((each) => each !== undefined);
    if (known.length < returned.length || known.length === 0 || node.asteriskToken) return undefined;
    const kind = this.#same(known);
    return isAsync(this.#ts, node) ? later(kind) : kind; // sound: test/languages/webextension/windows.test.ts
  }
}

const CHANGES_OBJECT = /^(Object\.(assign|define\w+|setPrototypeOf)|Reflect\.(set\w*|define\w+|delete\w+))$/;
