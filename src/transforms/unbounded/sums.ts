/** Sums and conditions of guarded commands, folded where they are constant. */
import type { Condition, LinearSum } from "../../model/index.js";

export const constantSum = (constant: bigint): LinearSum => ({ parts: [], constant });

export const variableSum = (variable: number): LinearSum => ({
  parts: [{ variable, coefficient: 1n }],
  constant: 0n,
});

export const isConstant = ({ parts }: LinearSum): boolean => parts.length === 0;

/** `left + factor * right`. */
export function plus(left: LinearSum, right: LinearSum, factor = 1n): LinearSum {
  const found = new Map(left.parts.map(({ variable, coefficient }) => [variable, coefficient]));
  for (const { variable, coefficient } of right.parts)
    found.set(variable, (found.get(variable) ?? 0n) + factor * coefficient);
  const parts = [...found].flatMap(([variable, coefficient]) =>
    coefficient === 0n ? [] : [{ variable, coefficient }],
  );
  return { parts, constant: left.constant + factor * right.constant };
}

export const scaled = (factor: bigint, sum: LinearSum): LinearSum => plus(constantSum(0n), sum, factor);

export const TRUE: Condition = { kind: "constant", value: true };
export const FALSE: Condition = { kind: "constant", value: false };

export const truth = (value: boolean): Condition => (value ? TRUE : FALSE);

export const not = (of: Condition): Condition =>
  of.kind === "constant" ? truth(!of.value) : of.kind === "not" ? of.of : { kind: "not", of };

export const and = (all: readonly Condition[]): Condition => joined("and", all, false);
export const or = (all: readonly Condition[]): Condition => joined("or", all, true);

/** `decisive`: the constant that decides the whole. */
function joined(kind: "and" | "or", all: readonly Condition[], decisive: boolean): Condition {
  const open = all.filter((each) => each.kind !== "constant");
  if (all.some((each) => each.kind === "constant" && each.value === decisive)) return truth(decisive);
  const [only] = open;
  return open.length === 0 ? truth(!decisive) : open.length === 1 && only ? only : { kind, all: open };
}

/** `left <= right`. */
export function atMost(left: LinearSum, right: LinearSum): Condition {
  const sum = plus(left, right, -1n);
  return isConstant(sum) ? truth(sum.constant <= 0n) : { kind: "atMost", sum };
}

export function equal(left: LinearSum, right: LinearSum): Condition {
  const sum = plus(left, right, -1n);
  return isConstant(sum) ? truth(sum.constant === 0n) : { kind: "zero", sum };
}

export function divides(divisor: bigint, sum: LinearSum): Condition {
  return isConstant(sum) ? truth(sum.constant % divisor === 0n) : { kind: "divides", divisor, sum };
}
