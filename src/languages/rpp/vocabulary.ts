/** The tokens of recursively parallel programs. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { tokenType, type ScanRules } from "../toolkit/scan.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const word = (text: string): TokenType => tokenType(`Word_${text}`, `\`${text}\``);
const symbol = (name: string, text: string): TokenType => tokenType(name, `\`${text}\``);

export const Task = word("task");
/** Also a name: the main task may be called `main`. */
export const Main = tokenType("Word_main", "`main`", Name);
export const Post = word("post");
export const In = word("in");
export const Ewait = word("ewait");
/** Waiting for all tasks of a region: read so that it can be refused. */
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

export const SCAN_RULES: ScanRules = {
  unknownCode: "rpp/unknown-character",
  skipped: /(?:\s+|#[^\n]*|\/\/[^\n]*)+/y,
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  number: /\d+/y,
  nameType: Name,
  numberType: NumberToken,
  words: new Map([
    ["task", Task],
    ["main", Main],
    ["post", Post],
    ["in", In],
    ["ewait", Ewait],
    ["await", Await],
    ["on", On],
    ["choose", Choose],
    ["loop", Loop],
    ["break", Break],
    ["skip", Skip],
    ["return", Return],
    ["error", ErrorWord],
  ]),
  symbols: new Map([
    ["[]", Branch],
    ["{", OpenBrace],
    ["}", CloseBrace],
    [";", Semicolon],
    [":", Colon],
    ["*", Star],
  ]),
};

export const VOCABULARY: readonly TokenType[] = [
  Name,
  NumberToken,
  ...SCAN_RULES.words.values(),
  ...SCAN_RULES.symbols.values(),
];
