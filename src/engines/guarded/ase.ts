/**
 * Abstract analysis of symbolic executions: explores with abstract matching, tries to show that the explored part is closed, refines the
 * predicates, and begins again.
 *
 * A violation is a feasible path; `runs.ts` executes it. A proof is a closed part; `proof.ts` states it as an invariant.
 */
import type { GuardedProgram, GuardedProperty, GuardedRun } from "../../model/guarded.js";
import type { Solver } from "../../model/solver.js";
import type { Term } from "../../model/terms.js";
import { Abstraction, firstPredicates, Undecided } from "./abstraction.js";
import { Checks, type Closed } from "./checks.js";
import { explore, type ExploreMode, type Explored } from "./explore.js";
import { Logic } from "./logic.js";
import { invariantOf } from "./proof.js";
import { refineEdges, refineEscapes, type RefineOptions } from "./refine.js";
import { runTo } from "./runs.js";

export interface AseOptions {
  /** `auto`: `concrete-cache` for programs without undefined values and inputs, otherwise `subsume`. */
  readonly mode: ExploreMode | "auto";
  readonly check: "trap" | "printed";
  readonly refine: RefineOptions;
  readonly maxIterations: number;
}

export const DEFAULT_ASE: AseOptions = {
  mode: "auto",
  check: "trap",
  refine: { from: "loop", atoms: "needed" },
  maxIterations: Infinity,
};

export interface Iteration {
  readonly states: number;
  readonly abstractStates: number;
  readonly firings: number;
  readonly depth: number;
  readonly predicates: number;
}

export type GuardedAnswer =
  /** `invariant` is SMT-LIB over the names of the variables; undefined: too large to write. */
  | {
      readonly kind: "safe";
      readonly by: string;
      readonly isVacuous: boolean;
      readonly invariant: string | undefined;
    }
  | { readonly kind: "unsafe"; readonly run: GuardedRun }
  | { readonly kind: "undecided"; readonly reason: string };

/** What a step of the analysis reports to its caller. */
export interface Analysed {
  readonly answer: GuardedAnswer;
  readonly iterations: readonly Iteration[];
  readonly predicates: readonly Term[];
  /** Of the last iteration. */
  readonly explored: Explored | undefined;
  readonly abstraction: Abstraction | undefined;
}

/** Yields between steps. */
export function* ase(
  program: GuardedProgram,
  property: GuardedProperty,
  solver: Solver,
  options: AseOptions = DEFAULT_ASE,
): Generator<undefined, Analysed> {
  const logic = new Logic(program, solver.terms);
  const iterations: Iteration[] = [];
  let predicates: readonly Term[] = firstPredicates(logic, property);
  let explored: Explored | undefined;
  let abstraction: Abstraction | undefined;
  const done = (answer: GuardedAnswer): Analysed => ({
    answer,
    iterations,
    predicates,
    explored,
    abstraction,
  });
  const mode = options.mode === "auto" ? (isConcrete(program) ? "concrete-cache" : "subsume") : options.mode;
  try {
    while (iterations.length < options.maxIterations) {
      abstraction = new Abstraction(logic, solver, predicates, property);
      explored = yield* explore(abstraction, mode);
      iterations.push(figuresOf(explored, predicates));
      if (explored.counterexample)
        return done({ kind: "unsafe", run: runTo(abstraction, explored.counterexample, property) });
      if (explored.initial.length === 0)
        return done({ kind: "safe", by: "no initial state", isVacuous: true, invariant: "false" });
      const checks = new Checks(abstraction, explored);
      const { closed, added } = yield* judge(abstraction, explored, checks, options);
      if (closed) return done(safe(abstraction, explored, closed));
      if (added.length === 0)
        return done({ kind: "undecided", reason: "refinement finds no new predicates" });
      // Vectors of the old predicates end here: the next iteration computes all abstract states anew.
      predicates = [...predicates, ...added];
    }
    return done({ kind: "undecided", reason: `${iterations.length} iterations are not enough` });
  } catch (error) {
    if (error instanceof Undecided) return done({ kind: "undecided", reason: error.message });
    throw error;
  }
}

/** One concrete initial state and no inputs: no query of the exploration reaches a solver. */
export const isConcrete = ({ variables, transitions }: GuardedProgram): boolean =>
  variables.every(({ initial }) => initial !== undefined) &&
  transitions.every(({ assignments }) => assignments.every(({ value }) => value !== "nondet"));

function* judge(
  abstraction: Abstraction,
  explored: Explored,
  checks: Checks,
  { check, refine }: AseOptions,
): Generator<undefined, { readonly closed: Closed | undefined; readonly added: readonly Term[] }> {
  if (check === "trap") {
    const { closed, escapes } = yield* checks.trap();
    return { closed, added: closed ? [] : refineEscapes(abstraction, escapes, refine) };
  }
  const closed = yield* checks.printed();
  return { closed, added: closed ? [] : refineEdges(abstraction, explored, checks, refine) };
}

const safe = (abstraction: Abstraction, explored: Explored, closed: Closed): GuardedAnswer => ({
  kind: "safe",
  by: closed.by,
  isVacuous: false,
  invariant: invariantOf(abstraction, explored, closed),
});

const figuresOf = (
  { states, abstract, firings, depth }: Explored,
  predicates: readonly Term[],
): Iteration => ({
  states,
  abstractStates: abstract.size,
  firings,
  depth,
  predicates: predicates.length,
});
