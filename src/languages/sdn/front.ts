/** Parses text to declarations. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Declaration, Expression } from "./ast.js";
import { SdnGrammar } from "./grammar.js";
import { lex } from "./vocabulary.js";

export function parseSdn(
  file: string,
  text: string,
): { readonly declarations: readonly Declaration[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const tokens = lex(file, text, report);
  const end = { file, start: text.length, end: text.length };
  // Constructed on first use: its analysis takes longer than parsing most files.
  grammar ??= new SdnGrammar();
  return { declarations: grammar.parse(tokens, end, report), diagnostics };
}

/** An expression at `span`. */
export function parseExpression(
  text: string,
  { file, start }: Span,
  report: (diagnostic: Diagnostic) => void,
): Expression | undefined {
  const placed = " ".repeat(start) + text;
  const tokens = lex(file, placed, report);
  grammar ??= new SdnGrammar();
  return grammar.parseExpression(tokens, { file, start: placed.length, end: placed.length }, report);
}

let grammar: SdnGrammar | undefined;
