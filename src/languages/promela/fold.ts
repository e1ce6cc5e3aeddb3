/**
 * Folds a flat list of operands and operators into an expression, by the precedences of Spin's grammar, and converts
 * expressions with temporal operators to formulas.
 */
import type { Span } from "../../model/diagnostic.js";
import { mergeSpans } from "../toolkit/source-token.js";
import type { BinaryOperator, Expression, Formula } from "./ast.js";
import { nth } from "../../model/known.js";

/** Result for `[] p` or `p U q`, before the parser has established that it is in a formula. */
export interface Temporal {
  readonly kind: "temporal";
  readonly span: Span;
  readonly operator:
    "always" | "eventually" | "next" | "until" | "weakUntil" | "release" | "implies" | "equivalent";
  readonly operands: readonly Term[];
}

export type Term = Expression | Temporal;

/** Loosest first; all associate to the left. */
const LEVELS: readonly (readonly string[])[] = [
  ["->", "implies", "<->", "equivalent"],
  ["||", "\\/"],
  ["&&", "/\\"],
  ["U", "until", "stronguntil", "W", "weakuntil", "V", "release"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", ">", "<=", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];
const LEVEL_OF = new Map(
  LEVELS.flatMap((operators, level) => operators.map((text) => [text, level] as const)),
);

/** `operands` has one more entry than `operators`. */
export function foldBinary(operands: readonly Term[], operators: readonly string[]): Term {
  if (operators.length === 0) return nth(operands, 0);
  return foldRange(operands, operators, 0, operators.length, 0);
}

/** Folds `operands[from..to]`, where only operators of `level` or tighter occur. */
function foldRange(
  operands: readonly Term[],
  operators: readonly string[],
  from: number,
  to: number,
  level: number,
): Term {
  if (from === to) return nth(operands, from);
  const terms: Term[] = [];
  const between: string[] = [];
  let start = from;
  for (let i = from; i < to; i++) {
    if (LEVEL_OF.get(nth(operators, i)) !== level) continue;
    terms.push(foldRange(operands, operators, start, i, level + 1));
    between.push(nth(operators, i));
    start = i + 1;
  }
  terms.push(foldRange(operands, operators, start, to, level + 1));
  return combine(terms, between);
}

/**
 * Balances long runs of one associative operator, such as a generated disjunction of a thousand cases: same value and
 * order of evaluation, but shallow.
 */
function combine(terms: readonly Term[], operators: readonly string[]): Term {
  const isUniform = operators.every((operator) => operator === operators[0]);
  if (operators.length >= LONG_RUN && isUniform && ASSOCIATIVE.has(nth(operators, 0))) {
    return balanced(terms, nth(operators, 0), 0, terms.length);
  }
  let left = nth(terms, 0);
  operators.forEach((operator, i) => (left = binary(operator, left, nth(terms, i + 1))));
  return left;
}

const LONG_RUN = 32;
const ASSOCIATIVE = new Set(["&&", "/\\", "||", "\\/", "+", "*", "&", "|", "^"]);

function balanced(terms: readonly Term[], operator: string, from: number, to: number): Term {
  if (to - from === 1) return nth(terms, from);
  const middle = (from + to + 1) >> 1;
  return binary(operator, balanced(terms, operator, from, middle), balanced(terms, operator, middle, to));
}

const TEMPORAL_BINARY: ReadonlyMap<string, Temporal["operator"]> = new Map([
  ["->", "implies"],
  ["implies", "implies"],
  ["<->", "equivalent"],
  ["equivalent", "equivalent"],
  ["U", "until"],
  ["until", "until"],
  ["stronguntil", "until"],
  ["W", "weakUntil"],
  ["weakuntil", "weakUntil"],
  ["V", "release"],
  ["release", "release"],
]);
const SPELLINGS: ReadonlyMap<string, BinaryOperator> = new Map([
  ["/\\", "&&"],
  ["\\/", "||"],
]);

function binary(operator: string, left: Term, right: Term): Term {
  const span = mergeSpans(left.span, right.span);
  const temporal = TEMPORAL_BINARY.get(operator);
  if (temporal) return { kind: "temporal", span, operator: temporal, operands: [left, right] };
  return {
    kind: "binary",
    span,
    operator: SPELLINGS.get(operator) ?? (operator as BinaryOperator),
    // `toFormula`, or the parser outside of formulas, reports temporal operands.
    left: left as Expression,
    right: right as Expression,
  };
}

const TEMPORAL_PREFIX: ReadonlyMap<string, Temporal["operator"]> = new Map([
  ["[]", "always"],
  ["always", "always"],
  ["<>", "eventually"],
  ["eventually", "eventually"],
  ["X", "next"],
  ["next", "next"],
]);

/** Applies prefix operators, innermost last. */
export function foldPrefixes(prefixes: readonly { text: string; span: Span }[], operand: Term): Term {
  return prefixes.reduceRight((term, prefix) => foldPrefix(prefix.text, prefix.span, term), operand);
}

function foldPrefix(text: string, at: Span, operand: Term): Term {
  const span = mergeSpans(at, operand.span);
  const temporal = TEMPORAL_PREFIX.get(text);
  if (temporal) return { kind: "temporal", span, operator: temporal, operands: [operand] };
  if (text === "!!") return foldPrefix("!", at, foldPrefix("!", at, operand));
  return { kind: "unary", span, operator: text as "!" | "~" | "-", operand: operand as Expression };
}

/** Receives the errors of `toFormula`. */
export interface FormulaProblems {
  /** A temporal operator inside an atom, such as `([] p) + 1`. */
  misplaced(span: Span): void;
  /** `&` or `|` between formulas, treated as `&&` or `||`. */
  bitwise(operator: string, span: Span): void;
}

export function toFormula(term: Term, problems: FormulaProblems): Formula {
  const inner = (each: Term): Formula => toFormula(each, problems);
  const { span } = term;
  if (term.kind === "temporal") {
    const [first, second] = term.operands as [Term, Term?];
    if (second) return { kind: term.operator as "until", span, left: inner(first), right: inner(second) };
    return { kind: term.operator as "always", span, operand: inner(first) };
  }
  if (term.kind === "unary" && term.operator === "!")
    return { kind: "not", span, operand: inner(term.operand) };
  if (term.kind === "binary" && (term.operator === "&&" || term.operator === "||")) {
    const kind = term.operator === "&&" ? "and" : "or";
    return { kind, span, left: inner(term.left), right: inner(term.right) };
  }
  const temporal = findTemporal(term);
  if (temporal && term.kind === "binary" && (term.operator === "&" || term.operator === "|")) {
    problems.bitwise(term.operator, span);
    return {
      kind: term.operator === "&" ? "and" : "or",
      span,
      left: inner(term.left),
      right: inner(term.right),
    };
  }
  if (temporal) problems.misplaced(temporal.span);
  return { kind: "atom", span, expression: term };
}

function findTemporal(root: object): Temporal | undefined {
  const pending: object[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if ("kind" in node && node.kind === "temporal") return node as Temporal;
    for (const child of Object.values(node))
      if (typeof child === "object" && child !== null) pending.push(child);
  }
  return undefined;
}
