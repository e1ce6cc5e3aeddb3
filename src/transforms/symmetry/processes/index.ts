/**
 * Symmetry of a `Program`: finds interchangeable processes.
 *
 * Read `plan.ts` first, then `uses.ts` (uses of values in statements), `classes.ts` (values of one kind), `identities.ts` (values
 * that distinguish processes), `endings.ts` (termination) and `naming.ts` (the result as data).
 */
export { planProcesses, type ProcessPlan, type ProcessRefusal } from "./plan.js";
export { endOf, withoutRemoval } from "./endings.js";
