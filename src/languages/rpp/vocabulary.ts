/** Tokens of recursively parallel programs. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { lineCommentRules } from "../toolkit/scan.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const vocabulary = new Vocabulary();
const { word, sign: symbol } = vocabulary;

export const Task = word("task");
/** Also a name: the main task may be called `main`. */
export const Main = word("main", Name);
export const Post = word("post");
export const In = word("in");
export const Ewait = word("ewait");
/** Waiting for all tasks of a region: parsed only to be refused. */
export const Await = word("await");
export const On = word("on");
export const Choose = word("choose");
export const Loop = word("loop");
export const Break = word("break");
export const Skip = word("skip");
export const Return = word("return");
export const ErrorWord = word("error");

export const OpenBrace = symbol("OpenBrace", "{");
export const CloseBrace = symbol("CloseBrace", "}");
export const Branch = symbol("Branch", "[]");
export const Semicolon = symbol("Semicolon", ";");
export const Colon = symbol("Colon", ":");
export const Star = symbol("Star", "*");

export const SCAN_RULES = lineCommentRules(vocabulary, {
  unknownCode: "rpp/unknown-character",
  nameType: Name,
  numberType: NumberToken,
});

export const VOCABULARY: readonly TokenType[] = [Name, NumberToken, ...vocabulary.types];
