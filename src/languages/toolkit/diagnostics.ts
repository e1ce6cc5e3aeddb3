/** Diagnostics of several passes, made ready to be read from top to bottom. */
import type { Diagnostic } from "../../model/diagnostic.js";

/** In the order of the text, files in the order of their first complaint; one complaint a place and code. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map((each) => each.span.file))];
  const rank = new Map(files.map((file, i) => [file, i]));
  const sorted = diagnostics.toSorted(
    (a, b) => rank.get(a.span.file)! - rank.get(b.span.file)! || a.span.start - b.span.start,
  );
  return sorted.filter((each, i) => i === 0 || !isSame(each, sorted[i - 1]!));
}

const isSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.code === b.code && a.span.file === b.span.file && a.span.start === b.span.start;
