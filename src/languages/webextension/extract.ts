/**
 * One component as one principal: a loop that takes any of its handlers, in a normal or in a private window.
 *
 * A handler has two values at hand: `own`, new data of its window (what the user does and sees), and `got`, the last that it
 * received or read. What it passes on may be either. Conditions about private windows are decided; all others may go either
 * way. What cannot be seen is taken for more than it may be, and noted.
 */
import type TypeScript from "typescript";
import { effectOf, GLOBALS, KEEPS_NOTHING, RUNTIME, type Effect } from "./apis.js";
import { isFunction, isPrivateName, unwrapped, type ComponentFacts, type FunctionNode } from "./component.js";

export type Mode = "Norm" | "Priv";

export interface Line {
  readonly text: string;
  /** What it stands for in the script. */
  readonly node: TypeScript.Node | undefined;
}

/** What a component needs to know of the others, and where it says what it found. */
export interface Surroundings {
  readonly ts: typeof TypeScript;
  /** Components that listen to a topic, by name. */
  listeners(topic: string): readonly ComponentFacts[];
  /** The channel for what is posted to a component, or put into a box. */
  channel(name: string): string;
  note(node: TypeScript.Node, message: string): void;
}

export interface Handler {
  /** What must arrive before it runs; undefined: nothing. */
  readonly topic: string | undefined;
  readonly node: TypeScript.Node;
  readonly functions: readonly FunctionNode[];
}

/** Functions that are called when something happens, wherever they are registered. */
export function handlersOf(facts: ComponentFacts, ts: typeof TypeScript): Handler[] {
  const handlers: Handler[] = [];
  const add = (
    node: TypeScript.Node,
    topic: string | undefined,
    candidates: readonly TypeScript.Node[],
  ): void => {
    const functions = candidates.flatMap((each) => functionsIn(facts, ts, each));
    if (functions.length > 0) handlers.push({ topic, node, functions });
  };
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node)) {
      const effect = effectOf(pathOf(facts, ts, node.expression), topicOf(ts, node));
      if (effect?.kind === "listen") add(node, effect.topic, node.arguments);
      if (effect?.kind === "event") add(node, undefined, node.arguments);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const name = ts.isPropertyAccessExpression(node.left) ? node.left.name.text : node.left.getText();
      if (/^on[a-z]+$/.test(name)) add(node, name === "onmessage" ? "page" : undefined, [node.right]);
    }
    ts.forEachChild(node, visit);
  };
  facts.scripts.forEach(visit);
  return handlers;
}

export function extractPrincipal(facts: ComponentFacts, mode: Mode, around: Surroundings): Line[] {
  return new Extractor(facts, mode, around).principal();
}

class Extractor {
  readonly #ts: typeof TypeScript;
  readonly #facts: ComponentFacts;
  readonly #mode: Mode;
  readonly #around: Surroundings;
  readonly #calls: FunctionNode[] = [];
  #size = 0;

  constructor(facts: ComponentFacts, mode: Mode, around: Surroundings) {
    this.#ts = around.ts;
    this.#facts = facts;
    this.#mode = mode;
    this.#around = around;
  }

