/** The tokens of branching vector addition systems. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { tokenType, type ScanRules } from "../toolkit/scan.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const word = (text: string): TokenType => tokenType(`Word_${text}`, `\`${text}\``);
const symbol = (name: string, text: string): TokenType => tokenType(name, `\`${text}\``);

export const BvasWord = word("bvas");
export const Dim = word("dim");
export const Places = word("places");
export const Axiom = word("axiom");
export const Unary = word("unary");
export const Binary = word("binary");
export const Target = word("target");

export const OpenBrace = symbol("OpenBrace", "{");
export const CloseBrace = symbol("CloseBrace", "}");
export const OpenParen = symbol("OpenParen", "(");
export const CloseParen = symbol("CloseParen", ")");
export const Comma = symbol("Comma", ",");
export const Semicolon = symbol("Semicolon", ";");
export const Colon = symbol("Colon", ":");
export const Minus = symbol("Minus", "-");
export const Plus = symbol("Plus", "+");

export const SCAN_RULES: ScanRules = {
  unknownCode: "bvas/unknown-character",
  skipped: /(?:\s+|#[^\n]*|\/\/[^\n]*)+/y,
  name: /[A-Za-z_][A-Za-z0-9_.]*/y,
  number: /\d+/y,
  nameType: Name,
  numberType: NumberToken,
  words: new Map([
    ["bvas", BvasWord],
    ["dim", Dim],
    ["places", Places],
    ["axiom", Axiom],
    ["unary", Unary],
    ["binary", Binary],
    ["target", Target],
  ]),
  symbols: new Map([
    ["{", OpenBrace],
    ["}", CloseBrace],
    ["(", OpenParen],
    [")", CloseParen],
    [",", Comma],
    [";", Semicolon],
    [":", Colon],
    ["-", Minus],
    ["+", Plus],
  ]),
};

export const VOCABULARY: readonly TokenType[] = [
  Name,
  NumberToken,
  ...SCAN_RULES.words.values(),
  ...SCAN_RULES.symbols.values(),
];
