/** Uses of objects: reading a member, calling, `?.`. Each access is reported when it occurs. */
import ts from "typescript";
import { T } from "./names.js";
import { CannotInstrument } from "./refusal.js";
import { isChain, isMember, unwrapped, type Link, type Member } from "./syntax.js";
import type { Walk } from "./walk.js";

/** `o.p` with a report of the access to `o`: `g` read, `p` write. */
export function emitMember(walk: Walk, node: Member, how: "g" | "p", base?: string): string {
  if (node.expression.kind === ts.SyntaxKind.SuperKeyword)
    return `super[(${T}.${how}(this),${emitKey(walk, node)})]`;
  const object = base ?? emitBase(walk, node.expression, how);
  if (ts.isPropertyAccessExpression(node)) return `${object}.${node.name.text}`;
  return `${object}[${T}.v(${walk.core(node.argumentExpression)})]`;
}

export function emitBase(walk: Walk, node: ts.Expression, how: "g" | "p"): string {
  return `${T}.${how}(${walk.core(node)})`;
}

export function emitCall(walk: Walk, node: ts.CallExpression): string {
  const args = emitList(walk, node.arguments);
  const callee = unwrapped(node.expression);
  if (callee.kind === ts.SyntaxKind.SuperKeyword) return `super(${args})`;
  if (callee.kind === ts.SyntaxKind.ImportKeyword) throw new CannotInstrument("it imports while it runs");
  if (ts.isIdentifier(callee) && callee.text === "eval") throw new CannotInstrument("it uses `eval`");
  if (isMember(callee) && callee.expression.kind === ts.SyntaxKind.SuperKeyword)
    return `${T}.a(${emitMember(walk, callee, "g")},this)(${args})`;
  return `${emitCallee(walk, node.expression)}(${args})`;
}

export const emitNew = (walk: Walk, node: ts.NewExpression): string =>
  `new (${T}.k(${walk.core(node.expression)}))(${emitList(walk, node.arguments ?? [])})`;

/** A callee, whose accesses are reported at the call. */
export function emitCallee(walk: Walk, node: ts.Expression): string {
  const callee = unwrapped(node);
  if (!isMember(callee) || isChain(callee)) return `${T}.f(${walk.core(node)})`;
  if (ts.isPropertyAccessExpression(callee) && ts.isPrivateIdentifier(callee.name))
    return emitMember(walk, callee, "g");
  return `${T}.m(${walk.core(callee.expression)},${emitKey(walk, callee)})`;
}

const emitKey = (walk: Walk, node: Member): string =>
  ts.isPropertyAccessExpression(node)
    ? JSON.stringify(node.name.text)
    : `${T}.v(${walk.core(node.argumentExpression)})`;

const emitList = (walk: Walk, nodes: readonly ts.Expression[]): string =>
  nodes.map((node) => walk.core(node)).join(",");

/** `a?.b.c(d)`: stores `a` in a variable and evaluates the rest only if it is defined. */
export function emitChain(walk: Walk, node: ts.Node): string {
  const links: Link[] = [];
  let at = node;
  while (isChain(at)) {
    links.unshift(at as Link);
    at = (at as Link).expression;
  }
  return emitLinks(walk, links, walk.core(at), { self: undefined, isAnswered: false });
}

/** `self`: receiver of a method. `isAnswered`: the first `?.` has been handled. */
function emitLinks(
  walk: Walk,
  links: readonly Link[],
  text: string,
  { self, isAnswered }: { readonly self: string | undefined; readonly isAnswered: boolean },
): string {
  const [link, ...rest] = links;
  if (!link) return text;
  if (link.questionDotToken && !isAnswered) {
    const kept = walk.names.temporary(link);
    return `((${kept}=${text})==null?void 0:${emitLinks(walk, links, kept, { self, isAnswered: true })})`;
  }
  const on = (next: string, of?: string): string =>
    emitLinks(walk, rest, next, { self: of, isAnswered: false });
  if (ts.isCallExpression(link)) {
    const called = self === undefined ? `${T}.f(${text})` : `${T}.a(${text},${self})`;
    return on(`${called}(${emitList(walk, link.arguments)})`);
  }
  if (!isMember(link)) throw new CannotInstrument("a kind of `?.`");
  const isCalled = rest[0] !== undefined && ts.isCallExpression(rest[0]);
  if (!isCalled) return on(emitMember(walk, link, "g", `${T}.g(${text})`));
  // The object is used twice: to find the method, and as its `this`.
  const kept = walk.names.temporary(link);
  return on(emitMember(walk, link, "g", `${T}.g(${kept}=${text})`), kept);
}
