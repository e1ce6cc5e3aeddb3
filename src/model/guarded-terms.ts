/** Sums and conditions of guarded programs as terms; `variable` gives the term of a variable of the program. */
import type { Condition, LinearSum } from "./guarded.js";
import { times, type Term, type Terms, type VariableTerm } from "./terms.js";

type VariableOf = (index: number) => VariableTerm;

export function conditionTerm(terms: Terms, of: Condition, variable: VariableOf): Term {
  const all = (each: readonly Condition[]): Term[] =>
    each.map((condition) => conditionTerm(terms, condition, variable));
  switch (of.kind) {
    case "constant":
      return terms.bool(of.value);
    case "not":
      return terms.not(conditionTerm(terms, of.of, variable));
    case "and":
      return terms.and(all(of.all));
    case "or":
      return terms.or(all(of.all));
    case "atMost":
      return terms.atMost(sumTerm(terms, of.sum, variable), terms.int(0n));
    case "zero":
      return terms.equal(sumTerm(terms, of.sum, variable), terms.int(0n));
    case "divides":
      return terms.divides(of.divisor, sumTerm(terms, of.sum, variable));
  }
}

export const sumTerm = (terms: Terms, { parts, constant }: LinearSum, variable: VariableOf): Term =>
  terms.sum(
    parts.map(({ variable: index, coefficient }) => times(coefficient, variable(index))),
    constant,
  );

/** The bounds of a variable with a range. */
export const rangeTerms = (
  terms: Terms,
  range: { readonly low: bigint; readonly high: bigint } | undefined,
  variable: VariableTerm,
): Term[] =>
  range ? [terms.atMost(terms.int(range.low), variable), terms.atMost(variable, terms.int(range.high))] : [];
