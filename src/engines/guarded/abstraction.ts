/**
 * Predicate abstraction: abstract states are the values of explicit variables and one bit per predicate.
 *
 * Always true: every atom of every guard and of the property is a predicate, or is over explicit variables alone. An abstract state
 * therefore decides whether a transition is enabled and whether the property holds.
 */
import { atomsOf, variablesOf, type Term } from "../../model/terms.js";
import type { QueryPurpose, Solver } from "../../model/solver.js";
import type { GuardedProperty } from "../../model/guarded.js";
import type { Logic } from "./logic.js";

/** The solver gave no answer where one is needed. */
export class Undecided extends Error {}

/** Values of all variables as terms over symbolic constants, and constraints on these. */
export interface Symbolic {
  readonly values: readonly Term[];
  readonly constraints: readonly Term[];
}

/** A symbolic state in one abstract state. */
export interface Split extends Symbolic {
  readonly bits: readonly boolean[];
  /** Names the abstract state: explicit values and bits. */
  readonly key: string;
}

export class Abstraction {
  readonly logic: Logic;
  readonly solver: Solver;
  readonly predicates: readonly Term[];
  readonly #numbers: ReadonlyMap<number, number>;
  readonly #invariant: Term;

  constructor(logic: Logic, solver: Solver, predicates: readonly Term[], property: GuardedProperty) {
    this.logic = logic;
    this.solver = solver;
    this.predicates = predicates;
    this.#numbers = new Map(predicates.map(({ id }, number) => [id, number]));
    this.#invariant = logic.invariant(property);
  }

  /** The parts of a symbolic state, one per abstract state that it intersects. The constraints are satisfiable. */
  split(state: Symbolic, purpose: QueryPurpose = "splitting"): Split[] {
    const { logic, solver } = this;
    const found = new Map<number, Term>();
    const literals = this.predicates.map((predicate) => logic.at(predicate, state.values, found));
    const explicit = this.#explicitKey(state.values);
    const parts: Split[] = [];
    const bits: boolean[] = [];
    const added: Term[] = [];
    const visit = (index: number): void => {
      const literal = literals[index];
      if (literal === undefined) {
        const key = `${explicit}|${bits.map((bit) => (bit ? "T" : "F")).join("")}`;
        parts.push({
          values: state.values,
          constraints: [...state.constraints, ...added],
          bits: [...bits],
          key,
        });
        return;
      }
      if (literal.kind === "constant") return follow(literal.value === 1n, undefined);
      const negated = logic.terms.not(literal);
      const canHold = this.isSatisfiable([literal], purpose);
      // If it cannot hold, its negation follows from satisfiable constraints.
      const canFail = !canHold || this.isSatisfiable([negated], purpose); // sound: test/engines/guarded/checks.test.ts
      if (canHold) follow(true, canFail ? literal : undefined);
      if (canFail) follow(false, canHold ? negated : undefined);
    };
    const follow = (bit: boolean, constraint: Term | undefined): void => {
      bits.push(bit);
      if (constraint) {
        solver.push();
        solver.assert(constraint);
        added.push(constraint);
      }
      visit(bits.length);
      if (constraint) {
        added.pop();
        solver.pop();
      }
      bits.pop();
    };
    solver.push();
    try {
      for (const constraint of state.constraints) solver.assert(constraint);
      visit(0);
    } finally {
      solver.pop();
    }
    return parts;
  }

  /** With the current assertions. Throws `Undecided`. */
  isSatisfiable(assumptions: readonly Term[], purpose: QueryPurpose): boolean {
    const answer = this.solver.check(assumptions, { purpose });
    if (answer.kind === "unknown") throw new Undecided(answer.reason); // sound: test/engines/guarded/checks.test.ts
    return answer.kind === "sat";
  }

  #explicitKey(values: readonly Term[]): string {
    return this.logic.program.variables
      .flatMap(({ isExplicit }, index) => {
        const value = values[index];
        if (!isExplicit) return [];
        if (value?.kind !== "constant") throw new Error("an explicit variable has no value");
        return [`${value.value}`];
      })
      .join(",");
  }

  /** All concrete states of an abstract one: values are the variables of the program themselves. */
  concretisation({ values, bits }: Split): Symbolic {
    const { logic } = this;
    const own = logic.program.variables.map(({ isExplicit }, index) =>
      isExplicit ? values[index] : logic.variables[index],
    );
    const all = own.map((value) => value ?? logic.terms.int(0n));
    const found = new Map<number, Term>();
    const constraints = this.predicates.map((predicate, index) => {
      const literal = logic.at(predicate, all, found);
      return bits[index] ? literal : logic.terms.not(literal);
    });
    return { values: all, constraints };
  }

  isEnabled(transition: number, state: Split): boolean {
    const guard = this.logic.guards[transition];
    return guard !== undefined && this.#decide(guard, state);
  }

  isSafe(state: Split): boolean {
    return this.#decide(this.#invariant, state);
  }

  /** The truth of a formula whose atoms are predicates, or are over explicit variables. */
  #decide(formula: Term, state: Split): boolean {
    switch (formula.kind) {
      case "constant":
        return formula.value === 1n;
      case "not":
        return !this.#decide(formula.of, state);
      case "and":
        return formula.all.every((each) => this.#decide(each, state));
      case "or":
        return formula.all.some((each) => this.#decide(each, state));
      default: {
        const number = this.#numbers.get(formula.id);
        if (number !== undefined) return state.bits[number] === true;
        const value = this.logic.at(formula, state.values);
        if (value.kind !== "constant") throw new Error("an atom of the program is no predicate");
        return value.value === 1n;
      }
    }
  }
}

/** Atoms of guards, property and given predicates that mention a variable that is not explicit. */
export function firstPredicates(logic: Logic, property: GuardedProperty): Term[] {
  const { program } = logic;
  const formulas = [
    ...logic.guards,
    logic.invariant(property),
    ...program.predicates.map((each) => logic.condition(each)),
  ];
  return [...new Set(formulas.flatMap((formula) => [...atomsOf(formula)]))].filter((atom) =>
    isAbstract(logic, atom),
  );
}

export const isAbstract = (logic: Logic, atom: Term): boolean =>
  [...variablesOf(atom).values()].some(
    (variable) =>
      variable.kind === "variable" && logic.program.variables[logic.numberOf(variable)]?.isExplicit !== true,
  );
