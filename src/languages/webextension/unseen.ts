/**
 * Finds code that runs outside of the tracked calls: functions that escape and may be called at any time, and browser
 * APIs passed on as values, which may receive any argument.
 *
 * Invariant: a function not found here is called only under its name, or by a callee that calls it immediately; an API
 * is used only where it is named.
 */
import type TypeScript from "typescript";
import { CHANGES, effectOf, HAS_CODE, isPowerful, KEEPS_NOTHING, MAKES_CODE, SHOWS_MARKUP } from "./apis.js";
import { isLoading } from "./scripts.js";
import type { ComponentFacts } from "./component.js";
import { Literals } from "./literals.js";
import { boundNames, nameOf, pathIn } from "./names.js";
import { REDIRECTS } from "./unread.js";
import {
  isAssignment,
  isFunction,
  isNamePosition,
  isOuterText,
  onlyCalls,
  outermost,
  piecesOf,
  unwrapped,
  type FunctionNode,
} from "./syntax.js";

export interface Unseen {
  /** May be called at any time, in any window. */
  readonly loose: readonly FunctionNode[];
  /** Parts of classes that run on construction. */
  readonly fields: readonly TypeScript.Node[];
  /** Arbitrary effects on arbitrary data, at any time. */
  readonly wild: readonly { readonly node: TypeScript.Node; readonly message: string }[];
}

export function unseenIn(facts: ComponentFacts, ts: typeof TypeScript): Unseen {
  const finder = new Finder(facts, ts);
  facts.scripts.forEach((script) => finder.visit(script));
  return finder.found();
}

class Finder {
  readonly #facts: ComponentFacts;
  readonly #ts: typeof TypeScript;
  readonly #literals: Literals;
  readonly #loose = new Set<FunctionNode>();
  readonly #wild = new Map<TypeScript.Node, string>();
  /** Methods and functions in objects, called only by name. */
  readonly #members = new Map<FunctionNode, string>();
  readonly #called = new Set<string>();
  readonly #fields: TypeScript.Node[] = [];
  #callsAnything = false;

  constructor(facts: ComponentFacts, ts: typeof TypeScript) {
    this.#facts = facts;
    this.#ts = ts;
    this.#literals = new Literals(facts, ts);
  }

