/** Operators: reports conversions of objects (`toString`, `valueOf`), and accesses of `in`, `++` and `delete`. */
import ts from "typescript";
import { emitAssignment, keyTwice } from "./assignments.js";
import { emitBase } from "./members.js";
import { emitOperand } from "./operand.js";
import { T } from "./names.js";
import { CannotInstrument } from "./refusal.js";
import { isAssignment } from "./scopes.js";
import { isChain, isMember, unwrapped } from "./syntax.js";
import type { Walk } from "./walk.js";

export function emitBinary(walk: Walk, node: ts.BinaryExpression): string | undefined {
  const { left, operatorToken, right } = node;
  const operator = walk.source.slice(operatorToken.getStart(), operatorToken.end);
  if (isAssignment(operatorToken.kind)) return emitAssignment(walk, node, operator);
  if (
    operatorToken.kind === ts.SyntaxKind.InKeyword ||
    operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
  )
    return `${emitKept(walk, left)} ${operator} ${T}.g(${walk.core(right)})`;
  if (!coercing.has(operatorToken.kind)) return undefined;
  return `${emitOperand(walk, left)} ${operator} ${emitOperand(walk, right)}`;
}

export function emitUnary(
  walk: Walk,
  node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression,
): string | undefined {
  const isStep =
    node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  const sign = ts.tokenToString(node.operator)!;
  const operand = unwrapped(node.operand);
  if (!isStep)
    return node.operator === ts.SyntaxKind.ExclamationToken
      ? undefined
      : `${sign} ${emitOperand(walk, node.operand)}`;
  const around = (text: string): string => (ts.isPrefixUnaryExpression(node) ? sign + text : text + sign);
  if (isMember(operand)) {
    const object = walk.names.temporary(operand);
    if (operand.expression.kind === ts.SyntaxKind.SuperKeyword) throw new CannotInstrument("`super.x++`");
    const [first, again] = keyTwice(walk, operand);
    const place = `${T}.p(${object}=${walk.core(operand.expression)})${first}`;
    const step = `${T}.${node.operator === ts.SyntaxKind.PlusPlusToken ? "inc" : "dec"}`;
    const old = `${T}.g(${object})${again}`;
    if (ts.isPrefixUnaryExpression(node)) return `(${place}=${step}(${old}))`;
    const number = walk.names.temporary(operand);
    return `(${place}=${step}(${number}=${T}.num(${old})),${number})`;
  }
  if (!ts.isIdentifier(operand)) return undefined;
  const shared = walk.scopes.shared(operand);
  const place = shared ? `${T}.u(${walk.names.place(shared)}),` : "";
  return `(${place}${T}.v(${operand.text}),${around(operand.text)})`;
}

export function emitDelete(walk: Walk, { expression }: ts.DeleteExpression): string | undefined {
  const target = unwrapped(expression);
  if (!isMember(target)) return undefined;
  if (isChain(target) && isChain(target.expression)) throw new CannotInstrument("`delete` of a long `?.`");
  const question = target.questionDotToken ? "?." : "";
  const object = emitBase(walk, target.expression, "p");
  return ts.isPropertyAccessExpression(target)
    ? `delete ${object}${question || "."}${target.name.text}`
    : `delete ${object}${question}[${T}.v(${walk.core(target.argumentExpression)})]`;
}

/** The left operand: of `in` a key, which is converted; of `instanceof` an object, whose prototype is read. */
const emitKept = (walk: Walk, node: ts.Expression): string =>
  ts.isPrivateIdentifier(node) ? walk.core(node) : emitOperand(walk, node);

const coercing = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
]);
