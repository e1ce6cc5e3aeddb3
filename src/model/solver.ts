/**
 * What engines ask of a solver. Implementations are in `src/solvers`; `session` hands one to the engine.
 *
 * Synchronous: a search asks thousands of small questions inside its loop. `unknown` is never an answer to build a proof on.
 */
import type { Assignment, Term, Terms, VariableTerm } from "./terms.js";

export type SolverAnswer =
  { readonly kind: "sat" | "unsat" } | { readonly kind: "unknown"; readonly reason: string };

/** Purposes of queries, for statistics. */
export type QueryPurpose =
  | "feasibility"
  | "splitting"
  | "exactness"
  | "coverage"
  | "subsumption"
  | "refinement"
  /** Of derivation pools. */
  | "vacuity"
  | "property"
  | "lemma"
  | "annotation"
  | "model";

export interface Solver {
  readonly terms: Terms;
  push(): void;
  pop(): void;
  assert(term: Term): void;
  check(assumptions: readonly Term[], limits: SolverLimits): SolverAnswer;
  /** After `sat`: values that satisfy all assertions and assumptions. */
  model(): Assignment;
  /** After `unsat`: assumptions that suffice with the assertions. */
  core(): readonly Term[];
  /** Eliminates integer variables from a linear formula; undefined: too large. */
  project(formula: Term, variables: readonly VariableTerm[]): Term | undefined;
  figures(): SolverFigures;
}

export interface SolverLimits {
  readonly purpose: QueryPurpose;
  /** Absent: the solver's own limit. */
  readonly timeMs?: number;
}

export interface SolverFigures {
  /** Back ends, such as `z3 (embedded)`. */
  readonly names: readonly string[];
  readonly queries: number;
  readonly byPurpose: Readonly<Partial<Record<QueryPurpose, number>>>;
  /** Answered by simplification, slicing, a cache or the difference-bound test. */
  readonly answeredBefore: number;
  /** Queries that a solver left unknown, and the last reason. */
  readonly unanswered: number;
  readonly lastReason?: string;
  /** Inside solvers. */
  readonly seconds: number;
}

/** Runs whole SMT-LIB scripts, each in a new context. */
export interface ScriptRunner {
  readonly name: string;
  /** `ifSat` follows an output that begins with `sat`: in other states a solver refuses to state a model. */
  run(script: string, timeMs: number, ifSat?: string): ScriptAnswer;
}

/** Also runs them beside other work of this thread. */
export interface BackgroundRunner extends ScriptRunner {
  begin(script: string, timeMs: number, ifSat?: string): RunningScript;
}

export interface RunningScript {
  /** Waits for at most this time; undefined: there is no answer yet. */
  poll(waitMs: number): ScriptAnswer | undefined;
  /** Gives up an answer that is not there yet. */
  cancel(): void;
}

export type ScriptAnswer =
  | { readonly kind: "answered"; readonly output: string }
  | { readonly kind: "failed"; readonly reason: string };
