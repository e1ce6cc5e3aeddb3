/** Lowers bodies: atoms bind variables, assignments and equalities define more in any order, the rest are conditions. */
import {
  sumOfConstant,
  sumOfVariable,
  variableOfSum,
  type NdlogAtom,
  type NdlogClause,
  type NdlogCondition,
  type NdlogSum,
} from "../../model/ndlog.js";
import type { AtomTree, Literal, Named, Tree } from "./ast.js";
import { allOf, conditionOf, eliminated, sumOf } from "./expressions.js";
import type { Declared, Frame, Scope } from "./scope.js";

export interface ClauseOptions {
  /** Atoms may introduce predicates: rules do, specifications do not. */
  readonly mayDeclare: boolean;
  /** The atoms may bind these alone, besides `_`; undefined: all. */
  readonly binds?: ReadonlySet<string>;
  /** Of a rule: variables of its head. An equality defines a variable only if something else uses it. */
  readonly head?: readonly Tree[];
  /** Variables that need no tuple: the rest of the conditions is quantified over them. */
  readonly exists?: readonly Named[];
}

export function clauseOf(
  literals: readonly Literal[],
  scope: Scope,
  frame: Frame,
  options: ClauseOptions,
): NdlogClause {
  const atoms = literals.flatMap((literal) =>
    literal.kind === "atom" ? (bodyAtom(literal, scope, frame, options) ?? []) : [],
  );
  const others = literals.filter((literal) => literal.kind !== "atom");
  const { definitions, rest } = definitionsOf(others, scope, frame, options.head);
  const open = (options.exists ?? []).filter(({ name }) => frame.find(name) === undefined);
  const bound = open.map(({ name }) => frame.bind(name));
  const conditions = rest.map((literal) => literalCondition(literal, scope, frame));
  const [first] = open;
  const condition = first ? eliminated(allOf(conditions), bound, first, scope) : allOf(conditions);
  return { atoms, definitions, condition };
}

function bodyAtom(
  tree: AtomTree,
  scope: Scope,
  frame: Frame,
  { mayDeclare, binds }: ClauseOptions,
): NdlogAtom | undefined {
  if (tree.isNegated) {
    scope.error(
      "ndlog/negation",
      tree.span,
      `a negated tuple is outside the analysed fragment`,
      "state its absence as a constraint, or leave it out: this derives at least the same tuples",
    );
    return undefined;
  }
  const predicate = scope.predicate(tree, mayDeclare);
  const args = tree.args.map((arg, position) => bodyArgument(arg, position, predicate, scope, frame, binds));
  return predicate && { predicate: predicate.index, args };
}

function bodyArgument(
  tree: Tree,
  position: number,
  predicate: Declared | undefined,
  scope: Scope,
  frame: Frame,
  binds: ReadonlySet<string> | undefined,
): NdlogSum {
  if (tree.kind === "variable" && isNew(tree.name, scope, frame)) {
    if (!binds || tree.name === "_" || binds.has(tree.name)) {
      const index = frame.bind(tree.name);
      sortOfArgument(index, position, predicate, tree, scope, frame);
      return sumOfVariable(index);
    }
    if (frame.isNews(tree.name))
      scope.error(
        "ndlog/unbound",
        tree.span,
        `\`${tree.name}\` is not bound`,
        `write \`exists ${tree.name}: …\``,
      );
    return sumOfConstant(0n);
  }
  const sum = sumOf(tree, scope, frame);
  const index = variableOfSum(sum);
  if (index !== undefined) sortOfArgument(index, position, predicate, tree, scope, frame);
  else if (sum.parts.length > 0)
    scope.error(
      "ndlog/argument",
      tree.span,
      "an attribute of a tuple is a variable or a constant",
      "write a variable here, and compare it with the expression",
    );
  return sum;
}

const isNew = (name: string, scope: Scope, frame: Frame): boolean =>
  name === "_" || (frame.find(name) === undefined && !scope.constants.has(name));

