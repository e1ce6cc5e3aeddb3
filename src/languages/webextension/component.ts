/**
 * What a component declares: its functions, the variables its handlers share, names that stand for interfaces, and flags that tell private
 * windows apart.
 *
 * Names are taken as names, wherever they are declared: what would need scopes to be told apart is taken for the worse.
 */
import type TypeScript from "typescript";
import { Answers } from "./answers.js";
import { GLOBALS, HOLDERS, isPowerful } from "./apis.js";
import type { Component } from "./manifest.js";
import { leavesPrivateOut } from "./other-windows.js";
import { boundNames, joined, nameOf, pathIn } from "./names.js";
import { isAssignment, isFunction, isPrivateName, unwrapped, type FunctionNode } from "./syntax.js";

export interface ComponentFacts {
  readonly name: string;
  readonly scripts: readonly TypeScript.SourceFile[];
  readonly sharesVariables: boolean;
  /** By name, methods too; two of one name are both possible. */
  readonly functions: ReadonlyMap<string, readonly FunctionNode[]>;
  /** Variables outside of functions: what is put into them can be read by every handler. */
  readonly variables: ReadonlySet<string>;
  /** Everything that is declared somewhere: variables, parameters, functions, classes, imports. */
  readonly declared: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Variables that say whether the window is private: true when they are true there. */
  readonly flags: ReadonlyMap<string, Flag>;
  /** Names that stand for an interface of the browser's, an object store, or a port. */
  readonly roles: ReadonlyMap<string, string>;
  /** Names imported from packages, or made by what is not seen. */
  readonly unseen: ReadonlySet<string>;
  /** Emitters that the component made itself. */
  readonly emitters: ReadonlySet<string>;
  /** A page of the extension: a popup, a sidebar, options. */
  readonly isPage: boolean;
  /** The page of its options, where nothing but settings is typed. */
  readonly isOptions: boolean;
  /** Names of texts and numbers that never change, with what is written there. */
  readonly constants: ReadonlyMap<string, string>;
  /** Names of what was read from the extension's own storage, and of nothing else. */
  readonly settings: ReadonlySet<string>;
  /** Names of lists that nothing of private windows is in. */
  readonly normal: ReadonlySet<string>;
  /** Names of elements of a page of the extension. */
  readonly elements: ReadonlySet<string>;
  /** Names of what is typed into elements of a page of the extension. */
  readonly typed: ReadonlySet<string>;
  /** Names of elements that the component makes. */
  readonly made: ReadonlySet<string>;
  /** Names of lists, maps and elements that the component makes itself: what is put into them stays there. */
  readonly held: ReadonlySet<string>;
  /** Names of objects, lists and maps of the language's own. */
  readonly plain: ReadonlySet<string>;
  /** Names of addresses in pieces: `new URL(…)`. */
  readonly urls: ReadonlySet<string>;
  /** Is nothing ticked in a page but what was read from the extension's own storage? */
  readonly ticksSettings: boolean;
  /** And nothing else filled in? */
  readonly fillsInSettings: boolean;
  /** A form of the page is sent to an address. */
  readonly sendsForms: boolean;
  /** What has an `incognito` that is the browser's own answer. */
  readonly answers: Answers;
}

export interface Flag {
  readonly isTrueInPrivate: boolean;
  /** It is set now and then, by an observer. */
  readonly isKept: boolean;
}

interface Value {
  readonly node: TypeScript.Expression;
  /** Where the variable is declared, outside of functions. */
  readonly isFirst: boolean;
}

