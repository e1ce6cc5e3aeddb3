/**
 * Tokens of languages that have no preprocessor: names, numbers and symbols, with white space and comments between them.
 * A language says what its words and symbols are; everything else is reported once a place and skipped.
 */
import type { TokenType } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "./source-token.js";
import type { Vocabulary } from "./vocabulary.js";

export interface ScanRules {
  /** The code of the complaint about a character that begins no token. */
  readonly unknownCode: string;
  /** Comments and white space, from a position on: a sticky expression. */
  readonly skipped: RegExp;
  readonly name: RegExp;
  readonly number: RegExp;
  readonly nameType: TokenType;
  readonly numberType: TokenType;
  /** Words that are no names. */
  readonly words: ReadonlyMap<string, TokenType>;
  /** Longer ones first, where one begins with another. */
  readonly symbols: ReadonlyMap<string, TokenType>;
}

export interface Scanned {
  readonly tokens: readonly SourceToken[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where the text ends. */
  readonly end: Span;
}

/** The rules of a language with comments from `#` or `//` to the end of the line, and numbers without a sign. */
export const lineCommentRules = (
  vocabulary: Vocabulary,
  own: Pick<ScanRules, "unknownCode" | "name" | "nameType" | "numberType">,
): ScanRules => ({
  ...own,
  skipped: /(?:\s+|#[^\n]*|\/\/[^\n]*)+/y,
  number: /\d+/y,
  words: vocabulary.words,
  symbols: vocabulary.signs,
});

export function scan(file: string, text: string, rules: ScanRules): Scanned {
  const tokens: SourceToken[] = [];
  const diagnostics: Diagnostic[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length && diagnostics.length < MOST_UNKNOWN) {
    const skipped = match(rules.skipped);
    if (skipped) {
      at += skipped.length;
      continue;
    }
    const found = nextToken(text, at, rules, match);
    const span = { file, start: at, end: at + (found?.image.length ?? 1) };
    if (found) tokens.push(makeToken(found.image, found.type, span));
    else diagnostics.push(unknownCharacter(text, span, rules.unknownCode));
    at = span.end;
  }
  return { tokens, diagnostics, end: { file, start: text.length, end: text.length } };
}

function nextToken(
  text: string,
  at: number,
  rules: ScanRules,
  match: (pattern: RegExp) => string | undefined,
): { readonly image: string; readonly type: TokenType } | undefined {
  const name = match(rules.name);
  if (name) return { image: name, type: rules.words.get(name) ?? rules.nameType };
  const number = match(rules.number);
  if (number) return { image: number, type: rules.numberType };
  for (const [image, type] of rules.symbols) if (text.startsWith(image, at)) return { image, type };
  return undefined;
}

const makeToken = (image: string, type: TokenType, span: Span): SourceToken => ({
  image,
  span,
  frame: span,
  startOffset: span.start,
  tokenType: type,
  tokenTypeIdx: type.tokenTypeIdx!,
});

function unknownCharacter(text: string, span: Span, code: string): Diagnostic {
  const point = text.codePointAt(span.start)!;
  const isControl = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const shown = isControl ? `U+${point.toString(16).padStart(4, "0")}` : String.fromCodePoint(point);
  return { code, severity: "error", message: `unknown character \`${shown}\``, span };
}

/** A binary file has many: after so many the rest is not looked at. */
const MOST_UNKNOWN = 20;
