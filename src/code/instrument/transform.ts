/**
 * Transforms a script to report the accesses of its turns: every use of a shared variable, a property or a collection
 * goes through `everypath$`, the runtime in the realm (`../tracking`). Otherwise preserves its behaviour.
 *
 * An access is reported when it occurs: an assignment after an `await` is reported after it. Functions carry a mark, by
 * which the runtime recognises instrumented ones; an unmarked function counts as touching everything, unless its
 * effects are known.
 *
 * Always true: a construct that cannot be reported is refused (`CannotInstrument`) or reports incompleteness at run
 * time (`everypath$.no`).
 */
import ts from "typescript";
import { emitCatch, emitDeclaration, emitLoop } from "./declarations.js";
import { emitClass, emitFunction } from "./functions.js";
import { emitCall, emitCallee, emitChain, emitMember, emitNew } from "./members.js";
import { Names, T } from "./names.js";
import { emitBinary, emitDelete, emitUnary } from "./operators.js";
import { CannotInstrument } from "./refusal.js";
import { functionOf, isReference, scopesOf, type Scopes } from "./scopes.js";
import { isChain, isFunctionNode, isMember } from "./syntax.js";
import type { Walk } from "./walk.js";

/** `isTrusted`: whether the code at an offset belongs to the checker and reports to the world; it is only marked. */
export function instrument(script: string, isTrusted: (offset: number) => boolean): string {
  const file = ts.createSourceFile("bundle.js", script, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  return new Instrumenter(file, scopesOf(file), isTrusted).text();
}

class Instrumenter implements Walk {
  readonly source: string;
  readonly scopes: Scopes;
  readonly names = new Names();
  isInstrumented = true;
  readonly #file: ts.SourceFile;
  readonly #isTrusted: (offset: number) => boolean;

  constructor(file: ts.SourceFile, scopes: Scopes, isTrusted: (offset: number) => boolean) {
    this.#file = file;
    this.source = file.text;
    this.scopes = scopes;
    this.#isTrusted = isTrusted;
  }

  text(): string {
    const body = this.lead(this.#file) + this.plainCore(this.#file);
    return this.names.declared(this.#file) + body;
  }

  emit(node: ts.Node): string {
    if (ts.isStatement(node)) return this.#statement(node);
    return this.lead(node) + this.core(node);
  }

  #statement(node: ts.Statement): string {
    const before = this.isInstrumented;
    if (isOfBundle(node)) this.isInstrumented = before && !this.#isTrusted(node.getStart());
    const text = this.lead(node) + this.core(node);
    this.isInstrumented = before;
    return text;
  }

  lead(node: ts.Node): string {
    return this.source.slice(node.pos, node.getStart());
  }

  core(node: ts.Node): string {
    if (isFunctionNode(node)) return emitFunction(this, node);
    if (ts.isClassLike(node)) return emitClass(this, node);
    if (!this.isInstrumented) return this.plainCore(node);
    return instrumented(this, node) ?? this.plainCore(node);
  }

  plainCore(node: ts.Node): string {
    let text = "";
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      if (child.pos < at && child.end <= at) return;
      text += this.source.slice(at, Math.max(at, child.pos));
      text += child.pos < at ? this.core(child) : this.emit(child);
      at = child.end;
    });
    return text + this.source.slice(at, node.end);
  }
}

/** Whether it is in the function that encloses the bundle. Each of its statements comes from one file. */
function isOfBundle(node: ts.Statement): boolean {
  const { parent } = node;
  return (
    ts.isBlock(parent) && ts.isArrowFunction(parent.parent) && ts.isSourceFile(functionOf(parent.parent))
  );
}

/** The instrumented text of a node with shared accesses; undefined: only its children may have some. */
function instrumented(walk: Walk, node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return emitRead(walk, node);
  if (ts.isShorthandPropertyAssignment(node)) return emitShorthand(walk, node);
  if (isChain(node)) return emitChain(walk, node);
  if (isMember(node)) return emitMember(walk, node, "g");
  if (ts.isCallExpression(node)) return emitCall(walk, node);
  if (ts.isNewExpression(node)) return emitNew(walk, node);
  if (ts.isTaggedTemplateExpression(node)) return `${emitCallee(walk, node.tag)}${walk.core(node.template)}`;
  if (ts.isTemplateSpan(node))
    return `${T}.v(${walk.core(node.expression)})${walk.source.slice(node.expression.end, node.end)}`;
  if (ts.isBinaryExpression(node)) return emitBinary(walk, node);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return emitUnary(walk, node);
  if (ts.isDeleteExpression(node)) return emitDelete(walk, node);
  if (
    ts.isTypeOfExpression(node) &&
    ts.isIdentifier(node.expression) &&
    walk.scopes.isGlobal(node.expression)
  )
    return walk.source.slice(node.getStart(), node.end);
  if (ts.isSpreadElement(node)) return `...${T}.it(${walk.core(node.expression)})`;
  if (ts.isSpreadAssignment(node)) return `...${T}.g(${walk.core(node.expression)})`;
  if (ts.isYieldExpression(node) && node.asteriskToken)
    return `yield* ${T}.no("yield*",${walk.core(node.expression!)})`;
  if (ts.isVariableDeclaration(node)) return emitDeclaration(walk, node);
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return emitLoop(walk, node);
  if (ts.isCatchClause(node) && node.variableDeclaration) return emitCatch(walk, node);
  if (ts.isWithStatement(node)) throw new CannotInstrument("it uses `with`");
  return undefined;
}

function emitRead(walk: Walk, node: ts.Identifier): string | undefined {
  if (!isReference(node)) return undefined;
  const shared = walk.scopes.shared(node);
  if (shared) return `(${T}.r(${walk.names.place(shared)}),${node.text})`;
  return walk.scopes.isGlobal(node) && !builtinNames.has(node.text) ? `(${T}.G(),${node.text})` : undefined;
}

function emitShorthand(walk: Walk, node: ts.ShorthandPropertyAssignment): string | undefined {
  const text = emitRead(walk, node.name);
  return text === undefined ? undefined : `${node.name.text}:${text}`;
}

/** Names with the same meaning in every realm. */
const builtinNames = new Set(["undefined", "NaN", "Infinity", "arguments", "globalThis", T]);
