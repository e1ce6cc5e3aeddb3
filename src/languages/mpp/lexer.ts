/** Lexer; comments are as in C. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { newToken, type SourceToken } from "../toolkit/source-token.js";
import { typeOf } from "../toolkit/provenance/vocabulary.js";

export function lex(file: string, text: string, report: Report): SourceToken[] {
  const tokens: SourceToken[] = [];
  for (const match of text.matchAll(PIECES)) {
    const [image] = match;
    const span: Span = { file, start: match.index, end: match.index + image.length };
    if (/^\s/.test(image) || image.startsWith("//")) continue;
    if (image.startsWith("/*")) {
      if (image.length < 4 || !image.endsWith("*/")) report(unterminated(span));
      continue;
    }
    const type = typeOf(image);
    if (type.name === "Unknown") report(unknown(image, span));
    else tokens.push(newToken(type, image, span));
  }
  return tokens;
}

/** White space, comments, names, signs (longest first), and unknown characters. */
const PIECES =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[A-Za-z_]\w*|\[\]|==|!=|->|[{}();,.:=|*+?!-]|[^\s\w{}();,.:=|*+?!-]+|\w+/g;

const unterminated = (span: Span): Diagnostic => ({
  code: "mpp/unterminated-comment",
  severity: "error",
  message: "this comment is never closed",
  span: { ...span, end: span.start + 2 },
  hint: "add `*/` where the comment ends",
});

const unknown = (image: string, span: Span): Diagnostic => ({
  code: "mpp/unknown-character",
  severity: "error",
  message: `\`${image.slice(0, 20)}\` means nothing here`,
  span,
  hint: "names are made of letters, digits and `_`, and begin with a letter",
});
