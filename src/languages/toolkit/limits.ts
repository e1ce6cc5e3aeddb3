/** How large a text may be for a lexer that keeps all its tokens. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";

/** Each token takes some hundred bytes, and the largest real models have some hundred thousand. */
export const MAX_TOKENS = 3_000_000;

/** The complaint about a text with more; the span is where it was given up. */
export const tooManyTokens = (code: string, span: Span): Diagnostic => ({
  code,
  severity: "error",
  message: `the file has more than ${MAX_TOKENS} words and signs`,
  span,
  hint: "is it a model?",
});
