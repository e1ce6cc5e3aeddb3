/**
 * Lexer. Drops comments and line continuations; a line break marks the next token.
 *
 * Serves both Promela and its temporal formulas: `[]`, `<>`, `<->`, `/\` and `\/` have no other meaning in Promela.
 * Does not distinguish keywords from names, because macros may define either. Characters outside the language become
 * `unknown` tokens, reported only if they reach the parser (embedded C may contain anything).
 */
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { MAX_TOKENS, tooManyTokens } from "../toolkit/limits.js";
import { remarkIn, type Remark } from "./remarks.js";
import { Token, type Lexical } from "./token.js";
import { nth, lastOf } from "../../model/known.js";

/** `remark` receives comments addressed to Everypath, in textual order. */
export function lex(
  file: string,
  text: string,
  report: Report,
  remark: (remark: Remark) => void = () => undefined,
): Token[] {
  return new Lexer(file, text, report, remark).run();
}

/** By first character, longest first. */
const LONG_OPERATORS = new Map<string, readonly string[]>(
  Object.entries({
    "<": ["<->", "<<", "<=", "<>"],
    ">": [">>", ">="],
    ":": ["::"],
    "-": ["->", "--"],
    "+": ["++"],
    "=": ["=="],
    "!": ["!=", "!!"],
    "?": ["??"],
    "&": ["&&"],
    "|": ["||"],
    ".": [".."],
    "[": ["[]"],
    "#": ["##"],
    "/": ["/\\"],
    "\\": ["\\/"],
  }),
);
const SINGLE = new Set("{}()[];:,.@=!?<>+-*/%&|^~#");

class Lexer {
  readonly #tokens: Token[] = [];
  #at = 0;
  #newline = true;
  #space = false;

  constructor(
    readonly file: string,
    readonly text: string,
    readonly report: Report,
    readonly remark: (remark: Remark) => void,
  ) {}

