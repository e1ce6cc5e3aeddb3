/**
 * Reductions of a `Program`: fewer states, the same verdicts.
 *
 * - `merge`: a statement and the local ones behind it are one transition (`merge.ts`);
 * - `dead`: variables that are never read before the next write are 0 (`dead.ts`);
 * - `slice`: computations that no checked property depends on are dropped (`slice.ts`);
 * - `por`: explores one order of independent steps (`marking.ts` marks the processes that may be explored alone; the search
 *   ensures the cycle proviso).
 *
 * The first three make another program. Always true: every edge of it is a sequence of edges of the original
 * (`Rewriting.origins`), so its traces translate to the original program. `plan.ts` decides which reductions a set of safety
 * properties allows, `temporal.ts` the same for a temporal property.
 */
export { compose, unchanged, type Rewriting } from "./rewriting.js";
export { mergeAsSpin, mergeStatements } from "./merge.js";
export { resetDead } from "./dead.js";
export { Sight } from "./sight.js";
export { marking, type MarkingOptions } from "./marking.js";
export { planReductions, type Plan, type PlanRequest } from "./plan.js";
export { planTemporal, type TemporalPlanRequest } from "./temporal.js";
export { Conditions, type CommonStates } from "./conditions/index.js";
export { reductionNames, type ReductionName } from "./names.js";
