/** Tokens of formulas: operators in all supported spellings, names, constants. */
import type { Diagnostic } from "../../../model/index.js";
import { ltlError } from "../mistakes.js";
import { known, nth } from "../../../model/known.js";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type TokenKind = Operator | "name" | "constant" | "=" | "(" | ")" | "end";
export type Operator = UnaryOperator | BinaryOperator;
export type UnaryOperator = "not" | "next" | "eventually" | "always";
export type BinaryOperator =
  "and" | "or" | "xor" | "implies" | "equivalent" | "until" | "release" | "weak-until" | "strong-release";

/** Letters that are operators everywhere outside quotes: `pUq` is `p U q`. */
const letters: ReadonlyMap<string, TokenKind> = new Map([
  ["U", "until"],
  ["V", "release"],
  ["R", "release"],
  ["W", "weak-until"],
  ["M", "strong-release"],
  ["X", "next"],
  ["F", "eventually"],
  ["G", "always"],
]);

const words: ReadonlyMap<string, TokenKind> = new Map([
  ["true", "constant"],
  ["false", "constant"],
  ["always", "always"],
  ["eventually", "eventually"],
  ["next", "next"],
  ["until", "until"],
  ["stronguntil", "until"],
  ["weakuntil", "weak-until"],
  ["release", "release"],
  ["implies", "implies"],
  ["equivalent", "equivalent"],
]);

/** Longer ones first. */
const symbols: readonly (readonly [text: string, kind: TokenKind])[] = [
  ["<->", "equivalent"],
  ["->", "implies"],
  ["<>", "eventually"],
  ["[]", "always"],
  ["&&", "and"],
  ["||", "or"],
  ["&", "and"],
  ["*", "and"],
  ["|", "or"],
  ["+", "or"],
  ["^", "xor"],
  ["!", "not"],
  ["=", "="],
  ["(", "("],
  [")", ")"],
];

/** A name consists of letters, digits and underscores, without the capitals that are operators. */
const name = /[a-zA-EH-LN-QSTYZ_][a-z0-9A-EH-LN-QSTYZ_]*/y;
const quoted = /"([^"\n]+)"/y;

/** Ends with a token of kind `end`. Reports and skips invalid characters. */
export function tokenise(text: string, file: string, diagnostics: Diagnostic[]): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(nth(text, at))) {
      at++;
      continue;
    }
    const token = tokenAt(text, at);
    if (token) tokens.push(token);
    else diagnostics.push(strange(text, at, file));
    at = token?.end ?? at + String.fromCodePoint(known(text.codePointAt(at), "a character")).length;
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, start: number): Token | undefined {
  const make = (kind: TokenKind, length: number, content = text.slice(start, start + length)): Token => ({
    kind,
    text: content,
    start,
    end: start + length,
  });
  const symbol = symbols.find(([spelling]) => text.startsWith(spelling, start));
  if (symbol) return make(symbol[1], symbol[0].length);
  const letter = letters.get(nth(text, start));
  if (letter) return make(letter, 1);
  if (text[start] === "0" || text[start] === "1") return make("constant", 1);
  const quotation = matchAt(quoted, text, start);
  if (quotation) return make("name", quotation[0].length, nth(quotation, 1));
  const word = matchAt(name, text, start)?.[0];
  return word === undefined ? undefined : make(words.get(word) ?? "name", word.length);
}

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(text);
}

function strange(text: string, at: number, file: string): Diagnostic {
  const character = String.fromCodePoint(known(text.codePointAt(at), "a character"));
  const span = { file, start: at, end: at + character.length };
  if (character === '"')
    return ltlError("open-quote", "a quoted name has no end on its line, or is empty", span);
  return ltlError(
    "strange-character",
    `'${character}' has no meaning in a formula`,
    span,
    "operators are ! X F G U R W M & | ^ -> <->, as well as [] <> && || and words such as always and until",
  );
}
