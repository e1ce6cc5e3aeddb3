/** Evaluates constants as Spin does. */
import type { Report } from "../toolkit/diagnostics.js";
import type { NumberLiteral } from "./ast.js";
import type { Token } from "./token.js";

export function literalOf(token: Token, report: Report): NumberLiteral {
  const { span, image } = token;
  if (token.lexical === "character") {
    return { kind: "number", span, value: characterValue(token, report), form: "character" };
  }
  if (image === "true" || image === "skip") return { kind: "number", span, value: 1, form: image };
  if (image === "false") return { kind: "number", span, value: 0, form: image };
  return { kind: "number", span, value: numberValue(token, report), form: "decimal" };
}

/** Numbers are 32 bits wide, and wrap. */
function numberValue(token: Token, report: Report): number {
  const digits = /^\d+$/.test(token.image) ? token.image : "0"; // invalid numbers have been reported
  const exact = digits.length < 10 ? BigInt(digits) : BigInt(digits.slice(0, 40));
  const value = Number(BigInt.asIntN(32, exact));
  if (BigInt(value) !== exact) {
    report({
      code: "promela/number-range",
      severity: "warning",
      message: `${token.image.slice(0, 40)} does not fit into 32 bits and is read as ${value}`,
      span: token.span,
    });
  }
  return value;
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12 };

/** As in Spin, `\0` is the digit 0: only n, r, t and f are special after a backslash. */
function characterValue(token: Token, report: Report): number {
  const text = token.image.slice(1, -1);
  const isEscaped = text.startsWith("\\");
  const character = isEscaped ? text.slice(1) : text;
  if (character.length === 1) return (isEscaped ? ESCAPES[character] : undefined) ?? character.charCodeAt(0);
  report({
    code: "promela/bad-character",
    severity: "error",
    message: `${token.image} is not one character`,
    span: token.span,
    hint: text.length > 1 ? 'strings are written "…", and only `printf` takes them' : undefined,
  });
  return 0;
}
