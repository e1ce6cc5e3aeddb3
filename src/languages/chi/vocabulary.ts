/** Tokens of χ. */
import type { TokenType } from "chevrotain";
import type { ScanRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");
export const Text = tokenType("Text", "a text in quotes");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Const = word("const");
export const Type = word("type");
export const Var = word("var");
export const Chan = word("chan");
export const Proc = word("proc");
export const System = word("system");
export const Check = word("check");
export const DeadlockFree = tokenType("DeadlockFree", "`deadlock-free`");
export const Ctl = word("ctl", Name);
export const Ltl = word("ltl", Name);
export const Invariant = word("invariant", Name);
export const BoolWord = word("bool");
export const NatWord = word("nat");
export const IntWord = word("int");
export const Enum = word("enum");
export const List = word("list");
export const Eps = word("eps");
export const Delta = word("delta");
export const Skip = word("skip");
export const Encap = word("encap");
export const True = word("true");
export const False = word("false");
export const And = word("and");
export const Or = word("or");
export const Not = word("not");

/** Found by a pattern: `a[i]||…` ends an index, `]|` ends a scope. */
export const CloseScope = tokenType("CloseScope", "`]|`");
export const OpenScope = sign("OpenScope", "|[");
export const Parallel = sign("Parallel", "||");
export const Bar = sign("Bar", "|");
export const Choice = sign("Choice", "[]");
export const GuardArrow = sign("GuardArrow", ":->");
export const Assign = sign("Assign", ":=");
export const Colon = sign("Colon", ":");
export const Implies = sign("Implies", "=>");
export const NotEqual = sign("NotEqual", "!=");
export const AtMost = sign("AtMost", "<=");
export const AtLeast = sign("AtLeast", ">=");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Is = sign("Is", "=");
export const Send = sign("Send", "!");
export const Receive = sign("Receive", "?");
export const Plus = sign("Plus", "+");
export const Minus = sign("Minus", "-");
export const Star = sign("Star", "*");
export const Slash = sign("Slash", "/");
export const Percent = sign("Percent", "%");
export const Open = sign("Open", "(");
export const Close = sign("Close", ")");
export const OpenBracket = sign("OpenBracket", "[");
export const CloseBracket = sign("CloseBracket", "]");
export const OpenBrace = sign("OpenBrace", "{");
export const CloseBrace = sign("CloseBrace", "}");
export const Semicolon = sign("Semicolon", ";");
export const Comma = sign("Comma", ",");
export const Dots = sign("Dots", "..");
export const Dot = sign("Dot", ".");

export const SCAN_RULES: ScanRules = {
  unknownCode: "chi/unknown-character",
  skipped: /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y,
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  number: /\d+/y,
  nameType: Name,
  numberType: NumberToken,
  others: [
    [/"[^"\n]*"/y, Text],
    [/deadlock-free\b/y, DeadlockFree],
    [/\]\|(?=(?:\|\|)*(?!\|))/y, CloseScope],
  ],
  words: vocabulary.words,
  symbols: vocabulary.signs,
};

export const VOCABULARY: readonly TokenType[] = [
  Name,
  NumberToken,
  Text,
  DeadlockFree,
  CloseScope,
  ...vocabulary.types,
];
