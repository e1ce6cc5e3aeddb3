/**
 * Translates a component into one principal: a loop over its handlers, for a normal or a private window.
 *
 * A handler has two values: `own`, new data of its window (user actions and page contents), and `got`, the last value
 * received or read; it may pass on either. Conditions about private windows are decided; all others are
 * nondeterministic. Values stored in untracked places go to a heap, from which any value passed on may come. Functions
 * that escape may run at any time (`unseen.ts`). Unknown code may retain its arguments; a note reports it.
 *
 * This file has the statements; its bases are `expressions.ts`, `calls.ts`, `sinks.ts` and `flows.ts`.
 */
import type TypeScript from "typescript";
import { nth } from "../../model/known.js";
import { ANY_TOPIC, RUNTIME } from "./apis.js";
import type { ComponentFacts } from "./component.js";
import { Expressions } from "./expressions.js";
import type { Surroundings } from "./flows.js";
import { handlersOf, isOfNoWindow, isOfUser, type Handler } from "./handlers.js";
import { choose, line, repeated, type Line } from "./lines.js";
import { boundNames, pathIn } from "./names.js";
import { unseenIn } from "./unseen.js";
import { decide, type Mode } from "./windows.js";
import { isFunction, unwrapped } from "./syntax.js";

export function extractPrincipal(facts: ComponentFacts, mode: Mode, around: Surroundings): Line[] {
  return new Extractor(facts, mode, around).principal();
}

/** Above this number of lines, code after a `return` is no longer duplicated. */
const LARGE = 2000;

class Extractor extends Expressions {
  #size = 0;

  principal(): Line[] {
    const start = (node: TypeScript.Node): Line[] => [line("own = data;", node), line("got = none;", node)];
    const top = this.facts.scripts.map((file) => [...start(file), ...this.block(file.statements)]);
    // Private windows do not trigger handlers of events without a window.
    const handled = handlersOf(this.facts, this.ts).filter(
      ({ node, functions }) =>
        this.mode === "Norm" ||
        !(isOfNoWindow(this.facts, this.ts, node, functions) || this.#isLeftOut(node)), // sound: test/languages/webextension/flows.test.ts
    );
    const handlers = handled.flatMap((handler) =>
      handler.functions.map((each) => {
        const arrival = this.#receive(handler);
        this.answers = handler.topic === RUNTIME;
        this.answersOutside = this.answers && /\bonMessageExternal\b/.test(handler.node.getText());
        this.isOfUser = isOfUser(this.facts, this.ts, handler.node);
        this.event = this.ts.isCallExpression(handler.node)
          ? pathIn(this.ts, this.facts.roles, handler.node.expression)
          : "";
        // The sender may have decided to send: even a constant is an implicit flow.
        const body = this.#mayReceive(handler) ? this.maybe(() => this.call(each)) : this.call(each); // sound: test/languages/webextension/flows.test.ts
        this.event = "";
        this.answers = this.answersOutside = this.isOfUser = false;
        return [...start(handler.node), ...arrival, ...body];
      }),
    );
    const { loose, fields, wild } = unseenIn(this.facts, this.ts);
    const anytime = [
      ...loose.map((each) => [...start(each), ...this.call(each)]),
      ...fields.map((each) => [...start(each), ...this.loose(each)]),
    ];
    const anything = wild.map(({ node, message }) => {
      this.around.note(node, message);
      const sinks = (["Storage", "Network"] as const).map((sink) => this.sending(sink, node));
      return [...start(node), ...choose(sinks)];
    });
    return [
      line("loop {"),
      ...choose([...top, ...handlers, ...anytime, ...anything].filter((branch) => branch.length > 2)),
      line("}"),
    ];
  }

  #mayReceive = ({ topic }: Handler): boolean =>
    topic !== undefined && topic !== ANY_TOPIC && this.around.mayHold(this.#channelOf(topic));

  #channelOf = (topic: string): string => `${topic} ${this.facts.name} ${this.mode}`;

  /**
   * `if (port.sender.tab.incognito) return;` before a listener is registered: it is never registered in this window.
   */
  #isLeftOut(node: TypeScript.Node): boolean {
    const ts = this.ts;
    if (!ts.isCallExpression(node) || !ts.isExpressionStatement(node.parent)) return false;
    const match = /^(\w+)\.onMessage\.addListener$/.exec(node.expression.getText());
    const body = node.parent.parent;
    const outer = body.parent;
    if (!match || !ts.isBlock(body) || !isFunction(ts, outer)) return false;
    const port = outer.parameters.map(({ name }) => name).find((name) => name.getText() === match[1]);
    if (!port || !ts.isIdentifier(port) || !this.facts.answers.isPort(port)) return false;
    return body.statements
      .slice(0, body.statements.indexOf(node.parent))
      .some(
        (each) =>
          ts.isIfStatement(each) &&
          ts.isReturnStatement(each.thenStatement) &&
          new RegExp(`^${nth(match, 1)}\\.`).test(each.expression.getText()) &&
          decide(this.question, each.expression) === true,
      ); // sound: test/languages/webextension/flows.test.ts
  }

  /** Receives from the topic's channel, or is triggered without data. */
  #receive({ topic, node, isTriggered, boxes }: Handler): Line[] {
    if (topic === undefined) return this.#takingAll(boxes, node);
    if (topic === ANY_TOPIC) return [];
    const name = this.#channelOf(topic);
    if (isTriggered) return this.taking([name], node);
    return [line(`recv(${this.around.channel(name)}, got);`, node)];
  }

