/**
 * Collects declarations of a component: functions, variables and their values, aliases of browser APIs.
 *
 * Ignores scopes: names declared more than once are treated conservatively.
 */
import type TypeScript from "typescript";
import { isPowerful } from "./apis.js";
import { boundNames, joined, nameOf, pathIn } from "./names.js";
import { Settings } from "./settings.js";
import { isAssignment, isFunction, unwrapped, type FunctionNode } from "./syntax.js";

interface Value {
  readonly node: TypeScript.Expression;
  /** The initialiser of a global variable. */
  readonly isFirst: boolean;
}

export class Declarations {
  readonly functions = new Map<string, FunctionNode[]>();
  readonly variables = new Set<string>();
  readonly declared = new Set<string>();
  readonly parameters = new Set<string>();
  readonly roles = new Map<string, string>();
  readonly values = new Map<string, Value[]>();
  readonly imported = new Set<string>();
  readonly declarations = new Map<string, number>();
  readonly assigned = new Set<string>();
  readonly destructured = new Set<string>();
  readonly constDeclared = new Set<string>();
  /** Names bound by patterns, with the destructured values. */
  readonly parts = new Map<string, TypeScript.Expression[]>();
  readonly uses = new Map<string, TypeScript.Identifier[]>();
  readonly settings: Settings;
  readonly #ts: typeof TypeScript;
  readonly #functionVariables = new Set<string>();
  /** Other names of functions, from imports or destructuring. */
  readonly #aliases: (readonly [name: string, of: string])[] = [];

  constructor(ts: typeof TypeScript) {
    this.#ts = ts;
    this.settings = new Settings(ts, this);
  }

  isDeclaredOnce = (name: string): boolean => this.declarations.get(name) === 1;

  /** Variables that always hold the same function. */
  constantFunctions(): string[] {
    return [...this.#functionVariables].filter(
      (name) => this.isDeclaredOnce(name) && !this.assigned.has(name),
    );
  }

  /** Resolves `import { flush as go }`, `export { flush as go }`, `const { flush: go } = log`. */
  joinAliases(): void {
    for (const [name, all] of this.values)
      for (const { node } of all) for (const each of this.#members(node)) this.#addFunction(name, each);
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const [name, of] of this.#aliases)
        for (const each of this.functions.get(of) ?? [])
          if (!this.functions.get(name)?.includes(each)) {
            this.#addFunction(name, each); // sound: test/languages/webextension/names.test.ts
            isChanged = true;
          }
    }
  }

