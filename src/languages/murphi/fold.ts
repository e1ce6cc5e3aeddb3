/**
 * Operators to trees. Operands and operators of one expression come as a flat list; prefix operators have
 * precedences of their own (`!a = b` is `!(a = b)`, `-a + b` is `(-a) + b`), so they take part in the folding.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { mergeSpans } from "../toolkit/source-token.js";
import type { BinaryOperator, Expression } from "./ast.js";

export type Piece =
  | { readonly kind: "operand"; readonly expression: Expression }
  | { readonly kind: "prefix"; readonly op: "!" | "-" | "+" | "~"; readonly span: Span }
  | { readonly kind: "binary"; readonly op: BinaryOperator; readonly span: Span };

/** How tightly an operator binds; equal ones associate to the left, or not at all. */
const BINARY: ReadonlyMap<BinaryOperator, number> = new Map<BinaryOperator, number>([
  ["->", 2],
  ["||", 3],
  ["&&", 4],
  ["|", 5],
  ["^", 6],
  ["&", 7],
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
const PREFIX = { "!": 8, "-": 12, "+": 12, "~": 13 } as const;
const UNCHAINABLE: ReadonlySet<number> = new Set([2, 9]);

/** The pieces alternate as an expression does: prefixes, an operand, then a binary operator and the same again. */
export function foldPieces(pieces: readonly Piece[], report: (diagnostic: Diagnostic) => void): Expression {
  let at = 0;
  const parse = (least: number): Expression => {
    let left = parsePrefix();
    let last = 0;
    for (;;) {
      const piece = pieces[at];
      if (piece?.kind !== "binary") return left;
      const level = BINARY.get(piece.op)!;
      if (level < least) return left;
      if (level === last && UNCHAINABLE.has(level)) report(chained(piece.op, piece.span));
      at++;
      const right = parse(level + 1);
      left = { kind: "binary", op: piece.op, left, right, span: mergeSpans(left.span, right.span) };
      last = level;
    }
  };
  const parsePrefix = (): Expression => {
    const piece = pieces[at++]!;
    if (piece.kind === "operand") return piece.expression;
    if (piece.kind === "binary") throw new Error("an operator without an operand");
    // A tighter operator to the right of a looser prefix belongs under it; a looser one does not.
    const operand = parse(PREFIX[piece.op] + 1);
    return { kind: "unary", op: piece.op, operand, span: mergeSpans(piece.span, operand.span) };
  };
  return parse(0);
}

const chained = (op: string, span: Span): Diagnostic => ({
  code: "murphi/chained-operator",
  severity: "error",
  message: `\`${op}\` cannot follow another operator of its kind`,
  span,
  hint: "say with parentheses what belongs together",
});
