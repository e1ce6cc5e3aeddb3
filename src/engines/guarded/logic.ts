/** A guarded program as terms. */
import type {
  Condition,
  GuardedProgram,
  GuardedProperty,
  GuardedTransition,
  LinearSum,
} from "../../model/guarded.js";
import { times, type Term, type Terms, type VariableTerm } from "../../model/terms.js";

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
    const ranges = program.variables.flatMap(({ range }, index) => {
      const variable = this.#variable(index);
      return range
        ? [terms.atMost(terms.int(range.low), variable), terms.atMost(variable, terms.int(range.high))]
        : [];
    });
    this.initial = terms.and([this.condition(program.initial), ...ranges]);
  }

  invariant({ condition }: GuardedProperty): Term {
    return this.condition(condition);
  }

  sum({ parts, constant }: LinearSum): Term {
    return this.terms.sum(
      parts.map(({ variable, coefficient }) => times(coefficient, this.#variable(variable))),
      constant,
    );
  }

  condition(of: Condition): Term {
    const { terms } = this;
    switch (of.kind) {
      case "constant":
        return terms.bool(of.value);
      case "not":
        return terms.not(this.condition(of.of));
      case "and":
        return terms.and(of.all.map((each) => this.condition(each)));
      case "or":
        return terms.or(of.all.map((each) => this.condition(each)));
      case "atMost":
        return terms.atMost(this.sum(of.sum), terms.int(0n));
      case "zero":
        return terms.equal(this.sum(of.sum), terms.int(0n));
      case "divides":
        return terms.divides(of.divisor, this.sum(of.sum));
    }
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
