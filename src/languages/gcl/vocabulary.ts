/** Tokens of guarded commands. */
import type { TokenType } from "chevrotain";
import { blockCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Param = word("param");
export const Const = word("const");
export const Explicit = word("explicit");
export const Abstract = word("abstract");
export const Var = word("var");
export const Init = word("init");
export const Process = word("process");
export const In = word("in");
export const Safety = word("safety");
export const ErrorWord = word("error");
export const Reach = word("reach");
export const Predicates = word("predicates");
export const Exists = word("exists");
export const Forall = word("forall");
export const True = word("true");
export const False = word("false");
export const Skip = word("skip");
export const Nondet = word("nondet");
export const IntWord = word("int");
export const BoolWord = word("bool");
/** Also a name: program counters are often called `pc`. */
export const PcWord = word("pc", Name);

export const Arrow = sign("Arrow", "->");
export const Implies = sign("Implies", "=>");
export const Assign = sign("Assign", ":=");
export const Dots = sign("Dots", "..");
export const Or = sign("Or", "||");
export const And = sign("And", "&&");
export const Equal = sign("Equal", "==");
export const NotEqual = sign("NotEqual", "!=");
export const AtMost = sign("AtMost", "<=");
export const AtLeast = sign("AtLeast", ">=");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Not = sign("Not", "!");
export const Is = sign("Is", "=");
export const Plus = sign("Plus", "+");
export const Minus = sign("Minus", "-");
export const Star = sign("Star", "*");
export const Percent = sign("Percent", "%");
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
  unknownCode: "gcl/unknown-character",
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
