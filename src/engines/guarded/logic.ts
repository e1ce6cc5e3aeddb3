/** A guarded program as terms. */
import type {
  Condition,
  GuardedProgram,
  GuardedProperty,
  GuardedTransition,
  LinearSum,
} from "../../model/guarded.js";
import { conditionTerm, rangeTerms, sumTerm } from "../../model/guarded-terms.js";
import type { Term, Terms, VariableTerm } from "../../model/terms.js";

export class Logic {
  readonly program: GuardedProgram;
  readonly terms: Terms;
  /** Of the program, by number. */
  readonly variables: readonly VariableTerm[];
  readonly guards: readonly Term[];
  readonly initial: Term;

  constructor(program: GuardedProgram, terms: Terms) {
    this.program = program;
    this.terms = terms;
    this.variables = program.variables.map(({ name }) => terms.variable(name, "int"));
    this.guards = program.transitions.map(({ guard }) => this.condition(guard));
    const ranges = program.variables.flatMap(({ range }, index) =>
      rangeTerms(terms, range, this.#variable(index)),
    );
    this.initial = terms.and([this.condition(program.initial), ...ranges]);
  }

  invariant({ condition }: GuardedProperty): Term {
    return this.condition(condition);
  }

  sum(of: LinearSum): Term {
    return sumTerm(this.terms, of, (index) => this.#variable(index));
  }

  condition(of: Condition): Term {
    return conditionTerm(this.terms, of, (index) => this.#variable(index));
  }

  /** Values after a transition, from values before; `inputs` are the terms of `nondet`, in order. */
  exec({ assignments }: GuardedTransition, values: readonly Term[], inputs: readonly Term[]): Term[] {
    const next = [...values];
    let used = 0;
    const found = new Map<number, Term>();
    // Right-hand sides read the old values: assignments are simultaneous.
    for (const { variable, value } of assignments) {
      if (value === "nondet") {
        const input = inputs[used++];
        if (input) next[variable] = input;
      } else next[variable] = this.at(this.sum(value), values, found);
    }
    return next;
  }

  /** A term over the variables of the program, at given values. */
  at(term: Term, values: readonly Term[], found?: Map<number, Term>): Term {
    return this.terms.substitute(term, (variable) => values[this.numberOf(variable)] ?? variable, found);
  }

  /** -1: not a variable of the program. */
  numberOf({ id }: VariableTerm): number {
    return this.#numbers.get(id) ?? -1;
  }

  readonly #numbers = new Map<number, number>();

  #variable(index: number): VariableTerm {
    const variable = this.variables[index];
    if (!variable) throw new Error(`there is no variable ${index}`);
    this.#numbers.set(variable.id, index);
    return variable;
  }
}
