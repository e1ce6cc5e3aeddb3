/**
 * Diagnostics as text: position, message, the source line with the span underlined, and the hint.
 *
 *     leader.pml:12:5: error[promela/unknown-name]: there is no variable 'nr'
 *      12 |   if :: nr > 3 -> skip
 *         |         ^^
 *         = hint: did you mean 'nr_leaders'?
 */
import type { Diagnostic, Severity, Sources, Span } from "../model/index.js";
import { palette, type Palette } from "./palette.js";

export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  colors: Palette = palette(false),
): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, sources, colors)).join("\n");
}

/** One diagnostic, every line of it ended by a line break. */
export function renderDiagnostic(diagnostic: Diagnostic, sources: Sources, colors: Palette): string {
  const { severity, code, message, span, hint, notes = [] } = diagnostic;
  const title = severityColor(severity, colors)(`${severity}[${code}]`);
  const lines = [`${colors.bold(formatPosition(span, sources))}: ${title}: ${visible(message)}`];
  lines.push(...excerpt(span, sources, severityColor(severity, colors), colors));
  if (hint) lines.push(`     ${colors.dim("=")} ${colors.bold("hint")}: ${hint}`);
  for (const note of notes) {
    lines.push(`${formatPosition(note.span, sources)}: note: ${note.message}`);
    lines.push(...excerpt(note.span, sources, colors.name, colors));
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** `file:line:column`. */
export function formatPosition(span: Span, sources: Sources): string {
  const { line, column } = sources.position(span.file, span.start);
  return `${span.file}:${line}:${column}`;
}

/** The first line of the span with carets below it; nothing for a file as a whole, or one we do not have. */
export function excerpt(
  span: Span,
  sources: Sources,
  color: (text: string) => string,
  colors: Palette,
): string[] {
  const { line, column } = sources.position(span.file, span.start);
  const text = sources.line(span.file, line);
  if (text === undefined || span.end === 0) return [];
  const { shown, caret } = window(text, column - 1);
  const room = Math.max(1, shown.length - caret);
  const length = Math.min(Math.max(1, span.end - span.start), room);
  const margin = `${line}`.padStart(4);
  return [
    `${colors.dim(`${margin} |`)} ${visible(shown)}`.trimEnd(),
    `${colors.dim("     |")} ${indentLike(shown.slice(0, caret))}${color("^".repeat(length))}`,
  ];
}

const widest = 160;

/** Cuts a very long line to the surroundings of the span. */
function window(text: string, caret: number): { shown: string; caret: number } {
  if (text.length <= widest) return { shown: text, caret };
  const from = Math.max(0, Math.min(caret - 40, text.length - widest));
  return { shown: text.slice(from, from + widest), caret: caret - from };
}

/** Blanks of the same width: tabs stay tabs so that the caret is aligned for any tab width. */
const indentLike = (text: string): string => visible(text).replace(/[^\t]/g, " ");

/** Control characters, tabs and line breaks aside, must not reach the terminal. */
export const visible = (text: string): string => text.replace(/(?![\t\n])\p{Cc}/gu, "\u00b7");

function severityColor(severity: Severity, colors: Palette): (text: string) => string {
  switch (severity) {
    case "error":
      return colors.bad;
    case "warning":
      return colors.warning;
    case "note":
      return colors.name;
  }
}
