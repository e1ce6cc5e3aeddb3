/** Types the expressions of χ. Each function returns undefined after it has reported an error. */
import {
  BOOL,
  INTEGER,
  chiWords,
  isChiValue,
  type ChiExpr,
  type ChiFunction,
  type ChiPlace,
  type ChiStep,
  type ChiType,
  type ChiValue,
} from "../../model/chi.js";
import { chiEvaluator, ChiFault } from "../../model/chi-evaluate.js";
import type { PlaceTree, Tree } from "./ast.js";
import { CALLED, called, isCompatible, type Names } from "./scope.js";

export interface Typed {
  readonly expr: ChiExpr;
  readonly type: ChiType;
}

/** `wanted` gives literals of lists their type. */
export function typed(tree: Tree, names: Names, wanted?: ChiType): Typed | undefined {
  const { error } = names;
  const of = (expr: ChiExpr, type: ChiType): Typed => ({ expr, type });
  switch (tree.kind) {
    case "number": {
      const value = Number(tree.text);
      if (value <= 2 ** 31 - 1) return of({ kind: "value", value: [value], type: INTEGER }, INTEGER);
      error("chi/range", tree.span, `${tree.text} is larger than 2147483647`);
      return undefined;
    }
    case "truth":
      return of({ kind: "value", value: [tree.value ? 1 : 0], type: BOOL }, BOOL);
    case "place":
      return placed(tree, names);
    case "unary": {
      const type = tree.operator === "not" ? BOOL : INTEGER;
      const inner = expected(tree.of, type, names);
      return inner && of({ kind: "unary", operator: tree.operator, of: inner }, type);
    }
    case "binary":
      return binary(tree, names);
    case "compose":
      return composed(tree, names, wanted);
    case "call":
      return called_(tree, names);
  }
}

/** An expression of the wanted type. */
export function expected(tree: Tree, wanted: ChiType, names: Names): ChiExpr | undefined {
  const found = typed(tree, names, wanted);
  if (!found) return undefined;
  if (isCompatible(wanted, found.type)) return found.expr;
  names.error("chi/type", tree.span, `expected ${called(wanted)}, found ${called(found.type)}`);
  return undefined;
}

function binary(tree: Extract<Tree, { kind: "binary" }>, names: Names): Typed | undefined {
  const { operator, span } = tree;
  const isLogic = operator === "and" || operator === "or" || operator === "=>";
  if (operator === "=" || operator === "!=") {
    const left = typed(tree.left, names) ?? undefined;
    const right = left ? expected(tree.right, left.type, names) : (typed(tree.right, names), undefined);
    return left && right && { expr: { kind: "binary", operator, left: left.expr, right, span }, type: BOOL };
  }
  const operand = isLogic ? BOOL : INTEGER;
  const left = expected(tree.left, operand, names);
  const right = expected(tree.right, operand, names);
  const isNumber = ["+", "-", "*", "/", "%"].includes(operator);
  return (
    left &&
    right && { expr: { kind: "binary", operator, left, right, span }, type: isNumber ? INTEGER : BOOL }
  );
}

function composed(
  { as, parts, span }: Extract<Tree, { kind: "compose" }>,
  names: Names,
  wanted: ChiType | undefined,
): Typed | undefined {
  const hint = (i: number): ChiType | undefined => {
    if (wanted?.kind === "tuple") return wanted.of[i];
    return wanted?.kind === "array" || wanted?.kind === "list" ? wanted.of : undefined;
  };
  const all = parts.map((part, i) => typed(part, names, hint(i)));
  if (!all.every((part) => part !== undefined)) return undefined;
  const exprs = all.map(({ expr }) => expr);
  if (as === "tuple") {
    const type: ChiType = { kind: "tuple", of: all.map((part) => part.type) };
    return { expr: { kind: "compose", parts: exprs, type, span }, type };
  }
  const of = hint(0) ?? all[0]?.type;
  if (!of) {
    names.error("chi/type", span, "the type of this empty list is not known here");
    return undefined;
  }
  for (const [i, part] of all.entries())
    if (!isCompatible(of, part.type)) {
      const where = parts[i]?.span ?? span;
      names.error("chi/type", where, `expected ${called(of)}, found ${called(part.type)}`);
      return undefined;
    }
  const most = wanted?.kind === "list" ? wanted.most : Math.max(1, parts.length);
  if (as === "list" && parts.length > most) {
    names.error("chi/range", span, `a list of at most ${most} elements has ${parts.length}`);
    return undefined;
  }
  const type: ChiType =
    as === "array" ? { kind: "array", of, length: parts.length } : { kind: "list", of, most };
  return { expr: { kind: "compose", parts: exprs, type, span }, type };
}

const FUNCTIONS: ReadonlySet<string> = new Set<ChiFunction>(["len", "head", "tail", "append"]);