  /** Possible values of `handlers[type]`, for an unchanged object of functions only. */
  #members(node: TypeScript.Expression): FunctionNode[] {
    const ts = this.#ts;
    if (!ts.isElementAccessExpression(node) || !ts.isIdentifier(node.expression)) return [];
    const name = node.expression.text;
    const [only, more] = this.values.get(name) ?? [];
    if (!only || more || !this.isDeclaredOnce(name) || !ts.isObjectLiteralExpression(only.node)) return [];
    const isRead = ({ parent }: TypeScript.Identifier): boolean => {
      if (ts.isVariableDeclaration(parent)) return true;
      const isPart = ts.isElementAccessExpression(parent) || ts.isPropertyAccessExpression(parent);
      return (
        isPart &&
        !(
          ts.isBinaryExpression(parent.parent) &&
          isAssignment(ts, parent.parent) &&
          parent.parent.left === parent
        )
      );
    };
    if (!(this.uses.get(name) ?? []).every(isRead)) return []; // sound: test/languages/webextension/names.test.ts
    const functions = only.node.properties.map((property) => {
      if (ts.isMethodDeclaration(property)) return property;
      const value = ts.isPropertyAssignment(property) ? unwrapped(ts, property.initializer) : undefined;
      return value && isFunction(ts, value) ? value : undefined;
    });
    const known = functions.filter((each) => each !== undefined);
    return known.length === functions.length ? known : [];
  }

  /** Names declared once, as constants, with a value that satisfies the predicate. */
  only(isSuch: (node: TypeScript.Expression) => boolean): Set<string> {
    const names = [...this.values].filter(
      ([name, [value, more]]) =>
        value !== undefined &&
        more === undefined &&
        this.constDeclared.has(name) &&
        this.isDeclaredOnce(name) &&
        !this.parameters.has(name) &&
        isSuch(value.node),
    ); // sound: test/languages/webextension/names.test.ts
    return new Set(names.map(([name]) => name));
  }

  /** The names that are never written to or passed on. */
  onlyRead(names: ReadonlySet<string>): Set<string> {
    const ts = this.#ts;
    const isRead = ({ parent }: TypeScript.Identifier): boolean =>
      ts.isVariableDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      (ts.isPropertyAccessExpression(parent) &&
        /^(length|map|filter|slice|join|flatMap|at|sort)$/.test(parent.name.text)) ||
      (ts.isForOfStatement(parent) && !/=(?!=|>)/.test(parent.statement.getText()));
    return new Set([...names].filter((name) => (this.uses.get(name) ?? []).every(isRead))); // sound: test/languages/webextension/names.test.ts
  }

  /** A name declared twice may have another meaning; stores and ports are kept as the conservative choice. */
  dropDoubtfulRoles(): void {
    for (const [name, path] of this.roles)
      if (!this.isDeclaredOnce(name) && !/^(objectStore|port|native)$/.test(path)) this.roles.delete(name);
  }

  visit(node: TypeScript.Node): void {
    const ts = this.#ts;
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name && node.body)
      this.#addFunction(nameOf(ts, node.name), node);
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) this.#declare(node.name?.text);
    if ((ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) && node.initializer) {
      const key = nameOf(ts, node.name);
      if (isFunction(ts, node.initializer)) this.#addFunction(key, node.initializer);
    }
    this.#alias(node);
    if (ts.isIdentifier(node)) this.uses.set(node.text, [...(this.uses.get(node.text) ?? []), node]);
    if (ts.isParameter(node)) for (const each of boundNames(ts, node.name)) this.parameters.add(each);
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) this.#binding(node);
    if (ts.isBinaryExpression(node) && isAssignment(ts, node)) this.#assignment(node);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
      if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
        if (ts.isIdentifier(node.operand)) this.#set(node.operand, node); // sound: test/languages/webextension/names.test.ts
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && ts.isExpression(node.initializer))
      this.#setAll(node.initializer); // sound: test/languages/webextension/names.test.ts
    if (ts.isImportDeclaration(node)) this.#imports(node);
    this.settings.visit(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #alias(node: TypeScript.Node): void {
    const ts = this.#ts;
    const isRenamed = ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isBindingElement(node);
    if (isRenamed && node.propertyName && ts.isIdentifier(node.name))
      this.#aliases.push([node.name.text, node.propertyName.getText()]);
    if (ts.isImportClause(node) && node.name) this.#aliases.push([node.name.text, "default"]);
    if (ts.isExportAssignment(node)) {
      if (ts.isIdentifier(node.expression)) this.#aliases.push(["default", node.expression.text]);
      if (isFunction(ts, node.expression)) this.#addFunction("default", node.expression);
    }
    if (
      ts.isFunctionDeclaration(node) &&
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
    )
      this.#addFunction("default", node); // sound: test/languages/webextension/names.test.ts
  }

  #binding({ name, initializer }: TypeScript.VariableDeclaration | TypeScript.ParameterDeclaration): void {
    const ts = this.#ts;
    const isVariable = ts.isVariableDeclaration(name.parent);
    const isOuter = isVariable && isOutside(ts, name.parent);
    for (const each of boundNames(ts, name)) {
      this.#declare(each);
      if (isOuter) this.variables.add(each);
      if (!ts.isIdentifier(name)) this.destructured.add(each);
      if (!ts.isIdentifier(name) && initializer) this.#part(each, initializer);
      if (
        ts.isParameter(name.parent) &&
        isFunction(ts, name.parent.parent) &&
        ts.isCallExpression(name.parent.parent.parent)
      )
        this.#part(each, name.parent.parent.parent);
    }
    if (isVariable && name.parent.parent.flags & ts.NodeFlags.Const)
      for (const each of boundNames(ts, name)) this.constDeclared.add(each);
    if (!initializer || !isVariable) return;
    const value = unwrapped(ts, initializer);
    const path = pathIn(ts, this.roles, value);
    for (const [each, key] of rolesIn(ts, name, path)) this.#role(each, key, value);
    if (!ts.isIdentifier(name)) return;
    if (isFunction(ts, value)) {
      this.#addFunction(name.text, value);
      this.#functionVariables.add(name.text);
    } else this.#note(name.text, { node: value, isFirst: isOuter });
    if (/\bobjectStore\s*\(/.test(value.getText())) this.roles.set(name.text, "objectStore");
    if (/\b(runtime|tabs)\.connect\s*\(/.test(value.getText())) this.roles.set(name.text, "port");
    if (/\bconnectNative\s*\(/.test(value.getText())) this.roles.set(name.text, "native");
  }

  #part(name: string, of: TypeScript.Expression): void {
    this.parts.set(name, [...(this.parts.get(name) ?? []), unwrapped(this.#ts, of)]);
  }

  /** `const local = browser.storage.local`, but not results of calls. */
  #role(name: string, whole: string, value: TypeScript.Expression): void {
    const path = whole.replace(/^.*\.(?=(localStorage|sessionStorage|indexedDB|document)$)/, "");
    const isAlias = isPowerful(path) || /^(document|location)$/.test(path); // sound: test/languages/webextension/names.test.ts
    if (isAlias && !this.#ts.isCallExpression(value) && !this.#ts.isNewExpression(value))
      this.roles.set(name, path);
  }

  #assignment(node: TypeScript.BinaryExpression): void {
    const ts = this.#ts;
    const target = unwrapped(ts, node.left);
    if (ts.isIdentifier(target)) this.#set(target, unwrapped(ts, node.right));
    if (ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target)) this.#setAll(target); // sound: test/languages/webextension/names.test.ts
  }

  #set(name: TypeScript.Identifier, value: TypeScript.Expression): void {
    this.assigned.add(name.text);
    this.roles.delete(name.text);
    this.#note(name.text, { node: value, isFirst: false });
  }

  /** Every name in a pattern, a loop or `n++`: the assigned value is unknown. */
  #setAll(target: TypeScript.Expression): void {
    const visit = (node: TypeScript.Node): void => {
      if (this.#ts.isIdentifier(node)) this.#set(node, target);
      this.#ts.forEachChild(node, visit);
    };
    visit(target);
  }

  #imports(node: TypeScript.ImportDeclaration): void {
    const ts = this.#ts;
    const { name, namedBindings } = node.importClause ?? {};
    const inner = !namedBindings
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings.name]
        : namedBindings.elements.map((element) => element.name);
    const isOwn = ts.isStringLiteral(node.moduleSpecifier) && node.moduleSpecifier.text.startsWith(".");
    for (const { text } of [...(name ? [name] : []), ...inner]) {
      this.#declare(text);
      if (!isOwn) this.imported.add(text);
    }
  }

  #declare(name: string | undefined): void {
    if (name === undefined) return;
    this.declared.add(name);
    this.declarations.set(name, (this.declarations.get(name) ?? 0) + 1);
  }

  #note(name: string, value: Value): void {
    this.values.set(name, [...(this.values.get(name) ?? []), value]);
  }

  #addFunction(name: string, node: FunctionNode): void {
    this.functions.set(name, [...(this.functions.get(name) ?? []), node]);
  }
}

/** Paths of the names in `{ storage: { local } }` of `browser`. */
function rolesIn(
  ts: typeof TypeScript,
  name: TypeScript.BindingName,
  path: string,
): (readonly [name: string, path: string])[] {
  if (path === "") return [];
  if (ts.isIdentifier(name)) return [[name.text, path]];
  if (!ts.isObjectBindingPattern(name)) return [];
  return name.elements.flatMap((element) => {
    const key = element.propertyName ?? element.name;
    return ts.isIdentifier(key) && !element.dotDotDotToken
      ? rolesIn(ts, element.name, joined(path, key.text))
      : [];
  });
}

function isOutside(ts: typeof TypeScript, node: TypeScript.Node): boolean {
  for (let at: TypeScript.Node | undefined = node.parent; at; at = at.parent)
    if (ts.isFunctionLike(at) || ts.isClassLike(at)) return false;
  return true;
}
