/**
 * Tokens with their origin.
 *
 * Macros and inlines are expanded before parsing, so a token has up to two positions: its text (`span`), and its
 * position in the surrounding text (`frame`). They differ for the argument of an inline: its text is in the call, its
 * frame in the body of the inline.
 */
import type { IToken, TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { known } from "../../model/known.js";

export interface SourceToken extends IToken {
  readonly span: Span;
  readonly frame: Span;
}

export const newToken = (tokenType: TokenType, image: string, span: Span, frame = span): SourceToken => ({
  tokenType,
  tokenTypeIdx: typeIndex(tokenType),
  image,
  startOffset: span.start,
  span,
  frame,
});

/** Chevrotain assigns it when the type is created, but declares it as optional. */
export const typeIndex = ({ tokenTypeIdx, name }: TokenType): number => known(tokenTypeIdx, name);

/** Span between two tokens: of their text if they have the same frame, otherwise of their frames. */
export function spanBetween(first: SourceToken, last: SourceToken): Span {
  if (first.frame === last.frame) return mergeSpans(first.span, last.span);
  return mergeSpans(first.frame, last.frame);
}

/** Returns `first` for spans in different files. */
export function mergeSpans(first: Span, last: Span): Span {
  if (first === last || first.file !== last.file) return first;
  const start = Math.min(first.start, last.start);
  const end = Math.max(first.end, last.end);
  if (start === first.start && end === first.end) return first;
  return { file: first.file, start, end };
}
