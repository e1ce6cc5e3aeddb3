/** Tokens of the lexer, transformed by preprocessing and inlining into the parser's input. */
import type { TokenType } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type { Expansion } from "./ast.js";

export type Lexical = "identifier" | "number" | "character" | "string" | "operator" | "embeddedC" | "unknown";

/** Macros that may no longer replace a token: terminates `#define a a + 1`. */
export interface HideSet {
  readonly name: string;
  readonly rest: HideSet | undefined;
}

/** Created by the lexer; macros and inlines copy it with another position. `classify` sets its type. */
export class Token implements SourceToken {
  tokenType: TokenType = undefined as never; // set by `classify` before parsing
  tokenTypeIdx = 0;
  /** First token on its line: Spin implies separators at line breaks. */
  newlineBefore = false;
  /** Preceded by white space: distinguishes `#define f(x)` from `#define f (x)`, and determines the text of `#x`. */
  spaceBefore = false;
  hidden: HideSet | undefined = undefined;
  /** The call of the inline whose body contains this token. */
  expandedFrom: Expansion | undefined = undefined;
  /** On the opening brace of an expanded inline: the call. */
  opensInline: Expansion | undefined = undefined;
  /** An error of the token itself, reported unless `#if 0` skips it. */
  problem: Diagnostic | undefined = undefined;
  /** A separator implied by a line break or brace. */
  implied = false;

  constructor(
    readonly lexical: Lexical,
    readonly image: string,
    readonly span: Span,
    readonly frame: Span = span,
  ) {}

  get startOffset(): number {
    return this.span.start;
  }

  is(text: string): boolean {
    return this.image === text && this.lexical !== "string";
  }

  /** Copies the token to another position. */
  at(span: Span, frame: Span): Token {
    const copy = new Token(this.lexical, this.image, span, frame);
    copy.newlineBefore = this.newlineBefore;
    copy.spaceBefore = this.spaceBefore;
    copy.hidden = this.hidden;
    copy.expandedFrom = this.expandedFrom;
    return copy;
  }
}
