import type { Span } from "../../model/diagnostic.js";
import type * as ast from "./ast.js";
import { wrongType, type Code, type Env, type Lower, type Scope } from "./scope.js";
import { BOOL, distinct, fits, INT, isComparable, typeName, WRONG, type Value } from "./types.js";

export function lowerBinary(
  { operator, left, right, span }: ast.BinaryExpression,
  scope: Scope,
  lower: Lower,
): Code {
  switch (operator) {
    case "->":
    case "||":
    case "&&": {
      const a = lower(left, BOOL, scope);
      const b = lower(right, BOOL, scope);
      const isDecided = operator === "&&" ? 0 : 1;
      const first = operator === "->" ? (env: Env) => 1 - (a.run(env) as number) : a.run;
      return { type: BOOL, run: (env) => (first(env) === isDecided ? isDecided : b.run(env)) };
    }
    case "==":
    case "!=":
      return lowerEquality(operator, left, right, span, scope, lower);
    case "in": {
      const b = lower(right, undefined, scope);
      const element = b.type.kind === "set" || b.type.kind === "list" ? b.type.of : WRONG;
      if (element === WRONG && b.type.kind !== "wrong" && b.type.kind !== "list")
        wrongType(scope.shared, right.span, "a set or a list", b.type);
      const a = lower(left, element, scope);
      return { type: BOOL, run: (env) => ((b.run(env) as readonly Value[]).includes(a.run(env)) ? 1 : 0) };
    }
    case "+":
    case "-":
      return lowerSum(operator, left, right, scope, lower);
    default: {
      const a = lower(left, INT, scope);
      const b = lower(right, INT, scope);
      const isSo = COMPARISONS[operator];
      return { type: BOOL, run: (env) => (isSo(a.run(env) as number, b.run(env) as number) ? 1 : 0) };
    }
  }
}

const COMPARISONS = {
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
} as const;

function lowerEquality(
  operator: "==" | "!=",
  left: ast.Expression,
  right: ast.Expression,
  span: Span,
  scope: Scope,
  lower: Lower,
): Code {
  const a = lower(left, undefined, scope);
  const b = lower(right, undefined, scope);
  if (!isComparable(a.type, b.type))
    scope.shared.report(
      "sdn/wrong-type",
      `${typeName(a.type)} is never equal to ${typeName(b.type)}`,
      span,
      "both sides must be of the same type",
    );
  const isEqual = operator === "==" ? 1 : 0;
  // A list compared with a set is converted to a set.
  const areSets = a.type.kind === "set" || b.type.kind === "set"; // sound: test/languages/sdn/conditions.test.ts
  const text = (value: Value): string => JSON.stringify(areSets ? distinct(value as number[]) : value); // sound: test/languages/sdn/conditions.test.ts
  return {
    type: BOOL,
    run: (env) => (text(a.run(env)) === text(b.run(env)) ? isEqual : 1 - isEqual),
  };
}

/** Sum of numbers, or insertion into a set. */
function lowerSum(
  operator: "+" | "-",
  left: ast.Expression,
  right: ast.Expression,
  scope: Scope,
  lower: Lower,
): Code {
  const a = lower(left, undefined, scope);
  if (a.type.kind === "set" || a.type.kind === "list") {
    const b = lower(right, a.type.of, scope);
    return {
      type: a.type,
      run: (env) => {
        const rest = (a.run(env) as readonly number[]).filter((item) => item !== b.run(env));
        return operator === "-" ? rest : [...rest, b.run(env) as number].sort((x, y) => x - y);
      },
    };
  }
  if (!fits(a.type, INT)) wrongType(scope.shared, left.span, "a number or a set", a.type);
  const b = lower(right, INT, scope);
  const sign = operator === "+" ? 1 : -1;
  return { type: INT, run: (env) => (a.run(env) as number) + sign * (b.run(env) as number) };
}
