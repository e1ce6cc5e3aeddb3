/**
 * NDLog: Datalog with locations. Rules derive tuples of unbounded integers from base tuples; a network is a finite set of base tuples
 * that satisfies the constraints.
 *
 * Plain data; the front end has resolved names, put assignments in order and eliminated quantifiers. `ndlog-run.ts` is the concrete
 * semantics, in which every counterexample is replayed.
 */
import type { Span } from "./diagnostic.js";
import type { Subject } from "./subject.js";
import type { Property } from "./verdict.js";

export interface NdlogProgram extends Subject {
  readonly kind: "ndlog";
  readonly name: string;
  readonly predicates: readonly NdlogPredicate[];
  readonly rules: readonly NdlogRule[];
  readonly constraints: readonly NdlogConstraint[];
  readonly annotations: readonly NdlogAnnotation[];
  readonly lemmas: readonly NdlogLemma[];
  readonly properties: readonly NdlogProperty[];
  /** Predicates that the user cuts; undefined: the engine chooses. */
  readonly cut: readonly number[] | undefined;
  /** Texts of strings, by the integer that stands for each. */
  readonly strings: ReadonlyMap<bigint, string>;
  /** Functions with a meaning that the analysis does not know: a violation must not depend on their values. */
  readonly definedFunctions: ReadonlySet<string>;
}

export interface NdlogPredicate {
  readonly name: string;
  readonly arity: number;
  /** Base tuples of it may exist: it has no rule, or is declared `base`. */
  readonly isBase: boolean;
  /** Declared sorts of the attributes; undefined: any. */
  readonly sorts: readonly string[] | undefined;
  /** Position of the location attribute; -1: none. */
  readonly location: number;
}

/** Σ coefficient·term + constant. */
export interface NdlogSum {
  readonly parts: readonly { readonly coefficient: bigint; readonly of: NdlogTerm }[];
  readonly constant: bigint;
}

export type NdlogTerm =
  | { readonly kind: "variable"; readonly variable: number }
  /** An uninterpreted function. */
  | { readonly kind: "apply"; readonly name: string; readonly args: readonly NdlogSum[] }
  /** Rounded down; the remainder is never negative. `by` is positive. */
  | { readonly kind: "modulo" | "quotient"; readonly of: NdlogSum; readonly by: bigint };

export type NdlogCondition =
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "not"; readonly of: NdlogCondition }
  | { readonly kind: "and" | "or"; readonly all: readonly NdlogCondition[] }
  /** The sum is at most 0, is 0, or is divisible. */
  | { readonly kind: "atMost" | "zero"; readonly sum: NdlogSum }
  | { readonly kind: "divides"; readonly divisor: bigint; readonly sum: NdlogSum };

export interface NdlogAtom {
  readonly predicate: number;
  /** In bodies: variables and constants. A variable's first occurrence binds it. */
  readonly args: readonly NdlogSum[];
}

/**
 * Atoms, definitions and a condition, evaluated in this order: afterwards every variable has a value. A clause may continue another one,
 * whose variables are then bound.
 */
export interface NdlogClause {
  readonly atoms: readonly NdlogAtom[];
  readonly definitions: readonly { readonly variable: number; readonly value: NdlogSum }[];
  readonly condition: NdlogCondition;
}

export interface NdlogRule {
  readonly label: string;
  /** Names of the variables of this scope. */
  readonly variables: readonly string[];
  readonly head: NdlogAtom;
  /** A fact has no atoms. */
  readonly body: NdlogClause;
  readonly span: Span;
}

/** For all base tuples that match the atoms and satisfy the condition, `then` holds. */
export interface NdlogConstraint {
  readonly name: string;
  readonly variables: readonly string[];
  readonly when: NdlogClause;
  readonly then: NdlogCondition;
  readonly span: Span;
}

/** Every derived tuple of the predicate satisfies the condition over its attributes, variables 0 to arity - 1. */
export interface NdlogAnnotation {
  readonly predicate: number;
  readonly condition: NdlogCondition;
  readonly span: Span;
}

/** Every derivation of a tuple that matches `when`, a clause with one atom, contains the atoms of `then` with its condition. */
export interface NdlogLemma {
  readonly name: string;
  readonly variables: readonly string[];
  readonly when: NdlogClause;
  readonly then: NdlogClause;
  readonly span: Span;
}

/**
 * `always`: derivations of tuples that match `when` contain the atoms of one of the alternatives with its condition. `derivable`: some
 * tuples match `when`; there are no alternatives.
 */
export interface NdlogProperty extends Property {
  readonly kind: "invariant" | "cover";
  readonly asks: "always" | "derivable";
  readonly variables: readonly string[];
  readonly when: NdlogClause;
  readonly alternatives: readonly NdlogClause[];
  readonly span: Span;
}

export const isNdlog = (subject: Subject | undefined): subject is NdlogProgram => subject?.kind === "ndlog";

export const isNdlogProperty = (property: Property): property is NdlogProperty =>
  "asks" in property && "alternatives" in property;

export const sumOfVariable = (variable: number): NdlogSum => ({
  parts: [{ coefficient: 1n, of: { kind: "variable", variable } }],
  constant: 0n,
});

export const sumOfConstant = (constant: bigint): NdlogSum => ({ parts: [], constant });

/** The variable that a sum consists of, or undefined. */
export function variableOfSum({ parts, constant }: NdlogSum): number | undefined {
  const [only, more] = parts;
  const isPlain = only !== undefined && more === undefined && constant === 0n && only.coefficient === 1n;
  return isPlain && only.of.kind === "variable" ? only.of.variable : undefined;
}
