/** Calls: of functions of the component, of browser APIs, of unknown code. */
import type TypeScript from "typescript";
import {
  CHANGES,
  effectOf,
  GLOBALS,
  HOLDERS,
  isFetching,
  KEEPS_NOTHING,
  MAY_KEEP,
  PUTS_INSIDE,
  TABS,
  type Effect,
} from "./apis.js";
import { textIn } from "./constants.js";
import { KNOWN } from "./foreign.js";
import { functionsIn, topicOf } from "./handlers.js";
import { choose, repeated, type Line } from "./lines.js";
import { isLoading } from "./scripts.js";
import { pathIn } from "./names.js";
import { isFiltered, OTHER_WINDOWS, reachesOtherWindows } from "./other-windows.js";
import { isOfRequests, Sinks } from "./sinks.js";
import { isFunction, unwrapped, type FunctionNode } from "./syntax.js";
import { fetchesByPage } from "./unread.js";

/** Most nested calls to inline. */
const DEEP = 12;

export abstract class Calls extends Sinks {
  /** Functions being inlined. */
  protected readonly calls: FunctionNode[] = [];
  /** Whether the result of the handler is the reply to a message. */
  protected answers = false;
  /** Whether that reply goes to another extension. */
  protected answersOutside = false;

  /** Assigns a variable that other handlers can read. */
  protected abstract assigned(name: string, value: TypeScript.Expression, node: TypeScript.Node): Line[];
  protected abstract expression(node: TypeScript.Node): Line[];
  /** Effects of evaluating an assignment target or a callee. */
  protected abstract inTarget(left: TypeScript.Expression): Line[];
  protected abstract block(statements: readonly TypeScript.Node[]): Line[];
  /** Effects of the expressions inside a node that is not a statement. */
  protected abstract loose(node: TypeScript.Node): Line[];

