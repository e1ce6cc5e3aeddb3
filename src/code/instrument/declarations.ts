/** Declarations of variables: alone, in loops over collections, in `catch`. */
import ts from "typescript";
import { destructured, emitTarget, variablesOf } from "./assignments.js";
import { T } from "./names.js";
import { CannotInstrument } from "./refusal.js";
import { depthOf, isAnonymousFunction, suspends, unwrapped } from "./syntax.js";
import type { Walk } from "./walk.js";
import { nth } from "../../model/known.js";

export function emitDeclaration(walk: Walk, node: ts.VariableDeclaration): string | undefined {
  const { name, initializer, parent } = node;
  // Variables of loops over collections and of `catch` are reported at the start of the body.
  if (
    !ts.isVariableDeclarationList(parent) ||
    ts.isForOfStatement(parent.parent) ||
    ts.isForInStatement(parent.parent)
  )
    return undefined;
  if (!ts.isIdentifier(name)) {
    if (suspends(name)) throw new CannotInstrument("an `await` in a pattern");
    return `${walk.core(name)}=${destructured(walk, name, walk.core(initializer!))}`;
  }
  const shared = walk.scopes.shared(name);
  if (!shared) return initializer ? `${name.text}=${walk.core(initializer)}` : name.text;
  const isVar = (parent.flags & ts.NodeFlags.BlockScoped) === 0;
  if (!initializer) return isVar ? name.text : `${name.text}=${T}.wv(${walk.names.place(shared)})`;
  const value = walk.core(initializer);
  if (isAnonymousFunction(initializer))
    return `${walk.names.fresh("d")}=${T}.w(${walk.names.place(shared)}),${name.text}=${value}`;
  return `${name.text}=${T}.wv(${walk.names.place(shared)},${value})`;
}

export function emitLoop(walk: Walk, node: ts.ForOfStatement | ts.ForInStatement): string {
  const { initializer, expression, statement } = node;
  const isDeclaration = ts.isVariableDeclarationList(initializer);
  const pattern = isDeclaration ? nth(initializer.declarations, 0).name : unwrapped(initializer);
  const keyword = isDeclaration ? walk.source.slice(initializer.getStart(), pattern.getStart()) : "";
  const head = keyword + (isDeclaration ? walk.core(pattern) : emitTarget(walk, pattern));
  const writes = variablesOf(walk, pattern).map((shared) => `${T}.w(${walk.names.place(shared)});`);
  const body = `{${writes.join("")}${walk.core(statement)}}`;
  const over = walk.core(expression);
  if (ts.isForInStatement(node)) return `for(${head} in ${T}.g(${over}))${body}`;
  if (node.awaitModifier) return `for await(${head} of ${T}.no("for await",${over}))${body}`;
  const depth = ts.isIdentifier(pattern) ? 0 : depthOf(pattern);
  const isWatched = depth > 0 || suspends(statement);
  return `for(${head} of ${T}.${isWatched ? `each(${over},${depth})` : `it(${over})`})${body}`;
}

export function emitCatch(walk: Walk, { variableDeclaration, block }: ts.CatchClause): string | undefined {
  const { name } = variableDeclaration!;
  if (ts.isIdentifier(name)) return undefined;
  const caught = walk.names.fresh("c");
  return `catch(${caught}){let ${walk.core(name)}=${destructured(walk, name, caught)};${walk.core(block)}}`;
}
