/**
 * Assignments to variables, members and patterns: a write is reported when the value is available, after any `await`.
 */
import ts from "typescript";
import { emitMember } from "./members.js";
import { T } from "./names.js";
import { emitOperand } from "./operand.js";
import { CannotInstrument } from "./refusal.js";
import { isReference, isTarget, type Shared } from "./scopes.js";
import {
  depthOf,
  isAnonymousFunction,
  isFunctionNode,
  isMember,
  suspends,
  unwrapped,
  type Member,
} from "./syntax.js";
import type { Walk } from "./walk.js";

export function emitAssignment(walk: Walk, { left, right }: ts.BinaryExpression, operator: string): string {
  const target = unwrapped(left);
  const isLate = suspends(right);
  if (!isLogical(operator)) return emitCompound(walk, target as Member | ts.Identifier, right, operator);
  const value = walk.core(right);
  if (ts.isIdentifier(target)) return assignVariable(walk, target, operator, value, right);
  if (isMember(target)) {
    if (!isLate) return `${emitMember(walk, target, "p")}${operator}${value}`;
    if (target.expression.kind === ts.SyntaxKind.SuperKeyword)
      throw new CannotInstrument("`super.x = await …`");
    const kept = walk.names.temporary(target);
    const place = emitMember(walk, target, "p", `${T}.p(${kept}=${walk.core(target.expression)})`);
    return `${place}${operator}${T}.wo(${kept},${value})`;
  }
  if (suspends(target)) throw new CannotInstrument("an `await` in a pattern");
  return `${emitTarget(walk, target)}=${destructured(walk, target, value)}`;
}

/** `o.x += v` as `o.x = o.x + v`: converts the previous value of `o.x` after evaluating `v`, and after any `await`. */
function emitCompound(
  walk: Walk,
  target: Member | ts.Identifier,
  right: ts.Expression,
  assigning: string,
): string {
  const operator = assigning.slice(0, -1);
  const value = emitOperand(walk, right);
  const sum = (old: string): string => {
    if (!suspends(right)) return `(${T}.v(${old}) ${operator} ${value})`;
    const kept = walk.names.temporary(target);
    return `((${kept}=${old}) ${operator} ${T}.after(${kept},${value}))`;
  };
  if (ts.isIdentifier(target)) return assignVariable(walk, target, "=", sum(walk.core(target)), right);
  if (target.expression.kind === ts.SyntaxKind.SuperKeyword)
    throw new CannotInstrument("`super.x` in an assignment with an operator");
  const object = walk.names.temporary(target);
  const [first, again] = keyTwice(walk, target);
  const old = `${T}.g(${object})${again}`;
  return `(${T}.p(${object}=${walk.core(target.expression)})${first}=${T}.wo(${object},${sum(old)}))`;
}

/**
 * The first and second use of a key: its expression is evaluated once but converted to a property key twice, as in V8.
 */
export function keyTwice(walk: Walk, target: Member): [first: string, again: string] {
  if (ts.isPropertyAccessExpression(target)) return [`.${target.name.text}`, `.${target.name.text}`];
  const key = walk.names.temporary(target);
  return [`[${key}=${T}.v(${walk.core(target.argumentExpression)})]`, `[${key}]`];
}

/** Whether it uses the value without conversion to a number or string. */
const isLogical = (operator: string): boolean => ["=", "&&=", "||=", "??="].includes(operator);

function assignVariable(
  walk: Walk,
  target: ts.Identifier,
  operator: string,
  value: string,
  right: ts.Expression,
): string {
  const shared = walk.scopes.shared(target);
  if (!shared)
    return walk.scopes.isGlobal(target)
      ? `(${T}.p(globalThis),${target.text}${operator}${value})`
      : `${target.text}${operator}${value}`;
  const place = walk.names.place(shared);
  // A function takes the variable's name only if it is the direct initialiser.
  if (isAnonymousFunction(right)) return `(${T}.w(${place}),${target.text}${operator}${value})`;
  const reads = operator === "=" ? "" : `${T}.r(${place}),`;
  return `(${reads}${target.text}${operator}${T}.wv(${place},${value}))`;
}

/** The source of a pattern, with reports of reads and of the assigned variables. */
export function destructured(walk: Walk, pattern: ts.Node, value: string): string {
  const places = variablesOf(walk, pattern).map((shared) => walk.names.place(shared));
  const read = `${T}.pat(${value},${depthOf(pattern)})`;
  return places.length === 0 ? read : `${T}.ws([${places.join()}],${read})`;
}

export function variablesOf(walk: Walk, pattern: ts.Node): Shared[] {
  const found: Shared[] = [];
  const visit = (node: ts.Node): void => {
    if (isFunctionNode(node)) return;
    if (ts.isIdentifier(node)) {
      const isOne = isReference(node) ? isTarget(node) : true;
      const shared = isOne ? walk.scopes.shared(node) : undefined;
      if (shared) found.push(shared);
    }
    ts.forEachChild(node, visit);
  };
  visit(pattern);
  return found;
}

/** A pattern on the left of an assignment: its variables remain names, its members are write accesses. */
export function emitTarget(walk: Walk, node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return emitTarget(walk, node.expression);
  if (isMember(node)) return emitMember(walk, node, "p");
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node))
    return `...${emitTarget(walk, node.expression)}`;
  if (ts.isArrayLiteralExpression(node))
    return `[${node.elements.map((e) => (ts.isOmittedExpression(e) ? "" : emitTarget(walk, e))).join()}${node.elements.hasTrailingComma ? "," : ""}]`;
  if (ts.isBinaryExpression(node)) return `${emitTarget(walk, node.left)}=${walk.core(node.right)}`;
  if (ts.isObjectLiteralExpression(node))
    return `{${node.properties.map((p) => emitTarget(walk, p)).join()}}`;
  if (ts.isPropertyAssignment(node)) return `${walk.core(node.name)}:${emitTarget(walk, node.initializer)}`;
  if (ts.isShorthandPropertyAssignment(node)) {
    const initial = node.objectAssignmentInitializer;
    return node.name.text + (initial ? `=${walk.core(initial)}` : "");
  }
  throw new CannotInstrument("a kind of pattern");
}