  principal(): Line[] {
    const start = (node: TypeScript.Node): Line[] => [line("own = data;", node), line("got = none;", node)];
    const top = this.#facts.scripts.map((file) => [...start(file), ...this.#block(file.statements)]);
    const handlers = handlersOf(this.#facts, this.#ts).flatMap(({ topic, node, functions }) =>
      functions.map((each) => {
        const arrival = topic === undefined ? [] : this.#receive(topic, node);
        return [...start(node), ...arrival, ...this.#call(each)];
      }),
    );
    return [
      line("loop {"),
      ...choose([...top, ...handlers].filter((branch) => branch.length > 2)),
      line("}"),
    ];
  }

  /** From one of the channels by which such messages come. */
  #receive(topic: string, node: TypeScript.Node): Line[] {
    return [line(`recv(${this.#around.channel(`${topic} ${this.#facts.name} ${this.#mode}`)}, got);`, node)];
  }

  /** Statements, and nothing after a `return`; where a branch may return, what follows belongs to the other one. */
  #block(statements: readonly TypeScript.Node[]): Line[] {
    const ts = this.#ts;
    const lines: Line[] = [];
    for (const [index, node] of statements.entries()) {
      const rest = statements.slice(index + 1);
      if (ts.isReturnStatement(node) || ts.isThrowStatement(node))
        return [...lines, ...(node.expression ? this.#expression(node.expression) : [])];
      if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return lines;
      if (ts.isBlock(node)) return [...lines, ...this.#block([...node.statements, ...rest])];
      if (!ts.isIfStatement(node)) {
        lines.push(...this.#statement(node));
        continue;
      }
      lines.push(...this.#expression(node.expression));
      const isPrivate = this.#decide(node.expression);
      const then = [node.thenStatement];
      const other = node.elseStatement ? [node.elseStatement] : [];
      if (isPrivate !== undefined)
        return [...lines, ...this.#block([...(isPrivate ? then : other), ...rest])];
      const leaves = [...then, ...other].some((branch) => this.#mayLeave(branch));
      if (leaves && this.#size > LARGE) this.#around.note(node, "where this returns, it may also go on");
      if (leaves && this.#size <= LARGE)
        return [
          ...lines,
          ...this.#sized(choose([this.#block([...then, ...rest]), this.#block([...other, ...rest])])),
        ];
      lines.push(...choose([this.#block(then), this.#block(other)]));
    }
    return lines;
  }

  #sized(lines: Line[]): Line[] {
    this.#size += lines.length;
    return lines;
  }

  #statement(node: TypeScript.Node): Line[] {
    const ts = this.#ts;
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isImportDeclaration(node))
      return [];
    if (ts.isExpressionStatement(node)) return this.#expression(node.expression);
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.flatMap(({ initializer, name }) => {
        if (!initializer || isFunction(ts, unwrapped(ts, initializer))) return [];
        const effects = this.#expression(initializer);
        return ts.isIdentifier(name)
          ? [...effects, ...this.#assigned(name.text, initializer, node)]
          : effects;
      });
    if (ts.isIterationStatement(node, false)) {
      if (this.#returnsInside(node))
        this.#around.note(node, "a return inside this loop is taken to end the loop alone");
      const heads = ts.isForStatement(node)
        ? [node.condition, node.incrementor].filter((each) => each !== undefined)
        : [(node as TypeScript.WhileStatement | TypeScript.ForOfStatement).expression];
      const before = ts.isForStatement(node) && node.initializer ? this.#loose(node.initializer) : [];
      return [
        ...before,
        ...repeated([...heads.flatMap((each) => this.#expression(each)), ...this.#block([node.statement])]),
      ];
    }
    if (ts.isTryStatement(node)) {
      // An exception may come anywhere.
      const tried = node.tryBlock.statements.flatMap((each) => choose([this.#block([each]), []]));
      const caught = node.catchClause ? choose([this.#block([node.catchClause.block]), []]) : [];
      return [...tried, ...caught, ...(node.finallyBlock ? this.#block([node.finallyBlock]) : [])];
    }
    if (ts.isSwitchStatement(node)) {
      const { clauses } = node.caseBlock;
      const ways = clauses.map((_, i) =>
        this.#block(clauses.slice(i).flatMap((clause) => [...clause.statements])),
      );
      return [...this.#expression(node.expression), ...choose([...ways, []])];
    }
    if (ts.isLabeledStatement(node)) return this.#block([node.statement]);
    return this.#loose(node);
  }

  /** The expressions inside something that is no statement of its own. */
  #loose(node: TypeScript.Node): Line[] {
    const lines: Line[] = [];
    this.#ts.forEachChild(node, (child) => {
      lines.push(...(this.#ts.isStatement(child) ? this.#block([child]) : this.#expression(child)));
    });
    return lines;
  }

  #expression(node: TypeScript.Node): Line[] {
    const ts = this.#ts;
    if (isFunction(ts, node) || ts.isTypeNode(node)) return [];
    if (ts.isCallExpression(node)) return this.#callExpression(node);
    if (ts.isConditionalExpression(node)) {
      const isPrivate = this.#decide(node.condition);
      const [yes, no] = [this.#expression(node.whenTrue), this.#expression(node.whenFalse)];
      const ways = isPrivate === undefined ? choose([yes, no]) : isPrivate ? yes : no;
      return [...this.#expression(node.condition), ...ways];
    }
    if (ts.isBinaryExpression(node)) return this.#binary(node);
    if (ts.isIdentifier(node)) return this.#read(node);
    if (ts.isPropertyAccessExpression(node)) return this.#expression(node.expression);
    if (ts.isPropertyAssignment(node)) return this.#expression(node.initializer);
    const lines: Line[] = [];
    ts.forEachChild(node, (child) => void lines.push(...this.#expression(child)));
    return lines;
  }

  #binary(node: TypeScript.BinaryExpression): Line[] {
    const ts = this.#ts;
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
      const isPrivate = this.#decide(node.left);
      const right = this.#expression(node.right);
      const isTaken =
        isPrivate === undefined ? undefined : isPrivate === (kind === ts.SyntaxKind.AmpersandAmpersandToken);
      return [
        ...this.#expression(node.left),
        ...(isTaken === undefined ? choose([right, []]) : isTaken ? right : []),
      ];
    }
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    if (!isAssignment) return [...this.#expression(node.left), ...this.#expression(node.right)];
    const value = isFunction(ts, node.right) ? [] : this.#expression(node.right);
    const path = pathOf(this.#facts, ts, node.left);
    if (/^(localStorage\.|document\.cookie$)/.test(path))
      return [...value, ...this.#effect({ kind: "sink", sink: "Storage" }, [node.right], node)];
    return [...value, ...this.#assigned(path.split(".")[0]!, node.right, node)];
  }

  /** Into a variable that others can read. */
  #assigned(name: string, value: TypeScript.Expression, node: TypeScript.Node): Line[] {
    if (!this.#facts.variables.has(name)) return [];
    return this.#effect({ kind: "put", box: this.#box(name) }, [value], node);
  }

  #read(node: TypeScript.Identifier): Line[] {
    if (!this.#facts.variables.has(node.text)) return [];
    return this.#effect({ kind: "get", box: this.#box(node.text) }, [], node);
  }

  #box = (variable: string): string =>
    `${this.#facts.name} ${variable}${this.#facts.sharesVariables ? "" : ` ${this.#mode}`}`;

  #callExpression(node: TypeScript.CallExpression): Line[] {
    const ts = this.#ts;
    const path = pathOf(this.#facts, ts, node.expression);
    const given = node.arguments.filter((argument) => !isFunction(ts, argument));
    const before = [
      ...(ts.isPropertyAccessExpression(node.expression) ? this.#expression(node.expression.expression) : []),
      ...given.flatMap((argument) => this.#expression(argument)),
    ];
    const own = this.#facts.functions.get(path.slice(path.lastIndexOf(".") + 1));
    const effect = effectOf(path, topicOf(ts, node));
    if (effect && effect.kind !== "nothing") return [...before, ...this.#known(effect, node, given)];
    if (own && (!path.includes(".") || !effect))
      return [...before, ...choose(own.map((each) => this.#call(each))), ...this.#callbacks(node)];
    if (isFunction(ts, unwrapped(ts, node.expression)))
      return [
        ...before,
        ...this.#call(unwrapped(ts, node.expression) as FunctionNode),
        ...this.#callbacks(node),
      ];
    const adding = this.#adding(node, path, given);
    return [
      ...before,
      ...adding,
      ...(effect ? [] : this.#unseen(node, path, given)),
      ...this.#callbacks(node),
    ];
  }

  #known(effect: Effect, node: TypeScript.CallExpression, given: readonly TypeScript.Expression[]): Line[] {
    switch (effect.kind) {
      case "listen":
        return [];
      case "event":
        // Runs by itself, as a handler; registered inside a function it also knows what that function knows.
        return this.#calls.length > 0 ? this.#callbacks(node) : [];
      default:
        return [...this.#effect(effect, given, node), ...this.#callbacks(node)];
    }
  }

  /** `list.push(x)`, where the list can be read by others; whatever is not known to keep nothing may do the same. */
  #adding(node: TypeScript.CallExpression, path: string, given: readonly TypeScript.Expression[]): Line[] {
    const [root = "", method = ""] = [path.split(".")[0], path.slice(path.lastIndexOf(".") + 1)];
    if (!this.#facts.variables.has(root) || root === path || KEEPS_NOTHING.has(method)) return [];
    if (given.every((argument) => this.#isConstant(argument))) return [];
    return this.#effect({ kind: "put", box: this.#box(root) }, given, node);
  }

  /** Code that is not there may keep what it is given. */
  #unseen(node: TypeScript.CallExpression, path: string, given: readonly TypeScript.Expression[]): Line[] {
    const [root = ""] = path.split(".");
    const method = path.slice(path.lastIndexOf(".") + 1);
    const isForeign = path.includes(".") && !this.#facts.variables.has(root) && !KEEPS_NOTHING.has(method);
    const isOpaque =
      isForeign ||
      this.#facts.unseen.has(root) ||
      root === "eval" ||
      (/^[\w$]+$/.test(path) && !GLOBALS.has(path) && !this.#isParameter(node, path)) ||
      /^(browser|chrome)\b/.test(node.expression.getText());
    if (!isOpaque || given.every((argument) => this.#isConstant(argument))) return [];
    this.#around.note(node, `what \`${path}\` does is not seen: it may store what it is given`);
    return choose([this.#effect({ kind: "sink", sink: "Storage" }, given, node), []]);
  }

  /** Called by its own name inside the function that was given it: `resolve`, `sendResponse`, `callback`. */
  #isParameter(node: TypeScript.Node, name: string): boolean {
    for (let at: TypeScript.Node | undefined = node.parent; at; at = at.parent)
      if (this.#ts.isFunctionLike(at) && at.parameters.some((parameter) => parameter.name.getText() === name))
        return true;
    return false;
  }

  /** Functions that are handed over may be called, any number of times. */
  #callbacks(node: TypeScript.CallExpression): Line[] {
    const functions = node.arguments.flatMap((argument) => functionsIn(this.#facts, this.#ts, argument));
    if (functions.length === 0) return [];
    return repeated(choose(functions.map((each) => this.#call(each))));
  }

  #call(node: FunctionNode): Line[] {
    if (!node.body) return [];
    if (this.#calls.includes(node) || this.#calls.length > DEEP) {
      this.#around.note(
        node,
        "it calls itself: it is taken to do anything that the component does, in any order",
      );
      return this.#anything();
    }
    this.#calls.push(node);
    const lines = this.#ts.isBlock(node.body)
      ? this.#block(node.body.statements)
      : this.#expression(node.body);
    this.#calls.pop();
    return lines;
  }

  /** Every effect of the component, in any order. */
  #anything(): Line[] {
    const ways: Line[][] = [];
    const visit = (node: TypeScript.Node): void => {
      if (this.#ts.isCallExpression(node)) {
        const effect = effectOf(pathOf(this.#facts, this.#ts, node.expression), topicOf(this.#ts, node));
        if (effect && effect.kind !== "nothing" && effect.kind !== "event" && effect.kind !== "listen")
          ways.push(this.#effect(effect, node.arguments, node));
      }
      this.#ts.forEachChild(node, visit);
    };
    this.#facts.scripts.forEach(visit);
    for (const variable of this.#facts.variables) {
      const box = this.#around.channel(this.#box(variable));
      ways.push(sending(box, undefined), [line(`recv(${box}, got);`)]);
    }
    return repeated(choose(ways.filter((way) => way.length > 0)));
  }

  #effect(effect: Effect, given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    const isEmpty = given.every((argument) => this.#isConstant(argument));
    switch (effect.kind) {
      case "sink": {
        if (isEmpty) return [];
        const kept = effect.sink === "Storage" ? repeated(sending(this.#around.channel("kept"), node)) : [];
        return [...sending(this.#around.channel(effect.sink), node), ...kept];
      }
      case "put":
        // What is put somewhere can be read more than once.
        return isEmpty ? [] : repeated(sending(this.#around.channel(effect.box), node));
      case "get":
        return choose([[line(`recv(${this.#around.channel(effect.box)}, got);`, node)], []]);
      case "post":
        return isEmpty ? [] : this.#post(effect.topic, node);
      case "listen":
      case "event":
      case "nothing":
        return [];
    }
  }

  #post(topic: string, node: TypeScript.Node): Line[] {
    const { name, sharesVariables } = this.#facts;
    const listeners = this.#around.listeners(topic);
    const others = topic === RUNTIME ? listeners.filter((each) => each.name !== name) : listeners;
    const modes: readonly Mode[] = sharesVariables && topic === RUNTIME ? ["Norm", "Priv"] : [this.#mode];
    if (modes.length > 1 && others.some((each) => !each.sharesVariables))
      this.#around.note(node, "which window gets this is not seen: normal and private ones may");
    return others.flatMap((each) =>
      modes
        .filter((mode) => mode === this.#mode || !each.sharesVariables)
        .flatMap((mode) => sending(this.#around.channel(`${topic} ${each.name} ${mode}`), node)),
    );
  }

  /** Is the window private? Undefined where the condition asks for something else. */
  #decide(node: TypeScript.Expression): boolean | undefined {
    const ts = this.#ts;
    const inner = unwrapped(ts, node);
    if (ts.isPropertyAccessExpression(inner) && isPrivateName(inner.name.text)) return this.#mode === "Priv";
    if (ts.isIdentifier(inner) && (this.#facts.flags.has(inner.text) || isPrivateName(inner.text))) {
      if (this.#facts.flags.has(inner.text))
        this.#around.note(inner, `\`${inner.text}\` is taken to say what window it is at any time`);
      return this.#mode === "Priv";
    }
    if (inner.kind === ts.SyntaxKind.TrueKeyword) return true;
    if (inner.kind === ts.SyntaxKind.FalseKeyword) return false;
    if (ts.isPrefixUnaryExpression(inner) && inner.operator === ts.SyntaxKind.ExclamationToken) {
      const operand = this.#decide(inner.operand);
      return operand === undefined ? undefined : !operand;
    }
    if (ts.isCallExpression(inner)) return this.#decideCall(inner);
    if (!ts.isBinaryExpression(inner)) return undefined;
    const [left, right] = [this.#decide(inner.left), this.#decide(inner.right)];
    switch (inner.operatorToken.kind) {
      case ts.SyntaxKind.AmpersandAmpersandToken:
        return left === false || right === false ? false : left === undefined ? undefined : right;
      case ts.SyntaxKind.BarBarToken:
        return left === true || right === true ? true : left === undefined ? undefined : right;
      case ts.SyntaxKind.EqualsEqualsToken:
      case ts.SyntaxKind.EqualsEqualsEqualsToken:
        return left === undefined || right === undefined ? undefined : left === right;
      case ts.SyntaxKind.ExclamationEqualsToken:
      case ts.SyntaxKind.ExclamationEqualsEqualsToken:
        return left === undefined || right === undefined ? undefined : left !== right;
      default:
        return undefined;
    }
  }

  /** A function that does nothing but answer the question. */
  #decideCall(node: TypeScript.CallExpression): boolean | undefined {
    const ts = this.#ts;
    const [own, another] = this.#facts.functions.get(node.expression.getText()) ?? [];
    if (!own?.body || another) return undefined;
    if (!ts.isBlock(own.body)) return this.#decide(own.body);
    const [only, more] = own.body.statements;
    return only && !more && ts.isReturnStatement(only) && only.expression
      ? this.#decide(only.expression)
      : undefined;
  }

  #mayLeave(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    if (
      ts.isReturnStatement(node) ||
      ts.isThrowStatement(node) ||
      ts.isBreakStatement(node) ||
      ts.isContinueStatement(node)
    )
      return true;
    return ts.forEachChild(node, (child) => this.#mayLeave(child) || undefined) ?? false;
  }

  #returnsInside(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    return (
      ts.isReturnStatement(node) ||
      (ts.forEachChild(node, (child) => this.#returnsInside(child) || undefined) ?? false)
    );
  }

  /** Made of nothing but constants: says nothing of the user. */
  #isConstant(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    if (ts.isIdentifier(node)) return node.text === "undefined";
    if (ts.isPropertyAssignment(node)) return this.#isConstant(node.initializer);
    if (isFunction(ts, node)) return true;
    if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isPropertyAccessExpression(node))
      return false;
    if (ts.isShorthandPropertyAssignment(node)) return false;
    return ts.forEachChild(node, (child) => (this.#isConstant(child) ? undefined : true)) === undefined;
  }
}

const line = (text: string, node?: TypeScript.Node): Line => ({ text, node });

/** One of the branches. */
function choose(branches: readonly (readonly Line[])[]): Line[] {
  const different = [
    ...new Map(branches.map((each) => [each.map(({ text }) => text).join("\n"), each])).values(),
  ];
  if (different.length === 0) return [];
  if (different.length === 1) return [...different[0]!];
  return [line("choose {"), ...different.flatMap((branch) => [line("[]"), ...branch]), line("}")];
}

/** Any number of times. */
const repeated = (body: readonly Line[]): Line[] =>
  body.length === 0 ? [] : [line("loop {"), ...choose([body, [line("break;")]]), line("}")];

const sending = (channel: string, node: TypeScript.Node | undefined): Line[] =>
  choose([
    [line(`send(${channel}, own);`, node)],
    [line("assume(got != none);", node), line(`send(${channel}, got);`, node)],
  ]);

/** `storage.local.set` of `browser.storage.local.set`; a store or a port by what it is. */
function pathOf(facts: ComponentFacts, ts: typeof TypeScript, node: TypeScript.Node): string {
  if (ts.isPropertyAccessExpression(node)) return joined(pathOf(facts, ts, node.expression), node.name.text);
  if (ts.isElementAccessExpression(node)) return joined(pathOf(facts, ts, node.expression), "*");
  if (ts.isCallExpression(node)) return pathOf(facts, ts, node.expression);
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node) || ts.isNonNullExpression(node))
    return pathOf(facts, ts, node.expression);
  if (ts.isIdentifier(node)) return facts.roles.get(node.text) ?? node.text;
  return "";
}

const joined = (owner: string, name: string): string =>
  /^(browser|chrome|window|self|globalThis|this)$/.test(owner) ? name : `${owner}.${name}`;

function topicOf(
  ts: typeof TypeScript,
  { arguments: [first] }: TypeScript.CallExpression,
): string | undefined {
  return first && ts.isStringLiteralLike(first) ? first.text : undefined;
}

/** A function itself, or those that a name stands for. */
function functionsIn(
  facts: ComponentFacts,
  ts: typeof TypeScript,
  node: TypeScript.Node,
): readonly FunctionNode[] {
  if (isFunction(ts, node)) return [node];
  if (ts.isIdentifier(node)) return facts.functions.get(node.text) ?? [];
  if (ts.isPropertyAccessExpression(node)) return facts.functions.get(node.name.text) ?? [];
  return [];
}

/** Beyond that many lines what follows a `return` is not written twice any more. */
const LARGE = 2000;
/** Calls inside calls. */
const DEEP = 12;
