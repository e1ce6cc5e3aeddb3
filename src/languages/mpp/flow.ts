/** Lowers the statements of a principal to a control-flow graph, and resolves their names. */
import type { Span } from "../../model/diagnostic.js";
import type { MessageAction, MessageEdge } from "../../model/messages.js";
import type { Named } from "../toolkit/provenance/ast.js";
import { FlowGraph } from "../toolkit/provenance/flow-graph.js";
import type { Condition, PrincipalNode, Statement, Value } from "./ast.js";
import type { ProgramScope } from "./scope.js";

export function buildFlow(node: PrincipalNode, scope: ProgramScope): readonly (readonly MessageEdge[])[] {
  return new FlowBuilder(node, scope).build(node.body);
}

class FlowBuilder {
  readonly #graph = new FlowGraph();
  readonly #scope: ProgramScope;
  readonly #variables: readonly string[];

  constructor({ variables }: PrincipalNode, scope: ProgramScope) {
    this.#scope = scope;
    this.#variables = variables.map(({ text }) => text);
  }

  build(body: readonly Statement[]): readonly (readonly MessageEdge[])[] {
    this.#sequence(body, 0, this.#graph.newLocation(), undefined);
    return this.#graph.finish();
  }

  #sequence(all: readonly Statement[], from: number, to: number, exit: number | undefined): void {
    if (all.length === 0) return this.#graph.addJump(from, to);
    all.forEach((statement, index) => {
      const next = index === all.length - 1 ? to : this.#graph.newLocation();
      this.#statement(statement, from, next, exit, "");
      from = next;
    });
  }

  #statement(node: Statement, from: number, to: number, exit: number | undefined, label: string): void {
    const graph = this.#graph;
    switch (node.kind) {
      case "loop": {
        const head = graph.newLocation();
        graph.addJump(from, head);
        return this.#sequence(node.body, head, head, to);
      }
      case "choose":
        for (const branch of node.branches) this.#branch(branch, from, to, exit);
        return;
      case "if": {
        const taken = graph.newLocation();
        const other = graph.newLocation();
        this.#assume(node.condition, true, from, taken, label);
        this.#assume(node.condition, false, from, other, label);
        this.#sequence(node.then, taken, to, exit);
        return this.#sequence(node.otherwise, other, to, exit);
      }
      case "labelled":
        return this.#statement(node.statement, from, to, exit, `${label}${node.label.text}: `);
      case "assume":
        return this.#assume(node.condition, true, from, to, label);
      case "break":
        if (exit === undefined)
          return this.#scope.error("misplaced-break", node.span, "`break` is not inside a loop");
        return graph.addJump(from, exit);
      case "halt":
        return;
      case "assign":
      case "send":
      case "receive":
      case "spawn":
      case "skip": {
        const action = this.#action(node);
        if (action) this.#edge(from, to, action, node.span, label);
        else graph.addJump(from, to);
      }
    }
  }

  /** The new location keeps a loop at the start of the branch from returning to the choice. */
  #branch(branch: readonly Statement[], from: number, to: number, exit: number | undefined): void {
    const start = this.#graph.newLocation();
    this.#graph.addJump(from, start);
    this.#sequence(branch, start, to, exit);
  }

  #edge(from: number, to: number, action: MessageAction, span: Span, label: string, prefix = ""): void {
    const text = `${label}${prefix}${this.#scope.textOf(span).replace(/\s+/g, " ").replace(/;$/, "")}`;
    this.#graph.addEdge(from, { action, to, text, span });
  }

  #assume(condition: Condition, isTrue: boolean, from: number, to: number, label: string): void {
    const action = this.#condition(condition, isTrue);
    if (action) this.#edge(from, to, action, condition.span, label, isTrue ? "if " : "if not ");
    else this.#graph.addJump(from, to);
  }

  #condition(condition: Condition, isTrue: boolean): MessageAction | undefined {
    const variable = this.#variable(condition.variable);
    if (condition.kind === "provenance") {
      const test = this.#scope.testOf(condition.policy);
      if (variable === undefined || test === undefined) return undefined;
      return { kind: "test", variable, test, isMember: condition.isMember === isTrue };
    }
    const message = this.#scope.messageOf(condition.message);
    if (variable === undefined || message === undefined) return undefined;
    return { kind: "assume", variable, message, isEqual: condition.isEqual === isTrue };
  }

  #action(
    node: Extract<Statement, { readonly kind: "assign" | "send" | "receive" | "spawn" | "skip" }>,
  ): MessageAction | undefined {
    switch (node.kind) {
      case "skip":
        return { kind: "skip" };
      case "spawn": {
        const principal = this.#scope.principalOf(node.principal);
        return principal === undefined ? undefined : { kind: "spawn", principal };
      }
      case "assign":
        return this.#assignment(node.target, node.value);
      case "send":
      case "receive": {
        const channel = this.#scope.channelOf(node.channel);
        const variable = this.#variable(node.variable);
        if (channel === undefined || variable === undefined) return undefined;
        return { kind: node.kind, channel, variable };
      }
    }
  }

  #assignment(targetName: Named, { name, argument }: Value): MessageAction | undefined {
    const target = this.#variable(targetName);
    if (argument) {
      const source = this.#variable(argument);
      const operation = this.#scope.operationOf(name);
      if (target === undefined || source === undefined || !operation) return undefined;
      return { kind: "apply", target, source, operation: operation.index, image: operation.image };
    }
    const message = this.#scope.messages.indexOf(name.text);
    if (message >= 0) return target === undefined ? undefined : { kind: "fresh", target, message };
    const source = this.#variable(name, "variable or message");
    if (target === undefined || source === undefined) return undefined;
    return { kind: "apply", target, source, operation: -1, image: this.#scope.messages.map((_, m) => m) };
  }

  #variable(name: Named, what = "variable"): number | undefined {
    const index = this.#variables.indexOf(name.text);
    if (index >= 0) return index;
    this.#scope.error(
      "unknown-variable",
      name.span,
      `there is no ${what} \`${name.text}\` here`,
      this.#variables.length === 0 ? "declare it with `var`" : `variables: ${this.#variables.join(", ")}`,
    );
    return undefined;
  }
}