export function factsOf(component: Component, ts: typeof TypeScript): ComponentFacts {
  const { name, scripts, sharesVariables } = component;
  const found = new Findings(ts);
  scripts.forEach((script) => found.visit(script));
  const { functions, variables, roles, values } = found;
  found.joinAliases();
  const constants = found.constants();
  for (const constant of constants.keys()) variables.delete(constant);
  const unseen = found.unseenNames();
  const answers = new Answers(ts, { scripts, functions, roles });
  const flags = found.flags(answers);
  for (const flag of flags.keys()) variables.delete(flag);
  found.dropDoubtfulRoles();
  const elements = found.only((node) =>
    /^document\.(querySelector|getElementById)\(\s*["'`][^"'`]*["'`]\s*\)$/.test(node.getText()),
  );
  for (const key of found.constantFunctions()) variables.delete(key);
  for (const role of roles.keys()) if (found.isDeclaredOnce(role)) variables.delete(role);
  return {
    name,
    scripts,
    sharesVariables,
    functions,
    variables,
    declared: found.declared,
    parameters: found.parameters,
    flags,
    roles,
    unseen,
    emitters: new Set(
      [...values].filter(([, all]) => all.every(({ node }) => isEmitter(ts, node))).map(([each]) => each),
    ),
    answers,
    isPage: component.isPage === true,
    isOptions: component.isPage === true && name.startsWith("Options"),
    constants,
    settings: found.settings(),
    normal: found.onlyRead(found.only((node) => leavesPrivateOut(ts, node))),
    elements,
    typed: found.only(
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^(value|checked|valueAsNumber)$/.test(node.name.text) &&
        (elements.has(node.expression.getText()) || ELEMENT.test(node.expression.getText())),
    ),
    made: found.only((node) => /^document\.createElement\(\s*["'`][^"'`]*["'`]\s*\)$/.test(node.getText())),
    held: found.only((node) => isHolder(ts, node)),
    plain: found.only(
      (node) =>
        ts.isArrayLiteralExpression(node) ||
        ts.isObjectLiteralExpression(node) ||
        (ts.isNewExpression(node) && HOLDERS.has(node.expression.getText())),
    ),
    urls: found.only((node) => ts.isNewExpression(node) && node.expression.getText() === "URL"),
    ticksSettings: found.ticksSettings(),
    fillsInSettings: found.fillsInSettings(),
    sendsForms: component.sendsForms === true,
  };
}

/** An element of a page, by its name or as the target of an event. */
export const ELEMENT =
  /^(document\.(querySelector|getElementById)\(\s*["'`][^"'`]*["'`]\s*\)|(e|ev|evt|event)\.(target|currentTarget))$/;

/** `new Map()`, `[]`, an element of the page: no store of anybody's. */
const isHolder = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isArrayLiteralExpression(node) ||
  (ts.isNewExpression(node) && HOLDERS.has(node.expression.getText())) ||
  /^(document\.|Array\.from\(|Object\.(keys|values|entries)\()/.test(node.getText());

const isEmitter = (ts: typeof TypeScript, node: TypeScript.Expression): boolean =>
  ts.isNewExpression(node) && /^(EventEmitter|EventTarget)$/.test(node.expression.getText());

class Findings {
  readonly functions = new Map<string, FunctionNode[]>();
  readonly variables = new Set<string>();
  readonly declared = new Set<string>();
  readonly parameters = new Set<string>();
  readonly roles = new Map<string, string>();
  readonly values = new Map<string, Value[]>();
  readonly #imported = new Set<string>();
  readonly #ts: typeof TypeScript;
  readonly #declarations = new Map<string, number>();
  readonly #assigned = new Set<string>();
  readonly #destructured = new Set<string>();
  readonly #functionVariables = new Set<string>();
  readonly #constDeclared = new Set<string>();
  readonly #settings = new Set<string>();
  readonly #otherwise = new Set<string>();
  readonly #doubtful = new Set<string>();
  readonly #ticked: TypeScript.Expression[] = [];
  readonly #filledIn: TypeScript.Expression[] = [];
  /** Functions that are known by another name where they are imported or taken out of an object. */
  readonly #aliases: (readonly [name: string, of: string])[] = [];
  /** Names that are bound inside of something. */
  readonly #parts = new Map<string, TypeScript.Expression[]>();
  readonly #uses = new Map<string, TypeScript.Identifier[]>();

  constructor(ts: typeof TypeScript) {
    this.#ts = ts;
  }

  isDeclaredOnce = (name: string): boolean => this.#declarations.get(name) === 1;

  /** Variables that hold one function, always. */
  constantFunctions(): string[] {
    return [...this.#functionVariables].filter(
      (name) => this.isDeclaredOnce(name) && !this.#assigned.has(name),
    );
  }

  /** By every name: `import { flush as go }`, `export { flush as go }`, `const { flush: go } = log`. */
  joinAliases(): void {
    for (const [name, all] of this.values)
      for (const { node } of all) for (const each of this.#members(node)) this.#addFunction(name, each);
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const [name, of] of this.#aliases)
        for (const each of this.functions.get(of) ?? [])
          if (!this.functions.get(name)?.includes(each)) {
            this.#addFunction(name, each); // sound: test/languages/webextension/conditions.test.ts
            isChanged = true;
          }
    }
  }

  /** Those that `handlers[type]` may be, of an object that has nothing but functions and is not changed. */
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
    if (!(this.#uses.get(name) ?? []).every(isRead)) return []; // sound: test/languages/webextension/conditions.test.ts
    const functions = only.node.properties.map((property) => {
      if (ts.isMethodDeclaration(property)) return property;
      const value = ts.isPropertyAssignment(property) ? unwrapped(ts, property.initializer) : undefined;
      return value && isFunction(ts, value) ? value : undefined;
    });
    const known = functions.filter((each) => each !== undefined);
    return known.length === functions.length ? known : [];
  }

  /** `const STYLE = "…"`: declared once, and nothing but a text or a number. */
  constants(): Map<string, string> {
    const ts = this.#ts;
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
      for (const [name, [only, more]] of this.values)
        if (
          only &&
          !more &&
          this.#constDeclared.has(name) &&
          this.isDeclaredOnce(name) &&
          !this.parameters.has(name) &&
          isConstant(only.node)
        )
          constants.set(name, textIn(ts, only.node, constants)); // sound: test/languages/webextension/conditions.test.ts
    }
    return constants;
  }

  /** Names that are declared once, as constants, with such a value. */
  only(isSuch: (node: TypeScript.Expression) => boolean): Set<string> {
    const names = [...this.values].filter(
      ([name, [value, more]]) =>
        value !== undefined &&
        more === undefined &&
        this.#constDeclared.has(name) &&
        this.isDeclaredOnce(name) &&
        !this.parameters.has(name) &&
        isSuch(value.node),
    ); // sound: test/languages/webextension/conditions.test.ts
    return new Set(names.map(([name]) => name));
  }

  /** Of these, the ones that nothing is put into, and that are not handed on. */
  onlyRead(names: ReadonlySet<string>): Set<string> {
    const ts = this.#ts;
    const isRead = ({ parent }: TypeScript.Identifier): boolean =>
      ts.isVariableDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      (ts.isPropertyAccessExpression(parent) &&
        /^(length|map|filter|slice|join|flatMap|at|sort)$/.test(parent.name.text)) ||
      (ts.isForOfStatement(parent) && !/=(?!=|>)/.test(parent.statement.getText()));
    return new Set([...names].filter((name) => (this.#uses.get(name) ?? []).every(isRead))); // sound: test/languages/webextension/conditions.test.ts
  }

  ticksSettings(): boolean {
    return this.#areSettings(this.#ticked);
  }

  fillsInSettings(): boolean {
    return this.#areSettings([...this.#ticked, ...this.#filledIn]);
  }

  #areSettings(values: readonly TypeScript.Expression[]): boolean {
    const settings = new Set(this.#settings);
    const constants = this.constants();
    return values.every((value) => {
      if (this.#ts.isLiteralExpression(value) || constants.has(value.getText())) return true;
      const [root = ""] = pathIn(this.#ts, this.roles, value).split(".");
      return isBoolean(this.#ts, value) || (settings.has(root) && !this.#otherwise.has(root)); // sound: test/languages/webextension/conditions.test.ts
    });
  }

  /** Names whose every use computes with them, or writes them back as they are: no other use can change what they hold. */
  settings(): Set<string> {
    return new Set(
      [...this.#settings].filter(
        (name) =>
          this.isDeclaredOnce(name) &&
          !this.#assigned.has(name) &&
          !this.#otherwise.has(name) &&
          !this.#doubtful.has(name),
      ),
    );
  }

  /** `const { dark } = await browser.storage.sync.get({ dark: false })`, or the parameter of what is called with it. */
  #noteSetting(name: TypeScript.BindingName, value: TypeScript.Expression | undefined): void {
    const ts = this.#ts;
    const call = value && unwrapped(ts, value);
    const isRead =
      call !== undefined &&
      ts.isCallExpression(call) &&
      /^storage\.(local|sync|managed)\.get$/.test(pathIn(ts, this.roles, call.expression)) &&
      call.arguments.every((each) => isFunction(ts, each) || isLiteral(ts, each));
    for (const each of boundNames(ts, name)) (isRead ? this.#settings : this.#otherwise).add(each);
  }

  /** A name that is declared twice may be something else the other time; stores and ports are the worse of the two. */
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
    if (ts.isIdentifier(node)) this.#uses.set(node.text, [...(this.#uses.get(node.text) ?? []), node]);
    if (ts.isCallExpression(node) && /\.setAttribute$/.test(node.expression.getText()))
      this.#filledIn.push(...node.arguments.slice(1));
    if (ts.isParameter(node)) for (const each of boundNames(ts, node.name)) this.parameters.add(each);
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) this.#binding(node);
    if (ts.isBinaryExpression(node) && isAssignment(ts, node)) this.#assignment(node);
    if (ts.isImportDeclaration(node)) this.#imports(node);
    if (ts.isIdentifier(node) && !this.#isOnlyComputedWith(node)) this.#doubtful.add(node.text); // sound: test/languages/webextension/conditions.test.ts
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
      this.#addFunction("default", node); // sound: test/languages/webextension/conditions.test.ts
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
    // Written back where it came from.
    const call = around.parent.parent;
    return (
      ts.isCallExpression(call) &&
      /^storage\.(local|sync)\.set$/.test(pathIn(ts, this.roles, call.expression))
    );
  }

  #binding({ name, initializer }: TypeScript.VariableDeclaration | TypeScript.ParameterDeclaration): void {
    const ts = this.#ts;
    const isVariable = ts.isVariableDeclaration(name.parent);
    const isOuter = isVariable && isOutside(ts, name.parent);
    for (const each of boundNames(ts, name)) {
      this.#declare(each);
      if (isOuter) this.variables.add(each);
      if (!ts.isIdentifier(name)) this.#destructured.add(each);
      if (!ts.isIdentifier(name) && initializer) this.#part(each, initializer);
      if (
        ts.isParameter(name.parent) &&
        isFunction(ts, name.parent.parent) &&
        ts.isCallExpression(name.parent.parent.parent)
      )
        this.#part(each, name.parent.parent.parent);
    }
    if (isVariable) this.#noteSetting(name, initializer);
    else if (ts.isParameter(name.parent)) this.#noteSetting(name, readFor(ts, name.parent));
    if (isVariable && name.parent.parent.flags & ts.NodeFlags.Const)
      for (const each of boundNames(ts, name)) this.#constDeclared.add(each);
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
    this.#parts.set(name, [...(this.#parts.get(name) ?? []), unwrapped(this.#ts, of)]);
  }

  /** `const local = browser.storage.local`; not what a call returns. */
  #role(name: string, whole: string, value: TypeScript.Expression): void {
    const path = whole.replace(/^.*\.(?=(localStorage|sessionStorage|indexedDB|document)$)/, "");
    const isStandIn = isPowerful(path) || /^(document|location)$/.test(path); // sound: test/languages/webextension/conditions.test.ts
    if (isStandIn && !this.#ts.isCallExpression(value) && !this.#ts.isNewExpression(value))
      this.roles.set(name, path);
  }

  #assignment(node: TypeScript.BinaryExpression): void {
    const ts = this.#ts;
    const target = unwrapped(ts, node.left);
    const isTick =
      (ts.isPropertyAccessExpression(target) && target.name.text === "checked") ||
      ts.isElementAccessExpression(target);
    if (isTick) this.#ticked.push(unwrapped(ts, node.right));
    else if (ts.isPropertyAccessExpression(target)) this.#filledIn.push(unwrapped(ts, node.right));
    if (!ts.isIdentifier(target)) return;
    this.#assigned.add(target.text);
    this.roles.delete(target.text);
    this.#note(target.text, { node: unwrapped(ts, node.right), isFirst: false });
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
      if (!isOwn) this.#imported.add(text);
    }
  }

  #declare(name: string | undefined): void {
    if (name === undefined) return;
    this.declared.add(name);
    this.#declarations.set(name, (this.#declarations.get(name) ?? 0) + 1);
  }

  #note(name: string, value: Value): void {
    this.values.set(name, [...(this.values.get(name) ?? []), value]);
  }

  #addFunction(name: string, node: FunctionNode): void {
    this.functions.set(name, [...(this.functions.get(name) ?? []), node]);
  }

  /** Imported from packages; or the result of something that is not declared here and not the browser's. */
  unseenNames(): Set<string> {
    const unseen = this.#imported;
    const isForeign = (root: string): boolean =>
      unseen.has(root) ||
      (!this.declared.has(root) && !KNOWN.test(root) && !GLOBALS.has(root) && !HOLDERS.has(root));
    for (let size = -1; size < unseen.size;) {
      size = unseen.size;
      const of = [...this.values].flatMap(([name, all]) => all.map(({ node }) => [name, node] as const));
      const inside = [...this.#parts].flatMap(([name, all]) => all.map((node) => [name, node] as const));
      for (const [name, node] of [...of, ...inside]) {
        const ts = this.#ts;
        if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) continue;
        const [root = ""] = pathIn(ts, this.roles, node.expression).split(".");
        if (root !== "" && isForeign(root)) unseen.add(name); // sound: test/languages/webextension/conditions.test.ts
      }
    }
    return unseen;
  }

  /**
   * Declared once, and only ever set from the answer to a question about windows, always the same way round; or a constant
   * where it is declared, until an observer sets it.
   */
  flags(windows: Answers): Map<string, Flag> {
    const flags = new Map<string, Flag>();
    for (let size = -1; size < flags.size;) {
      size = flags.size;
      for (const [name, all] of this.values) {
        if (this.#declarations.get(name) !== 1 || this.#destructured.has(name) || this.parameters.has(name))
          continue;
        const answers = all.flatMap(({ node, isFirst }) => {
          if (isFirst && isBoolean(this.#ts, node)) return [];
          return [this.#answer(node, flags, windows)];
        });
        const [first] = answers;
        if (first === undefined || answers.some((answer) => answer !== first)) continue;
        flags.set(name, { isTrueInPrivate: first, isKept: all.length > 1 || this.#assigned.has(name) });
      }
    }
    for (const name of this.#destructured)
      if (
        isPrivateName(name) &&
        !this.#assigned.has(name) &&
        !this.values.has(name) &&
        this.#isBoundToAnswers(name, windows)
      )
        flags.set(name, { isTrueInPrivate: true, isKept: false });
    return flags;
  }

  /** Wherever the name is declared. */
  #isBoundToAnswers(name: string, windows: Answers): boolean {
    const ts = this.#ts;
    const declared = (this.#uses.get(name) ?? []).filter(
      (use) => ts.isBindingElement(use.parent) && use.parent.name === use && !use.parent.propertyName,
    );
    return (
      declared.length === this.#declarations.get(name) &&
      declared.every((use) => windows.isBoundToAnswer(use))
    ); // sound: test/languages/webextension/conditions.test.ts
  }

  #answer(
    node: TypeScript.Expression,
    flags: ReadonlyMap<string, Flag>,
    windows: Answers,
  ): boolean | undefined {
    const ts = this.#ts;
    const inner = unwrapped(ts, node);
    if (ts.isPropertyAccessExpression(inner))
      return isAnswer(ts, inner, this.roles, windows) ? true : undefined;
    if (ts.isIdentifier(inner)) return flags.get(inner.text)?.isTrueInPrivate;
    if (!ts.isPrefixUnaryExpression(inner) || inner.operator !== ts.SyntaxKind.ExclamationToken)
      return undefined;
    const operand = this.#answer(inner.operand, flags, windows);
    return operand === undefined ? undefined : !operand;
  }
}

/** `tab.incognito` of a tab of the browser's, `extension.inIncognitoContext`. */
export function isAnswer(
  ts: typeof TypeScript,
  { name, expression }: TypeScript.PropertyAccessExpression,
  roles: ReadonlyMap<string, string>,
  windows: Answers,
): boolean {
  if (name.text === "inIncognitoContext") return pathIn(ts, roles, expression) === "extension";
  return name.text === "incognito" && windows.isWindow(expression); // sound: test/languages/webextension/conditions.test.ts
}

/** What is written there, the constants that it names included. */
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

/** The call whose answer a function is given: `asked.then((answer) => …)`, `ask(key, (answer) => …)`. */
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

/** What a page or an extension has without declaring it. */
export const KNOWN =
  /^(browser|chrome|window|self|globalThis|document|location|navigator|console|storage|runtime|tabs|windows|extension|localStorage|sessionStorage|indexedDB|fetch|caches|history|JSON|Math|Reflect|Intl|performance|crypto|undefined|this|screen|module|exports|arguments|super|)$/;

const isBoolean = (ts: typeof TypeScript, node: TypeScript.Node): boolean =>
  node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;

/** `{ storage: { local } }` of `browser`: which name stands for which path. */
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
