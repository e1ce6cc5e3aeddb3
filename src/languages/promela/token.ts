/** What the lexer makes of the text, and what preprocessing and inlining turn into the parser's input. */
import type { TokenType } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type { Expansion } from "./ast.js";

export type Lexical = "identifier" | "number" | "character" | "string" | "operator" | "embeddedC" | "unknown";

/** The names of macros that a token may no longer be replaced by: what stops `#define a a + 1`. */
export interface HideSet {
  readonly name: string;
  readonly rest: HideSet | undefined;
}

/** Made by the lexer; macros and inlines copy it with another place. `classify` gives it its type. */
export class Token implements SourceToken {
  tokenType: TokenType = undefined as never; // set by `classify`, before any parser sees the token
  tokenTypeIdx = 0;
  /** The first token on its line: Spin's separators may be implied by a line break. */
  newlineBefore = false;
  /** White space before: decides `#define f(x)` against `#define f (x)`, and the text of `#x`. */
  spaceBefore = false;
  hidden: HideSet | undefined = undefined;
  /** The call of the inline whose body this token stands in. */
  expandedFrom: Expansion | undefined = undefined;
  /** On the opening brace of an expanded inline: the call. */
  opensInline: Expansion | undefined = undefined;
  /** What is wrong with the token itself: reported only if it is not skipped by `#if 0`. */
  problem: Diagnostic | undefined = undefined;
  /** A separator that the user left to a line break or a brace. */
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

  /** The same token elsewhere. */
  at(span: Span, frame: Span): Token {
    const copy = new Token(this.lexical, this.image, span, frame);
    copy.newlineBefore = this.newlineBefore;
    copy.spaceBefore = this.spaceBefore;
    copy.hidden = this.hidden;
    copy.expandedFrom = this.expandedFrom;
    return copy;
  }
}
