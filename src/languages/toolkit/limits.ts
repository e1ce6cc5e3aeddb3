/** Limits on tokens, for lexers that keep all of them, and on nesting, for parsers that recurse. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "./source-token.js";

/** A token takes some hundred bytes; the largest models seen have some hundred thousand. */
export const MAX_TOKENS = 3_000_000;

export const tooManyTokens = (code: string, span: Span): Diagnostic => ({
  code,
  severity: "error",
  message: `the file has more than ${MAX_TOKENS} words and signs`,
  span,
  hint: "is it a model?",
});

/** Signs that open and close a level of nesting, and those that end a declaration. */
export interface Nesting {
  readonly opening: ReadonlySet<string>;
  readonly closing: ReadonlySet<string>;
  readonly ending: ReadonlySet<string>;
}

const DEEPEST = 300;

/** Refuses expressions that would exhaust the stack. */
export function tooDeep(
  code: string,
  tokens: readonly SourceToken[],
  { opening, closing, ending }: Nesting,
  what = "an expression",
): Diagnostic | undefined {
  let depth = 0;
  for (const { image, span } of tokens) {
    if (opening.has(image)) depth++;
    if (closing.has(image)) depth = Math.max(0, depth - 1);
    if (ending.has(image)) depth = 0;
    if (depth > DEEPEST)
      return { code, severity: "error", message: `${what} is nested more than ${DEEPEST} deep`, span };
  }
  return undefined;
}
