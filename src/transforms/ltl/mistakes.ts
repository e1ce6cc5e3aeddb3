/** Mistakes in the texts that this folder reads. */
import type { Diagnostic, Span } from "../../model/index.js";

export const ltlError = (code: string, message: string, span: Span, hint?: string): Diagnostic => ({
  code: `ltl/${code}`,
  severity: "error",
  message,
  span,
  ...(hint === undefined ? {} : { hint }),
});