  run(): Token[] {
    while (this.#at < this.text.length) {
      if (this.#tokens.length >= MAX_TOKENS) {
        this.report(tooManyTokens("promela/file-too-large", this.#span(this.#at, this.#at + 1)));
        return [];
      }
      if (!this.#skipBlank()) this.#token();
    }
    return this.#tokens;
  }

  #skipBlank(): boolean {
    const c = nth(this.text, this.#at);
    if (c === "\n") {
      this.#newline = true;
      this.#at++;
    } else if (c === " " || c === "\t" || c === "\r" || c === "\f" || c === "\v" || c === "\uFEFF") {
      this.#at++;
    } else if (c === "\\" && /^\\\r?\n/.test(this.text.substr(this.#at, 3))) {
      this.#at = this.text.indexOf("\n", this.#at) + 1;
    } else if (c === "/" && this.text[this.#at + 1] === "/") {
      this.#skipLineComment();
    } else if (c === "/" && this.text[this.#at + 1] === "*") {
      this.#skipBlockComment();
    } else if (c === "*" && /^\*\/(?![*/])/.test(this.text.substr(this.#at, 3))) {
      this.#skipStrayEnd();
    } else {
      return false;
    }
    this.#space = true;
    return true;
  }

  /** A backslash at the end of the line continues the comment, as in the C preprocessor. */
  #skipLineComment(): void {
    let end = this.text.indexOf("\n", this.#at);
    while (end >= 0 && /\\\r?$/.test(this.text.slice(Math.max(this.#at, end - 2), end))) {
      end = this.text.indexOf("\n", end + 1);
    }
    if (end < 0) end = this.text.length;
    this.#look(end);
    this.#at = end;
  }

  /** Scans the comment up to `end` for a remark. */
  #look(end: number): void {
    const start = this.#at + 2;
    const remark = remarkIn(this.text.slice(start, end), this.#span(start, end));
    if (remark) this.remark(remark);
  }

  /** A line break inside a comment does not count, as in the C preprocessor. */
  #skipBlockComment(): void {
    const end = this.text.indexOf("*/", this.#at + 2);
    if (end < 0) {
      this.report({
        code: "promela/unterminated-comment",
        severity: "error",
        message: "this comment is never closed",
        span: this.#span(this.#at, this.#at + 2),
        hint: "add `*/` where the comment ends",
      });
    }
    if (end >= 0) this.#look(end);
    this.#at = end < 0 ? this.text.length : end + 2;
  }

  /** Spin ignores it: comments do not nest, so the end of an outer one remains. */
  #skipStrayEnd(): void {
    this.report({
      code: "promela/stray-comment-end",
      severity: "warning",
      message: "this ends no comment: comments do not nest",
      span: this.#span(this.#at, this.#at + 2),
      hint: "the comment ended at the first `*/`",
    });
    this.#at += 2;
  }

  #token(): void {
    const start = this.#at;
    const c = this.text.charCodeAt(start);
    if (isLetter(c)) this.#word("identifier", isWord);
    else if (isDigit(c))
      this.#word("number", isWord); // `0x1F` and `12ab` are one token, for one clear diagnostic
    else if (c === 34 /* " */ || c === 36 /* $ */) this.#quoted(c, "string");
    else if (c === 39 /* ' */) this.#quoted(c, "character");
    else this.#operator();
  }

  #word(lexical: Lexical, belongs: (code: number) => boolean): void {
    let end = this.#at + 1;
    while (end < this.text.length && belongs(this.text.charCodeAt(end))) end++;
    this.#push(lexical, end);
  }

  #quoted(quote: number, lexical: Lexical): void {
    let end = this.#at + 1;
    for (; end < this.text.length; end++) {
      const c = this.text.charCodeAt(end);
      if (c === quote) return this.#push(lexical, end + 1);
      if (c === 10 /* line break */) break;
      if (c === 92 /* \ */) end++;
    }
    // A lone apostrophe (in embedded C, or in the text of `#error`) must not consume the line.
    if (lexical === "character") return this.#push("unknown", this.#at + 1);
    end = this.#endOfOpenString(Math.min(end, this.text.length));
    const span = this.#span(this.#at, end);
    this.#push(lexical, end);
    lastOf(this.#tokens).problem = {
      code: "promela/unterminated-string",
      severity: "error",
      message: "this string is not closed on its line",
      span,
      hint: `add the closing ${String.fromCharCode(quote)}`,
    };
  }

  /** In `printf("text);` only the quote is missing: the end of the statement does not belong to the string. */
  #endOfOpenString(endOfLine: number): number {
    const tail = /\)[\s;}]*$/.exec(this.text.slice(this.#at, endOfLine));
    return tail ? this.#at + tail.index : endOfLine;
  }

  #operator(): void {
    const first = nth(this.text, this.#at);
    for (const operator of LONG_OPERATORS.get(first) ?? []) {
      if (this.text.startsWith(operator, this.#at)) return this.#push("operator", this.#at + operator.length);
    }
    if (SINGLE.has(first)) this.#push("operator", this.#at + 1);
    else this.#push("unknown", this.#endOfUnknown());
  }

  /** Combines consecutive unknown characters, because a binary file has many. */
  #endOfUnknown(): number {
    let end = this.#at + 1;
    while (end < this.text.length && isForeign(this.text.charCodeAt(end))) end++;
    return end;
  }

  #push(lexical: Lexical, end: number): void {
    const token = new Token(lexical, this.text.slice(this.#at, end), this.#span(this.#at, end));
    token.newlineBefore = this.#newline;
    token.spaceBefore = this.#space;
    this.#newline = this.#space = false;
    this.#tokens.push(token);
    this.#at = end;
  }

  #span(start: number, end: number): Span {
    return { file: this.file, start, end };
  }
}

/** A control character or non-ASCII. */
const isForeign = (c: number): boolean => c > 126 || (c < 32 && !(c >= 9 && c <= 13));

const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isLetter = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;
const isWord = (c: number): boolean => isLetter(c) || isDigit(c);
