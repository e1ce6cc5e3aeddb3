/**
 * Reductions of a `Program`: fewer states, the same verdicts.
 *
 * - `merge`: a statement and the local ones behind it are one transition (`merge.ts`);
 * - `dead`: variables that nobody will read before writing them are 0 (`dead.ts`);
 * - `slice`: what no checked property depends on is not computed (`slice.ts`);
 * - `por`: of independent steps one order is explored (`marking.ts`: which processes may be explored alone; the
 *   cycle proviso is the search's business).
 *
 * The first three make another program. Always true: every edge of it is a sequence of edges of the original
 * (`Rewriting.origins`), so its traces can be told in the original program.
 * `plan.ts` says which reductions a set of safety properties allows, `temporal.ts` which a temporal property does.
 */
export { compose, unchanged, type Rewriting } from "./rewriting.js";
export { mergeAsSpin, mergeStatements } from "./merge.js";
export { resetDead } from "./dead.js";
export { Sight } from "./sight.js";
export { slice } from "./slice.js";
export { marking, whyNotReducible, type MarkingOptions } from "./marking.js";
export { planReductions, type Plan, type PlanRequest } from "./plan.js";
export { planTemporal, type TemporalPlanRequest } from "./temporal.js";
export { Conditions, type CommonStates } from "./conditions/index.js";
export { reductionNames, type ReductionName } from "./names.js";
