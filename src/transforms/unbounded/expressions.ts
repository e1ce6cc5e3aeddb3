/**
 * Expressions as cases: conditions that exclude each other and together always hold, with a linear sum each. Comparisons have the values 1 and
 * 0, a remainder by a constant has one case per value.
 */
import type { BinaryOp, Condition, Expr, LinearSum } from "../../model/index.js";
import {
  and,
  atMost,
  constantSum,
  divides,
  equal,
  FALSE,
  isConstant,
  not,
  or,
  plus,
  scaled,
  TRUE,
} from "./sums.js";

export interface Case {
  readonly when: Condition;
  readonly value: LinearSum;
}

/** Something outside the fragment. */
export class Refused extends Error {}

/** Meaning of the parts that depend on the process and on the state. */
export interface Scope {
  load(place: Extract<Expr, { kind: "load" }>["place"]): LinearSum;
  /** The number of the process; undefined: conditions on states have none. */
  readonly self: number | undefined;
  /** Messages in the channel, and its capacity. */
  channel(of: Expr): { readonly length: LinearSum; readonly capacity: number };
}

const ONE = constantSum(1n);
const ZERO = constantSum(0n);
/** One case per value of a remainder. */
const MOST_REMAINDERS = 32n;
const MOST_CASES = 256;

export function casesOf(expr: Expr, scope: Scope): Case[] {
  switch (expr.kind) {
    case "constant":
      return [{ when: TRUE, value: constantSum(BigInt(expr.value)) }];
    case "load":
      return [{ when: TRUE, value: scope.load(expr.place) }];
    case "self":
      if (scope.self === undefined) throw new Refused("`_pid` outside processes");
      return [{ when: TRUE, value: constantSum(BigInt(scope.self)) }];
    case "unary":
      return expr.op === "!"
        ? truthCases(not(conditionOf(expr.operand, scope)))
        : casesOf(expr.operand, scope).map(({ when, value }) => ({
            when,
            value: plus(expr.op === "~" ? constantSum(-1n) : ZERO, value, -1n),
          }));
    case "binary":
      return binaryCases(expr, scope);
    case "conditional": {
      const test = conditionOf(expr.test, scope);
      const under = (more: Condition, of: Expr): Case[] =>
        casesOf(of, scope).map(({ when, value }) => ({ when: and([more, when]), value }));
      return possible([...under(test, expr.then), ...under(not(test), expr.otherwise)]);
    }
    case "length":
      return [{ when: TRUE, value: scope.channel(expr.channel).length }];
    case "channel-test":
      return truthCases(conditionOf(expr, scope));
    default:
      throw new Refused(NAMES[expr.kind]);
  }
}

const NAMES = {
  poll: "a receive as a condition",
  "process-count": "`_nr_pr`",
  last: "`_last`",
  timeout: "`timeout`",
  "no-progress": "`np_`",
  accepting: "acceptance labels",
  enabled: "`enabled`",
  "control-point": "`pc_value`",
  priority: "`get_priority`",
  at: "a label of a process",
  remote: "a variable of another process",
} as const;

const possible = (all: readonly Case[]): Case[] => {
  const found = all.filter(({ when }) => when.kind !== "constant" || when.value);
  if (found.length > MOST_CASES) throw new Refused(`an expression with more than ${MOST_CASES} cases`);
  return found;
};

const truthCases = (when: Condition): Case[] =>
  possible([
    { when, value: ONE },
    { when: not(when), value: ZERO },
  ]);

/** Is the expression different from zero? */
export function conditionOf(expr: Expr, scope: Scope): Condition {
  if (expr.kind === "unary" && expr.op === "!") return not(conditionOf(expr.operand, scope));
  if (expr.kind === "binary" && (expr.op === "&&" || expr.op === "||")) {
    const both = [conditionOf(expr.left, scope), conditionOf(expr.right, scope)];
    return expr.op === "&&" ? and(both) : or(both);
  }
  if (expr.kind === "channel-test") return channelTest(expr.test, scope.channel(expr.channel));
  const compare = expr.kind === "binary" ? COMPARISONS[expr.op] : undefined;
  if (expr.kind === "binary" && compare)
    return or(
      pairs(expr.left, expr.right, scope).map(({ when, left, right }) => and([when, compare(left, right)])),
    );
  return or(casesOf(expr, scope).map(({ when, value }) => and([when, not(equal(value, ZERO))])));
}

