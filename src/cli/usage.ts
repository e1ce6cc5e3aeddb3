/** Mistakes on the command line, as diagnostics that point into it. */
import { Sources, type Diagnostic } from "../model/index.js";

export class UsageError extends Error {
  readonly diagnostic: Diagnostic;
  readonly sources: Sources;

  constructor(diagnostic: Diagnostic, sources: Sources) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
    this.sources = sources;
  }
}

/** `argument` is the subject of the message, and is underlined. */
export function usageError(
  argv: readonly string[],
  code: string,
  message: string,
  argument?: string,
  hint?: string,
): UsageError {
  const file = "command line";
  const text = ["everypath", ...argv].join(" ");
  const sources = new Sources();
  sources.add(file, text);
  const start = Math.max(0, argument ? text.indexOf(` ${argument}`) + 1 : 0);
  const end = argument && start > 0 ? start + argument.length : text.length;
  const span = { file, start, end };
  return new UsageError(
    { code: `usage/${code}`, severity: "error", message, span, ...(hint ? { hint } : {}) },
    sources,
  );
}

/** Thrown while an option's value is read, where the whole command line is not available. */
export class BadValue extends Error {
  readonly value: string;
  readonly hint: string;

  constructor(value: string, message: string, hint: string) {
    super(message);
    this.value = value;
    this.hint = hint;
  }
}
