/**
 * Checks that no transition takes a variable out of its range, and that there is a first state, by eliminating all variables.
 *
 * The guard must imply it together with the ranges of the variables: a range is a promise on which abstractions rely.
 */
import { eliminate, TooManyCases } from "../../model/eliminate.js";
import type { Condition, GuardedProgram, LinearSum } from "../../model/guarded.js";
import { conditionTerm, rangeTerms, sumTerm } from "../../model/guarded-terms.js";
import { Terms, variablesOf, type Term, type VariableTerm } from "../../model/terms.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { Span } from "../../model/diagnostic.js";

export function checkRanges(program: GuardedProgram, report: Report): void {
  const logic = new Logic(program);
  const seen = new Set<string>();
  for (const { guard, assignments, span } of program.transitions)
    for (const { variable, value } of assignments) {
      const { range, name } = program.variables[variable] ?? {};
      if (!range || value === "nondet") continue;
      const { terms } = logic;
      const next = logic.sum(value);
      const outside = terms.or([
        terms.less(next, terms.int(range.low)),
        terms.less(terms.int(range.high), next),
      ]);
      const key = `${span.start} ${name}`;
      if (outside === terms.false || seen.has(key)) continue;
      // sound: test/languages/gcl/diagnostics.test.ts
      if (logic.isSatisfiable(terms.and([logic.condition(guard), outside])) === false) continue;
      seen.add(key);
      report({
        code: "gcl/range-left",
        severity: "error",
        message: `\`${name}\` may leave its range ${range.low}..${range.high} here`,
        span,
        hint: "add a condition to the guard that rules it out, or widen the range",
      });
    }
}

/** Warns of a program without a first state. */
export function checkInitial(program: GuardedProgram, span: Span, report: Report): void {
  const logic = new Logic(program);
  const { terms } = logic;
  const fixed = program.variables.flatMap(({ initial }, index) =>
    initial === undefined ? [] : [terms.equal(logic.variable(index), terms.int(initial))],
  );
  if (logic.isSatisfiable(terms.and([...fixed, logic.condition(program.initial)])) !== false) return;
  report({
    code: "gcl/no-initial-state",
    severity: "warning",
    message: "no state satisfies the initial condition: every property holds vacuously",
    span,
  });
}

class Logic {
  readonly terms = new Terms();
  readonly #program: GuardedProgram;

  constructor(program: GuardedProgram) {
    this.#program = program;
  }

  variable(index: number): VariableTerm {
    return this.terms.variable(`${index}`, "int");
  }

  sum(of: LinearSum): Term {
    return sumTerm(this.terms, of, (index) => this.variable(index));
  }

  condition(of: Condition): Term {
    return conditionTerm(this.terms, of, (index) => this.variable(index));
  }

  /** With all variables inside their ranges; undefined: too many cases. */
  isSatisfiable(formula: Term): boolean | undefined {
    const { terms } = this;
    const used = [...variablesOf(formula).values()].filter((each) => each.kind === "variable");
    const bounds = used.flatMap((variable) =>
      rangeTerms(terms, this.#program.variables[Number(variable.name)]?.range, variable),
    );
    try {
      return eliminate(terms, terms.and([formula, ...bounds]), used) !== terms.false;
    } catch (error) {
      if (error instanceof TooManyCases) return undefined;
      throw error;
    }
  }
}
