/** χ as text: values, expressions and terms as the parser reads them. */
import type { ChiExpr, ChiPlace, ChiTerm, ChiType, ChiVariable } from "./chi.js";
import { chiWords } from "./chi.js";

export function renderChiValue(type: ChiType, words: ArrayLike<number>, at = 0): string {
  const word = words[at] ?? 0;
  switch (type.kind) {
    case "unit":
      return "";
    case "bool":
      return word === 0 ? "false" : "true";
    case "int":
      return `${word}`;
    case "enum":
      return type.names[word] ?? `${word}`;
    case "array":
      return `[${elements(type.of, type.length, words, at)}]`;
    case "tuple": {
      let offset = at;
      const parts = type.of.map((part) => {
        const text = renderChiValue(part, words, offset);
        offset += chiWords(part);
        return text;
      });
      return `(${parts.join(", ")})`;
    }
    case "list":
      return `{${elements(type.of, word, words, at + 1)}}`;
  }
}

const elements = (type: ChiType, count: number, words: ArrayLike<number>, at: number): string =>
  Array.from({ length: count }, (_, i) => renderChiValue(type, words, at + i * chiWords(type))).join(", ");

export function renderChiType(type: ChiType): string {
  switch (type.kind) {
    case "unit":
      return "unit";
    case "bool":
      return "bool";
    case "int":
      return type.low === 0 ? `nat(${type.high})` : `int[${type.low}..${type.high}]`;
    case "enum":
      return `enum { ${type.names.join(", ")} }`;
    case "array":
      return `[${renderChiType(type.of)}; ${type.length}]`;
    case "tuple":
      return `(${type.of.map(renderChiType).join(", ")})`;
    case "list":
      return `list(${renderChiType(type.of)}, ${type.most})`;
  }
}

const STRENGTHS: readonly (readonly string[])[] = [
  ["=>"],
  ["or"],
  ["and"],
  ["=", "!=", "<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "/", "%"],
];

/** `strength`: of the operator around it. */
export function renderChiExpr(expr: ChiExpr, strength = 0): string {
  switch (expr.kind) {
    case "value": {
      const text = renderChiValue(expr.type, expr.value);
      return text.startsWith("-") ? `(${text})` : text;
    }
    case "place":
      return renderChiPlace(expr);
    case "unary":
      return `${expr.operator === "not" ? "not " : "-"}${renderChiExpr(expr.of, STRENGTHS.length)}`;
    case "binary": {
      const own = STRENGTHS.findIndex((level) => level.includes(expr.operator));
      const isRight = expr.operator === "=>";
      const left = renderChiExpr(expr.left, isRight ? own + 1 : own);
      const text = `${left} ${expr.operator} ${renderChiExpr(expr.right, isRight ? own : own + 1)}`;
      return own < strength ? `(${text})` : text;
    }
    case "compose": {
      const parts = expr.parts.map((part) => renderChiExpr(part)).join(", ");
      if (expr.type.kind === "array") return `[${parts}]`;
      return expr.type.kind === "tuple" ? `(${parts})` : `{${parts}}`;
    }
    case "call":
      return `${expr.name}(${expr.of.map((part) => renderChiExpr(part)).join(", ")})`;
  }
}

export const renderChiPlace = ({ name, path }: ChiPlace): string =>
  name +
  path.map((step) => (step.kind === "index" ? `[${renderChiExpr(step.at)}]` : `.${step.number}`)).join("");

/** Operators of terms, weakest first: a part weaker than its operator is put into parentheses. */
const TERMS: readonly (readonly ChiTerm["kind"][])[] = [["par"], ["alt"], ["seq"], ["guard"], ["star"]];

export function renderChi(term: ChiTerm, strength = 0): string {
  const own = TERMS.findIndex((level) => level.includes(term.kind));
  const text = plain(term, own);
  return own >= 0 && own < strength ? `(${text})` : text;
}

function plain(term: ChiTerm, own: number): string {
  switch (term.kind) {
    case "eps":
    case "delta":
    case "skip":
      return term.kind;
    case "assign":
      return `${renderChiPlace(term.to)} := ${renderChiExpr(term.value)}`;
    case "send":
      return `${term.channel}!${term.value ? renderChiExpr(term.value) : ""}`;
    case "receive":
      return `${term.channel}?${term.to ? renderChiPlace(term.to) : ""}`;
    case "guard":
      return `${renderChiExpr(term.when)} :-> ${renderChi(term.then, own)}`;
    case "seq":
      return `${renderChi(term.first, own + 1)}; ${renderChi(term.then, own)}`;
    case "alt":
      return `${renderChi(term.left, own + 1)} [] ${renderChi(term.right, own)}`;
    case "par":
      return `${renderChi(term.left, own + 1)} || ${renderChi(term.right, own)}`;
    case "star":
      return `${starred(term.body)}*`;
    case "scope":
      return `|[ ${term.variables.map(declared).join(", ")} | ${renderChi(term.body)} ]|`;
    case "encap":
      return `encap(${renderChi(term.body)})`;
  }
}

/** An expression before a star would be multiplied. */
const starred = (body: ChiTerm): string =>
  body.kind === "assign" || body.kind === "send" || body.kind === "receive"
    ? `(${renderChi(body)})`
    : renderChi(body, 4);

const declared = ({ name, type, initial }: ChiVariable): string =>
  `${name}: ${renderChiType(type)} = ${renderChiValue(type, initial)}`;
