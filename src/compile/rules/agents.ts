/**
 * Rule instances as the agents of fairness. An instance is a rule with values for its ruleset parameters; the picks of
 * `choose` do not distinguish instances, because positions in a multiset change from state to state.
 */
import { FOREIGN_AGENT } from "../../model/index.js";
import type { Binder, Rule, RuleProgram } from "../../model/rules.js";

export type Parameter = Binder & { kind: "values" };

/** Parameters of rulesets, the outermost first. */
export const parametersOf = ({ binders }: Pick<Rule, "binders">): Parameter[] =>
  binders.filter((binder) => binder.kind === "values");

/** How many values a parameter takes, without making a list of them. */
export const valuesOfParameter = ({ low, high, step }: Parameter): number =>
  Math.max(0, Math.floor((high - low) / step) + 1);

const instancesOf = (rule: Rule): number =>
  parametersOf(rule).reduce((product, parameter) => product * valuesOfParameter(parameter), 1);

/** The number of rule instances. */
export const countAgents = ({ rules }: Pick<RuleProgram, "rules">): number =>
  rules.reduce((sum, rule) => sum + instancesOf(rule), 0);

/** Distance between instances for consecutive values of a parameter. */
export const strideOf = (parameters: readonly Parameter[], index: number): number =>
  parameters.slice(index + 1).reduce((product, other) => product * valuesOfParameter(other), 1);

/** The label of a step by that instance. */
export const labelOf = (agent: number): number => (agent > 30 ? FOREIGN_AGENT : 1 << agent);

/** By rule: the number of its first instance; instances of one rule are consecutive, the last parameter varying fastest. */
export function firstAgents({ rules }: RuleProgram): number[] {
  let first = 0;
  return rules.map((rule) => (first += instancesOf(rule)) - instancesOf(rule));
}
