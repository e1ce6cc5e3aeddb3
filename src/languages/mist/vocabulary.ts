/** Tokens of Mist's nets. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { lineCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign: symbol } = vocabulary;

export const Vars = word("vars");
export const Rules = word("rules");
export const Init = word("init");
export const Target = word("target");
export const Invariants = word("invariants");
export const True = word("true");
export const In = word("in");

export const Arrow = symbol("Arrow", "->");
export const AtLeast = symbol("AtLeast", ">=");
export const Equals = symbol("Equals", "=");
export const Comma = symbol("Comma", ",");
export const Semicolon = symbol("Semicolon", ";");
export const Prime = symbol("Prime", "'");
export const Plus = symbol("Plus", "+");
export const Minus = symbol("Minus", "-");
export const OpenBracket = symbol("OpenBracket", "[");
export const CloseBracket = symbol("CloseBracket", "]");
/** Nets have no upper bounds; the token exists for the diagnostic. */
export const Less = symbol("Less", "<=");

export const SCAN_RULES = lineCommentRules(vocabulary, {
  unknownCode: "mist/unknown-character",
  name: /[A-Za-z_][A-Za-z0-9_.]*/y,
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
