/** Tokens of Boolean programs, in both spellings. */
import type { TokenType } from "chevrotain";
import { blockCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;

export const Bool = word("bool");
export const Decl = word("decl");
export const Void = word("void");
export const Thread = word("thread");
export const Begin = word("begin");
export const End = word("end");
export const Skip = word("skip");
export const Goto = word("goto");
export const Assume = word("assume");
export const Assert = word("assert");
export const Constrain = word("constrain");
export const Return = word("return");
export const Enforce = word("enforce");
export const Dead = word("dead");
export const AtomicBegin = word("atomic_begin");
export const AtomicEnd = word("atomic_end");
export const Atomic = word("atomic");
export const If = word("if");
export const Else = word("else");
export const While = word("while");
export const True = word("true");
export const False = word("false");
export const Schoose = word("schoose");

export const Implies = sign("Implies", "=>");
export const Equal = sign("Equal", "==");
export const NotEqual = sign("NotEqual", "!=");
export const AndAnd = sign("AndAnd", "&&");
export const OrOr = sign("OrOr", "||");
export const Becomes = sign("Becomes", ":=");
export const And = sign("And", "&");
export const Or = sign("Or", "|");
export const Xor = sign("Xor", "^");
export const Not = sign("Not", "!");
export const Is = sign("Is", "=");
export const Star = sign("Star", "*");
export const Prime = sign("Prime", "'");
export const Less = sign("Less", "<");
export const Greater = sign("Greater", ">");
export const Open = sign("Open", "(");
export const Close = sign("Close", ")");
export const OpenBracket = sign("OpenBracket", "[");
export const CloseBracket = sign("CloseBracket", "]");
export const OpenBrace = sign("OpenBrace", "{");
export const CloseBrace = sign("CloseBrace", "}");
export const Semicolon = sign("Semicolon", ";");
export const Colon = sign("Colon", ":");
export const Comma = sign("Comma", ",");

export const SCAN_RULES = blockCommentRules(vocabulary, {
  unknownCode: "bp/unknown-character",
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
