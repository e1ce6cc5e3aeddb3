/** Tokens of parameterised behaviours. */
import type { TokenType } from "chevrotain";
import { blockCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Plts = word("plts");
export const Var = word("var");
export const States = word("states");
export const Init = word("init");
export const BoolWord = word("bool");
export const Tau = word("tau");
export const True = word("true");
export const False = word("false");

export const Arrow = sign("Arrow", "->");
export const Assign = sign("Assign", ":=");
export const Dots = sign("Dots", "..");
export const Or = sign("Or", ["||", "|"]);
export const And = sign("And", ["&&", "&"]);
export const NotEqual = sign("NotEqual", "!=");
export const AtMost = sign("AtMost", "<=");
export const AtLeast = sign("AtLeast", ">=");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Equal = sign("Equal", ["=", "=="]);
export const Not = sign("Not", "!");
export const Query = sign("Query", "?");
export const Plus = sign("Plus", "+");
export const Minus = sign("Minus", "-");
export const Star = sign("Star", "*");
export const Open = sign("Open", "(");
export const Close = sign("Close", ")");
export const OpenBracket = sign("OpenBracket", "[");
export const CloseBracket = sign("CloseBracket", "]");
export const OpenBrace = sign("OpenBrace", "{");
export const CloseBrace = sign("CloseBrace", "}");
export const Semicolon = sign("Semicolon", ";");
export const Colon = sign("Colon", ":");
export const Comma = sign("Comma", ",");
export const Dot = sign("Dot", ".");

export const SCAN_RULES = blockCommentRules(vocabulary, {
  unknownCode: "plts/unknown-character",
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
