/**
 * Parametric symbolic search of Boolean programs (Cook, Kroening and Sharygina, SPIN 2005).
 *
 * In: a `BooleanProgram`, a property and a propositional solver. Out: a run, a proof that the location is unreachable, or a spent budget.
 * Read `search.ts` first (the loop), then `symbolic.ts` (states as formulas over choices), `history.ts` and `coverage.ts` (when a state
 * adds nothing), `analysis.ts` (live variables, threads that may be explored alone). `formulas.ts` has the formulas, `questions.ts` asks
 * the solver, `proof.ts` writes certificates.
 *
 * Always true: a violation is a run that was executed; dropped states are empty or covered.
 */
export {
  ParametricSearch,
  type BooleanRun,
  type SearchAnswer,
  type SearchFigures,
  type SearchOptions,
} from "./search.js";
export { Stopped } from "./questions.js";
export type { Fixpoint } from "./history.js";
export { proofOf } from "./proof.js";
