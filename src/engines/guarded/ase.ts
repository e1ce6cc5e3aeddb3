/**
 * Abstract analysis of symbolic executions: explores with abstract matching, tries to show that the explored part is closed, refines
 * the predicates, and restarts.
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
  const mode = options.mode === "auto" ? (isConcrete(program) ? "concrete-cache" : "subsume") : options.mode;
  return yield* refining(program, property, solver, options.maxIterations, {
    explore: (abstraction) => explore(abstraction, mode),
    judge: (abstraction, explored) => judge(abstraction, explored, options),
  });
}

/** The parts of an iteration. */
interface Analysis {
  explore(abstraction: Abstraction): Generator<undefined, Explored>;
  judge(abstraction: Abstraction, explored: Explored): Generator<undefined, Judged>;
}

/** The answer, or predicates for the next iteration. */
export type Judged = { readonly answer: GuardedAnswer } | { readonly added: readonly Term[] };

/** Explores, judges and refines, until there is an answer. */
export function* refining(
  program: GuardedProgram,
  property: GuardedProperty,
  solver: Solver,
  maxIterations: number,
  analysis: Analysis,
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
  try {
    while (iterations.length < maxIterations) {
      abstraction = new Abstraction(logic, solver, predicates, property);
      explored = yield* analysis.explore(abstraction);
      iterations.push(figuresOf(explored, predicates));
      if (explored.counterexample)
        return done({ kind: "unsafe", run: runTo(abstraction, explored.counterexample, property) });
      const judged = yield* analysis.judge(abstraction, explored);
      if ("answer" in judged) return done(judged.answer);
      if (judged.added.length === 0)
        return done({ kind: "undecided", reason: "refinement finds no new predicates" });
      // Vectors of the old predicates end here: the next iteration computes all abstract states again.
      predicates = [...predicates, ...judged.added];
    }
    return done({
      kind: "undecided",
      reason: `${iterations.length === 1 ? "one iteration is" : `${iterations.length} iterations are`} not enough`,
    });
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
  { check, refine }: AseOptions,
): Generator<undefined, Judged> {
  if (explored.initial.length === 0)
    return { answer: { kind: "safe", by: "no initial state", isVacuous: true, invariant: "false" } };
  const checks = new Checks(abstraction, explored);
  if (check === "trap") {
    const { closed, escapes } = yield* checks.trap();
    if (closed) return { answer: safe(abstraction, explored, closed) };
    return { added: refineEscapes(abstraction, escapes, refine) };
  }
  const closed = yield* checks.printed();
  if (closed) return { answer: safe(abstraction, explored, closed) };
  return { added: refineEdges(abstraction, explored, checks, refine) };
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
