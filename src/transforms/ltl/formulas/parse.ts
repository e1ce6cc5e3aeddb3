/**
 * Parses formulas. From loose to tight: `<->`, `->` (to the right), `|`, `^`, `&`, then `U R V W M` (to the right), then `! X F G`.
 * Accepts Spin's spellings. A proposition is a name in which no capital is an operator (`pUq` is `p U q`), or any text in double
 * quotes; `p=1` is `p`, `p=0` is `!p`.
 */
import { type Diagnostic, type Formula, MOST_PROPOSITIONS } from "../../../model/index.js";
import { ltlError } from "../mistakes.js";
import { type BinaryOperator, type Token, type TokenKind, tokenise } from "./tokens.js";
import { nth } from "../../../model/known.js";

export interface ParsedFormula {
  readonly formula: Formula;
  /** Names by index, in order of first occurrence. */
  readonly propositions: readonly string[];
}

export type ParseResult = ParsedFormula | { readonly diagnostics: readonly Diagnostic[] };

/** `file`: name of the text in diagnostics. `known` propositions keep their index; new ones follow. */
export function parseLtl(text: string, file = "formula", known: readonly string[] = []): ParseResult {
  const diagnostics: Diagnostic[] = [];
  const tokens = tokenise(text, file, diagnostics);
  if (tokens.length > mostTokens) {
    const span = { file, start: 0, end: text.length };
    return { diagnostics: [ltlError("too-long", `a formula can have ${mostTokens} symbols`, span)] };
  }
  const parser = new Parser(tokens, file, known);
  try {
    const formula = parser.whole();
    if (diagnostics.length === 0) return { formula, propositions: parser.propositions };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    diagnostics.push(error.diagnostic);
  }
  return { diagnostics };
}

/** Limits that keep recursion over a formula within the stack. */
const mostTokens = 2000;
const deepest = 200;

class Mistake extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/** Precedence of an operator, and whether it associates to the right. */
const binding: Readonly<Record<BinaryOperator, { readonly level: number; readonly isRight: boolean }>> = {
  equivalent: { level: 1, isRight: false },
  implies: { level: 2, isRight: true },
  or: { level: 3, isRight: false },
  xor: { level: 4, isRight: false },
  and: { level: 5, isRight: false },
  until: { level: 6, isRight: true },
  release: { level: 6, isRight: true },
  "weak-until": { level: 6, isRight: true },
  "strong-release": { level: 6, isRight: true },
};

class Parser {
  readonly propositions: string[];
  readonly #tokens: readonly Token[];
  readonly #file: string;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], file: string, known: readonly string[]) {
    this.#tokens = tokens;
    this.#file = file;
    this.propositions = [...known];
  }

  whole(): Formula {
    const formula = this.#binary(1);
    if (this.#next.kind !== "end") throw this.#unexpected("an operator or the end");
    return formula;
  }

  /** Parses operators of at least this level. */
  #binary(level: number): Formula {
    let left = this.#unary();
    for (;;) {
      const kind = this.#next.kind;
      const operator = isBinary(kind) ? binding[kind] : undefined;
      if (!isBinary(kind) || !operator || operator.level < level) return left;
      this.#at++;
      const right = this.#nested(() => this.#binary(operator.isRight ? operator.level : operator.level + 1));
      left = { kind, left, right };
    }
  }

  #unary(): Formula {
    const { kind } = this.#next;
    switch (kind) {
      case "not":
      case "next":
      case "eventually":
      case "always":
        this.#at++;
        return { kind, operand: this.#nested(() => this.#unary()) };
      default:
        return this.#atom();
    }
  }

  #atom(): Formula {
    const token = this.#next;
    switch (token.kind) {
      case "constant":
        this.#at++;
        return { kind: token.text === "1" || token.text === "true" ? "true" : "false" };
      case "name":
        this.#at++;
        return this.#proposition(token);
      case "(":
        return this.#parenthesised(token);
      default:
        throw this.#unexpected("a formula");
    }
  }

  #parenthesised(open: Token): Formula {
    this.#at++;
    const formula = this.#nested(() => this.#binary(1));
    if (this.#next.kind !== ")") {
      const { diagnostic } = this.#unexpected("')'");
      const note = { span: this.#span(open), message: "opened here" };
      throw new Mistake({ ...diagnostic, notes: [note] });
    }
    this.#at++;
    return formula;
  }

  #proposition(token: Token): Formula {
    const proposition: Formula = { kind: "proposition", index: this.#indexOf(token) };
    if (this.#next.kind !== "=") return proposition;
    this.#at++;
    const value = this.#next;
    if (value.text !== "0" && value.text !== "1") throw this.#unexpected("0 or 1");
    this.#at++;
    return value.text === "1" ? proposition : { kind: "not", operand: proposition };
  }

  #indexOf(token: Token): number {
    const known = this.propositions.indexOf(token.text);
    if (known >= 0) return known;
    if (this.propositions.length === MOST_PROPOSITIONS)
      throw this.#mistake(
        "too-many-propositions",
        `a formula can have ${MOST_PROPOSITIONS} propositions; '${token.text}' is one more`,
        token,
      );
    return this.propositions.push(token.text) - 1;
  }

  get #next(): Token {
    return nth(this.#tokens, this.#at);
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > deepest)
      throw this.#mistake("too-deep", `the formula is nested more than ${deepest} levels deep`, this.#next);
    const result = parse();
    this.#depth--;
    return result;
  }

  #unexpected(wanted: string): Mistake {
    const token = this.#next;
    const found = token.kind === "end" ? "the formula ends" : `'${token.text}' stands`;
    return this.#mistake("syntax", `${found} where ${wanted} is expected`, token, capitalHint(token));
  }

  #mistake(code: string, message: string, token: Token, hint?: string): Mistake {
    return new Mistake(ltlError(code, message, this.#span(token), hint));
  }

  #span({ start, end }: Token): { file: string; start: number; end: number } {
    return { file: this.#file, start, end };
  }
}

const isBinary = (kind: TokenKind): kind is BinaryOperator => kind in binding;

/** `READY` is read as `R E A D Y`, which surprises users. */
const capitalHint = (token: Token): string | undefined =>
  /^[A-Z]/.test(token.text)
    ? 'the capitals F G M R U V W X are operators; a name with one of them goes in double quotes: "READY"'
    : undefined;
