/** Lowers conditions: comparisons to sums compared with zero, quantifiers to finite junctions. */
import type { Condition, LinearSum } from "../../model/guarded.js";
import type { Tree } from "./ast.js";
import { added, constantSum, scaled, type Environment, type Scope } from "./scope.js";

const TRUE: Condition = { kind: "constant", value: true };
const FALSE: Condition = { kind: "constant", value: false };

/** `false` after a report. */
export function conditionOf(scope: Scope, tree: Tree, at: Environment): Condition {
  switch (tree.kind) {
    case "truth":
      return tree.value ? TRUE : FALSE;
    case "unary":
      if (tree.operator === "!") return { kind: "not", of: conditionOf(scope, tree.of, at) };
      break;
    case "exists":
    case "forall":
      return quantified(scope, tree, at);
    case "binary":
      return binary(scope, tree, at);
    case "place": {
      const variable = scope.variable(tree, at);
      if (!variable) return FALSE;
      if (variable.type === "bool") return isOne(variable.number);
      break;
    }
    default:
  }
  scope.error(
    "gcl/not-a-condition",
    tree.span,
    "a condition is needed here, not a number",
    "compare it: `E == 1`",
  );
  return FALSE;
}

const isOne = (variable: number): Condition => ({
  kind: "zero",
  sum: { parts: [{ variable, coefficient: 1n }], constant: -1n },
});

function quantified(
  scope: Scope,
  tree: Extract<Tree, { kind: "exists" | "forall" }>,
  at: Environment,
): Condition {
  const parts = scope.values(tree.range, at, tree.span).flatMap((value) => {
    const inner: Environment = { ...at, indices: new Map([...at.indices, [tree.index.name, value]]) };
    if (tree.except) {
      const [left, right] = tree.except.map(({ name, span }) =>
        scope.constant({ kind: "place", name, index: undefined, field: undefined, span }, inner),
      );
      if (left === right) return [];
    }
    return [conditionOf(scope, tree.body, inner)];
  });
  return { kind: tree.kind === "exists" ? "or" : "and", all: parts };
}

function binary(scope: Scope, tree: Extract<Tree, { kind: "binary" }>, at: Environment): Condition {
  const { operator } = tree;
  if (operator === "&&" || operator === "||")
    return {
      kind: operator === "&&" ? "and" : "or",
      all: [conditionOf(scope, tree.left, at), conditionOf(scope, tree.right, at)],
    };
  if (operator === "=>")
    return {
      kind: "or",
      all: [{ kind: "not", of: conditionOf(scope, tree.left, at) }, conditionOf(scope, tree.right, at)],
    };
  if (operator === "+" || operator === "-" || operator === "*" || operator === "%") {
    scope.error(
      "gcl/not-a-condition",
      tree.span,
      "a condition is needed here, not a number",
      "compare it: `E == 1`",
    );
    return FALSE;
  }
  if (tree.left.kind === "binary" && tree.left.operator === "%")
    return remainder(scope, tree.left, operator, tree.right, at);
  const [left, right] = [scope.sum(tree.left, at), scope.sum(tree.right, at)];
  if (!left || !right) return FALSE;
  return compared(operator, left, right);
}

function compared(operator: string, left: LinearSum, right: LinearSum): Condition {
  const difference = added(left, scaled(right, -1n));
  const opposite = scaled(difference, -1n);
  switch (operator) {
    case "==":
      return { kind: "zero", sum: difference };
    case "!=":
      return { kind: "not", of: { kind: "zero", sum: difference } };
    case "<=":
      return { kind: "atMost", sum: difference };
    case ">=":
      return { kind: "atMost", sum: opposite };
    case "<":
      return { kind: "atMost", sum: added(difference, constantSum(1n)) };
    default:
      return { kind: "atMost", sum: added(opposite, constantSum(1n)) };
  }
}

/** `E % d == r`: d divides E - r. The remainder is never negative. */
function remainder(
  scope: Scope,
  tree: Extract<Tree, { kind: "binary" }>,
  operator: string,
  right: Tree,
  at: Environment,
): Condition {
  const sum = scope.sum(tree.left, at);
  const divisor = scope.constant(tree.right, at);
  const rest = scope.constant(right, at);
  if (operator !== "==" && operator !== "!=") {
    scope.error("gcl/remainder", tree.span, "a remainder can only be compared by == and !=");
    return FALSE;
  }
  if (divisor < 1n) {
    scope.error("gcl/remainder", tree.right.span, `the divisor ${divisor} is not positive`);
    return FALSE;
  }
  if (!sum) return FALSE;
  const isPossible = rest >= 0n && rest < divisor;
  const atom: Condition = isPossible
    ? { kind: "divides", divisor, sum: added(sum, constantSum(-rest)) }
    : FALSE;
  return operator === "==" ? atom : { kind: "not", of: atom };
}