function channelTest(
  test: "empty" | "full" | "nempty" | "nfull",
  { length, capacity }: ReturnType<Scope["channel"]>,
): Condition {
  const end = test === "empty" || test === "nempty" ? ZERO : constantSum(BigInt(capacity));
  const holds = equal(length, end);
  return test === "nempty" || test === "nfull" ? not(holds) : holds;
}

type Compare = (left: LinearSum, right: LinearSum) => Condition;

const COMPARISONS: Partial<Record<BinaryOp, Compare>> = {
  "<": (left, right) => not(atMost(right, left)),
  "<=": atMost,
  ">": (left, right) => not(atMost(left, right)),
  ">=": (left, right) => atMost(right, left),
  "==": equal,
  "!=": (left, right) => not(equal(left, right)),
};

interface Pair {
  readonly when: Condition;
  readonly left: LinearSum;
  readonly right: LinearSum;
}

const pairs = (left: Expr, right: Expr, scope: Scope): Pair[] => {
  const others = casesOf(right, scope);
  return casesOf(left, scope).flatMap((one) =>
    others.flatMap((other) => {
      const when = and([one.when, other.when]);
      return when === FALSE ? [] : [{ when, left: one.value, right: other.value }];
    }),
  );
};

function binaryCases(expr: Extract<Expr, { kind: "binary" }>, scope: Scope): Case[] {
  const { op } = expr;
  if (COMPARISONS[op] || op === "&&" || op === "||") return truthCases(conditionOf(expr, scope));
  return possible(
    pairs(expr.left, expr.right, scope).flatMap(({ when, left, right }) =>
      computed(op, left, right).map((each) => ({ when: and([when, each.when]), value: each.value })),
    ),
  );
}

function computed(op: BinaryOp, left: LinearSum, right: LinearSum): Case[] {
  const always = (value: LinearSum): Case[] => [{ when: TRUE, value }];
  if (op === "+") return always(plus(left, right));
  if (op === "-") return always(plus(left, right, -1n));
  if (op === "*" && isConstant(left)) return always(scaled(left.constant, right));
  if (op === "*" && isConstant(right)) return always(scaled(right.constant, left));
  if (op === "*") throw new Refused("the product of two variables");
  if (op === "<<" && isConstant(right) && right.constant >= 0n && right.constant < 31n)
    return always(scaled(2n ** right.constant, left));
  if (op === "%" && isConstant(right) && right.constant !== 0n) return remainders(left, right.constant);
  if (op === "/" && isConstant(left) && isConstant(right) && right.constant !== 0n)
    return always(constantSum(left.constant / right.constant));
  throw new Refused(`the operator \`${op}\` of variables`);
}

/** C's remainder: it has the sign of the dividend. */
function remainders(sum: LinearSum, by: bigint): Case[] {
  const divisor = by < 0n ? -by : by;
  if (divisor > MOST_REMAINDERS) throw new Refused(`a remainder by more than ${MOST_REMAINDERS}`);
  const isNegative = not(atMost(ZERO, sum));
  return Array.from({ length: Number(divisor) }, (_, rest) => BigInt(rest))
    .flatMap((rest) => [
      // sound: test/transforms/unbounded.test.ts
      {
        when: and([not(isNegative), divides(divisor, plus(sum, constantSum(-rest)))]),
        value: constantSum(rest),
      },
      { when: and([isNegative, divides(divisor, plus(sum, constantSum(rest)))]), value: constantSum(-rest) },
    ])
    .filter(({ when }) => when !== FALSE);
}
