/** Tokens of NDLog and of its specifications. */
import type { TokenType } from "chevrotain";
import { blockCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name in lower case");
export const VariableToken = tokenType("VariableToken", "a variable");
export const FunctionToken = tokenType("FunctionToken", "a function");
export const AggregateToken = tokenType("AggregateToken", "an aggregate");
export const NumberToken = tokenType("NumberToken", "a number");
export const StringToken = tokenType("StringToken", "a string");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Materialize = word("materialize");
export const BaseWord = word("base");
export const TypeWord = word("type");
export const Delete = word("delete");
export const Property = word("property");
export const Derivable = word("derivable");
export const Constraint = word("constraint");
export const Annotation = word("annotation");
export const Lemma = word("lemma");
export const Cut = word("cut");
export const Exists = word("exists");
export const Forall = word("forall");
export const True = word("true");
export const False = word("false");

export const Define = sign("Define", "#define");
export const If = sign("If", ":-");
export const Assign = sign("Assign", ":=");
export const Implies = sign("Implies", "=>");
export const Or = sign("Or", "||");
export const Bar = sign("Bar", "|");
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
export const Slash = sign("Slash", "/");
export const Percent = sign("Percent", "%");
export const At = sign("At", "@");
export const Open = sign("Open", "(");
export const Close = sign("Close", ")");
export const OpenBrace = sign("OpenBrace", "{");
export const CloseBrace = sign("CloseBrace", "}");
export const Semicolon = sign("Semicolon", ";");
export const Colon = sign("Colon", ":");
export const Comma = sign("Comma", ",");
export const Dot = sign("Dot", ".");

export const SCAN_RULES = blockCommentRules(vocabulary, {
  unknownCode: "ndlog/unknown-character",
  name: /[a-z][A-Za-z0-9_]*/y,
  others: [
    [/"[^"\n]*"/y, StringToken],
    [/f_[A-Za-z0-9_]+/y, FunctionToken],
    [/a_[A-Z]+(?![A-Za-z0-9_])/y, AggregateToken],
    [/[A-Z_][A-Za-z0-9_]*/y, VariableToken],
  ],
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [
  Name,
  VariableToken,
  FunctionToken,
  AggregateToken,
  NumberToken,
  StringToken,
  ...vocabulary.types,
];
