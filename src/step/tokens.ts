/** Splits step code into tokens; comments and directives are passed over. */
import { NotStepCode } from "./syntax.js";

export interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
}

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const TOKEN =
  /(0[xX][\da-fA-F]+|\d+)|([A-Za-z_$][\w$]*)|(>>>=|===|!==|>>>|<<=|>>=|=>|&&|\|\||\+\+|--|<=|>=|<<|>>|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}[\]])|"use strict"/y;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    SPACE.lastIndex = at;
    if (SPACE.test(text)) at = SPACE.lastIndex;
    if (at >= text.length) break;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new NotStepCode(`'${text.slice(at, at + 20)}' is not a token of step code`);
    at = TOKEN.lastIndex;
    if (match[1] !== undefined) tokens.push({ kind: "number", text: match[1] });
    else if (match[2] !== undefined) tokens.push({ kind: "name", text: match[2] });
    else if (match[3] !== undefined) tokens.push({ kind: "sign", text: match[3] });
  }
  tokens.push({ kind: "end", text: "the end" });
  return tokens;
}
