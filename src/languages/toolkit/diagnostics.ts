/** Reports diagnostics, and merges the diagnostics of several passes. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { nth, entryOf } from "../../model/known.js";

export type Report = (diagnostic: Diagnostic) => void;

export type ReportError = (code: string, span: Span, message: string, hint?: string) => void;

/** Adapts `report` to errors given by their parts. */
export const errorsTo =
  (report: Report): ReportError =>
  (code, span, message, hint) =>
    report({ code, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) });

/** Sorts by position, files in order of first appearance; keeps one diagnostic per position and code. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map((each) => each.span.file))];
  const rank = new Map(files.map((file, i) => [file, i]));
  const sorted = diagnostics.toSorted(
    (a, b) => entryOf(rank, a.span.file) - entryOf(rank, b.span.file) || a.span.start - b.span.start,
  );
  return sorted.filter((each, i) => i === 0 || !isSame(each, nth(sorted, i - 1)));
}

const isSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.code === b.code && a.span.file === b.span.file && a.span.start === b.span.start;