  #takingAll(boxes: readonly string[], node: TypeScript.Node): Line[] {
    return boxes.some((box) => this.around.mayHold(box)) ? this.taking(boxes, node) : [];
  }

  /** Statements up to a `return`; if a branch may return, the rest belongs to the other branch. */
  protected block(statements: readonly TypeScript.Node[]): Line[] {
    const ts = this.ts;
    const lines: Line[] = [];
    for (const [index, node] of statements.entries()) {
      const rest = statements.slice(index + 1);
      if (ts.isReturnStatement(node) || ts.isThrowStatement(node))
        return [...lines, ...(node.expression ? this.returned(node.expression) : [])];
      if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return lines;
      if (ts.isBlock(node)) return [...lines, ...this.block([...node.statements, ...rest])];
      if (!ts.isIfStatement(node)) {
        lines.push(...this.#statement(node));
        continue;
      }
      lines.push(...this.expression(node.expression));
      const isTrue = decide(this.question, node.expression);
      this.conditions++;
      const then = [node.thenStatement];
      const other = node.elseStatement ? [node.elseStatement] : [];
      if (isTrue !== undefined) {
        this.conditions--;
        return [...lines, ...this.#decided(isTrue ? then : other, isTrue ? other : then, rest)];
      }
      const leaves = [...then, ...other].some((branch) => this.#mayLeave(branch));
      if (leaves && this.#size > LARGE) this.around.note(node, "execution may continue after this `return`");
      if (leaves && this.#size <= LARGE) {
        const ways = this.#sized(choose([this.block([...then, ...rest]), this.block([...other, ...rest])]));
        this.conditions--;
        return [...lines, ...ways];
      }
      lines.push(...choose([this.block(then), this.block(other)]));
      this.conditions--;
    }
    return lines;
  }

  /**
   * The branch for this window, and the rest. An effect that only private windows have is an implicit flow, even if
   * constant.
   */
  #decided(
    taken: readonly TypeScript.Node[],
    other: readonly TypeScript.Node[],
    rest: readonly TypeScript.Node[],
  ): Line[] {
    if (this.mode === "Norm") return this.block([...taken, ...rest]);
    const leaves = [...taken, ...other].some((branch) => this.#mayLeave(branch));
    if (leaves) return this.maybe(() => this.block([...taken, ...rest]));
    return [...this.maybe(() => this.block(taken)), ...this.block(rest)];
  }

  #sized(lines: Line[]): Line[] {
    this.#size += lines.length;
    return lines;
  }

  #statement(node: TypeScript.Node): Line[] {
    const ts = this.ts;
    if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isImportDeclaration(node))
      return [];
    if (ts.isExpressionStatement(node)) return this.expression(node.expression);
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations.flatMap(({ initializer, name }) => {
        const defaults = ts.isIdentifier(name) ? [] : this.expression(name);
        if (!initializer || isFunction(ts, unwrapped(ts, initializer))) return defaults;
        const effects = [...this.expression(initializer), ...defaults];
        const outer = boundNames(ts, name).filter((each) => this.facts.variables.has(each));
        return [...effects, ...outer.flatMap((each) => this.assigned(each, initializer, node))];
      });
    if (ts.isIterationStatement(node, false)) {
      if (this.#returnsInside(node))
        this.around.note(node, "a return inside this loop is taken to end the loop alone");
      const heads = ts.isForStatement(node)
        ? [node.condition, node.incrementor].filter((each) => each !== undefined)
        : [(node as TypeScript.WhileStatement | TypeScript.ForOfStatement).expression];
      const before = ts.isForStatement(node) && node.initializer ? this.loose(node.initializer) : [];
      return [
        ...before,
        ...this.maybe(() =>
          repeated([...heads.flatMap((each) => this.expression(each)), ...this.block([node.statement])]),
        ),
      ];
    }
    if (ts.isTryStatement(node)) {
      // Any statement may throw.
      const tried = node.tryBlock.statements.flatMap((each) => choose([this.block([each]), []]));
      const { catchClause } = node;
      const caught = catchClause ? choose([this.maybe(() => this.block([catchClause.block])), []]) : [];
      return [...tried, ...caught, ...(node.finallyBlock ? this.block([node.finallyBlock]) : [])];
    }
    if (ts.isSwitchStatement(node)) {
      const { clauses } = node.caseBlock;
      const ways = this.maybe(() =>
        clauses.map((_, i) => this.block(clauses.slice(i).flatMap((clause) => [...clause.statements]))),
      );
      const cases = clauses.flatMap((clause) =>
        ts.isCaseClause(clause) ? this.expression(clause.expression) : [],
      );
      return [...this.expression(node.expression), ...cases, ...choose([...ways, []])];
    }
    if (ts.isLabeledStatement(node)) return this.block([node.statement]);
    return this.loose(node);
  }

  /** Effects of the expressions inside a node that is not a statement. */
  protected loose(node: TypeScript.Node): Line[] {
    const lines: Line[] = [];
    this.ts.forEachChild(node, (child) => {
      lines.push(...(this.ts.isStatement(child) ? this.block([child]) : this.expression(child)));
    });
    return lines;
  }

  #mayLeave(node: TypeScript.Node): boolean {
    const ts = this.ts;
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
    const ts = this.ts;
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    return (
      ts.isReturnStatement(node) ||
      (ts.forEachChild(node, (child) => this.#returnsInside(child) || undefined) ?? false)
    );
  }
}
