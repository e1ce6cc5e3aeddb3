/**
 * Parses step code: a subset of JavaScript that computes with 32-bit integers and arrays of them.
 *
 * The subset has functions, `let` and `const`, `if`, loops, `switch`, labels, assignments inside expressions, and calls by
 * name. Anything else is `NotStepCode`.
 */
import { tokensOf, type Token } from "./tokens.js";
import {
  NotStepCode,
  type BinaryOp,
  type Case,
  type Expr,
  type FunctionText,
  type Member,
  type Module,
  type Name,
  type Statement,
  type Target,
  type Variable,
} from "./syntax.js";

/** Parses the text of a module: declarations of variables and functions. A `return` at the end is passed over. */
export function parseModule(text: string): Module {
  const parser = new Parser(tokensOf(text));
  const functions = new Map<string, FunctionText>();
  const variables: Variable[] = [];
  const start: Statement[] = [];
  while (!parser.isAtEnd()) {
    if (parser.takes("return")) break;
    const declared = parser.declaration();
    if (!declared) start.push(parser.statement());
    for (const item of declared ?? []) {
      if ("body" in item) functions.set(item.name, item);
      else variables.push(item);
    }
  }
  return { functions, variables, start };
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  isAtEnd(): boolean {
    return this.#token().kind === "end";
  }

  takes(text: string): boolean {
    if (this.#token().text !== text) return false;
    this.#at++;
    return true;
  }

  /** Undefined: a statement begins here. */
  declaration(): (FunctionText | Variable)[] | undefined {
    if (this.takes("function")) return [this.#function(this.#name())];
    if (!this.takes("let") && !this.takes("const")) return undefined;
    const found: (FunctionText | Variable)[] = [];
    do {
      const name = this.#name();
      if (!this.takes("=")) found.push({ name, value: undefined });
      else if (this.#isArrow()) found.push(this.#arrow(name));
      else found.push({ name, value: this.#assignment() });
    } while (this.takes(","));
    this.#expect(";");
    return found;
  }

  // ---- functions and statements ----

  #function(name: string): FunctionText {
    return { name, parameters: this.#parameters(), body: this.#block() };
  }

  /** `(p) => p > 30 ? …`. */
  #arrow(name: string): FunctionText {
    const parameters = this.#parameters();
    this.#expect("=>");
    return { name, parameters, body: [{ kind: "return", value: this.#assignment() }] };
  }

  #isArrow(): boolean {
    if (this.#token().text !== "(") return false;
    let at = this.#at;
    while (this.#tokens[at]!.text !== ")") if (this.#tokens[at++]!.kind === "end") return false;
    return this.#tokens[at + 1]?.text === "=>";
  }

  #parameters(): string[] {
    this.#expect("(");
    const names: string[] = [];
    while (!this.takes(")")) {
      names.push(this.#name());
      if (this.#token().text !== ")") this.#expect(",");
    }
    return names;
  }

  #block(): Statement[] {
    this.#expect("{");
    const body: Statement[] = [];
    while (!this.takes("}")) body.push(this.statement());
    return body;
  }

  statement(): Statement {
    const { text } = this.#token();
    switch (text) {
      case "{":
        return { kind: "block", body: this.#block() };
      case ";":
        this.#at++;
        return { kind: "block", body: [] };
      case "let":
      case "const":
        return this.#variables();
      case "if":
        return this.#if();
      case "for":
        return this.#for();
      case "while": {
        this.#at++;
        const test = this.#parenthesised();
        return { kind: "loop", first: undefined, test, next: undefined, body: this.statement() };
      }
      case "switch":
        return this.#switch();
      case "break":
      case "continue": {
        this.#at++;
        const label = this.#token().kind === "name" ? this.#name() : undefined;
        this.#expect(";");
        return { kind: "leave", how: text, label };
      }
      case "return": {
        this.#at++;
        const value = this.#token().text === ";" ? undefined : this.#expression();
        this.#expect(";");
        return { kind: "return", value };
      }
      default:
        return this.#labelOrExpression();
    }
  }

  #labelOrExpression(): Statement {
    if (this.#token().kind === "name" && this.#tokens[this.#at + 1]!.text === ":") {
      const label = this.#name();
      this.#at++;
      return { kind: "label", label, body: this.statement() };
    }
    const expr = this.#expression();
    this.#expect(";");
    return { kind: "expression", expr };
  }

  #variables(): Statement {
    this.#at++;
    const variables: Variable[] = [];
    do {
      if (this.#token().text === "{") this.#fields(variables);
      else {
        const name = this.#name();
        variables.push({ name, value: this.takes("=") ? this.#assignment() : undefined });
      }
    } while (this.takes(","));
    this.#expect(";");
    return { kind: "declare", variables };
  }

  /** `{ origin, first } = progress`. */
  #fields(variables: Variable[]): void {
    this.#expect("{");
    const names: string[] = [];
    while (!this.takes("}")) {
      names.push(this.#name());
      if (this.#token().text !== "}") this.#expect(",");
    }
    this.#expect("=");
    const of: Name = { kind: "name", name: this.#name() };
    for (const name of names) variables.push({ name, value: { kind: "member", of, field: name } });
  }

  #if(): Statement {
    this.#at++;
    const test = this.#parenthesised();
    const then = this.statement();
    return { kind: "if", test, then, otherwise: this.takes("else") ? this.statement() : undefined };
  }

  #for(): Statement {
    this.#at++;
    this.#expect("(");
    let first: Statement | undefined;
    if (!this.takes(";"))
      first = /^(?:let|const)$/.test(this.#token().text) ? this.#variables() : this.#labelOrExpression();
    const test = this.#token().text === ";" ? undefined : this.#expression();
    this.#expect(";");
    const next = this.#token().text === ")" ? undefined : this.#expression();
    this.#expect(")");
    return { kind: "loop", first, test, next, body: this.statement() };
  }

  #switch(): Statement {
    this.#at++;
    const subject = this.#parenthesised();
    this.#expect("{");
    const cases: Case[] = [];
    while (!this.takes("}")) {
      const isDefault = this.takes("default");
      if (!isDefault) this.#expect("case");
      const value = isDefault ? undefined : this.#expression();
      this.#expect(":");
      const body: Statement[] = [];
      while (!/^(?:case|default|\})$/.test(this.#token().text)) body.push(this.statement());
      cases.push({ value, body });
    }
    return { kind: "switch", subject, cases };
  }

  // ---- expressions ----

  #parenthesised(): Expr {
    this.#expect("(");
    const expr = this.#expression();
    this.#expect(")");
    return expr;
  }

  #expression(): Expr {
    const first = this.#assignment();
    if (this.#token().text !== ",") return first;
    const parts = [first];
    while (this.takes(",")) parts.push(this.#assignment());
    return { kind: "sequence", parts };
  }

  #assignment(): Expr {
    const left = this.#conditional();
    const { text } = this.#token();
    if (!/^(?:[-+*/%&|^]|<<|>>>?)?=$/.test(text)) return left;
    this.#at++;
    const op = text === "=" ? undefined : (text.slice(0, -1) as BinaryOp);
    return { kind: "assign", op, target: this.#target(left), value: this.#assignment() };
  }

  #conditional(): Expr {
    const test = this.#binary(0);
    if (!this.takes("?")) return test;
    const then = this.#assignment();
    this.#expect(":");
    return { kind: "conditional", test, then, otherwise: this.#assignment() };
  }

  /** By precedence climbing: operators that bind at least as `least` does. */
  #binary(least: number): Expr {
    let left = this.#unary();
    for (;;) {
      const { text, kind } = this.#token();
      const strength = kind === "sign" ? STRENGTH.get(text) : undefined;
      if (strength === undefined || strength < least) return left;
      this.#at++;
      const right = this.#binary(strength + 1);
      left =
        text === "&&" || text === "||"
          ? { kind: "logical", op: text, left, right }
          : { kind: "binary", op: text as BinaryOp, left, right };
    }
  }

  #unary(): Expr {
    const { text } = this.#token();
    if (text === "-" || text === "~" || text === "!") {
      this.#at++;
      const operand = this.#unary();
      if (text === "-" && operand.kind === "number") return { kind: "number", value: -operand.value };
      return { kind: "unary", op: text, operand };
    }
    if (text === "++" || text === "--") {
      this.#at++;
      const target = this.#target(this.#unary());
      return { kind: "update", by: text === "++" ? 1 : -1, isPrefix: true, target };
    }
    return this.#postfix();
  }

  #postfix(): Expr {
    let expr = this.#primary();
    for (;;) {
      if (this.takes("[")) {
        expr = { kind: "index", array: expr, index: this.#expression() };
        this.#expect("]");
      } else if (this.takes(".")) {
        if (expr.kind !== "name") throw this.#unexpected("a field of something without a name");
        expr = { kind: "member", of: expr, field: this.#name() };
      } else if (this.#token().text === "(") {
        if (expr.kind !== "name" && expr.kind !== "member") throw this.#unexpected("a call");
        expr = { kind: "call", callee: expr, arguments: this.#arguments() };
      } else break;
    }
    const { text } = this.#token();
    if (text !== "++" && text !== "--") return expr;
    this.#at++;
    return { kind: "update", by: text === "++" ? 1 : -1, isPrefix: false, target: this.#target(expr) };
  }

  #arguments(): Expr[] {
    this.#expect("(");
    const values: Expr[] = [];
    while (!this.takes(")")) {
      values.push(this.#assignment());
      if (this.#token().text !== ")") this.#expect(",");
    }
    return values;
  }

  #primary(): Expr {
    const token = this.#token();
    if (token.text === "(") return this.#parenthesised();
    if (token.text === "[") return { kind: "list", elements: this.#elements() };
    this.#at++;
    if (token.kind === "number") return { kind: "number", value: Number(token.text) };
    if (token.kind !== "name") throw this.#unexpected(`'${token.text}'`);
    if (token.text === "true" || token.text === "false")
      return { kind: "number", value: token.text === "true" ? 1 : 0 };
    if (token.text === "new") {
      this.#expect("Int32Array");
      return { kind: "array", length: this.#parenthesised() };
    }
    if (token.text === "Int32Array" && this.takes(".")) {
      this.#expect("of");
      return { kind: "list", elements: this.#arguments() };
    }
    if (RESERVED.has(token.text)) throw this.#unexpected(`'${token.text}'`);
    return { kind: "name", name: token.text };
  }

  #elements(): Expr[] {
    this.#expect("[");
    const values: Expr[] = [];
    while (!this.takes("]")) {
      values.push(this.#assignment());
      if (this.#token().text !== "]") this.#expect(",");
    }
    return values;
  }

  #target(expr: Expr): Target {
    if (expr.kind === "name" || expr.kind === "index") return expr;
    if (expr.kind === "member") return expr satisfies Member;
    throw this.#unexpected("an assignment to something that is not a place");
  }

  // ---- tokens ----

  #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #name(): string {
    const { kind, text } = this.#token();
    if (kind !== "name" || RESERVED.has(text)) throw this.#unexpected(`'${text}' for a name`);
    this.#at++;
    return text;
  }

  #expect(text: string): void {
    if (!this.takes(text)) throw this.#unexpected(`'${this.#token().text}' for '${text}'`);
  }

  #unexpected(what: string): NotStepCode {
    const around = this.#tokens.slice(Math.max(0, this.#at - 8), this.#at + 4);
    return new NotStepCode(`${what} in: ${around.map((t) => t.text).join(" ")}`);
  }
}

const STRENGTH: ReadonlyMap<string, number> = new Map(
  ["||", "&&", "|", "^", "&", "=== !==", "< <= > >=", "<< >> >>>", "+ -", "* / %"].flatMap((signs, i) =>
    signs.split(" ").map((sign): [string, number] => [sign, i]),
  ),
);

const RESERVED: ReadonlySet<string> = new Set(
  "if else for while do switch case default break continue return let const var function throw try catch typeof this class of in".split(
    " ",
  ),
);
