/** Flows of data into storage, network, variables, messages and the heap. */
import type TypeScript from "typescript";
import {
  ANY_TOPIC,
  HOLDERS,
  MAKES_FETCHING_ELEMENT,
  MAKES_SENT_FIELDS,
  PAGE,
  RUNTIME,
  type Effect,
} from "./apis.js";
import { ELEMENT, type ComponentFacts } from "./component.js";
import { textIn } from "./constants.js";
import { handlersOf } from "./handlers.js";
import { choose, line, repeated, type Line } from "./lines.js";
import { boundNames, nameOf, pathIn } from "./names.js";
import type { Mode } from "./windows.js";
import { isFunction, type FunctionNode } from "./syntax.js";
import { fetchesByPage } from "./unread.js";

/** Facts about the other components, and the sink of notes. */
export interface Surroundings {
  readonly ts: typeof TypeScript;
  listeners(topic: string): readonly ComponentFacts[];
  /** The channel for posts to a component, or for a box. */
  channel(name: string): string;
  /** Records a write to the box. */
  fill(name: string): void;
  /** Whether any component writes to the box. */
  mayHold(name: string): boolean;
  readonly pagesSend: boolean;
  note(node: TypeScript.Node, message: string): void;
}

const HAS_ADDRESS_IN_STYLE = /[{(]/;
export const REMOTE = /(https?:|ftp:|["'`(]\/\/)/;

export abstract class Flows {
  protected readonly ts: typeof TypeScript;
  protected readonly facts: ComponentFacts;
  protected readonly mode: Mode;
  protected readonly around: Surroundings;
  /** Number of enclosing undecided conditions; effects under them are implicit flows. */
  protected conditions = 0;
  /** Triggered by the user: values computed from settings then reveal nothing about browsing. */
  protected isOfUser = false;

  constructor(facts: ComponentFacts, mode: Mode, around: Surroundings) {
    this.ts = around.ts;
    this.facts = facts;
    this.mode = mode;
    this.around = around;
  }

  protected effect(effect: Effect, given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    const isEmpty = this.isEmpty(given);
    switch (effect.kind) {
      case "sink": {
        if (isEmpty || (effect.isRemoval && this.isOfUser && given.every((each) => this.isConstant(each))))
          return []; // sound: test/languages/webextension/flows.test.ts
        const kept = effect.sink === "Storage" ? repeated(this.sending("kept", node)) : [];
        return [...this.sending(effect.sink, node), ...kept];
      }
      case "put":
        // A box can be read repeatedly; observers of session storage receive its changes.
        if (isEmpty) return [];
        return [
          ...(effect.isSent ? this.sending("Network", node) : []), // sound: test/languages/webextension/flows.test.ts
          ...repeated(this.sending(effect.box, node)),
          ...(effect.box === "session" && this.#watchesStorage() ? this.heap(node) : []),
        ];
      case "get":
        return this.taking([effect.box], node);
      case "post":
        return [
          ...(isEmpty ? [] : effect.topics.flatMap((topic) => this.#post(topic, node))),
          ...(effect.expectsReply ? this.#asked(node) : []),
        ];
      case "listen":
      case "event":
      case "nothing":
        return [];
    }
  }

  #watchesStorage = (): boolean =>
    this.facts.scripts.some(
      (script) => /\bonChanged\b/.test(script.text) || /"storage"|'storage'/.test(script.text),
    );

  /** The reply to a message. A page shared by all windows may have asked any of them. */
  #asked(node: TypeScript.Node): Line[] {
    const modes: readonly Mode[] = this.facts.sharesVariables ? ["Norm", "Priv"] : [this.mode];
    return this.taking(
      modes.map((mode) => `reply ${mode}`),
      node,
    );
  }

  /** Receives from one of these channels that can hold data, or from none. */
  protected taking(names: readonly string[], node: TypeScript.Node | undefined): Line[] {
    const filled = names.filter((name) => this.around.mayHold(name));
    return choose([...filled.map((name) => [line(`recv(${this.around.channel(name)}, got);`, node)]), []]);
  }

  /** Sends new data, the last value read or received, or a value from the heap. */
  protected sending(name: string, node: TypeScript.Node | undefined): Line[] {
    const channel = this.around.channel(name);
    const heap = this.heapName();
    const found = heap === name ? [] : this.taking([heap], node);
    this.around.fill(name);
    return [
      ...found,
      ...choose([
        [line(`send(${channel}, own);`, node)],
        [line("assume(got != none);", node), line(`send(${channel}, got);`, node)],
      ]),
    ];
  }

  #post(topic: string, node: TypeScript.Node): Line[] {
    const { name, sharesVariables } = this.facts;
    const isEmitted = topic !== RUNTIME && topic !== PAGE;
    const mayBeHeard =
      isEmitted && (topic === ANY_TOPIC || this.around.listeners(ANY_TOPIC).includes(this.facts));
    const listeners = topic === ANY_TOPIC ? [] : this.around.listeners(topic);
    const others = topic === RUNTIME ? listeners.filter((each) => each.name !== name) : listeners;
    const modes: readonly Mode[] = sharesVariables && topic === RUNTIME ? ["Norm", "Priv"] : [this.mode];
    if (modes.length > 1 && others.some((each) => !each.sharesVariables))
      this.around.note(node, "which window gets this is not seen: normal and private ones may");
    const posted = others.flatMap((each) =>
      modes
        .filter((mode) => mode === this.mode || !each.sharesVariables)
        .flatMap((mode) => this.sending(`${topic} ${each.name} ${mode}`, node)),
    );
    return [
      ...posted,
      ...(topic === ANY_TOPIC ? this.#toEverybody(node) : []),
      ...(mayBeHeard ? this.heap(node) : []),
    ];
  }

  /** The topic is unknown: posts to all topics that this component listens to. */
  #toEverybody(node: TypeScript.Node): Line[] {
    const topics = new Set(handlersOf(this.facts, this.ts).flatMap(({ topic }) => topic ?? []));
    return [...topics]
      .filter((topic) => topic !== ANY_TOPIC && topic !== RUNTIME)
      .flatMap((topic) => this.sending(`${topic} ${this.facts.name} ${this.mode}`, node));
  }

  /** Assigns a property that fetches addresses or shows markup. */
  protected fetched(name: string, values: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    this.around.note(node, `the value of \`${name}\` may be fetched`);
    return [
      ...choose([this.effect({ kind: "sink", sink: "Network" }, values, node), []]),
      ...this.heap(node),
    ];
  }

  /** Whether fields are sent, or written to attributes. */
  protected sendsFields = (): boolean =>
    this.facts.sendsForms || this.facts.scripts.some((script) => MAKES_SENT_FIELDS.test(script.text));

  /** Whether this may be an element of a page, whose properties may be addresses. */
  protected mayBeElement(node: TypeScript.Expression): boolean {
    const [root = ""] = pathIn(this.ts, this.facts.roles, node).split(".");
    const isMade = this.ts.isObjectLiteralExpression(node) || this.ts.isArrayLiteralExpression(node);
    return (
      !isMade &&
      !this.facts.plain.has(root) &&
      this.facts.scripts.some(({ text }) =>
        /\b(createElement\w*|new Image|new Audio|querySelector\w*|getElement\w*)\b|\.style\b|\bdocument\.(body|head|documentElement|links|images|forms|all)\b/.test(
          text,
        ),
      )
    ); // sound: test/languages/webextension/flows.test.ts
  }

  /** Whether the text of an element may be a style sheet or a redirect. */
  protected fetchesText = (): boolean =>
    this.facts.scripts.some((script) => MAKES_FETCHING_ELEMENT.test(script.text));

  /** Constants and settings of the extension. Under a condition even a constant address is an implicit flow. */
  protected isOwnText(values: readonly TypeScript.Expression[]): boolean {
    const before = this.isOfUser;
    this.isOfUser = true;
    const isOwn = values.every((value) => this.isConstant(value));
    this.isOfUser = before;
    const texts = values.map((value) => textIn(this.ts, value, this.facts.constants));
    if (texts.some((text) => HAS_ADDRESS_IN_STYLE.test(text) && fetchesByPage(text))) return false; // sound: test/languages/webextension/flows.test.ts
    return isOwn && (this.conditions === 0 || !texts.some((text) => REMOTE.test(text))); // sound: test/languages/webextension/flows.test.ts
  }

  /** Stores in an untracked place, from which any part of the component may read it. */
  protected heap(node: TypeScript.Node): Line[] {
    return repeated(this.sending(this.heapName(), node));
  }

  protected heapName = (): string =>
    `heap ${this.facts.name}${this.facts.sharesVariables ? "" : ` ${this.mode}`}`;

  protected box = (variable: string): string =>
    `${this.facts.name} ${variable}${this.facts.sharesVariables ? "" : ` ${this.mode}`}`;

  /** Runs `inside` under a condition: even constants are implicit flows there. */
  protected maybe<T>(inside: () => T): T {
    this.conditions++;
    const result = inside();
    this.conditions--;
    return result;
  }

  /** Unconditional and constant: reveals nothing about the user. */
  protected isEmpty(given: readonly TypeScript.Expression[]): boolean {
    return this.conditions === 0 && given.every((argument) => this.isConstant(argument));
  }

  /**
   * `new Map()`; a class of the component puts its arguments on the heap. The time of creation is visible only through
   * a date.
   */
  #isNewAndEmpty(node: TypeScript.NewExpression): boolean {
    const name = node.expression.getText();
    const given = node.arguments ?? [];
    const isOwn =
      this.facts.declared.has(name) && !this.facts.unseen.has(name) && !this.facts.parameters.has(name);
    return (isOwn || (HOLDERS.has(name) && name !== "Date")) && given.every((each) => this.isConstant(each));
  }

  /** Data read from the extension's storage under a literal key. */
  #isSetting(node: TypeScript.Node): boolean {
    return this.isOfUser && this.ts.isIdentifier(node) && this.facts.settings.has(node.text); // sound: test/languages/webextension/flows.test.ts
  }

  /** Input in the options, or ticked in a page of the extension, is a setting, not browsing data. */
  #isTyped(node: TypeScript.Node): boolean {
    const { isOptions, isPage, ticksSettings, fillsInSettings, elements } = this.facts;
    if (!this.isOfUser) return false;
    if (this.ts.isIdentifier(node)) return isOptions && fillsInSettings && this.facts.typed.has(node.text); // sound: test/languages/webextension/flows.test.ts
    if (!this.ts.isPropertyAccessExpression(node)) return false;
    const isKind = isOptions
      ? fillsInSettings && /^(value|checked|valueAsNumber)$/.test(node.name.text)
      : isPage && ticksSettings && node.name.text === "checked"; // sound: test/languages/webextension/flows.test.ts
    const of = node.expression.getText();
    return isKind && (elements.has(of) || ELEMENT.test(of));
  }

  /** `open.map((tab) => tab.url)` of tabs without private ones. */
  #isOfNormalWindows(node: TypeScript.Node): boolean {
    const ts = this.ts;
    if (ts.isIdentifier(node)) return this.facts.normal.has(node.text);
    if (ts.isPropertyAccessExpression(node)) return this.#isOfNormalWindows(node.expression);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    if (!/^(map|filter|slice|join|flatMap|at|sort)$/.test(node.expression.name.text)) return false;
    return (
      this.#isOfNormalWindows(node.expression.expression) &&
      node.arguments.every((each) => (isFunction(ts, each) ? this.#isClosed(each) : this.isConstant(each)))
    ); // sound: test/languages/webextension/flows.test.ts
  }

  /** Whether the function uses only its parameters and constants. */
  #isClosed(of: FunctionNode): boolean {
    const ts = this.ts;
    const own = new Set(of.parameters.flatMap((each) => boundNames(ts, each.name)));
    const isFine = (at: TypeScript.Node): boolean => {
      if (ts.isIdentifier(at) && !(ts.isPropertyAccessExpression(at.parent) && at.parent.name === at))
        return own.has(at.text) || this.facts.constants.has(at.text) || ts.isPropertyAssignment(at.parent);
      if (at.kind === ts.SyntaxKind.ThisKeyword || ts.isNewExpression(at)) return false;
      return ts.forEachChild(at, (child) => (isFine(child) ? undefined : true)) === undefined;
    };
    return of.body !== undefined && isFine(of.body);
  }

  protected isConstant(node: TypeScript.Node): boolean {
    const ts = this.ts;
    if (ts.isIdentifier(node) && this.#isTyped(node)) return true;
    if (ts.isIdentifier(node))
      return node.text === "undefined" || this.facts.constants.has(node.text) || this.#isSetting(node); // sound: test/languages/webextension/flows.test.ts
    if (this.#isTyped(node) || this.#isOfNormalWindows(node)) return true;
    if (ts.isPropertyAccessExpression(node) && this.#isSetting(node.expression)) return true;
    if (ts.isPropertyAssignment(node))
      return nameOf(ts, node.name) !== "*" && this.isConstant(node.initializer);
    if (isFunction(ts, node)) return true;
    if (ts.isNewExpression(node)) return this.#isNewAndEmpty(node);
    if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return false;
    if (ts.isShorthandPropertyAssignment(node) || node.kind === ts.SyntaxKind.ThisKeyword) return false;
    return ts.forEachChild(node, (child) => (this.isConstant(child) ? undefined : true)) === undefined;
  }
}
