/** Limit on tokens, for lexers that keep all of them. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";

/** A token takes some hundred bytes; the largest models seen have some hundred thousand. */
export const MAX_TOKENS = 3_000_000;

export const tooManyTokens = (code: string, span: Span): Diagnostic => ({
  code,
  severity: "error",
  message: `the file has more than ${MAX_TOKENS} words and signs`,
  span,
  hint: "is it a model?",
});
