/** Guarded programs in SMT-LIB, for Spacer: conditions and steps over named copies of the variables. */
import type { Condition, GuardedProgram, GuardedTransition, LinearSum } from "../../model/guarded.js";

/** Name of variable `index` in copy `at`. */
export type Copy = (index: number) => string;

export const conditionText = (condition: Condition, copy: Copy): string => {
  switch (condition.kind) {
    case "constant":
      return `${condition.value}`;
    case "not":
      return `(not ${conditionText(condition.of, copy)})`;
    case "and":
    case "or":
      return `(${condition.kind} ${condition.kind === "and" ? "true" : "false"} ${condition.all.map((each) => conditionText(each, copy)).join(" ")})`;
    case "atMost":
      return `(<= ${sumText(condition.sum, copy)} 0)`;
    case "zero":
      return `(= ${sumText(condition.sum, copy)} 0)`;
    case "divides":
      return `(= (mod ${sumText(condition.sum, copy)} ${condition.divisor}) 0)`;
  }
};

const sumText = ({ parts, constant }: LinearSum, copy: Copy): string =>
  `(+ ${parts.map(({ variable, coefficient }) => `(* ${number(coefficient)} ${copy(variable)})`).join(" ")} ${number(constant)})`;

const number = (value: bigint): string => (value < 0n ? `(- ${-value})` : `${value}`);

export function initialText({ variables, initial }: GuardedProgram, copy: Copy): string {
  const fixed = variables.flatMap(({ initial: first, range }, index) => [
    ...(first === undefined ? [] : [`(= ${copy(index)} ${number(first)})`]),
    ...(range
      ? [`(<= ${number(range.low)} ${copy(index)})`, `(<= ${copy(index)} ${number(range.high)})`]
      : []),
  ]);
  return `(and true ${fixed.join(" ")} ${conditionText(initial, copy)})`;
}

/** Values after a transition, as terms over the copy before; `input` names the inputs. */
export function nextValues(
  { variables }: GuardedProgram,
  { assignments }: GuardedTransition,
  copy: Copy,
  input: (number: number) => string,
): string[] {
  let used = 0;
  const assigned = new Map(
    assignments.map(({ variable, value }) => [
      variable,
      value === "nondet" ? input(used++) : sumText(value, copy),
    ]),
  );
  return variables.map((_, index) => assigned.get(index) ?? copy(index));
}
