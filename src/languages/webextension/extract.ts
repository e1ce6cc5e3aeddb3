/**
 * One component as one principal: a loop that takes any of its handlers, in a normal or in a private window.
 *
 * A handler has two values at hand: `own`, new data of its window (what the user does and sees), and `got`, the last that it
 * received or read. What it passes on may be either. Conditions about private windows are decided; all others may go either
 * way. What is put where it cannot be followed lies on a heap, from which whatever is passed on may come. Functions whose value
 * goes somewhere run at any time (`unseen.ts`). What is not known may keep what it is given, and that is noted.
 */
import type TypeScript from "typescript";
import {
  ANY_TOPIC,
  effectOf,
  FETCHING,
  GLOBALS,
  HOLDERS,
  KEEPS_NOTHING,
  PAGE,
  PUTS_INSIDE,
  RUNTIME,
  type Effect,
} from "./apis.js";
import {
  boundNames,
  isAssignment,
  isFunction,
  KNOWN,
  nameOf,
  pathIn,
  unwrapped,
  type ComponentFacts,
  type FunctionNode,
} from "./component.js";
import { unseenIn } from "./unseen.js";
import { decide, type Mode, type Question } from "./windows.js";

export type { Mode } from "./windows.js";

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
  /** Somebody puts something there. */
  fill(name: string): void;
  /** Does anybody? Otherwise nothing can be taken from there. */
  mayHold(name: string): boolean;
  note(node: TypeScript.Node, message: string): void;
}

