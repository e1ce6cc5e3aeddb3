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
}

/** By `kind`: each has a checker of its own. */
export type Proof = ProvenanceProof | InvariantProof;

/** Of a guarded program: a formula that holds at first, that every transition preserves, and that implies the property. */
export interface InvariantProof {
  readonly kind: "invariant";
  readonly property: string;
  /** The engine that found it; informational. */
  readonly by: string;
  /** SMT-LIB over the names of the variables, quoted with bars. */
  readonly invariant: string;
}

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
  /** Where a variable may hold anything: principal, location, variable. */
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