/** A variable has one sort, from the first attribute that declares one. */
export function sortOfArgument(
  variable: number,
  position: number,
  predicate: Declared | undefined,
  { span }: Tree,
  scope: Scope,
  frame: Frame,
): void {
  const sort = predicate?.sorts?.[position];
  if (sort === undefined) return;
  const before = frame.sort(variable);
  if (before === undefined) frame.setSort(variable, sort);
  else if (before !== sort)
    scope.error(
      "ndlog/sorts",
      span,
      `\`${frame.names[variable]}\` is a ${before} elsewhere, and a ${sort} here`,
    );
}

interface Defining {
  readonly target: string;
  readonly value: Tree;
  readonly literal: Literal;
}

/** Definitions in an order in which each uses bound variables alone. */
function definitionsOf(
  literals: readonly Literal[],
  scope: Scope,
  frame: Frame,
  head: readonly Tree[] | undefined,
): { readonly definitions: NdlogClause["definitions"]; readonly rest: readonly Literal[] } {
  const isUsed = ({ target, literal }: Defining): boolean =>
    literal.kind === "assign" ||
    !head ||
    head.some((tree) => namesIn(tree).includes(target)) ||
    literals.some((each) => each !== literal && namesOfLiteral(each).includes(target));
  const definitions: { variable: number; value: NdlogSum }[] = [];
  let rest = literals;
  for (;;) {
    const next = rest
      .flatMap((literal) => definingOf(literal))
      .find(
        (each) =>
          isNew(each.target, scope, frame) &&
          each.target !== "_" &&
          isBound(each.value, scope, frame) &&
          isUsed(each),
      );
    if (!next) return { definitions, rest };
    const value = sumOf(next.value, scope, frame);
    const variable = frame.bind(next.target);
    if (value.parts.length === 0) frame.constants.set(variable, value.constant);
    const source = variableOfSum(value);
    const sort = source === undefined ? undefined : frame.sort(source);
    if (sort !== undefined) frame.setSort(variable, sort);
    definitions.push({ variable, value });
    rest = rest.filter((literal) => literal !== next.literal);
  }
}

const namesOfLiteral = (literal: Literal): string[] =>
  literal.kind === "assign"
    ? [literal.target.name, ...namesIn(literal.value)]
    : literal.kind === "condition"
      ? namesIn(literal.of)
      : literal.args.flatMap(namesIn);

function namesIn(tree: Tree): string[] {
  switch (tree.kind) {
    case "variable":
      return [tree.name];
    case "unary":
      return namesIn(tree.of);
    case "binary":
      return [...namesIn(tree.left), ...namesIn(tree.right)];
    case "call":
      return tree.args.flatMap(namesIn);
    case "exists":
    case "forall":
      return namesIn(tree.body);
    default:
      return [];
  }
}

/** An equality with a variable on one side may define it. */
function definingOf(literal: Literal): Defining[] {
  if (literal.kind === "assign") return [{ target: literal.target.name, value: literal.value, literal }];
  if (literal.kind !== "condition" || literal.of.kind !== "binary") return [];
  const { operator, left, right } = literal.of;
  if (operator !== "==" && operator !== "=") return [];
  return [
    ...(left.kind === "variable" ? [{ target: left.name, value: right, literal }] : []),
    ...(right.kind === "variable" ? [{ target: right.name, value: left, literal }] : []),
  ];
}

function isBound(tree: Tree, scope: Scope, frame: Frame): boolean {
  switch (tree.kind) {
    case "variable":
      return !isNew(tree.name, scope, frame);
    case "unary":
      return isBound(tree.of, scope, frame);
    case "binary":
      return isBound(tree.left, scope, frame) && isBound(tree.right, scope, frame);
    case "call":
      return tree.args.every((arg) => isBound(arg, scope, frame));
    default:
      return tree.kind === "number" || tree.kind === "string";
  }
}

function literalCondition(literal: Literal, scope: Scope, frame: Frame): NdlogCondition {
  if (literal.kind !== "assign")
    return conditionOf(literal.kind === "condition" ? literal.of : TRUTH, scope, frame);
  const { target, value, span } = literal;
  const left: Tree = { kind: "variable", name: target.name, span: target.span };
  return conditionOf({ kind: "binary", operator: "==", left, right: value, span }, scope, frame);
}

const TRUTH: Tree = { kind: "truth", value: true, span: { file: "", start: 0, end: 0 } };
