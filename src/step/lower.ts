/**
 * Lowers the tree of a function to WebAssembly instructions.
 *
 * An array is the number of its first word in the memory; the word before it holds its length. So `a[i]` is the word `a + i`,
 * and arrays of arrays need no special treatment. Statements are lowered here, values in `lower-expressions.ts`, variables and elements in
 * `lower-places.ts`; `Names`, given by the module, resolves names.
 */
import { Op, unsigned, type FunctionCode } from "./encode.js";
import { Expressions } from "./lower-expressions.js";
import type { Names } from "./lower-names.js";
import { Writer } from "./lower-writer.js";
import { NotStepCode, type Expr, type FunctionText, type Statement } from "./syntax.js";

export function lowerFunction(text: FunctionText, names: Names): FunctionCode {
  return new Lowering(text, names).result();
}

export function hasResult(body: readonly Statement[]): boolean {
  return body.some((s) => {
    switch (s.kind) {
      case "return":
        return s.value !== undefined;
      case "if":
        return hasResult([s.then, ...(s.otherwise ? [s.otherwise] : [])]);
      case "loop":
      case "label":
        return hasResult([s.body]);
      case "switch":
        return s.cases.some((c) => hasResult(c.body));
      case "block":
        return hasResult(s.body);
      default:
        return false;
    }
  });
}

class Lowering {
  readonly #text: FunctionText;
  readonly #hasResult: boolean;
  readonly #writer: Writer;
  readonly #expressions: Expressions;

  constructor(text: FunctionText, names: Names) {
    this.#text = text;
    this.#hasResult = hasResult(text.body);
    this.#writer = new Writer(text.parameters);
    this.#expressions = new Expressions(this.#writer, names);
  }

  result(): FunctionCode {
    this.#body(this.#text.body);
    if (this.#hasResult) this.#writer.const(0);
    const { name } = this.#text;
    const parameters = this.#text.parameters.length;
    const { mostLocals, code } = this.#writer;
    return { name, parameters, hasResult: this.#hasResult, locals: mostLocals - parameters, code };
  }

  #body(body: readonly Statement[]): void {
    this.#writer.scope(() => body.forEach((statement) => this.#statement(statement)));
  }

  #statement(s: Statement, label?: string): void {
    switch (s.kind) {
      case "expression":
        return this.#expressions.effect(s.expr);
      case "declare":
        for (const { name, value } of s.variables) {
          if (value) this.#expressions.value(value);
          else this.#writer.const(0);
          this.#writer.emit(Op.localSet, this.#writer.declare(name));
        }
        return;
      case "block":
        if (label === undefined) return this.#body(s.body);
        return this.#writer.block(() => this.#writer.inside("break", label, () => this.#body(s.body), false));
      case "if":
        return this.#if(s.test, s.then, s.otherwise);
      case "loop":
        return this.#loop(s, label);
      case "switch":
        return this.#switch(s, label);
      case "label":
        return this.#statement(s.body, s.label);
      case "leave":
        return this.#writer.leave(s.how, s.label);
      case "return":
        if (s.value) this.#expressions.value(s.value);
        else if (this.#hasResult) this.#writer.const(0);
        this.#writer.emit(Op.return);
    }
  }

  #if(test: Expr, then: Statement, otherwise: Statement | undefined): void {
    this.#expressions.value(test);
    this.#writer.open(Op.if);
    this.#body([then]);
    if (otherwise) {
      this.#writer.emit(Op.else);
      this.#body([otherwise]);
    }
    this.#writer.end();
  }

  #loop(s: Statement & { kind: "loop" }, label: string | undefined): void {
    this.#writer.scope(() => {
      if (s.first) this.#statement(s.first);
      this.#writer.block(() => this.#writer.inside("break", label, () => this.#repeat(s, label)));
    });
  }

  #repeat({ test, next, body }: Statement & { kind: "loop" }, label: string | undefined): void {
    this.#writer.open(Op.loop);
    const top = this.#writer.depth;
    if (test) {
      this.#expressions.value(test);
      this.#writer.emit(Op.eqz);
      this.#writer.branch(Op.brIf, top - 1);
    }
    this.#writer.block(() => this.#writer.inside("continue", label, () => this.#body([body])));
    if (next) this.#expressions.effect(next);
    this.#writer.branch(Op.br, top);
    this.#writer.end();
  }

  #switch(s: Statement & { kind: "switch" }, label: string | undefined): void {
    this.#writer.scope(() =>
      this.#writer.block(() => this.#writer.inside("break", label, () => this.#cases(s))),
    );
  }

  /** One block inside the other, the first case innermost: the body of its case follows each. */
  #cases({ subject, cases }: Statement & { kind: "switch" }): void {
    const values = cases.map(({ value }) => (value === undefined ? undefined : constant(value)));
    const known = values.filter((v) => v !== undefined);
    const least = Math.min(...known);
    const span = known.length === 0 ? 0 : Math.max(...known) - least + 1;
    if (span > MOST_IN_TABLE) throw new NotStepCode(`cases from ${least} on span ${span} values`);
    for (let i = 0; i < cases.length; i++) this.#writer.open();
    const fallback = values.indexOf(undefined);
    const otherwise = fallback < 0 ? cases.length : fallback;
    this.#expressions.value(subject);
    if (least !== 0 && span > 0) {
      this.#writer.const(least);
      this.#writer.emit(Op.sub);
    }
    this.#writer.emit(Op.brTable, span);
    for (let k = 0; k < span; k++) {
      const found = values.indexOf(least + k);
      unsigned(found < 0 ? otherwise : found, this.#writer.code);
    }
    unsigned(otherwise, this.#writer.code);
    for (const { body } of cases) {
      this.#writer.end();
      for (const statement of body) this.#statement(statement);
    }
  }
}

/** A `switch` over more values than this is not worth a table. */
const MOST_IN_TABLE = 65_536;

function constant(e: Expr): number {
  if (e.kind === "number") return e.value;
  throw new NotStepCode("a case that is not a number");
}