  protected callExpression(node: TypeScript.CallExpression): Line[] {
    const ts = this.ts;
    const path = pathIn(ts, this.facts.roles, node.expression);
    const given = node.arguments.filter((argument) => !isFunction(ts, argument));
    const before = [
      ...this.inTarget(node.expression),
      ...given.flatMap((argument) => this.expression(argument)),
    ];
    const name = path.slice(path.lastIndexOf(".") + 1);
    const [root = ""] = path.split(".");
    const own = /\.(call|apply|bind)$/.test(path)
      ? this.facts.functions.get(path.split(".").at(-2) ?? "")
      : this.facts.functions.get(name);
    const effect = effectOf(path, topicOf(ts, node));
    const relevant = relevantOf(ts, path, node);
    const tabs = this.#ofTabs(path, node, given);
    // The loaded code is analysed, or treated as arbitrary.
    if (isLoading(ts, node)) return before;
    if (/CSS$/.test(path) && relevant?.some((each) => fetchesByPage(textIn(ts, each, this.facts.constants))))
      return [...before, ...this.sending("Network", node)]; // sound: test/languages/webextension/calls.test.ts
    if (relevant && this.#saysNothing(relevant))
      return [...before, ...tabs, ...this.#callbacks(node.arguments)];
    if (effect && effect.kind !== "nothing")
      return [
        ...before,
        ...this.toOtherExtension(path, given, node),
        ...this.toOutside(path, given, node),
        ...this.pictured(path, given, node),
        ...this.#known(effect, node, relevant ?? given),
      ];
    if (/(^|\.)classList\.\w+$/.test(path) && !this.facts.sharesVariables) return before;
    // The injected code is analysed, or treated as arbitrary; its arguments may flow anywhere in it.
    if (/^(scripting|tabs)\.executeScript$/.test(path))
      return [...before, ...(/\bargs\b/.test(node.getText()) && !this.isEmpty(given) ? this.heap(node) : [])]; // sound: test/languages/webextension/calls.test.ts
    if (!own && /\.(submit|requestSubmit)$/.test(path)) return [...before, ...this.submitted(node)];
    const others = this.#otherWindows(path, node);
    if (others.length > 0) return [...before, ...tabs, ...others, ...this.#callbacks(node.arguments)];
    const callbacks = this.#callbacks(node.arguments);
    const isForeign = this.#isForeign(root);
    if (own && (!path.includes(".") || !effect))
      return [
        ...before,
        ...choose(own.map((each) => this.call(each))),
        ...callbacks,
        ...(isForeign ? this.#unseen(node, path, given) : []),
      ];
    const callee = unwrapped(ts, node.expression);
    if (isFunction(ts, callee)) return [...before, ...this.call(callee), ...callbacks];
    return [...before, ...tabs, ...(effect ? [] : this.#unknownCall(node, path, given)), ...callbacks];
  }

  /** Properties of a tab other than its address can be read back; the tab's identity is not tracked. */
  #ofTabs(path: string, node: TypeScript.CallExpression, given: readonly TypeScript.Expression[]): Line[] {
    if (/^(tabs|windows)\.(get\w*|query)$/.test(path)) return this.taking([TABS], node);
    if (/^(tabs|windows)\.create$/.test(path) && given.every((each) => this.isConstant(each))) return [];
    if (!/^(tabs|windows)\.(create|update)$/.test(path)) return []; // sound: test/languages/webextension/calls.test.ts
    return this.effect({ kind: "put", box: TABS }, given.slice(given.length > 1 ? 1 : 0), node); // sound: test/languages/webextension/calls.test.ts
  }

  /** Only constants that cause no fetch; pages of the extension are analysed separately. */
  #saysNothing = (relevant: readonly TypeScript.Expression[]): boolean =>
    relevant.every(
      (each) => this.isConstant(each) && !this.#isElsewhere(textIn(this.ts, each, this.facts.constants)),
    );

  #isElsewhere = (text: string): boolean =>
    /["'`]\s*(https?:|\/\/|data:|ftp:|blob:|javascript:)/.test(text) || fetchesByPage(text); // sound: test/languages/webextension/calls.test.ts

  /**
   * A page shared by all windows sees private windows in the results, regardless of the window its handler is about.
   */
  #otherWindows(path: string, node: TypeScript.CallExpression): Line[] {
    // A page runs in the window in which it was opened; the user who triggers the extension is in front of it.
    const isOfFront = this.facts.isPage || this.event === "" || OF_FRONT.test(this.event);
    if (!this.facts.sharesVariables || !reachesOtherWindows(this.ts, path, node, isOfFront)) return []; // sound: test/languages/webextension/calls.test.ts
    if (isFiltered(this.ts, node) && !this.facts.answers.isOverwritten()) return []; // sound: test/languages/webextension/calls.test.ts
    this.around.fill(OTHER_WINDOWS);
    return this.taking([OTHER_WINDOWS], node);
  }

  /** Whether the name is neither declared here nor built in. */
  #isForeign = (root: string): boolean =>
    this.facts.unseen.has(root) ||
    (!this.facts.declared.has(root) &&
      !KNOWN.test(root) &&
      !GLOBALS.has(root) &&
      !HOLDERS.has(root) &&
      root !== "objectStore" &&
      root !== "port" &&
      root !== "native");

  protected newExpression(node: TypeScript.NewExpression): Line[] {
    const ts = this.ts;
    const given = (node.arguments ?? []).filter((argument) => !isFunction(ts, argument));
    const before = [
      ...this.inTarget(node.expression),
      ...given.flatMap((argument) => this.expression(argument)),
    ];
    const path = pathIn(ts, this.facts.roles, node.expression);
    const callbacks = this.#callbacks(node.arguments ?? []);
    if (given.length === 0 || this.isEmpty(given)) return [...before, ...callbacks];
    if (HOLDERS.has(path)) return [...before, ...callbacks];
    // A class of the component: it may retain its arguments, and its constructor runs at any time.
    const isOwn =
      this.facts.declared.has(path) && !this.facts.unseen.has(path) && !this.facts.parameters.has(path);
    return [
      ...before,
      ...(isOwn ? this.heap(node) : this.#unseen(node, path, given)),
      ...callbacks,
      ...this.#constructed(path),
    ];
  }

  /** `function Point(x) { … }`, called by `new`. */
  #constructed = (name: string): Line[] =>
    choose((this.facts.functions.get(name) ?? []).map((each) => this.call(each)));

  protected tagged(node: TypeScript.TaggedTemplateExpression): Line[] {
    const path = pathIn(this.ts, this.facts.roles, node.tag);
    const inside = this.expression(node.template);
    const own = this.facts.functions.get(path.slice(path.lastIndexOf(".") + 1));
    if (own) return [...inside, ...choose(own.map((each) => this.call(each)))];
    return [...inside, ...this.#unseen(node, path, [node.template])];
  }

  /** A method may store its arguments in its object or retain them; an unknown function may retain them. */
  #unknownCall(
    node: TypeScript.CallExpression,
    path: string,
    given: readonly TypeScript.Expression[],
  ): Line[] {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const [root = ""] = path.split(".");
    if (
      /(^|\.)execCommand$/.test(path) &&
      !/["'`](insert|bold|italic|undo|redo|select)/i.test(node.getText())
    )
      return this.#unseen(node, path, [node]); // sound: test/languages/webextension/calls.test.ts
    if (path.includes(".") && CHANGES.has(name) && !this.#isForeign(root)) return this.#changedBy(node, path); // sound: test/languages/webextension/calls.test.ts
    if (this.isEmpty(given)) return [];
    if (/^(Object\.(assign|define\w+|setPrototypeOf)|Reflect\.set)$/.test(path))
      return [
        ...this.#into(given[0], node),
        ...(given[0] && this.mayBeElement(given[0]) ? this.fetched(name, given, node) : this.heap(node)), // sound: test/languages/webextension/calls.test.ts
      ];
    if (this.#isParameter(node, path))
      return this.answers ? this.#answer(given, node) : this.calls.length > 0 ? this.given(given, node) : [];
    const isMethod = path.includes(".");
    const isForeign = this.#isForeign(root);
    const isComputed = name === "*" || (path.includes("*") && KNOWN.test(root));
    if (isComputed) return this.#unseen(node, path, given);
    if (isMethod && KEEPS_NOTHING.has(name) && !isForeign) return [];
    if (!isMethod && GLOBALS.has(path)) return [];
    const put =
      isMethod && this.facts.variables.has(root)
        ? this.effect({ kind: "put", box: this.box(root) }, given, node)
        : [];
    if (/^setAttribute(NS)?$/.test(name) && isMethod && !isForeign) return this.#attribute(given, node);
    if (isMethod && PUTS_INSIDE.has(name) && !isForeign && this.fetchesText() && !this.#isOwnElement(given))
      return [...put, ...this.fetched(name, given, node)]; // sound: test/languages/webextension/calls.test.ts
    if (MAY_KEEP.has(name) && this.#mayBeStore(node)) return [...put, ...this.#unseen(node, path, given)]; // sound: test/languages/webextension/calls.test.ts
    if (isMethod && PUTS_INSIDE.has(name) && !isForeign)
      return [...put, ...(this.isEmpty(given) ? [] : this.heap(node))];
    return [...put, ...this.#unseen(node, path, given)];
  }

  /** `left.delete(url)`: the remaining content reveals the removed part. Temporary objects are not observable. */
  #changedBy(node: TypeScript.CallExpression, path: string): Line[] {
    const [root = "", ...more] = path.split(".");
    if (this.facts.variables.has(root)) return this.assigned(root, node, node); // sound: test/languages/webextension/calls.test.ts
    const isKnown =
      this.facts.held.has(root) || !this.facts.declared.has(root) || /\.(sort|reverse)$/.test(path);
    const callee = unwrapped(this.ts, node.expression);
    const isMade = this.ts.isPropertyAccessExpression(callee) && !this.#isPlace(callee.expression);
    return (isKnown && more.length === 1 && root !== "this") || isMade ? [] : this.heap(node);
  }

  #isPlace = (node: TypeScript.Expression): boolean =>
    this.ts.isIdentifier(node) ||
    node.kind === this.ts.SyntaxKind.ThisKeyword ||
    ((this.ts.isPropertyAccessExpression(node) || this.ts.isElementAccessExpression(node)) &&
      this.#isPlace(node.expression));

  /** Whether the component has a store or cache, and this object may be one. */
  #mayBeStore(node: TypeScript.CallExpression): boolean {
    const path = pathIn(this.ts, this.facts.roles, node.expression);
    const [root = ""] = path.split(".");
    if (this.facts.held.has(root) || /\bclassList\.\w+$/.test(path)) return false;
    return (
      this.facts.unseen.size > 0 ||
      this.facts.scripts.some(({ text }) => /\b(indexedDB|objectStore|caches)\b/.test(text))
    );
  }

  /** Contents of elements that the component creates come from analysed code. */
  #isOwnElement = (given: readonly TypeScript.Expression[]): boolean =>
    this.isOwnText(given.filter((each) => !this.facts.made.has(each.getText())));

  /** `image.setAttribute("src", …)` is `image.src = …`. */
  #attribute(given: readonly TypeScript.Expression[], node: TypeScript.CallExpression): Line[] {
    const value = given.slice(-1);
    const name = given.at(-2);
    const isHarmless = name && this.ts.isStringLiteralLike(name) && !isFetching(name.text.toLowerCase());
    if (!isHarmless && !this.isOwnText(value)) return this.fetched("setAttribute", value, node); // sound: test/languages/webextension/calls.test.ts
    return this.isEmpty(given) ? [] : this.heap(node);
  }

  /** `Object.assign(list, …)`: writes to its first argument. */
  #into(target: TypeScript.Expression | undefined, node: TypeScript.Node): Line[] {
    const [root = ""] = target ? pathIn(this.ts, this.facts.roles, target).split(".") : [];
    return this.facts.variables.has(root) ? repeated(this.sending(this.box(root), node)) : [];
  }

  #known(effect: Effect, node: TypeScript.CallExpression, given: readonly TypeScript.Expression[]): Line[] {
    switch (effect.kind) {
      case "listen":
        return [];
      case "event":
        // Runs separately as a handler; if registered inside a function, it also has access to the data of that
        // function.
        return this.calls.length > 0 ? this.#callbacks(node.arguments) : [];
      default:
        return [...this.effect(effect, given, node), ...this.#callbacks(node.arguments)];
    }
  }

  /** Unknown code may retain its arguments, send them, or return them later. */
  #unseen(node: TypeScript.Node, path: string, given: readonly TypeScript.Expression[]): Line[] {
    if (this.isEmpty(given)) return [];
    const name = path === "" ? "this" : `\`${path}\``;
    this.around.note(node, `${name} is not analysed: it may store its arguments`);
    const ways = (["Storage", "Network"] as const).map((sink) =>
      this.effect({ kind: "sink", sink }, given, node),
    );
    return [...choose([...ways, []]), ...this.heap(node)];
  }

  /** A listener replies through its result or through the callback it receives. */
  #answer(given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    if (this.isEmpty(given)) return [];
    const outside = this.answersOutside ? this.sending("Network", node) : []; // sound: test/languages/webextension/calls.test.ts
    return [...outside, ...repeated(this.sending(`reply ${this.mode}`, node))];
  }

  protected returned(node: TypeScript.Expression): Line[] {
    const isOutermost = this.calls.length === 1;
    return [
      ...this.expression(node),
      ...(isOutermost && this.answers ? this.#answer([node], node) : []),
      ...(isOutermost && isOfRequests(this.event) ? this.toRequest(node, node) : []), // sound: test/languages/webextension/calls.test.ts
    ];
  }

  /** Whether the callee is a parameter of an enclosing function: `resolve`, `sendResponse`, `callback`. */
  #isParameter(node: TypeScript.Node, name: string): boolean {
    for (let at: TypeScript.Node | undefined = node.parent; at; at = at.parent)
      if (this.ts.isFunctionLike(at) && at.parameters.some((parameter) => parameter.name.getText() === name))
        return true;
    return false;
  }

  /** Functions passed as arguments may be called any number of times. */
  #callbacks(given: readonly TypeScript.Expression[]): Line[] {
    const functions = given.flatMap((argument) => functionsIn(this.facts, this.ts, argument));
    if (functions.length === 0) return [];
    return this.maybe(() => repeated(choose(functions.map((each) => this.call(each)))));
  }

  protected call(node: FunctionNode): Line[] {
    if (!node.body) return [];
    if (this.calls.includes(node) || this.calls.length > DEEP) {
      this.around.note(
        node,
        "it calls itself: it is taken to do anything that the component does, in any order",
      );
      return this.#anything();
    }
    this.calls.push(node);
    const defaults = node.parameters.flatMap((parameter) => this.loose(parameter));
    const lines = this.ts.isBlock(node.body) ? this.block(node.body.statements) : this.returned(node.body);
    this.calls.pop();
    return [...defaults, ...lines];
  }

  /** All effects of the component, in any order. */
  #anything(): Line[] {
    const ways: Line[][] = [];
    const visit = (node: TypeScript.Node): void => {
      if (this.ts.isCallExpression(node)) {
        const effect = effectOf(pathIn(this.ts, this.facts.roles, node.expression), topicOf(this.ts, node));
        if (effect && effect.kind !== "nothing" && effect.kind !== "event" && effect.kind !== "listen")
          ways.push(this.effect(effect, node.arguments, node));
      }
      this.ts.forEachChild(node, visit);
    };
    this.facts.scripts.forEach(visit);
    for (const variable of this.facts.variables) {
      const box = this.box(variable);
      ways.push(this.sending(box, undefined), this.taking([box], undefined));
    }
    ways.push(this.sending(this.heapName(), undefined));
    return repeated(choose(ways.filter((way) => way.length > 0)));
  }
}

/** The user is in the focused window, or the event belongs to no window. */
const OF_FRONT =
  /^(commands\.onCommand|(action|browserAction|pageAction)\.onClicked|(menus|contextMenus)\.on(Clicked|Shown)|omnibox\.\w+|alarms\.onAlarm|idle\.\w+|runtime\.on(Installed|Startup|Suspend))\.addListener$/;

/** Arguments that carry data; undefined: all. */
function relevantOf(
  ts: typeof TypeScript,
  path: string,
  { arguments: given }: TypeScript.CallExpression,
): readonly TypeScript.Expression[] | undefined {
  const isStyle = /^(tabs|scripting)\.(insertCSS|removeCSS)$/.test(path);
  if (!isStyle && !/^(tabs|windows)\.(create|update)$/.test(path)) return undefined;
  const names = isStyle ? /^(code|css)$/ : /^(url|titlePreface)$/;
  const relevant: TypeScript.Expression[] = [];
  for (const [index, argument] of given.entries()) {
    if (isFunction(ts, argument)) continue;
    if (!ts.isObjectLiteralExpression(argument)) {
      // An optional id of a tab or window precedes.
      if (index === 0 && given.length > 1) continue;
      return undefined;
    }
    for (const property of argument.properties) {
      if (!property.name || ts.isComputedPropertyName(property.name)) return undefined;
      const name = property.name.getText().replace(/["']/g, "");
      if (!names.test(name)) continue;
      if (ts.isPropertyAssignment(property)) relevant.push(property.initializer);
      else if (ts.isShorthandPropertyAssignment(property)) relevant.push(property.name);
      else return undefined;
    }
  }
  return relevant;
}
