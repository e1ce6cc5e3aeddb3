/**
 * Tokens that remember where they came from.
 *
 * Our languages expand macros and inlines before they parse, so a token has up to two places: its own text
 * (`span`), and the place that it fills in the text around it (`frame`), which differs for the argument of
 * an inline: its text stands in the call, its place in the inline's body.
 */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";

export interface SourceToken extends IToken {
  readonly span: Span;
  readonly frame: Span;
}

/** The text from one token to another: their own text when both fill the same place, else the places. */
export function spanBetween(first: SourceToken, last: SourceToken): Span {
  if (first.frame === last.frame) return mergeSpans(first.span, last.span);
  return mergeSpans(first.frame, last.frame);
}

/** Where the two lie in different files there is no text between them, and the first stands for both. */
export function mergeSpans(first: Span, last: Span): Span {
  if (first === last || first.file !== last.file) return first;
  const start = Math.min(first.start, last.start);
  const end = Math.max(first.end, last.end);
  if (start === first.start && end === first.end) return first;
  return { file: first.file, start, end };
}
