/**
 * Queries about a combination of derivations: can it violate the property?
 *
 * Satisfiable without open leaves: a genuine violation, by this very model. Unsatisfiable: every instance has occurrences that satisfy the
 * consequent, possibly different ones for different instances.
 */
import type { NdlogClause, NdlogLemma } from "../../model/ndlog.js";
import type { QueryPurpose, Solver } from "../../model/solver.js";
import { evaluate, variablesOf, type Assignment, type Term } from "../../model/terms.js";
import { Facts, type Environment } from "./encode.js";
import { combinations, nodesOf, type Node, type Pool } from "./pool.js";

/** Derivations of the atoms of an antecedent, in order. */
export interface Combination {
  readonly condition: readonly Term[];
  readonly roots: readonly Node[];
}

/** `when` implies one of the alternatives. */
export interface Claim {
  readonly when: NdlogClause;
  readonly alternatives: readonly NdlogClause[];
}

export type QueryAnswer =
  | { readonly kind: "holds"; readonly isVacuous: boolean }
  /** With the formulas that the violation satisfies. */
  | { readonly kind: "possible"; readonly formulas: readonly Term[] }
  | { readonly kind: "unknown"; readonly reason: string };

/** Derived tuples inside the combination; `guard` is the condition under which a lemma provides them. */
interface Occurrence {
  readonly predicate: number;
  readonly args: readonly Term[];
  readonly guard: Term;
}

export class Queries {
  readonly pool: Pool;
  readonly solver: Solver;

  constructor(pool: Pool, solver: Solver) {
    this.pool = pool;
    this.solver = solver;
  }

  /** Lemmas hold for the derivations below open leaves. */
  check(
    { condition, roots }: Combination,
    { when, alternatives }: Claim,
    lemmas: readonly NdlogLemma[],
    purpose: QueryPurpose,
  ): QueryAnswer {
    const { encoder } = this.pool;
    const facts = new Facts();
    const values = encoder.clause(
      when,
      roots.map(({ args }) => args),
      [],
      facts,
    );
    const constraints = this.pool.constraintsOn(roots, "several"); // sound: test/engines/pools/traps.test.ts
    const nodes = roots.flatMap(nodesOf);
    const { occurrences, assumed } = this.#withLemmas(nodes, lemmas);
    const given = [...condition, ...facts.definitions, ...facts.asserted, ...constraints, ...assumed];
    const met = this.#met(alternatives, occurrences, values);
    if (!met)
      return { kind: "unknown", reason: `there are more than ${MOST_CHOICES} choices of occurrences` };
    const formulas = [...given, ...met.definitions, ...met.asserted.map((each) => encoder.terms.not(each))];
    const answer = this.solve(formulas, purpose);
    if (answer.kind === "unknown") return answer; // sound: test/engines/pools/traps.test.ts
    if (answer.kind === "sat") return { kind: "possible", formulas };
    const vacuity = this.solve(given, "vacuity");
    return { kind: "holds", isVacuous: vacuity.kind === "unsat" };
  }

