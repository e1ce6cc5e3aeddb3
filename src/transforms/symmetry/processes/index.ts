/**
 * Symmetry of a `Program`: which of its processes are interchangeable.
 *
 * Read `plan.ts` first, then `uses.ts` (what statements do with values), `classes.ts` (values of one kind), `identities.ts` (how
 * processes are told apart), `endings.ts` (processes that end) and `naming.ts` (the result as data).
 */
export { planProcesses, type ProcessPlan, type ProcessRefusal } from "./plan.js";
export { endOf, withoutRemoval } from "./endings.js";
