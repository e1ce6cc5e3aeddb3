import type { Assumption, Premise } from "./assumptions.js";

/**
 * A proof that can be checked without searching: a set of configurations that holds the first one, that no step leaves,
 * and in which nothing is wrong. Plain data, written as JSON.
 */
export interface Certificate {
  readonly everypath: string;
  readonly format: typeof CERTIFICATE_FORMAT;
  /** Relative to the certificate. */
  readonly file: string;
  readonly language: string;
  /** Hash of the meaning of the model: names and statements, not their layout. */
  readonly model: string;
  readonly proofs: readonly Proof[];
  /** Specifications that replace the one beside the file, relative to the certificate; absent: none. */
  readonly claims?: readonly string[];
}

/** By `kind`: each has a checker of its own. */
export type Proof = ProvenanceProof | InvariantProof | BooleanProof | PoolProof | AssumptionProof;

/** Of a network: premises that imply the property, each about some parts under learned assumptions. */
export interface AssumptionProof {
  readonly kind: "assumptions";
  readonly property: string;
  /** The rule that found it; informational. */
  readonly rule: string;
  readonly assumptions: readonly Assumption[];
  readonly premises: readonly Premise[];
}

/** Of a guarded program: a formula that holds at first, that every transition preserves, and that implies the property. */
export interface InvariantProof {
  readonly kind: "invariant";
  readonly property: string;
  /** The engine that found it; informational. */
  readonly by: string;
  /** SMT-LIB over the names of the variables, quoted with bars. */
  readonly invariant: string;
}

/**
 * Of a Boolean program: sets of states by locations, closed under every step. Formulas are literals of one and-inverter graph, as in AIGER:
 * twice the number of a node, plus 1 if it is negated; node 0 is false, the inputs follow, then the conjunctions.
 */
export interface BooleanProof {
  readonly kind: "boolean";
  readonly property: string;
  readonly inputs: number;
  readonly ands: readonly (readonly [number, number])[];
  readonly sets: readonly BooleanSet[];
  /** Of the initial states, by set 0; then of every step of every set. */
  readonly covers: readonly BooleanCover[];
}

/** All states at these locations that some inputs with true guards give; a variable that is not listed has either value. */
export interface BooleanSet {
  readonly at: readonly number[];
  readonly values: readonly (readonly [variable: number, literal: number])[];
  readonly guards: readonly number[];
}

/** A step of a set leads into another: its inputs as formulas over the inputs of the first one and the choices of the step. */
export interface BooleanCover {
  /** -1: the initial states. */
  readonly from: number;
  readonly thread: number;
  readonly step: number;
  /** Inputs that stand for the choices of the step, or for undefined initial values. */
  readonly choices: readonly number[];
  /** -1: the step is not possible there. */
  readonly to: number;
  /** In each case of the first set, one instance fits; inputs that are not listed stand for themselves. */
  readonly instances: readonly (readonly (readonly [input: number, literal: number])[])[];
}

/**
 * Of an NDLog program: the shapes of all derivations, cut at some predicates, and cases of the property, each of which a solver refutes.
 * Conditions follow from the shapes and the program.
 */
export interface PoolProof {
  readonly kind: "pool";
  readonly property: string;
  /** Predicates that are open leaves inside the trees of others. */
  readonly cut: readonly number[];
  /** By predicate: the shapes of all its derivations. */
  readonly pool: readonly (readonly PoolTree[])[];
  /** Hold for the derivations below open leaves; proved together, by induction on the height of derivations. */
  readonly lemmas: readonly PoolLemma[];
  readonly cases: readonly PoolCase[];
}

/** A base tuple (-1), an open leaf (-2), or the number of a rule and the derivations of its atoms. */
export type PoolTree = -1 | -2 | readonly [number, ...PoolTree[]];

/** Derivations of the tuples on the left of the property. */
export interface PoolCase {
  readonly trees: readonly PoolTree[];
  /** Path to the open leaf that other cases unfold: number of the tree, then of children. Absent: the case is refuted. */
  readonly unfold?: readonly number[];
}

export type PoolLemma =
  /** Number of a lemma of the program. */
  | { readonly kind: "declared"; readonly lemma: number }
  /** The property itself. */
  | { readonly kind: "property" }
  /** Derivations of `outer` contain a tuple of `inside` with equal attributes. */
  | {
      readonly kind: "equalities";
      readonly outer: number;
      readonly inside: number;
      readonly equal: readonly (readonly [number, number])[];
    };

export const CERTIFICATE_FORMAT = "everypath-certificate-1";

export interface ProvenanceProof {
  readonly kind: "provenance";
  readonly property: string;
  /** Bound on counted messages at which the proof was found; informational. */
  readonly k: number;
  /**
   * `statement`: every statement preserves the set. `run-to-receive`: the local steps of a principal up to a possible receive
   * preserve it together; intermediate states need not be in the set, since other principals cannot interfere with them.
   */
  readonly grain: "statement" | "run-to-receive";
  readonly classes: CertifiedClasses;
  /** Places where a variable may have any value: principal, location, variable. */
  readonly open: readonly (readonly [string, number, string])[];
  readonly invariant: readonly Configurations[];
}

/** Classes of provenances; a new message has class 0. In a declared domain they are the domain's own. */
export interface CertifiedClasses {
  /** By class and principal: the class after being sent. Empty in a declared domain. */
  readonly sent: readonly (readonly number[])[];
  readonly bad: readonly boolean[];
  /** By test of the program, then by class. */
  readonly tests: readonly (readonly boolean[])[];
}

/** All configurations with these locations and values, and at most these messages and instances. */
export interface Configurations {
  readonly at: Readonly<Record<string, number>>;
  /** `Patient.p3`: a message and a class. */
  readonly holds: Readonly<Record<string, readonly [string, number]>>;
  /** Channel, message, class, at most how many. */
  readonly pending: readonly (readonly [string, string, number, Amount])[];
  /** Principal, location, values of its variables in order (null where open), maximum number of instances. */
  readonly instances: readonly (readonly [
    string,
    number,
    readonly (readonly [string, number] | null)[],
    Amount,
  ])[];
}

export type Amount = number | "any";