  /** Adds the tuples that lemmas guarantee below open leaves, with fresh variables. */
  #withLemmas(
    nodes: readonly Node[],
    lemmas: readonly NdlogLemma[],
  ): { readonly occurrences: readonly Occurrence[]; readonly assumed: readonly Term[] } {
    const { encoder } = this.pool;
    const { terms } = encoder;
    const occurrences: Occurrence[] = nodes.map(({ predicate, args }) => ({
      predicate,
      args,
      guard: terms.true,
    }));
    const assumed: Term[] = [];
    for (const { by, predicate, args } of nodes) {
      if (by !== "rec") continue; // sound: test/engines/pools/lemmas.test.ts
      for (const { when, then } of lemmas) {
        if (when.atoms[0]?.predicate !== predicate) continue;
        const matching = new Facts();
        const values = encoder.clause(when, [args], [], matching);
        const guard = terms.and(matching.asserted);
        const tuples = then.atoms.map((atom) => encoder.freshAll(atom.args.length));
        const content = new Facts();
        encoder.clause(then, tuples, values, content);
        assumed.push(...matching.definitions, ...content.definitions);
        assumed.push(terms.implies(guard, terms.and(content.asserted)));
        for (const [index, atom] of then.atoms.entries())
          occurrences.push({ predicate: atom.predicate, args: tuples[index] ?? [], guard });
      }
    }
    return { occurrences, assumed };
  }

  /** One formula for each way in which the consequent may hold; undefined: too many. */
  #met(
    alternatives: readonly NdlogClause[],
    occurrences: readonly Occurrence[],
    values: Environment,
  ): Facts | undefined {
    const { encoder } = this.pool;
    const met = new Facts();
    for (const clause of alternatives) {
      const options = clause.atoms.map(({ predicate }) =>
        occurrences.filter((occurrence) => occurrence.predicate === predicate),
      );
      if (options.reduce((size, { length }) => size * length, 1) > MOST_CHOICES) return undefined;
      for (const chosen of combinations(options)) {
        const facts = new Facts();
        encoder.clause(
          clause,
          chosen.map(({ args }) => args),
          values,
          facts,
        );
        met.definitions.push(...facts.definitions);
        met.asserted.push(encoder.terms.and([...facts.asserted, ...chosen.map(({ guard }) => guard)]));
      }
    }
    return met;
  }

  /** Applications of functions get names, so that a model has their values. */
  solve(formulas: readonly Term[], purpose: QueryPurpose): ReturnType<Solver["check"]> {
    return this.solver.check([...formulas, ...namesOf(this.solver, formulas)], { purpose });
  }

  /** A model of satisfiable formulas, with small values if there are any. */
  model(formulas: readonly Term[], roots: readonly Node[]): Model | undefined {
    const { terms } = this.pool.encoder;
    const leaves = roots.flatMap(nodesOf).filter(({ children }) => children.length === 0);
    const found = new Map<number, Term>();
    for (const { args } of leaves) for (const arg of args) variablesOf(arg, found);
    const variables = [...found.values()].filter(({ kind }) => kind === "variable");
    const named = [...this.pool.program.strings.keys()];
    const isSmall = (variable: Term, most: bigint): Term =>
      terms.or([
        terms.and([terms.atMost(terms.int(0n), variable), terms.atMost(variable, terms.int(most))]),
        ...named.map((value) => terms.equal(variable, terms.int(value))),
      ]);
    for (const most of SMALL) {
      const bounds = variables.map((variable) => isSmall(variable, most));
      if (this.solve([...formulas, ...bounds], "model").kind === "sat") return this.#modelOf(formulas);
    }
    return this.solve(formulas, "model").kind === "sat" ? this.#modelOf(formulas) : undefined;
  }

  /**
   * Functions that a library defines, if some meaning of them lets the tuples of a model satisfy the formulas no more: the base tuples and the
   * values of other functions are fixed, and the formulas must follow. Auxiliary variables of divisions stay open, which only adds doubt.
   */
  doubts(formulas: readonly Term[], roots: readonly Node[], model: Model): readonly string[] {
    const { definedFunctions } = this.pool.program;
    const applications = applicationsIn(formulas);
    const isDefined = ({ name }: Application): boolean => definedFunctions.has(name);
    const named = [...new Set(applications.filter(isDefined).map(({ name }) => name))];
    if (named.length === 0) return [];
    const { terms } = this.pool.encoder;
    const base = roots.flatMap(nodesOf).flatMap(({ by, args }) => (by === "base" ? args : []));
    const others = applications.filter(
      (each) => !isDefined(each) && !applicationsIn(each.args).some(isDefined), // sound: test/engines/pools/functions.test.ts
    );
    const fixed = [...base, ...others].map((term) => terms.equal(term, terms.int(evaluate(term, model))));
    const definitions = definitionsIn(formulas, base);
    const answer = this.solve([...fixed, ...definitions, terms.not(terms.and(formulas))], "model");
    return answer.kind === "unsat" ? [] : named; // sound: test/engines/pools/functions.test.ts
  }

  #modelOf(formulas: readonly Term[]): Model {
    const values = this.solver.model();
    const table = new Map<string, bigint>();
    const apply = (name: string, args: readonly bigint[]): bigint =>
      table.get(`${name}(${args.join()})`) ?? 0n;
    const model: Model = { value: (variable) => values.value(variable), apply };
    const { terms } = this.pool.encoder;
    for (const each of applicationsIn(formulas)) {
      const args = each.args.map((arg) => evaluate(arg, model));
      table.set(`${each.name}(${args.join()})`, values.value(terms.variable(nameOf(each), "int")));
    }
    return model;
  }
}

export type Model = Required<Assignment>;

type Application = Extract<Term, { kind: "apply" }>;

/** Inner applications first: they are older. */
function applicationsIn(formulas: readonly Term[]): Application[] {
  const found = new Map<number, Term>();
  const seen = new Set<number>();
  for (const formula of formulas) variablesOf(formula, found, seen);
  return [...found.values()].filter((each) => each.kind === "apply").sort((a, b) => a.id - b.id);
}

/**
 * Equations that define variables outside of `base`, such as the attributes of unfolded leaves: each by variables that are defined
 * earlier in the result or never. So every meaning of the functions gives them values. Goes backwards: unfolding appends definitions.
 */
function definitionsIn(formulas: readonly Term[], base: readonly Term[]): Term[] {
  const taken = new Map(base.map((each) => [each.id, each]));
  const found: Term[] = [];
  for (const formula of formulas.toReversed()) {
    if (formula.kind !== "equal") continue;
    const defines = formula.parts.some(
      ({ coefficient, of }) =>
        of.kind === "variable" &&
        (coefficient === 1n || coefficient === -1n) &&
        !taken.has(of.id) && // sound: test/engines/pools/functions.test.ts
        formula.parts.every((part) => part.of === of || !variablesOf(part.of).has(of.id)),
    );
    if (!defines) continue;
    variablesOf(formula, taken);
    found.push(formula);
  }
  return found;
}

const nameOf = ({ id }: Application): string => `f${id}`;

const namesOf = ({ terms }: Solver, formulas: readonly Term[]): Term[] =>
  applicationsIn(formulas).map((each) => terms.equal(terms.variable(nameOf(each), "int"), each));

const SMALL = [3n, 9n, 40n];
const MOST_CHOICES = 5000;
