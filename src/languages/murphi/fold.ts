/**
 * Folds a flat list of operands and operators into a tree by precedence. Prefix operators have precedences (`!a = b` is
 * `!(a = b)`, `-a + b` is `(-a) + b`) and therefore take part in the folding.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { mergeSpans } from "../toolkit/source-token.js";
import type { BinaryOperator, Expression } from "./ast.js";
import { nth, entryOf } from "../../model/known.js";

export type PrefixOperator = "!" | "-" | "+" | "~";

/** `T`: operands; `P` and `B`: prefix and binary operators. */
export type Piece<T = Expression, P = PrefixOperator, B = BinaryOperator> =
  | { readonly kind: "operand"; readonly expression: T }
  | { readonly kind: "prefix"; readonly op: P; readonly span: Span }
  | { readonly kind: "binary"; readonly op: B; readonly span: Span };

export interface Builder<T, P, B> {
  unary(op: P, operand: T, span: Span): T;
  binary(op: B, left: T, right: T, span: Span): T;
}

export const EXPRESSIONS: Builder<Expression, PrefixOperator, BinaryOperator> = {
  unary: (op, operand, span) => ({ kind: "unary", op, operand, span }),
  binary: (op, left, right, span) => ({ kind: "binary", op, left, right, span }),
};

/** Precedences; operators of equal precedence associate to the left, or not at all. */
const BINARY: ReadonlyMap<string, number> = new Map([
  ["<->", 1],
  ["->", 2],
  ["||", 3],
  ["&&", 4],
  ["|", 5],
  ["^", 6],
  ["&", 7],
  ["U", 7.5],
  ["V", 7.5],
  ["W", 7.5],
  ["<", 9],
  ["<=", 9],
  ["=", 9],
  ["!=", 9],
  [">=", 9],
  [">", 9],
  ["<<", 10],
  [">>", 10],
  ["+", 11],
  ["-", 11],
  ["*", 12],
  ["/", 12],
  ["%", 12],
]);
const PREFIX: ReadonlyMap<string, number> = new Map([
  ["!", 8],
  ["[]", 8],
  ["<>", 8],
  ["X", 8],
  ["-", 12],
  ["+", 12],
  ["~", 13],
]);
const UNCHAINABLE: ReadonlySet<number> = new Set([1, 2, 7.5, 9]);

/** The pieces alternate: prefixes and an operand, then a binary operator, prefixes and an operand, and so on. */
export function foldPieces<T extends { readonly span: Span }, P extends string, B extends string>(
  pieces: readonly Piece<T, P, B>[],
  build: Builder<T, P, B>,
  report: Report,
): T {
  let at = 0;
  const parse = (least: number): T => {
    let left = parsePrefix();
    let last = 0;
    for (;;) {
      const piece = pieces[at];
      if (piece?.kind !== "binary") return left;
      const level = entryOf(BINARY, piece.op);
      if (level < least) return left;
      if (level === last && UNCHAINABLE.has(level)) report(chained(piece.op, piece.span));
      at++;
      const right = parse(level + 0.5);
      left = build.binary(piece.op, left, right, mergeSpans(left.span, right.span));
      last = level;
    }
  };
  const parsePrefix = (): T => {
    const piece = nth(pieces, at++);
    if (piece.kind === "operand") return piece.expression;
    if (piece.kind === "binary") throw new Error("an operator without an operand");
    // The operand of a prefix operator includes all tighter binary operators.
    const operand = parse(entryOf(PREFIX, piece.op) + 1);
    return build.unary(piece.op, operand, mergeSpans(piece.span, operand.span));
  };
  return parse(0);
}

const chained = (op: string, span: Span): Diagnostic => ({
  code: "murphi/chained-operator",
  severity: "error",
  message: `\`${op}\` cannot follow another operator of its kind`,
  span,
  hint: "add parentheses",
});
