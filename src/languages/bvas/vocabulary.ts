/** Tokens of branching vector addition systems. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { lineCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign: symbol } = vocabulary;

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

export const SCAN_RULES = lineCommentRules(vocabulary, {
  unknownCode: "bvas/unknown-character",
  name: /[A-Za-z_][A-Za-z0-9_.]*/y,
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
