/** Parses text to declarations. */
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Declaration } from "./ast.js";
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

let grammar: SdnGrammar | undefined;
