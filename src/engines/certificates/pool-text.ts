/**
 * Derivation trees, constraints and clauses of NDLog as SMT-LIB text. Shares nothing but the program with the engine: the conditions of a
 * tree are printed from its shape.
 */
import type {
  NdlogAnnotation,
  NdlogClause,
  NdlogCondition,
  NdlogConstraint,
  NdlogProgram,
  NdlogSum,
  NdlogTerm,
} from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import type { PoolTree } from "../../model/certificate.js";

export class Malformed extends Error {}

/** Every derivation of a tuple that matches `when`, one atom, contains the atoms of `then`. */
export interface Lemma {
  readonly when: NdlogClause;
  readonly then: NdlogClause;
}

interface PrintedNode {
  readonly predicate: number;
  readonly args: readonly string[];
  readonly tree: PoolTree;
}

/** Present under a condition. */
interface Occurrence {
  readonly predicate: number;
  readonly args: readonly string[];
  readonly guard: string;
}

/** Values of the variables of a clause; a missing one is not bound yet. */
type Values = readonly (string | undefined)[];

/** One question: some derivations of these shapes, in a network that satisfies the constraints. */
export class PoolText {
  readonly #program: NdlogProgram;
  readonly #declarations: string[] = [];
  readonly #assertions: string[] = [];
  readonly #functions = new Map<string, string>();
  readonly #nodes: PrintedNode[] = [];
  #made = 0;

  constructor(program: NdlogProgram) {
    this.#program = program;
  }

  /** Asserts that the tree is a derivation, and returns the attributes of its root. */
  derivation(tree: PoolTree, predicate: number): readonly string[] {
    const args = this.#root(tree, predicate);
    this.#nodes.push({ predicate, args, tree });
    return args;
  }

