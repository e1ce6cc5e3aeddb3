/** Encodes sums, conditions and clauses of NDLog as terms. */
import type { NdlogAtom, NdlogClause, NdlogCondition, NdlogSum, NdlogTerm } from "../../model/ndlog.js";
import { variableOfSum } from "../../model/ndlog.js";
import type { Term, Terms, VariableTerm } from "../../model/terms.js";

/** Values of the variables of a clause; a missing one is not bound yet. */
export type Environment = readonly (Term | undefined)[];

/** Assertions of a clause, and definitions of auxiliary variables, which hold whether or not the clause does. */
export class Facts {
  readonly asserted: Term[] = [];
  readonly definitions: Term[] = [];
}

export class Encoder {
  readonly terms: Terms;
  #made = 0;

  constructor(terms: Terms) {
    this.terms = terms;
  }

  fresh(): VariableTerm {
    return this.terms.variable(`v${++this.#made}`, "int");
  }

  freshAll(count: number): VariableTerm[] {
    return Array.from({ length: count }, () => this.fresh());
  }

  sum({ parts, constant }: NdlogSum, values: Environment, facts: Facts): Term {
    return this.terms.sum(
      parts.map(({ coefficient, of }) => ({ coefficient, of: this.#term(of, values, facts) })),
      constant,
    );
  }

  #term(term: NdlogTerm, values: Environment, facts: Facts): Term {
    switch (term.kind) {
      case "variable": {
        const value = values[term.variable];
        if (!value) throw new Error("a variable has no value");
        return value;
      }
      case "apply":
        return this.terms.apply(
          term.name,
          "int",
          term.args.map((arg) => this.sum(arg, values, facts)),
        );
      case "modulo":
      case "quotient":
        return this.#divided(term.kind, this.sum(term.of, values, facts), term.by, facts);
    }
  }

  /** `of = by·q + r` with `0 <= r < by`: the quotient of a term is one variable, wherever it occurs. */
  #divided(kind: "modulo" | "quotient", of: Term, by: bigint, facts: Facts): Term {
    const { terms } = this;
    const quotient = terms.variable(`q${of.id}/${by}`, "int");
    const rest = terms.subtract(of, terms.scale(by, quotient));
    facts.definitions.push(terms.atMost(terms.int(0n), rest), terms.less(rest, terms.int(by))); // sound: test/engines/pools/traps.test.ts
    return kind === "quotient" ? quotient : rest;
  }

  condition(condition: NdlogCondition, values: Environment, facts: Facts): Term {
    const { terms } = this;
    const inner = (each: NdlogCondition): Term => this.condition(each, values, facts);
    switch (condition.kind) {
      case "constant":
        return terms.bool(condition.value);
      case "not":
        return terms.not(inner(condition.of));
      case "and":
        return terms.and(condition.all.map(inner));
      case "or":
        return terms.or(condition.all.map(inner));
      case "atMost":
        return terms.atMost(this.sum(condition.sum, values, facts), terms.int(0n));
      case "zero":
        return terms.equal(this.sum(condition.sum, values, facts), terms.int(0n));
      case "divides":
        return terms.divides(condition.divisor, this.sum(condition.sum, values, facts));
    }
  }

  /** Binds or compares the arguments of an atom with a tuple. Location attributes are ordinary ones. */
  match({ args }: NdlogAtom, tuple: readonly Term[], values: Environment, facts: Facts): Environment {
    const bound = [...values];
    for (const [position, arg] of args.entries()) {
      const given = tuple[position];
      if (!given) throw new Error("a tuple is too short");
      const variable = variableOfSum(arg);
      if (variable !== undefined && bound[variable] === undefined) bound[variable] = given;
      else facts.asserted.push(this.terms.equal(this.sum(arg, bound, facts), given)); // sound: test/engines/pools/traps.test.ts
    }
    return bound;
  }

  /** Matches the atoms with the tuples, and asserts the rest of the clause. */
  clause(
    clause: NdlogClause,
    tuples: readonly (readonly Term[])[],
    values: Environment,
    facts: Facts,
  ): Environment {
    let bound = values;
    for (const [index, atom] of clause.atoms.entries())
      bound = this.match(atom, tuples[index] ?? [], bound, facts);
    const all = [...bound];
    for (const { variable, value } of clause.definitions) all[variable] = this.sum(value, all, facts);
    facts.asserted.push(this.condition(clause.condition, all, facts));
    return all;
  }
}
