/** First pass over a body: declares variables by block, and labels. */
import type { BlockStatement, Declaration, Sequence, Statement } from "../ast.js";
import type { VariableSymbol } from "../check.js";
import type { Context, MutableProcess, MutableScope } from "./context.js";
import { declareVariables, reportDuplicate } from "./declarations.js";
import { declareLabels } from "./labels.js";

export function declareBody(context: Context, process: MutableProcess): void {
  const { unit, scope } = process;
  if (unit.kind === "proctype") {
    for (const declaration of unit.parameters) {
      const home = { storage: "parameter", process, scope } as const;
      for (const symbol of declareVariables(context, declaration, home)) {
        enter(context, symbol, scope);
        process.parameters.push(symbol);
      }
    }
  }
  context.scopes.set(unit.body, scope);
  new BodyWalk(context, process).sequence(unit.body, scope, undefined);
}

class BodyWalk {
  /** Spin creates channels with the process: their declarations must precede all statements. */
  #isAtStart = true;

  constructor(
    readonly context: Context,
    readonly process: MutableProcess,
  ) {}

  sequence(sequence: Sequence, scope: MutableScope, dStep: BlockStatement | undefined): void {
    for (const step of sequence.steps) this.#statement(step, scope, dStep);
  }

  #statement(statement: Statement, scope: MutableScope, dStep: BlockStatement | undefined): void {
    if (statement.kind === "declaration") return this.#declare(statement, scope);
    if (statement.kind !== "exclusive") this.#isAtStart = false;
    switch (statement.kind) {
      case "labelled":
        this.context.expandedFrom = statement.expandedFrom;
        declareLabels(this.context, statement, this.process, scope, dStep);
        if (statement.statement) this.#statement(statement.statement, scope, dStep);
        return;
      case "if":
      case "do":
        for (const option of statement.options) this.sequence(option, scope, dStep);
        return;
      case "forRange":
      case "forIn":
        return this.#block(statement.body, scope, dStep);
      case "block":
      case "atomic":
        return this.#block(statement.body, scope, dStep);
      case "dStep":
        return this.#block(statement.body, scope, dStep ?? statement);
      case "unless":
        this.#statement(statement.main, scope, dStep);
        return this.#statement(statement.escape, scope, dStep);
    }
  }

  #block(body: Sequence, outer: MutableScope, dStep: BlockStatement | undefined): void {
    const scope: MutableScope = { parent: outer, span: body.span, variables: new Map() };
    this.context.scopes.set(body, scope);
    this.sequence(body, scope, dStep);
  }

  #declare(declaration: Declaration, scope: MutableScope): void {
    const { context, process } = this;
    for (const symbol of declareVariables(context, declaration, { storage: "local", process, scope })) {
      if (symbol.channel && !this.#isAtStart) {
        const message = `channel \`${symbol.name}\` is created after the first statement`;
        const hint = "declare it at the start of the process";
        context.error("late-channel", message, symbol.declarator.span, { hint });
      }
      enter(context, symbol, scope);
      process.locals.push(symbol);
    }
  }
}

function enter(context: Context, symbol: VariableSymbol, scope: MutableScope): void {
  const twin = scope.variables.get(symbol.name);
  if (twin) return reportDuplicate(context, symbol, twin);
  warnHiding(context, symbol, scope);
  scope.variables.set(symbol.name, symbol);
}

/** Spin refuses hidden names; the meaning is unambiguous, so a warning suffices. */
function warnHiding(context: Context, symbol: VariableSymbol, scope: MutableScope): void {
  let hidden = context.globals.get(symbol.name);
  for (let outer = scope.parent; outer; outer = outer.parent)
    hidden = outer.variables.get(symbol.name) ?? hidden;
  if (!hidden) return;
  context.warn("hides-name", `\`${symbol.name}\` hides another variable`, symbol.declarator.name.span, {
    hint: "Spin rejects this: choose another name",
    notes: [{ span: hidden.declarator.name.span, message: "the hidden one" }],
  });
}