  #root(tree: PoolTree, predicate: number): readonly string[] {
    const { arity, isBase } = nth(this.#program.predicates, predicate);
    const fresh = (): string[] => Array.from({ length: arity }, () => this.#fresh());
    if (tree === -2) return fresh();
    if (tree === -1) {
      if (!isBase) throw new Malformed("a tree has a base tuple of a derived predicate"); // sound: test/engines/certificates/pool.test.ts
      return fresh();
    }
    const [number, ...children] = tree;
    const rule = this.#program.rules[number];
    const isRule = rule?.head.predicate === predicate && rule.body.atoms.length === children.length;
    if (!rule || !isRule) throw new Malformed("a tree is no derivation by its rule"); // sound: test/engines/certificates/pool.test.ts
    const tuples = children.map((child, index) =>
      this.derivation(child, nth(rule.body.atoms, index).predicate),
    );
    const { values, facts } = this.#clause(rule.body, tuples, []);
    this.#assertions.push(...facts);
    return rule.head.args.map((arg) => this.#define(this.#sum(arg, values)));
  }

  /** Constraints in all ways in which base tuples of the derivations match them. */
  constraints(all: readonly NdlogConstraint[]): void {
    const leaves = this.#nodes.filter(({ tree }) => tree === -1); // sound: test/engines/certificates/pool.test.ts
    for (const { when, then } of all) {
      const options = when.atoms.map(({ predicate }) =>
        leaves.filter((leaf) => leaf.predicate === predicate),
      );
      for (const chosen of choices(options)) {
        const { values, facts } = this.#clause(
          when,
          chosen.map(({ args }) => args),
          [],
        );
        this.#assertions.push(`(=> ${conjunction(facts)} ${this.#condition(then, values)})`);
      }
    }
  }

  /** Annotations hold at open leaves. */
  assume(annotations: readonly NdlogAnnotation[]): void {
    for (const { predicate, args, tree } of this.#nodes)
      for (const annotation of annotations)
        // sound: test/engines/certificates/pool.test.ts
        if (tree === -2 && annotation.predicate === predicate)
          this.#assertions.push(this.#condition(annotation.condition, args));
  }

  /** The annotation fails at the root. */
  breaks({ condition }: NdlogAnnotation, args: readonly string[]): void {
    this.#assertions.push(`(not ${this.#condition(condition, args)})`); // sound: test/engines/certificates/pool.test.ts
  }

  /** The roots match `when`, and no choice of tuples inside the derivations satisfies an alternative. */
  violates(
    roots: readonly (readonly string[])[],
    when: NdlogClause,
    alternatives: readonly NdlogClause[],
    lemmas: readonly Lemma[],
  ): void {
    const { values, facts } = this.#clause(when, roots, []);
    this.#assertions.push(...facts);
    const occurrences = this.#occurrences(lemmas);
    for (const clause of alternatives) {
      const options = clause.atoms.map(
        ({ predicate }) => occurrences.filter((occurrence) => occurrence.predicate === predicate), // sound: test/engines/certificates/pool.test.ts
      );
      for (const chosen of choices(options)) {
        const met = this.#clause(
          clause,
          chosen.map(({ args }) => args),
          values,
        );
        this.#assertions.push(`(not ${conjunction([...chosen.map(({ guard }) => guard), ...met.facts])})`);
      }
    }
  }

  /** Tuples of the derivations, and those that lemmas guarantee below open leaves. */
  #occurrences(lemmas: readonly Lemma[]): Occurrence[] {
    const found: Occurrence[] = this.#nodes.map(({ predicate, args }) => ({
      predicate,
      args,
      guard: "true",
    }));
    for (const { predicate, args, tree } of this.#nodes) {
      if (tree !== -2) continue; // sound: test/engines/certificates/pool.test.ts
      for (const { when, then } of lemmas) {
        if (when.atoms[0]?.predicate !== predicate) continue;
        const { values, facts } = this.#clause(when, [args], []);
        const tuples = then.atoms.map((atom) => atom.args.map(() => this.#fresh()));
        const content = this.#clause(then, tuples, values);
        const guard = this.#define(conjunction(facts), "Bool");
        this.#assertions.push(`(=> ${guard} ${conjunction(content.facts)})`);
        then.atoms.forEach(
          (atom, index) => found.push({ predicate: atom.predicate, args: nth(tuples, index), guard }), // sound: test/engines/certificates/pool.test.ts
        );
      }
    }
    return found;
  }

  text(): string {
    const asserted = this.#assertions.map((each) => `(assert ${each})`);
    return ["(push 1)", ...this.#declarations, ...asserted, "(check-sat)(pop 1)"].join("\n");
  }

  /** Values of all variables after matching the atoms with tuples, and the facts that make them match. */
  #clause(
    { atoms, definitions, condition }: NdlogClause,
    tuples: readonly (readonly string[])[],
    before: Values,
  ): { readonly values: Values; readonly facts: readonly string[] } {
    const values = [...before];
    const facts: string[] = [];
    atoms.forEach(({ args }, index) =>
      args.forEach((arg, position) => {
        const given = nth(nth(tuples, index), position);
        const variable = plainVariable(arg);
        if (variable !== undefined && values[variable] === undefined) values[variable] = given;
        else facts.push(`(= ${this.#sum(arg, values)} ${given})`); // sound: test/engines/certificates/pool.test.ts
      }),
    );
    for (const { variable, value } of definitions) values[variable] = this.#define(this.#sum(value, values));
    facts.push(this.#condition(condition, values)); // sound: test/engines/certificates/pool.test.ts
    return { values, facts };
  }

  #fresh(): string {
    const name = `x${this.#made++}`;
    this.#declarations.push(`(declare-fun ${name} () Int)`);
    return name;
  }

  #define(text: string, sort = "Int"): string {
    if (/^\w+$/.test(text)) return text;
    const name = `d${this.#made++}`;
    this.#declarations.push(`(define-fun ${name} () ${sort} ${text})`);
    return name;
  }

  #sum({ parts, constant }: NdlogSum, values: Values): string {
    const printed = parts.map(({ coefficient, of }) =>
      coefficient === 1n ? this.#term(of, values) : `(* ${integer(coefficient)} ${this.#term(of, values)})`,
    );
    if (printed.length === 1 && constant === 0n) return nth(printed, 0);
    return printed.length === 0 ? integer(constant) : `(+ ${printed.join(" ")} ${integer(constant)})`;
  }

  #term(term: NdlogTerm, values: Values): string {
    switch (term.kind) {
      case "variable":
        return known(values[term.variable], "the value of a variable");
      case "apply": {
        const args = term.args.map((arg) => this.#sum(arg, values));
        const name = this.#function(term.name, args.length);
        return args.length === 0 ? name : `(${name} ${args.join(" ")})`;
      }
      case "modulo":
        return `(mod ${this.#sum(term.of, values)} ${term.by})`;
      case "quotient":
        return `(div ${this.#sum(term.of, values)} ${term.by})`;
    }
  }

  #function(name: string, arity: number): string {
    const key = `${name}/${arity}`;
    const before = this.#functions.get(key);
    if (before !== undefined) return before;
    const own = `f${this.#functions.size}`;
    this.#functions.set(key, own);
    this.#declarations.push(`(declare-fun ${own} (${"Int ".repeat(arity).trim()}) Int)`);
    return own;
  }

  #condition(condition: NdlogCondition, values: Values): string {
    const inner = (each: NdlogCondition): string => this.#condition(each, values);
    switch (condition.kind) {
      case "constant":
        return condition.value ? "true" : "false";
      case "not":
        return `(not ${inner(condition.of)})`;
      case "and":
        return conjunction(condition.all.map(inner));
      case "or":
        return condition.all.length === 0 ? "false" : `(or ${condition.all.map(inner).join(" ")} false)`;
      case "atMost":
        return `(<= ${this.#sum(condition.sum, values)} 0)`;
      case "zero":
        return `(= ${this.#sum(condition.sum, values)} 0)`;
      case "divides":
        return `(= 0 (mod ${this.#sum(condition.sum, values)} ${condition.divisor}))`;
    }
  }
}

const integer = (value: bigint): string => (value < 0n ? `(- ${-value})` : `${value}`);

const conjunction = (parts: readonly string[]): string => `(and true ${parts.join(" ")})`;

function plainVariable({ parts, constant }: NdlogSum): number | undefined {
  const only = parts.length === 1 && constant === 0n ? parts[0] : undefined;
  return only?.coefficient === 1n && only.of.kind === "variable" ? only.of.variable : undefined;
}

/** One of each list, in all ways. */
export function choices<T>(lists: readonly (readonly T[])[]): T[][] {
  let found: T[][] = [[]];
  for (const list of lists) {
    found = found.flatMap((before) => list.map((each) => [...before, each]));
    if (found.length > MOST_CHOICES) throw new Malformed(`there are more than ${MOST_CHOICES} choices`);
  }
  return found;
}

const MOST_CHOICES = 200_000;
