/** `node:punycode`: international domain names. */
import { pureText } from "./pure-text.js";

export const toASCII = (domain: string): string => pureText("domainToASCII", domain);
export const toUnicode = (domain: string): string => pureText("domainToUnicode", domain);
export const ucs2 = {
  decode: (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!),
  encode: (codes: readonly number[]): string => String.fromCodePoint(...codes),
};
export const version = "2.1.0";
export default { toASCII, toUnicode, ucs2, version };