function called_({ name, of, span }: Extract<Tree, { kind: "call" }>, names: Names): Typed | undefined {
  const { error } = names;
  if (!FUNCTIONS.has(name.name)) {
    error(
      "chi/unknown-name",
      name.span,
      `there is no function '${name.name}'`,
      "functions are len, head, tail and append",
    );
    return undefined;
  }
  const count = name.name === "append" ? 2 : 1;
  const [first, second] = of;
  if (of.length !== count || !first) {
    error(
      "chi/arguments",
      span,
      `'${name.name}' takes ${count === 1 ? "one argument" : "two arguments"}, not ${of.length}`,
    );
    return undefined;
  }
  const list = typed(first, names);
  if (!list) return undefined;
  if (list.type.kind !== "list") {
    error("chi/type", first.span, `expected a list, found ${called(list.type)}`);
    return undefined;
  }
  const function_ = name.name as ChiFunction;
  const element = second ? expected(second, list.type.of, names) : undefined;
  if (second && !element) return undefined;
  const type = function_ === "len" ? INTEGER : function_ === "head" ? list.type.of : list.type;
  const parts = element ? [list.expr, element] : [list.expr];
  return {
    expr: { kind: "call", name: function_, of: parts, type: function_ === "len" ? INTEGER : list.type, span },
    type,
  };
}

function placed(tree: PlaceTree, names: Names): Typed | undefined {
  const found = names.resolve(tree.name);
  if (!found) return undefined;
  switch (found.kind) {
    case "variable":
      return extended(found.place, tree, names);
    case "constant":
    case "expression": {
      const expr: ChiExpr =
        found.kind === "constant" ? { kind: "value", value: found.value, type: found.type } : found.expr;
      if (tree.path.length === 0) return { expr, type: found.type };
      if (expr.kind === "place") return extended(expr, tree, names);
      names.error(
        "chi/type",
        tree.span,
        `'${tree.name.name}' is ${CALLED[found.kind]}: only variables have parts`,
      );
      return undefined;
    }
    case "type":
    case "channel":
    case "process":
      names.error("chi/type", tree.name.span, `'${tree.name.name}' is ${CALLED[found.kind]}, not a value`);
      return undefined;
  }
}

/** The part of a place that a path leads to. */
function extended(
  base: ChiPlace,
  tree: PlaceTree,
  names: Names,
): (Typed & { readonly expr: ChiPlace }) | undefined {
  let type = base.type;
  const path: ChiStep[] = [...base.path];
  for (const step of tree.path) {
    if (step.kind === "index") {
      const at = expected(step.at, INTEGER, names);
      if (!at) return undefined;
      if (type.kind !== "array" && type.kind !== "list") {
        names.error("chi/type", step.at.span, `${called(type)} has no elements`);
        return undefined;
      }
      const length = type.kind === "array" ? type.length : type.most;
      path.push({ kind: "index", at, size: chiWords(type.of), length, isList: type.kind === "list" });
      type = type.of;
      continue;
    }
    const number = Number(step.number);
    const part: ChiType | undefined = type.kind === "tuple" ? type.of[number] : undefined;
    if (type.kind !== "tuple" || !part) {
      names.error("chi/type", step.span, `${called(type)} has no part ${step.number}`);
      return undefined;
    }
    const offset = type.of.slice(0, number).reduce((sum, before) => sum + chiWords(before), 0);
    path.push({ kind: "field", number, offset });
    type = part;
  }
  return { expr: { kind: "place", name: base.name, path, type, span: tree.span }, type };
}

/** A place that can be assigned to. */
export function assignable(tree: PlaceTree, names: Names): ChiPlace | undefined {
  const found = placed(tree, names);
  if (!found) return undefined;
  if (found.expr.kind === "place") return found.expr;
  names.error(
    "chi/not-assignable",
    tree.span,
    `'${tree.name.name}' cannot be assigned to`,
    "only variables can",
  );
  return undefined;
}

/** The value of a constant expression of the wanted type. */
export function constantValue(tree: Tree, wanted: ChiType, names: Names): ChiValue | undefined {
  const expr = expected(tree, wanted, names);
  if (!expr) return undefined;
  try {
    const evaluate = chiEvaluator(expr, (name) => {
      throw new ChiFault(`'${name}' is not a constant`, tree.span, "constant");
    });
    const value = fitted(wanted, [...evaluate(new Int32Array(0), 0)]);
    if (isChiValue(wanted, value)) return value;
    names.error("chi/range", tree.span, `the value is not in the range of its type`);
  } catch (problem) {
    if (!(problem instanceof ChiFault)) throw problem;
    names.error(
      problem.kind === "constant" ? "chi/not-constant" : "chi/range",
      problem.span,
      problem.message,
    );
  }
  return undefined;
}

/** Shorter lists are filled up. */
export const fitted = (type: ChiType, value: readonly number[]): ChiValue =>
  type.kind === "list"
    ? [...value, ...Array.from({ length: Math.max(0, chiWords(type) - value.length) }, () => 0)]
    : value;
