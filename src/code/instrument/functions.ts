/** Functions and classes: adds the mark, and the declarations that the transformation needs at the start of a body. */
import ts from "typescript";
import { T } from "./names.js";
import { CannotInstrument } from "./refusal.js";
import { depthOf, type FunctionNode } from "./syntax.js";
import type { Walk } from "./walk.js";
import { nth } from "../../model/known.js";

/** Part of the text of every function that reports its accesses, or is trusted to report to the world. */
const markOf = ({ isInstrumented }: Walk): string => (isInstrumented ? "/*everypath*/" : "/*everypath's*/");

export function emitFunction(walk: Walk, node: FunctionNode): string {
  const { body } = node;
  if (!body) return walk.plainCore(node);
  const patterns: string[] = [];
  let text = "";
  let at = node.getStart();
  ts.forEachChild(node, (child) => {
    text += walk.source.slice(at, Math.max(at, child.pos));
    if (child === body) return;
    text += ts.isParameter(child) ? emitParameter(walk, child, patterns) : walk.emit(child);
    at = child.end;
  });
  return text + emitBody(walk, node, body, patterns);
}

/** Moves a parameter pattern into the body, where its reads can be reported. */
function emitParameter(walk: Walk, node: ts.ParameterDeclaration, patterns: string[]): string {
  if (!walk.isInstrumented || ts.isIdentifier(node.name)) return walk.emit(node);
  if (node.dotDotDotToken) throw new CannotInstrument("a rest parameter that is a pattern");
  const name = walk.names.fresh("p");
  patterns.push(`var ${walk.core(node.name)}=${T}.pat(${name},${depthOf(node.name)});`);
  return walk.lead(node) + name + (node.initializer ? `=${walk.core(node.initializer)}` : "");
}

function emitBody(walk: Walk, node: FunctionNode, body: ts.Node, patterns: readonly string[]): string {
  const isBlock = ts.isBlock(body);
  const inner = isBlock ? emitBlock(walk, body) : { directives: "", rest: walk.core(body) };
  const start = walk.names.declared(node) + patterns.join("");
  const mark = markOf(walk);
  if (isBlock) return `{${mark}${inner.directives}${start}${inner.rest}}`;
  return start === "" ? `${mark} ${inner.rest}` : `{${mark}${start}return (${inner.rest}\n);}`;
}

function emitBlock(walk: Walk, body: ts.Block): { directives: string; rest: string } {
  let directives = "";
  let rest = "";
  for (const statement of body.statements) {
    const isDirective =
      rest === "" && ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
    if (isDirective)
      directives += `${walk.source.slice(statement.getStart(), statement.end).replace(/;?$/, ";")}`;
    else rest += walk.emit(statement);
  }
  return { directives, rest: `${rest}\n` };
}

export function emitClass(walk: Walk, node: ts.ClassLikeDeclaration): string {
  let text = "";
  let at = node.getStart();
  const open = walk.source.indexOf("{", node.heritageClauses?.end ?? node.name?.end ?? at);
  ts.forEachChild(node, (child) => {
    if (child.pos >= open && at <= open) {
      text += `${walk.source.slice(at, open)}{${markOf(walk)}`;
      at = open + 1;
    }
    text += walk.source.slice(at, Math.max(at, child.pos));
    text += ts.isHeritageClause(child) && walk.isInstrumented ? emitHeritage(walk, child) : walk.emit(child);
    at = child.end;
  });
  if (at <= open) {
    text += `${walk.source.slice(at, open)}{${markOf(walk)}`;
    at = open + 1;
  }
  text += walk.source.slice(at, node.end);
  const shared = node.name && ts.isClassDeclaration(node) ? walk.scopes.shared(node.name) : undefined;
  return shared && walk.isInstrumented ? `${T}.w(${walk.names.place(shared)});${text}` : text;
}

const emitHeritage = (walk: Walk, node: ts.HeritageClause): string =>
  ` extends ${T}.base(${walk.core(nth(node.types, 0).expression)})`;
