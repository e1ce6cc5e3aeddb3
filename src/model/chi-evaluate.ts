/** Evaluates expressions of χ. An operation without a value is a fault: a division by zero, an index outside, a number too large. */
import type { ChiBinary, ChiExpr, ChiPlace, ChiValue } from "./chi.js";
import { chiWords } from "./chi.js";
import type { Span } from "./diagnostic.js";

export class ChiFault extends Error {
  readonly span: Span;
  readonly kind: "constant" | "value";

  constructor(message: string, span: Span, kind: "constant" | "value" = "value") {
    super(message);
    this.span = span;
    this.kind = kind;
  }
}

/** The value of an expression in the words from `at` on. */
export type ChiEvaluate = (words: ArrayLike<number>, at: number) => ChiValue;
/** The first word of a place. */
export type ChiLocate = (words: ArrayLike<number>, at: number) => number;

/** `offsetOf`: the first word of a variable. */
export function chiEvaluator(expr: ChiExpr, offsetOf: (name: string) => number): ChiEvaluate {
  switch (expr.kind) {
    case "value": {
      const { value } = expr;
      return () => value;
    }
    case "place": {
      const locate = chiLocator(expr, offsetOf);
      const size = chiWords(expr.type);
      if (size === 1) return (words, at) => [words[at + locate(words, at)] ?? 0];
      return (words, at) => {
        const from = at + locate(words, at);
        return Array.from({ length: size }, (_, i) => words[from + i] ?? 0);
      };
    }
    case "unary": {
      const of = scalar(expr.of, offsetOf);
      return expr.operator === "not" ? (words, at) => [1 - of(words, at)] : (words, at) => [-of(words, at)];
    }
    case "binary": {
      const number = binary(expr, offsetOf);
      return (words, at) => [number(words, at)];
    }
    case "compose": {
      const parts = expr.parts.map((part) => chiEvaluator(part, offsetOf));
      const size = chiWords(expr.type);
      if (expr.type.kind !== "list") return (words, at) => parts.flatMap((part) => [...part(words, at)]);
      return (words, at) => filled([parts.length, ...parts.flatMap((part) => [...part(words, at)])], size);
    }
    case "call":
      return calling(expr, offsetOf);
  }
}

const filled = (words: readonly number[], size: number): ChiValue => [
  ...words,
  ...Array.from({ length: Math.max(0, size - words.length) }, () => 0),
];

function calling(expr: Extract<ChiExpr, { kind: "call" }>, offsetOf: (name: string) => number): ChiEvaluate {
  const [list, element] = expr.of.map((part) => chiEvaluator(part, offsetOf));
  if (!list) throw new Error("a function without an argument");
  if (expr.name === "len") return (words, at) => [list(words, at)[0] ?? 0];
  const { type, span } = expr;
  if (type.kind !== "list") throw new Error("a function of lists has another argument");
  const size = chiWords(type.of);
  const all = chiWords(type);
  if (expr.name === "append")
    return (words, at) => {
      const value = list(words, at);
      const count = value[0] ?? 0;
      if (count >= type.most) throw new ChiFault(`the list has ${type.most} elements already`, span);
      return filled([count + 1, ...value.slice(1, 1 + count * size), ...(element?.(words, at) ?? [])], all);
    };
  return (words, at) => {
    const value = list(words, at);
    const count = value[0] ?? 0;
    if (count === 0) throw new ChiFault(`'${expr.name}' of an empty list`, span);
    if (expr.name === "head") return value.slice(1, 1 + size);
    return filled([count - 1, ...value.slice(1 + size, 1 + count * size)], all);
  };
}

const scalar = (expr: ChiExpr, offsetOf: (name: string) => number): ChiLocate => {
  if (expr.kind === "binary") return binary(expr, offsetOf);
  if (expr.kind === "place") {
    const locate = chiLocator(expr, offsetOf);
    return (words, at) => words[at + locate(words, at)] ?? 0;
  }
  const evaluate = chiEvaluator(expr, offsetOf);
  return (words, at) => evaluate(words, at)[0] ?? 0;
};

/** A condition. */
export const chiCondition = (
  expr: ChiExpr,
  offsetOf: (name: string) => number,
): ((words: ArrayLike<number>, at: number) => boolean) => {
  const value = scalar(expr, offsetOf);
  return (words, at) => value(words, at) !== 0;
};

function binary(expr: Extract<ChiExpr, { kind: "binary" }>, offsetOf: (name: string) => number): ChiLocate {
  const { operator, span } = expr;
  if (operator === "=" || operator === "!=") {
    const left = chiEvaluator(expr.left, offsetOf);
    const right = chiEvaluator(expr.right, offsetOf);
    const whenSame = operator === "=" ? 1 : 0;
    return (words, at) => (isSame(left(words, at), right(words, at)) ? whenSame : 1 - whenSame);
  }
  const left = scalar(expr.left, offsetOf);
  const right = scalar(expr.right, offsetOf);
  // The right operand of a connective may be undefined where the left one decides.
  if (operator === "and") return (words, at) => (left(words, at) === 0 ? 0 : right(words, at));
  if (operator === "or") return (words, at) => (left(words, at) === 0 ? right(words, at) : 1);
  if (operator === "=>") return (words, at) => (left(words, at) === 0 ? 1 : right(words, at));
  return (words, at) => computed(operator, left(words, at), right(words, at), span);
}

/** Longer lists may be compared with shorter ones. */
const isSame = (a: ChiValue, b: ChiValue): boolean => {
  for (let i = 0; i < a.length || i < b.length; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return false;
  return true;
};

function computed(
  operator: Exclude<ChiBinary, "=" | "!=" | "and" | "or" | "=>">,
  a: number,
  b: number,
  span: Span,
): number {
  switch (operator) {
    case "<":
      return a < b ? 1 : 0;
    case "<=":
      return a <= b ? 1 : 0;
    case ">":
      return a > b ? 1 : 0;
    case ">=":
      return a >= b ? 1 : 0;
    case "+":
      return inWord(a + b, span);
    case "-":
      return inWord(a - b, span);
    case "*":
      return inWord(a * b, span);
    case "/":
    case "%":
      if (b === 0) throw new ChiFault("division by zero", span);
      return operator === "/" ? inWord(Math.trunc(a / b), span) : (a % b) + 0;
  }
}

function inWord(value: number, span: Span): number {
  if (value >= -(2 ** 31) && value < 2 ** 31) return value;
  throw new ChiFault(`${value} does not fit in 32 bits`, span);
}

export function chiLocator({ name, path, span }: ChiPlace, offsetOf: (name: string) => number): ChiLocate {
  const start = offsetOf(name);
  if (path.length === 0) return () => start;
  const steps = path.map((step): ((words: ArrayLike<number>, at: number, from: number) => number) => {
    if (step.kind === "field") return (_words, _at, from) => from + step.offset;
    const index = scalar(step.at, offsetOf);
    return (words, at, from) => {
      const i = index(words, at);
      const length = step.isList ? (words[at + from] ?? 0) : step.length;
      if (i < 0 || i >= length) throw new ChiFault(`index ${i} is outside 0..${length - 1}`, span);
      return from + (step.isList ? 1 : 0) + i * step.size;
    };
  });
  return (words, at) => steps.reduce((from, step) => step(words, at, from), start);
}
