/** The tokens of Mist's nets. `#` and `//` begin comments. */
import type { TokenType } from "chevrotain";
import { tokenType, type ScanRules } from "../toolkit/scan.js";

export const Name = tokenType("Name", "a name");
export const NumberToken = tokenType("NumberToken", "a number");

const word = (text: string): TokenType => tokenType(`Word_${text}`, `\`${text}\``);
const symbol = (name: string, text: string): TokenType => tokenType(name, `\`${text}\``);

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
/** No net has these; they are read so that the complaint can say why. */
export const Less = symbol("Less", "<=");

export const SCAN_RULES: ScanRules = {
  unknownCode: "mist/unknown-character",
  skipped: /(?:\s+|#[^\n]*|\/\/[^\n]*)+/y,
  name: /[A-Za-z_][A-Za-z0-9_.]*/y,
  number: /\d+/y,
  nameType: Name,
  numberType: NumberToken,
  words: new Map([
    ["vars", Vars],
    ["rules", Rules],
    ["init", Init],
    ["target", Target],
    ["invariants", Invariants],
    ["true", True],
    ["in", In],
  ]),
  symbols: new Map([
    ["->", Arrow],
    [">=", AtLeast],
    ["<=", Less],
    ["=", Equals],
    [",", Comma],
    [";", Semicolon],
    ["'", Prime],
    ["+", Plus],
    ["-", Minus],
    ["[", OpenBracket],
    ["]", CloseBracket],
  ]),
};

export const VOCABULARY: readonly TokenType[] = [
  Name,
  NumberToken,
  ...SCAN_RULES.words.values(),
  ...SCAN_RULES.symbols.values(),
];
