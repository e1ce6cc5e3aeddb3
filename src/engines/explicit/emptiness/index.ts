/**
 * Emptiness checks: does a graph with acceptance marks on its arcs have a run that sees every mark infinitely often?
 *
 * In: a `System` whose labels are marks, or an `AcceptanceGraph`. Out: the answer, figures, and a short run (prefix and
 * cycle) that was followed through the graph.
 *
 * Read `check.ts` first (the entry for systems), then `emptiness-search.ts` (the common base), `path-code.ts` (`cou99` and
 * `dfs`, the defaults, as text) and `algorithms.ts` (the others by name). `accepting-run.ts` constructs runs, `lasso.ts`
 * checks them, `interned-graph.ts` makes a graph of a system, `degeneralised.ts` merges conditions into one, `streett.ts`
 * handles strong fairness, `lossy-nested.ts` is the nested search with a lossy store, where states have no numbers.
 *
 * Always true: a search that left something out never returns "empty".
 */
export {
  checkEmptiness,
  notSearched,
  type EmptinessOptions,
  type EmptinessResult,
  type EmptinessStats,
  type SeenStates,
  type SystemRun,
} from "./check.js";
export { EMPTINESS_ALGORITHMS, refusal, type EmptinessAlgorithm } from "./algorithms.js";
export { Degeneralised } from "./degeneralised.js";
export { InternedGraph } from "./interned-graph.js";
export { flawOf, type Lasso, type RunStep } from "./lasso.js";
export {
  LOSSY_ALGORITHMS,
  checkLossily,
  type LossyAlgorithm,
  type LossyOptions,
  type LossyResult,
} from "./lossy-nested.js";
export { checkStrongFairness, type StrongFairnessOptions } from "./strong-fairness.js";
export { checkStreett, type StreettResult } from "./streett.js";
export { StreettArcs, type StreettGraph } from "./streett-graph.js";
export { streettFlawOf, type StreettRun, type StreettStep } from "./streett-run.js";
export { isWeak } from "./weak.js";
