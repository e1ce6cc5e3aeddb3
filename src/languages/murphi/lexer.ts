/**
 * Lexer: yields tokens with their types in the grammar, and drops comments. Keywords are case-insensitive, names are
 * not; `contextual.ts` distinguishes names from words that only one of the two tools reserves.
 */
import type { TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { typeIndex, type SourceToken } from "../toolkit/source-token.js";
import { settleContextualWords } from "./contextual.js";
import { MAX_TOKENS, tooManyTokens } from "../toolkit/limits.js";
import * as v from "./vocabulary.js";
import { nth } from "../../model/known.js";

export class Token implements SourceToken {
  tokenTypeIdx: number;
  readonly frame: Span;

  constructor(
    public tokenType: TokenType,
    readonly image: string,
    readonly span: Span,
  ) {
    this.tokenTypeIdx = typeIndex(tokenType);
    this.frame = span;
  }

  get startOffset(): number {
    return this.span.start;
  }

  become(type: TokenType): void {
    this.tokenType = type;
    this.tokenTypeIdx = typeIndex(type);
  }
}

export function lex(file: string, text: string, report: Report): Token[] {
  const tokens = new Lexer(file, text, report).run();
  settleContextualWords(tokens);
  return tokens;
}

class Lexer {
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(
    readonly file: string,
    readonly text: string,
    readonly report: Report,
  ) {}

  run(): Token[] {
    while (this.#at < this.text.length) {
      if (this.#tokens.length >= MAX_TOKENS) return this.#tooLarge();
      if (!this.#skipBlank()) this.#token();
    }
    return this.#tokens;
  }

  #tooLarge(): Token[] {
    this.report(tooManyTokens("murphi/file-too-large", this.#span(this.#at, this.#at + 1)));
    return [];
  }

  #skipBlank(): boolean {
    const { text } = this;
    if (/\s|\uFEFF/.test(nth(text, this.#at))) this.#at++;
    else if (text.startsWith("--", this.#at)) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end < 0 ? text.length : end;
    } else if (text.startsWith("/*", this.#at)) this.#skipBlockComment();
    else return false;
    return true;
  }

  #skipBlockComment(): void {
    const end = this.text.indexOf("*/", this.#at + 2);
    if (end < 0)
      this.#error(
        "murphi/unterminated-comment",
        "this comment is never closed",
        this.#span(this.#at, this.#at + 2),
        "add `*/` where the comment ends",
      );
    this.#at = end < 0 ? this.text.length : end + 2;
  }

  #token(): void {
    const rest = this.text.slice(this.#at, this.#at + LONGEST_WORD);
    const word = /^[A-Za-z_][A-Za-z0-9_]*/.exec(rest)?.[0];
    if (word !== undefined) return this.#word(word);
    const number = /^\d[A-Za-z0-9_]*(?:\.\d\w*)?/.exec(rest)?.[0];
    if (number !== undefined) return this.#number(number);
    if (OPENING_QUOTES.includes(nth(rest, 0))) return this.#string();
    this.#operator(rest);
  }

  #word(word: string): void {
    const span = this.#push(v.KEYWORDS.get(word.toLowerCase()) ?? v.Identifier, word.length);
    if (word.startsWith("_"))
      this.#error(
        "murphi/name-starts-with-underscore",
        `the name \`${word}\` starts with an underscore`,
        span,
        "names start with a letter",
      );
  }

  #number(number: string): void {
    const span = this.#push(v.NumberToken, number.length);
    if (number.includes("."))
      this.#error(
        "murphi/real-number",
        `\`${number}\` is a real number`,
        span,
        "real types are not supported: scale to integers",
      );
    else if (!/^(\d+|0[xX][0-9a-fA-F]+)$/.test(number))
      this.#error("murphi/bad-number", `\`${number}\` is no number`, span, "names start with a letter");
    else if (!Number.isSafeInteger(Number(number)))
      this.#error("murphi/bad-number", `\`${number}\` is too large`, span, "the largest is 2^53 - 1");
  }

  /** A backslash escapes any character; a string may span lines, as in Rumur. */
  #string(): void {
    const start = this.#at;
    let end = start + 1;
    while (end < this.text.length && !CLOSING_QUOTES.includes(nth(this.text, end)))
      end += this.text[end] === "\\" ? 2 : 1;
    if (end >= this.text.length) {
      const line = this.text.indexOf("\n", start);
      end = (line < 0 ? this.text.length : line) - 1;
      this.#error(
        "murphi/unterminated-string",
        "this string is never closed",
        this.#span(start, Math.max(end, start) + 1),
        'add the closing `"`',
      );
    } else if (this.text.slice(start, end).includes("\n"))
      this.report({
        code: "murphi/string-over-lines",
        severity: "warning",
        message: "this string goes over the end of its line",
        span: this.#span(start, end + 1),
        hint: "is a closing quote missing?",
      });
    this.#push(v.StringToken, Math.max(end, start) + 1 - start);
  }

  #operator(rest: string): void {
    for (const length of [3, 2, 1]) {
      const type = v.OPERATORS.get(rest.slice(0, length));
      if (type === undefined || rest.length < length) continue;
      const span = this.#push(type, length);
      if (type === v.Probabilistic)
        this.#error(
          "murphi/probabilistic",
          `\`${rest.slice(0, length)}\` belongs to the probabilistic extension, which is not supported`,
          span,
        );
      return;
    }
    const span = this.#push(v.Unknown, /^[\ud800-\udbff][\udc00-\udfff]/.test(rest) ? 2 : 1);
    this.#error("murphi/unknown-character", `unexpected character \`${nth(rest, 0)}\``, span);
  }

  #push(type: TokenType, length: number): Span {
    const span = this.#span(this.#at, this.#at + length);
    this.#tokens.push(new Token(type, this.text.slice(span.start, span.end), span));
    this.#at += length;
    return span;
  }

  #span(start: number, end: number): Span {
    return { file: this.file, start, end };
  }

  #error(code: string, message: string, span: Span, hint?: string): void {
    this.report({ code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) });
  }
}

const OPENING_QUOTES = '"“”„';
const CLOSING_QUOTES = '"”“';

/** Longer words are truncated, and then match no declaration. */
const LONGEST_WORD = 4096;
