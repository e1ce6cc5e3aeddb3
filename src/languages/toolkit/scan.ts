/**
 * Lexer for languages without a preprocessor: names, numbers and symbols, separated by white space and comments. The
 * language lists its words and symbols; all other characters are reported once per position and skipped.
 */
import type { TokenType } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { newToken, type SourceToken } from "./source-token.js";
import type { Vocabulary } from "./vocabulary.js";
import { known } from "../../model/known.js";

export interface ScanRules {
  /** Code of the diagnostic for unknown characters. */
  readonly unknownCode: string;
  /** Comments and white space; a sticky expression. */
  readonly skipped: RegExp;
  readonly name: RegExp;
  readonly number: RegExp;
  readonly nameType: TokenType;
  readonly numberType: TokenType;
  /** Further classes, such as strings; tried before names. */
  readonly others?: readonly (readonly [pattern: RegExp, type: TokenType])[];
  /** Reserved words. */
  readonly words: ReadonlyMap<string, TokenType>;
  /** A symbol precedes its prefixes. */
  readonly symbols: ReadonlyMap<string, TokenType>;
}

export interface Scanned {
  readonly tokens: readonly SourceToken[];
  readonly diagnostics: readonly Diagnostic[];
  readonly end: Span;
}

type OwnRules = Pick<ScanRules, "unknownCode" | "nameType" | "numberType"> &
  Partial<Pick<ScanRules, "name" | "others">>;

const rules = (skipped: RegExp, { words, signs }: Vocabulary, own: OwnRules): ScanRules => ({
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  number: /\d+/y,
  ...own,
  skipped,
  words,
  symbols: signs,
});

/** Rules for comments from `#` or `//` to the end of the line, and unsigned numbers. */
export const lineCommentRules = (vocabulary: Vocabulary, own: OwnRules): ScanRules =>
  rules(/(?:\s+|#[^\n]*|\/\/[^\n]*)+/y, vocabulary, own);

/** Rules for the comments of C, and unsigned numbers. */
export const blockCommentRules = (vocabulary: Vocabulary, own: OwnRules): ScanRules =>
  rules(/(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y, vocabulary, own);

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
    if (found) tokens.push(newToken(found.type, found.image, span));
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
  for (const [pattern, type] of rules.others ?? []) {
    const image = match(pattern);
    if (image) return { image, type };
  }
  const name = match(rules.name);
  if (name) return { image: name, type: rules.words.get(name) ?? rules.nameType };
  const number = match(rules.number);
  if (number) return { image: number, type: rules.numberType };
  for (const [image, type] of rules.symbols) if (text.startsWith(image, at)) return { image, type };
  return undefined;
}

function unknownCharacter(text: string, span: Span, code: string): Diagnostic {
  const point = known(text.codePointAt(span.start), "a character");
  const isControl = point < 0x20 || (point >= 0x7f && point < 0xa0);
  const shown = isControl ? `U+${point.toString(16).padStart(4, "0")}` : String.fromCodePoint(point);
  return { code, severity: "error", message: `unknown character \`${shown}\``, span };
}

/** Stops early on binary files. */
const MOST_UNKNOWN = 20;