  found(): Unseen {
    for (const [member, name] of this.#members)
      if (this.#callsAnything || !this.#called.has(name) || this.#isCalledImplicitly(name))
        this.#loose.add(member);
    return {
      loose: [...this.#loose],
      fields: this.#fields,
      wild: [...this.#wild].map(([node, message]) => ({ node, message })),
    };
  }

  /** Called implicitly: traps of proxies, conversions, iteration. */
  #isCalledImplicitly = (name: string): boolean =>
    CALLED_BY_LANGUAGE.test(name) || (TRAPS.test(name) && this.#isWritten(/\bProxy\b/)); // sound: test/languages/webextension/flows.test.ts

  #isWritten = (pattern: RegExp): boolean => this.#facts.scripts.some(({ text }) => pattern.test(text));

  visit(node: TypeScript.Node): void {
    const ts = this.#ts;
    if (isOuterText(ts, node) && HAS_CODE.test(piecesOf(ts, node)) && this.#isWritten(SHOWS_MARKUP))
      this.#wild.set(node, "there is code in this text"); // sound: test/languages/webextension/flows.test.ts
    if (
      ts.isImportDeclaration(node) &&
      !node.importClause &&
      !/^[./]/.test((node.moduleSpecifier as TypeScript.StringLiteral).text)
    )
      this.#wild.set(node, "the code that this runs is not analysed"); // sound: test/languages/webextension/flows.test.ts
    if (ts.isFunctionLike(node) && "body" in node) this.#function(node as FunctionNode);
    if (ts.isPropertyDeclaration(node) || ts.isClassStaticBlockDeclaration(node)) this.#fields.push(node);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#call(node);
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      this.#mention(node);
    ts.forEachChild(node, (child) => this.visit(child));
  }

  #function(node: FunctionNode): void {
    const ts = this.#ts;
    if (ts.isFunctionDeclaration(node)) return;
    if (ts.isMethodDeclaration(node)) return void this.#members.set(node, nameOf(ts, node.name));
    if (!isFunction(ts, node)) return void this.#loose.add(node); // setters, getters and constructors run without a call
    const outer = outermost(ts, node);
    const holder = outer.parent;
    if (ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name)) return;
    if (ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder))
      return void this.#members.set(node, nameOf(ts, holder.name));
    if ((ts.isCallExpression(holder) || ts.isNewExpression(holder)) && holder.expression === outer) return;
    if (this.#isHandledArgument(outer)) return;
    if (ts.isBinaryExpression(holder) && isAssignment(ts, holder) && this.#isEventProperty(holder.left))
      return;
    this.#loose.add(node);
  }

  /** `document.onclick = …` is a handler. */
  #isEventProperty(left: TypeScript.Expression): boolean {
    const name = this.#ts.isPropertyAccessExpression(left) ? left.name.text : left.getText();
    return /^on[a-z]+$/.test(name);
  }

  /** An argument that the callee calls immediately or registers as a handler. */
  #isHandledArgument(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    const call = node.parent;
    if (ts.isNewExpression(call)) return call.expression.getText() === "Promise";
    if (!ts.isCallExpression(call) || !call.arguments.includes(node as TypeScript.Expression)) return false;
    const path = pathIn(ts, this.#facts.roles, call.expression);
    const [root = ""] = path.split(".");
    const name = path.slice(path.lastIndexOf(".") + 1);
    const effect = effectOf(path, undefined);
    if (effect) return true;
    if (isFunction(ts, unwrapped(ts, call.expression))) return true;
    const own = this.#facts.functions.get(name);
    if (own && !this.#facts.unseen.has(root)) {
      const index = call.arguments.indexOf(node as TypeScript.Expression);
      return own.every((each) => onlyCalls(ts, each, index));
    }
    return (KEEPS_NOTHING.has(name) || CHANGES.has(name)) && !this.#facts.unseen.has(root);
  }

  #call(node: TypeScript.CallExpression | TypeScript.NewExpression): void {
    const ts = this.#ts;
    const path = pathIn(ts, this.#facts.roles, node.expression);
    const name = path.slice(path.lastIndexOf(".") + 1);
    this.#called.add(name);
    if (name === "*" || path === "") this.#callsAnything = true;
    const [first] = node.arguments ?? [];
    const isTimer = /^(setTimeout|setInterval)$/.test(path.replace(/\.(call|apply)$/, ""));
    const isText =
      first !== undefined &&
      (ts.isStringLiteralLike(first) ||
        ts.isTemplateExpression(first) ||
        ts.isBinaryExpression(first) ||
        path.includes(".") ||
        (ts.isIdentifier(first) && this.#facts.constants.has(first.text))); // sound: test/languages/webextension/flows.test.ts
    if ((MAKES_CODE.test(path) && !this.#literals.isWrittenHere(path, node)) || (isTimer && isText))
      this.#wild.set(node, "this runs code that is not seen");
    const element = name === "createElementNS" ? node.arguments?.[1] : first;
    if (
      /^createElement(NS)?$/.test(name) &&
      !(
        element &&
        ts.isStringLiteralLike(element) &&
        !/^(\w*:)?(script|iframe|frame|object|embed|portal)$/i.test(element.text)
      )
    )
      this.#wild.set(node, "this may run code that is not seen"); // sound: test/languages/webextension/flows.test.ts
    if (this.#literals.isMadeName(node.expression) || name === "constructor")
      this.#wild.set(node, "the function that this calls is not known"); // sound: test/languages/webextension/flows.test.ts
    if (ts.isCallExpression(node) && isLoading(ts, node) && !this.#literals.isLoaded(node))
      this.#wild.set(node, "the code that this loads is not analysed"); // sound: test/languages/webextension/flows.test.ts
    if (
      /^((Shared)?Worker|navigator\.serviceWorker\.register|.*\.addModule)$/.test(path) &&
      first &&
      !this.#literals.isScriptName(first)
    )
      this.#wild.set(node, "the code that this runs is not analysed"); // sound: test/languages/webextension/flows.test.ts
    if (/(^|\.)setAttribute(NS|Node)?$/.test(path) && !this.#literals.isPlainAttribute(node.arguments ?? []))
      this.#wild.set(node, "this may set code that is not seen"); // sound: test/languages/webextension/flows.test.ts
    if (/^declarativeNetRequest\.update(Dynamic|Session)Rules$/.test(path) && this.#isWritten(REDIRECTS))
      this.#wild.set(node, "rules redirect requests, even from private windows"); // sound: test/languages/webextension/flows.test.ts
    if (
      /^proxy\.(settings\.set|on(Proxy)?Request\.addListener|register(ProxyScript)?)$/.test(path) &&
      !DIRECT.test(node.getText())
    )
      this.#wild.set(node, "requests of private windows are sent by way of a proxy"); // sound: test/languages/webextension/flows.test.ts
    if (/^(runtime|extension)\.getURL$/.test(path) && first && !this.#literals.isNamed(first))
      this.#wild.set(node, "which page of the extension this names is not seen"); // sound: test/languages/webextension/flows.test.ts
    if (SETS_PAGE.test(path) && !this.#literals.namesPage(node.arguments ?? []))
      this.#wild.set(node, "which page of the extension this opens is not seen"); // sound: test/languages/webextension/flows.test.ts
    if (path === "runtime.connect" && first && !ts.isObjectLiteralExpression(first))
      this.#wild.set(node, "this may connect to another extension"); // sound: test/languages/webextension/flows.test.ts
    if (/(^|\.)onConnectExternal\.addListener$/.test(path))
      this.#wild.set(node, "another extension may ask for anything here"); // sound: test/languages/webextension/flows.test.ts
    if (name === "bind" && isPowerful(path.slice(0, -".bind".length))) this.#handedOn(node);
    if (path === "Reflect.apply" || path === "Reflect.construct") this.#callsAnything = true;
  }

  /** A name of an API or function in a position other than callee or declaration. */
  #mention(
    node: TypeScript.Identifier | TypeScript.PropertyAccessExpression | TypeScript.ElementAccessExpression,
  ): void {
    const ts = this.#ts;
    const outer = outermost(ts, node);
    const { parent } = outer;
    if (isNamePosition(ts, node)) return;
    if (
      (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
      parent.expression === outer
    )
      return this.#bound(node, parent);
    const isCalled =
      (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === outer;
    if (isCalled || (ts.isTaggedTemplateExpression(parent) && parent.tag === outer)) return;
    const path = pathIn(ts, this.#facts.roles, node);
    if (/^RegExp\.(\$|\*|last(Match|Paren)|input|(left|right)Context)/.test(path))
      this.#wild.set(node, "the last match may come from any window"); // sound: test/languages/webextension/flows.test.ts
    if (/^document\.(createElement(NS)?|write(ln)?)$/.test(path)) this.#handedOn(node); // sound: test/languages/webextension/flows.test.ts
    if (isPowerful(path) && !this.#isOnlyTested(outer) && !this.#isAlias(outer) && !this.#isShadowed(node))
      this.#handedOn(node);
    const name = ts.isIdentifier(node) ? node.text : path.slice(path.lastIndexOf(".") + 1);
    const functions = this.#facts.functions.get(name);
    if (functions && !this.#isHandledArgument(outer) && !this.#isOnlyTested(outer))
      for (const each of functions) this.#loose.add(each);
  }

  /** `save.bind(this)`, `save.call(…)`: the function escapes. */
  #bound(
    node: TypeScript.Node,
    access: TypeScript.PropertyAccessExpression | TypeScript.ElementAccessExpression,
  ): void {
    const ts = this.#ts;
    if (!ts.isPropertyAccessExpression(access) || !/^(bind|call|apply)$/.test(access.name.text)) return;
    const path = pathIn(ts, this.#facts.roles, node);
    if (/^document\.(createElement(NS)?|write(ln)?)$/.test(path)) this.#handedOn(node); // sound: test/languages/webextension/flows.test.ts
    for (const each of this.#facts.functions.get(path.slice(path.lastIndexOf(".") + 1)) ?? [])
      this.#loose.add(each);
  }

  #handedOn(node: TypeScript.Node): void {
    this.#wild.set(node, `\`${node.getText()}\` is handed on: anything may be given to it, anywhere`);
  }

  /** Only its presence is tested. */
  #isOnlyTested(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    const { parent } = node;
    if (
      ts.isTypeOfExpression(parent) ||
      ts.isPrefixUnaryExpression(parent) ||
      ts.isExpressionStatement(parent)
    )
      return true;
    if (ts.isIfStatement(parent) || ts.isConditionalExpression(parent))
      return (
        parent.getChildren().includes(node) &&
        (ts.isIfStatement(parent) ? parent.expression === node : parent.condition === node)
      );
    if (!ts.isBinaryExpression(parent)) return false;
    const operator = parent.operatorToken.getText();
    return (
      /^([!=]==?|in|instanceof)$/.test(operator) ||
      (isAssignment(ts, parent) && parent.left === node) ||
      (operator === "&&" && parent.left === node)
    );
  }

  /** `const local = browser.storage.local`: both names are tracked. */
  #isAlias(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    let at = node;
    while (
      ts.isConditionalExpression(at.parent) ||
      (ts.isBinaryExpression(at.parent) && /^(\|\||\?\?)$/.test(at.parent.operatorToken.getText()))
    )
      at = at.parent;
    const { parent } = at;
    return (
      ts.isVariableDeclaration(parent) &&
      parent.initializer === at &&
      boundNames(ts, parent.name).every((name) => this.#facts.roles.has(name) || !isPowerful(name)) &&
      boundNames(ts, parent.name).some((name) => this.#facts.roles.has(name))
    );
  }

  /** A declared name that coincides with an API. */
  #isShadowed(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    let root = node;
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root)) root = root.expression;
    return ts.isIdentifier(root) && this.#facts.declared.has(root.text) && !this.#facts.roles.has(root.text);
  }
}

const CALLED_BY_LANGUAGE = /^(toJSON|toString|valueOf|then|next|return|throw|handleEvent)$/;
const TRAPS =
  /^(get|set|has|apply|construct|deleteProperty|defineProperty|ownKeys|get\w*Of|getOwnPropertyDescriptor)$/;

/** Configurations without a proxy. */
const DIRECT =
  /\bmode["']?\s*:\s*["'](direct|system|auto_detect)["']|\btype["']?\s*:\s*["']direct["']\s*\}\s*\)?[^]{0,3}[,)]/;

/** APIs that select a page of the extension to show. */
const SETS_PAGE =
  /^((action|browserAction|pageAction)\.setPopup|sidebarAction\.setPanel|sidePanel\.setOptions|offscreen\.createDocument|devtools\.panels\.create)$/;
