/** Tokens of FSP. Names of processes, constants, ranges and sets begin with a capital letter; actions and variables do not. */
import type { TokenType } from "chevrotain";
import { blockCommentRules, scan, type Scanned } from "../toolkit/scan.js";
import { typeIndex } from "../toolkit/source-token.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Upper = tokenType("Upper", "a name with a capital letter");
export const Lower = tokenType("Lower", "the name of an action or a variable");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Const = word("const");
export const Range = word("range");
export const SetWord = word("set");
export const Property = word("property");
export const Progress = word("progress");
export const Menu = word("menu");
export const Fluent = word("fluent");
export const Initially = word("initially");
export const Assert = word("assert");
export const Deterministic = word("deterministic");
export const Minimal = word("minimal");
export const When = word("when");
export const If = word("if");
export const Then = word("then");
export const Else = word("else");
export const Forall = word("forall");
export const Exists = word("exists");
export const Rigid = word("rigid");
export const Stop = word("STOP");
export const ErrorWord = word("ERROR");
export const End = word("END");
/** Also names of processes. */
export const NextWord = word("X", Upper);
export const UntilWord = word("U", Upper);
export const WeakUntilWord = word("W", Upper);

export const Iff = sign("Iff", "<->");
export const Eventually = sign("Eventually", "<>");
export const Always = sign("Always", "[]");
export const Arrow = sign("Arrow", "->");
export const Dots = sign("Dots", "..");
export const Bars = sign("Bars", "||");
export const Bar = sign("Bar", "|");
export const And = sign("And", "&&");
export const Ampersand = sign("Ampersand", "&");
export const Equal = sign("Equal", "==");
export const NotEqual = sign("NotEqual", "!=");
export const HighPriority = sign("HighPriority", "<<");
export const LowPriority = sign("LowPriority", ">>");
export const AtMost = sign("AtMost", "<=");
export const AtLeast = sign("AtLeast", ">=");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Not = sign("Not", "!");
export const Is = sign("Is", "=");
export const Plus = sign("Plus", "+");
export const Minus = sign("Minus", "-");
export const Star = sign("Star", "*");
export const Slash = sign("Slash", "/");
export const Percent = sign("Percent", "%");
export const Caret = sign("Caret", "^");
export const Backslash = sign("Backslash", "\\");
export const At = sign("At", "@");
export const Hash = sign("Hash", "#");
export const Quote = sign("Quote", "'");
export const Open = sign("Open", "(");
export const Close = sign("Close", ")");
export const OpenBracket = sign("OpenBracket", "[");
export const CloseBracket = sign("CloseBracket", "]");
export const OpenBrace = sign("OpenBrace", "{");
export const CloseBrace = sign("CloseBrace", "}");
export const Sharing = sign("Sharing", "::");
export const Colon = sign("Colon", ":");
export const Semicolon = sign("Semicolon", ";");
export const Comma = sign("Comma", ",");
export const Dot = sign("Dot", ".");

const SCAN_RULES = blockCommentRules(vocabulary, {
  unknownCode: "fsp/unknown-character",
  nameType: Lower,
  numberType: NumberToken,
});

export function scanFsp(file: string, text: string): Scanned {
  const scanned = scan(file, text, SCAN_RULES);
  const tokens = scanned.tokens.map((token) =>
    token.tokenType === Lower && /^[A-Z]/.test(token.image)
      ? { ...token, tokenType: Upper, tokenTypeIdx: typeIndex(Upper) }
      : token,
  );
  return { ...scanned, tokens };
}

export const VOCABULARY: readonly TokenType[] = [Upper, Lower, NumberToken, ...vocabulary.types];