export interface Handler {
  /** What must arrive before it runs; undefined: nothing. */
  readonly topic: string | undefined;
  /** It may run without anything that arrives: by a message that says nothing, or from outside. */
  readonly isTriggered: boolean;
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
    if (functions.length > 0) handlers.push({ topic, node, functions, isTriggered: true });
  };
  const posted = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (ts.isCallExpression(node)) {
      const effect = effectOf(pathIn(ts, facts.roles, node.expression), topicOf(ts, node));
      if (effect?.kind === "listen") add(node, effect.topic, node.arguments);
      if (effect?.kind === "event") add(node, undefined, node.arguments);
      if (effect?.kind === "post") for (const topic of effect.topics) posted.add(topic);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
      const name = ts.isPropertyAccessExpression(node.left) ? node.left.name.text : node.left.getText();
      if (/^on[a-z]+$/.test(name)) add(node, name === "onmessage" ? "page" : undefined, [node.right]);
    }
    ts.forEachChild(node, visit);
  };
  facts.scripts.forEach(visit);
  // Nobody but the component itself posts to an emitter of its own.
  const isSilent = ({ topic, node }: Handler): boolean =>
    topic !== undefined &&
    topic !== RUNTIME &&
    topic !== PAGE &&
    !posted.has(topic) &&
    !posted.has(ANY_TOPIC) &&
    facts.emitters.has(
      pathIn(ts, facts.roles, (node as TypeScript.CallExpression).expression).split(".")[0]!,
    );
  return handlers.map((handler) => ({ ...handler, isTriggered: !isSilent(handler) }));
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
  readonly #question: Question;
  /** What is around, that may go either way: whether something is done there says something, too. */
  #conditions = 0;
  #answers = false;
  #size = 0;

  constructor(facts: ComponentFacts, mode: Mode, around: Surroundings) {
    this.#ts = around.ts;
    this.#facts = facts;
    this.#mode = mode;
    this.#around = around;
    this.#question = { ts: around.ts, facts, mode, note: (node, message) => around.note(node, message) };
  }

  principal(): Line[] {
    const start = (node: TypeScript.Node): Line[] => [line("own = data;", node), line("got = none;", node)];
    const top = this.#facts.scripts.map((file) => [...start(file), ...this.#block(file.statements)]);
    const handlers = handlersOf(this.#facts, this.#ts).flatMap((handler) =>
      handler.functions.map((each) => {
        const arrival = this.#receive(handler);
        this.#answers = handler.topic === RUNTIME;
        const body = this.#call(each);
        this.#answers = false;
        return [...start(handler.node), ...arrival, ...body];
      }),
    );
    const { loose, fields, wild } = unseenIn(this.#facts, this.#ts);
    const anytime = [
      ...loose.map((each) => [...start(each), ...this.#call(each)]),
      ...fields.map((each) => [...start(each), ...this.#loose(each)]),
    ];
    const anything = wild.map(({ node, message }) => {
      this.#around.note(node, message);
      const sinks = (["Storage", "Network"] as const).map((sink) => this.#sending(sink, node));
      return [...start(node), ...choose(sinks)];
    });
    return [
      line("loop {"),
      ...choose([...top, ...handlers, ...anytime, ...anything].filter((branch) => branch.length > 2)),
      line("}"),
    ];
  }

  /** From the channel by which such messages come; or without one that says anything. */
  #receive({ topic, node, isTriggered }: Handler): Line[] {
    if (topic === undefined) return [];
    if (topic === ANY_TOPIC) return [];
    const name = `${topic} ${this.#facts.name} ${this.#mode}`;
    if (isTriggered) return this.#taking([name], node);
    return [line(`recv(${this.#around.channel(name)}, got);`, node)];
  }

  /** Statements, and nothing after a `return`; where a branch may return, what follows belongs to the other one. */
  #block(statements: readonly TypeScript.Node[]): Line[] {
    const ts = this.#ts;
    const lines: Line[] = [];
    for (const [index, node] of statements.entries()) {
      const rest = statements.slice(index + 1);
      if (ts.isReturnStatement(node) || ts.isThrowStatement(node))
        return [...lines, ...(node.expression ? this.#returned(node.expression) : [])];
      if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return lines;
      if (ts.isBlock(node)) return [...lines, ...this.#block([...node.statements, ...rest])];
      if (!ts.isIfStatement(node)) {
        lines.push(...this.#statement(node));
        continue;
      }
      lines.push(...this.#expression(node.expression));
      const isTrue = decide(this.#question, node.expression);
      this.#conditions++;
      const then = [node.thenStatement];
      const other = node.elseStatement ? [node.elseStatement] : [];
      if (isTrue !== undefined) {
        this.#conditions--;
        return [...lines, ...this.#decided(isTrue ? then : other, isTrue ? other : then, rest)];
      }
      const leaves = [...then, ...other].some((branch) => this.#mayLeave(branch));
      if (leaves && this.#size > LARGE) this.#around.note(node, "where this returns, it may also go on");
      if (leaves && this.#size <= LARGE) {
        const ways = this.#sized(choose([this.#block([...then, ...rest]), this.#block([...other, ...rest])]));
        this.#conditions--;
        return [...lines, ...ways];
      }
      lines.push(...choose([this.#block(then), this.#block(other)]));
      this.#conditions--;
    }
    return lines;
  }

  /** The branch that this window takes, and what follows. What private windows alone do says something, even if it is always the same. */
  #decided(
    taken: readonly TypeScript.Node[],
    other: readonly TypeScript.Node[],
    rest: readonly TypeScript.Node[],
  ): Line[] {
    if (this.#mode === "Norm") return this.#block([...taken, ...rest]);
    const leaves = [...taken, ...other].some((branch) => this.#mayLeave(branch));
    if (leaves) return this.#maybe(() => this.#block([...taken, ...rest]));
    return [...this.#maybe(() => this.#block(taken)), ...this.#block(rest)];
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
        const defaults = ts.isIdentifier(name) ? [] : this.#expression(name);
        if (!initializer || isFunction(ts, unwrapped(ts, initializer))) return defaults;
        const effects = [...this.#expression(initializer), ...defaults];
        const outer = boundNames(ts, name).filter((each) => this.#facts.variables.has(each));
        return [...effects, ...outer.flatMap((each) => this.#assigned(each, initializer, node))];
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
        ...this.#maybe(() =>
          repeated([...heads.flatMap((each) => this.#expression(each)), ...this.#block([node.statement])]),
        ),
      ];
    }
    if (ts.isTryStatement(node)) {
      // An exception may come anywhere.
      const tried = node.tryBlock.statements.flatMap((each) => choose([this.#block([each]), []]));
      const { catchClause } = node;
      const caught = catchClause ? choose([this.#maybe(() => this.#block([catchClause.block])), []]) : [];
      return [...tried, ...caught, ...(node.finallyBlock ? this.#block([node.finallyBlock]) : [])];
    }
    if (ts.isSwitchStatement(node)) {
      const { clauses } = node.caseBlock;
      const ways = this.#maybe(() =>
        clauses.map((_, i) => this.#block(clauses.slice(i).flatMap((clause) => [...clause.statements]))),
      );
      const cases = clauses.flatMap((clause) =>
        ts.isCaseClause(clause) ? this.#expression(clause.expression) : [],
      );
      return [...this.#expression(node.expression), ...cases, ...choose([...ways, []])];
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
    if (ts.isNewExpression(node)) return this.#newExpression(node);
    if (ts.isTaggedTemplateExpression(node)) return this.#tagged(node);
    if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node) || ts.isDeleteExpression(node))
      return this.#changed(node);
    if (ts.isConditionalExpression(node)) {
      const isPrivate = decide(this.#question, node.condition);
      const [yes, no] = this.#maybe(() => [
        this.#expression(node.whenTrue),
        this.#expression(node.whenFalse),
      ]);
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

  /** Where it may happen or not: even a constant says something then. */
  #maybe<T>(inside: () => T): T {
    this.#conditions++;
    const result = inside();
    this.#conditions--;
    return result;
  }

  #binary(node: TypeScript.BinaryExpression): Line[] {
    const ts = this.#ts;
    const { kind } = node.operatorToken;
    const isAnd = kind === ts.SyntaxKind.AmpersandAmpersandToken;
    if (isAnd || kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) {
      const isPrivate =
        kind === ts.SyntaxKind.QuestionQuestionToken ? undefined : decide(this.#question, node.left);
      const right = this.#maybe(() => this.#expression(node.right));
      const isTaken = isPrivate === undefined ? undefined : isPrivate === isAnd;
      return [
        ...this.#expression(node.left),
        ...(isTaken === undefined ? choose([right, []]) : isTaken ? right : []),
      ];
    }
    if (!isAssignment(ts, node)) return [...this.#expression(node.left), ...this.#expression(node.right)];
    const value = isFunction(ts, node.right) ? [] : this.#expression(node.right);
    return [...this.#inTarget(node.left), ...value, ...this.#stored(node.left, [node.right], node)];
  }

  /** What is done to find where something is put. */
  #inTarget(left: TypeScript.Expression): Line[] {
    const ts = this.#ts;
    const inner = unwrapped(ts, left);
    if (ts.isPropertyAccessExpression(inner)) return this.#expression(inner.expression);
    if (ts.isElementAccessExpression(inner))
      return [...this.#expression(inner.expression), ...this.#expression(inner.argumentExpression)];
    return ts.isIdentifier(inner) ? [] : this.#loose(inner);
  }

  /** `n++`, `delete list[key]`: how often, and for what, is data. */
  #changed(
    node: TypeScript.PostfixUnaryExpression | TypeScript.PrefixUnaryExpression | TypeScript.DeleteExpression,
  ): Line[] {
    const ts = this.#ts;
    const target = ts.isDeleteExpression(node) ? node.expression : node.operand;
    const isChange =
      ts.isDeleteExpression(node) ||
      node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken;
    if (!isChange) return this.#expression(target);
    return [...this.#inTarget(target), ...this.#stored(target, [target], node)];
  }

  /** Into what the target stands for: a variable, something that is fetched or kept, or somewhere on the heap. */
  #stored(
    left: TypeScript.Expression,
    values: readonly TypeScript.Expression[],
    node: TypeScript.Node,
  ): Line[] {
    const ts = this.#ts;
    const target = unwrapped(ts, left);
    const path = pathIn(ts, this.#facts.roles, target);
    const last = path.slice(path.lastIndexOf(".") + 1);
    if (/^(localStorage\.|document\.cookie$)/.test(path))
      return this.#effect({ kind: "sink", sink: "Storage" }, values, node);
    if (/^sessionStorage\./.test(path)) return this.#effect({ kind: "put", box: "session" }, values, node);
    if (ts.isIdentifier(target) && this.#facts.variables.has(target.text))
      return this.#assigned(target.text, values[0]!, node);
    if (ts.isIdentifier(target) && (this.#facts.flags.has(target.text) || this.#isOfThisFunction(target)))
      return [];
    const isFetched = FETCHING.test(last) && (path.includes(".") || last === "location");
    if (isFetched && !values.every((value) => this.#isConstant(value))) {
      this.#around.note(node, `what \`${last}\` is set to may be fetched`);
      return [
        ...choose([this.#effect({ kind: "sink", sink: "Network" }, values, node), []]),
        ...this.#heap(node),
      ];
    }
    if (!ts.isIdentifier(target) && SHOWN.test(last) && !this.#facts.variables.has(path.split(".")[0]!))
      return [];
    const [root = ""] = path.split(".");
    const named = this.#facts.variables.has(root) ? this.#assigned(root, values[0]!, node) : [];
    const within =
      ts.isObjectLiteralExpression(target) || ts.isArrayLiteralExpression(target)
        ? this.#inPattern(target, node)
        : [];
    return [
      ...named,
      ...within,
      ...(values.every((value) => this.#isEmpty([value])) ? [] : this.#heap(node)),
    ];
  }

  /** The variables in `({ a, b: [c] } = …)`. */
  #inPattern(target: TypeScript.Node, node: TypeScript.Node): Line[] {
    const lines: Line[] = [];
    const visit = (at: TypeScript.Node): void => {
      if (this.#ts.isIdentifier(at) && this.#facts.variables.has(at.text))
        lines.push(...repeated(this.#sending(this.#box(at.text), node)));
      this.#ts.forEachChild(at, visit);
    };
    visit(target);
    return lines;
  }

  /** Where it cannot be followed: it may come back anywhere in the component. */
  #heap(node: TypeScript.Node): Line[] {
    return repeated(this.#sending(this.#heapName(), node));
  }

  #heapName = (): string => `heap ${this.#facts.name}${this.#facts.sharesVariables ? "" : ` ${this.#mode}`}`;

  /** Declared in the very function that sets it, so that it is gone when the function is. */
  #isOfThisFunction(name: TypeScript.Identifier): boolean {
    const ts = this.#ts;
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

  /** Into a variable that others can read. Inside of a function, that it happens is data in itself. */
  #assigned(name: string, value: TypeScript.Expression, node: TypeScript.Node): Line[] {
    if (!this.#facts.variables.has(name)) return [];
    if (this.#calls.length === 0) return this.#effect({ kind: "put", box: this.#box(name) }, [value], node);
    return repeated(this.#sending(this.#box(name), node));
  }

  #read(node: TypeScript.Identifier): Line[] {
    if (!this.#facts.variables.has(node.text)) return [];
    return this.#effect({ kind: "get", box: this.#box(node.text) }, [], node);
  }

  #box = (variable: string): string =>
    `${this.#facts.name} ${variable}${this.#facts.sharesVariables ? "" : ` ${this.#mode}`}`;

  #callExpression(node: TypeScript.CallExpression): Line[] {
    const ts = this.#ts;
    const path = pathIn(ts, this.#facts.roles, node.expression);
    const given = node.arguments.filter((argument) => !isFunction(ts, argument));
    const before = [
      ...this.#inTarget(node.expression),
      ...given.flatMap((argument) => this.#expression(argument)),
    ];
    const name = path.slice(path.lastIndexOf(".") + 1);
    const [root = ""] = path.split(".");
    const own = /^(call|apply|bind)$/.test(name)
      ? this.#facts.functions.get(path.split(".").at(-2) ?? "")
      : this.#facts.functions.get(name);
    const effect = effectOf(path, topicOf(ts, node));
    if (effect && effect.kind !== "nothing") return [...before, ...this.#known(effect, node, given)];
    const callbacks = this.#callbacks(node.arguments);
    const isForeign = this.#isForeign(root);
    if (own && (!path.includes(".") || !effect))
      return [
        ...before,
        ...choose(own.map((each) => this.#call(each))),
        ...callbacks,
        ...(isForeign ? this.#unseen(node, path, given) : []),
      ];
    const callee = unwrapped(ts, node.expression);
    if (isFunction(ts, callee)) return [...before, ...this.#call(callee), ...callbacks];
    return [...before, ...(effect ? [] : this.#unknownCall(node, path, given)), ...callbacks];
  }

  /** Not declared here, and nothing that the language or the browser has. */
  #isForeign = (root: string): boolean =>
    this.#facts.unseen.has(root) ||
    (!this.#facts.declared.has(root) &&
      !KNOWN.test(root) &&
      !GLOBALS.has(root) &&
      !HOLDERS.has(root) &&
      root !== "objectStore" &&
      root !== "port" &&
      root !== "native");

  #newExpression(node: TypeScript.NewExpression): Line[] {
    const ts = this.#ts;
    const given = (node.arguments ?? []).filter((argument) => !isFunction(ts, argument));
    const before = [
      ...this.#inTarget(node.expression),
      ...given.flatMap((argument) => this.#expression(argument)),
    ];
    const path = pathIn(ts, this.#facts.roles, node.expression);
    const callbacks = this.#callbacks(node.arguments ?? []);
    if (given.length === 0 || this.#isEmpty(given)) return [...before, ...callbacks];
    if (HOLDERS.has(path)) return [...before, ...callbacks];
    // A class of ours: what it is given may be kept in it, and its constructor runs at any time.
    const isOwn =
      this.#facts.declared.has(path) && !this.#facts.unseen.has(path) && !this.#facts.parameters.has(path);
    return [
      ...before,
      ...(isOwn ? this.#heap(node) : this.#unseen(node, path, given)),
      ...callbacks,
      ...this.#constructed(path),
    ];
  }

  /** `function Point(x) { … }`, called by `new`. */
  #constructed = (name: string): Line[] =>
    choose((this.#facts.functions.get(name) ?? []).map((each) => this.#call(each)));

  #tagged(node: TypeScript.TaggedTemplateExpression): Line[] {
    const path = pathIn(this.#ts, this.#facts.roles, node.tag);
    const inside = this.#expression(node.template);
    const own = this.#facts.functions.get(path.slice(path.lastIndexOf(".") + 1));
    if (own) return [...inside, ...choose(own.map((each) => this.#call(each)))];
    return [...inside, ...this.#unseen(node, path, [node.template])];
  }

  /** A method of something: it may put what it is given there, or keep it; a function that is not there may keep it. */
  #unknownCall(
    node: TypeScript.CallExpression,
    path: string,
    given: readonly TypeScript.Expression[],
  ): Line[] {
    if (this.#isEmpty(given) && this.#conditions === 0) return [];
    const name = path.slice(path.lastIndexOf(".") + 1);
    const [root = ""] = path.split(".");
    if (/^(Object\.(assign|define\w+|setPrototypeOf)|Reflect\.set)$/.test(path))
      return [...this.#into(given[0], node), ...this.#heap(node)];
    if (this.#isParameter(node, path)) return this.#answers ? this.#answer(given, node) : [];
    const isMethod = path.includes(".");
    const isForeign = this.#isForeign(root);
    const isComputed = name === "*" || (path.includes("*") && KNOWN.test(root));
    if (isComputed) return this.#unseen(node, path, given);
    if (isMethod && KEEPS_NOTHING.has(name) && !isForeign) return [];
    if (!isMethod && GLOBALS.has(path)) return [];
    const put =
      isMethod && this.#facts.variables.has(root)
        ? this.#effect({ kind: "put", box: this.#box(root) }, given, node)
        : [];
    if (isMethod && PUTS_INSIDE.has(name) && !isForeign)
      return [...put, ...(this.#isEmpty(given) ? [] : this.#heap(node))];
    return [...put, ...this.#unseen(node, path, given)];
  }

  /** `Object.assign(list, …)`: into the variable that is given. */
  #into(target: TypeScript.Expression | undefined, node: TypeScript.Node): Line[] {
    const [root = ""] = target ? pathIn(this.#ts, this.#facts.roles, target).split(".") : [];
    return this.#facts.variables.has(root) ? repeated(this.#sending(this.#box(root), node)) : [];
  }

  #known(effect: Effect, node: TypeScript.CallExpression, given: readonly TypeScript.Expression[]): Line[] {
    switch (effect.kind) {
      case "listen":
        return [];
      case "event":
        // Runs by itself, as a handler; registered inside a function it also knows what that function knows.
        return this.#calls.length > 0 ? this.#callbacks(node.arguments) : [];
      default:
        return [...this.#effect(effect, given, node), ...this.#callbacks(node.arguments)];
    }
  }

  /** Code that is not there may keep what it is given, send it away, or give it back later. */
  #unseen(node: TypeScript.Node, path: string, given: readonly TypeScript.Expression[]): Line[] {
    if (this.#isEmpty(given)) return [];
    const name = path === "" ? "this" : `\`${path}\``;
    this.#around.note(node, `what ${name} does is not seen: it may store what it is given`);
    const ways = (["Storage", "Network"] as const).map((sink) =>
      this.#effect({ kind: "sink", sink }, given, node),
    );
    return [...choose([...ways, []]), ...this.#heap(node)];
  }

  /** What a listener returns, or gives to the function that it was given, goes back to who asked. */
  #answer(given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    return this.#isEmpty(given) ? [] : repeated(this.#sending(`reply ${this.#mode}`, node));
  }

  #returned(node: TypeScript.Expression): Line[] {
    const isAnswer = this.#answers && this.#calls.length === 1;
    return [...this.#expression(node), ...(isAnswer ? this.#answer([node], node) : [])];
  }

  /** Called by its own name inside the function that was given it: `resolve`, `sendResponse`, `callback`. */
  #isParameter(node: TypeScript.Node, name: string): boolean {
    for (let at: TypeScript.Node | undefined = node.parent; at; at = at.parent)
      if (this.#ts.isFunctionLike(at) && at.parameters.some((parameter) => parameter.name.getText() === name))
        return true;
    return false;
  }

  /** Functions that are handed over may be called, any number of times. */
  #callbacks(given: readonly TypeScript.Expression[]): Line[] {
    const functions = given.flatMap((argument) => functionsIn(this.#facts, this.#ts, argument));
    if (functions.length === 0) return [];
    return this.#maybe(() => repeated(choose(functions.map((each) => this.#call(each)))));
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
    const defaults = node.parameters.flatMap((parameter) => this.#loose(parameter));
    const lines = this.#ts.isBlock(node.body) ? this.#block(node.body.statements) : this.#returned(node.body);
    this.#calls.pop();
    return [...defaults, ...lines];
  }

  /** Every effect of the component, in any order. */
  #anything(): Line[] {
    const ways: Line[][] = [];
    const visit = (node: TypeScript.Node): void => {
      if (this.#ts.isCallExpression(node)) {
        const effect = effectOf(
          pathIn(this.#ts, this.#facts.roles, node.expression),
          topicOf(this.#ts, node),
        );
        if (effect && effect.kind !== "nothing" && effect.kind !== "event" && effect.kind !== "listen")
          ways.push(this.#effect(effect, node.arguments, node));
      }
      this.#ts.forEachChild(node, visit);
    };
    this.#facts.scripts.forEach(visit);
    for (const variable of this.#facts.variables) {
      const box = this.#box(variable);
      ways.push(this.#sending(box, undefined), this.#taking([box], undefined));
    }
    ways.push(this.#sending(this.#heapName(), undefined));
    return repeated(choose(ways.filter((way) => way.length > 0)));
  }

  #effect(effect: Effect, given: readonly TypeScript.Expression[], node: TypeScript.Node): Line[] {
    const isEmpty = this.#isEmpty(given);
    switch (effect.kind) {
      case "sink": {
        if (isEmpty) return [];
        const kept = effect.sink === "Storage" ? repeated(this.#sending("kept", node)) : [];
        return [...this.#sending(effect.sink, node), ...kept];
      }
      case "put":
        // What is put somewhere can be read more than once; what is put into a session's storage is told to those who watch it.
        if (isEmpty) return [];
        return [
          ...repeated(this.#sending(effect.box, node)),
          ...(effect.box === "session" && this.#watchesStorage() ? this.#heap(node) : []),
        ];
      case "get":
        return this.#taking([effect.box], node);
      case "post":
        return [
          ...(isEmpty ? [] : effect.topics.flatMap((topic) => this.#post(topic, node))),
          ...(effect.isAsked ? this.#asked(node) : []),
        ];
      case "listen":
      case "event":
      case "nothing":
        return [];
    }
  }

  #watchesStorage = (): boolean =>
    this.#facts.scripts.some(
      (script) => /\bonChanged\b/.test(script.text) || /"storage"|'storage'/.test(script.text),
    );

  /** The answer to a message. A page that is there for all windows may have asked any of them. */
  #asked(node: TypeScript.Node): Line[] {
    const modes: readonly Mode[] = this.#facts.sharesVariables ? ["Norm", "Priv"] : [this.#mode];
    return this.#taking(
      modes.map((mode) => `reply ${mode}`),
      node,
    );
  }

  /** Something from one of these, if there is anything; or nothing. */
  #taking(names: readonly string[], node: TypeScript.Node | undefined): Line[] {
    const filled = names.filter((name) => this.#around.mayHold(name));
    return choose([...filled.map((name) => [line(`recv(${this.#around.channel(name)}, got);`, node)]), []]);
  }

  /** What is sent may be new, or what was read or received last, or anything from the heap. */
  #sending(name: string, node: TypeScript.Node | undefined): Line[] {
    const channel = this.#around.channel(name);
    const heap = this.#heapName();
    const found = heap === name ? [] : this.#taking([heap], node);
    this.#around.fill(name);
    return [
      ...found,
      ...choose([
        [line(`send(${channel}, own);`, node)],
        [line("assume(got != none);", node), line(`send(${channel}, got);`, node)],
      ]),
    ];
  }

  #post(topic: string, node: TypeScript.Node): Line[] {
    const { name, sharesVariables } = this.#facts;
    const isEmitted = topic !== RUNTIME && topic !== PAGE;
    const mayBeHeard =
      isEmitted && (topic === ANY_TOPIC || this.#around.listeners(ANY_TOPIC).includes(this.#facts));
    const listeners = topic === ANY_TOPIC ? [] : this.#around.listeners(topic);
    const others = topic === RUNTIME ? listeners.filter((each) => each.name !== name) : listeners;
    const modes: readonly Mode[] = sharesVariables && topic === RUNTIME ? ["Norm", "Priv"] : [this.#mode];
    if (modes.length > 1 && others.some((each) => !each.sharesVariables))
      this.#around.note(node, "which window gets this is not seen: normal and private ones may");
    const posted = others.flatMap((each) =>
      modes
        .filter((mode) => mode === this.#mode || !each.sharesVariables)
        .flatMap((mode) => this.#sending(`${topic} ${each.name} ${mode}`, node)),
    );
    return [
      ...posted,
      ...(topic === ANY_TOPIC ? this.#toEverybody(node) : []),
      ...(mayBeHeard ? this.#heap(node) : []),
    ];
  }

  /** To a topic that is not written here: to every one that this component listens to. */
  #toEverybody(node: TypeScript.Node): Line[] {
    const topics = new Set(handlersOf(this.#facts, this.#ts).flatMap(({ topic }) => topic ?? []));
    return [...topics]
      .filter((topic) => topic !== ANY_TOPIC && topic !== RUNTIME)
      .flatMap((topic) => this.#sending(`${topic} ${this.#facts.name} ${this.#mode}`, node));
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

  /** Nothing but constants, and it is always done: says nothing of the user. */
  #isEmpty(given: readonly TypeScript.Expression[]): boolean {
    return this.#conditions === 0 && given.every((argument) => this.#isConstant(argument));
  }

  /** `new Map()`; a class of ours puts what it finds on the heap by itself. When it is made may be told by a date alone. */
  #isNewAndEmpty(node: TypeScript.NewExpression): boolean {
    const name = node.expression.getText();
    const given = node.arguments ?? [];
    const isOwn =
      this.#facts.declared.has(name) && !this.#facts.unseen.has(name) && !this.#facts.parameters.has(name);
    return (isOwn || (HOLDERS.has(name) && name !== "Date")) && given.every((each) => this.#isConstant(each));
  }

  #isConstant(node: TypeScript.Node): boolean {
    const ts = this.#ts;
    if (ts.isIdentifier(node)) return node.text === "undefined";
    if (ts.isPropertyAssignment(node))
      return nameOf(ts, node.name) !== "*" && this.#isConstant(node.initializer);
    if (isFunction(ts, node)) return true;
    if (ts.isNewExpression(node)) return this.#isNewAndEmpty(node);
    if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return false;
    if (ts.isShorthandPropertyAssignment(node) || node.kind === ts.SyntaxKind.ThisKeyword) return false;
    return ts.forEachChild(node, (child) => (this.#isConstant(child) ? undefined : true)) === undefined;
  }
}

/** Properties that only show what they are set to. */
const SHOWN = /^(textContent|innerText|className|title|hidden|disabled|checked|value|placeholder|id)$/;

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
