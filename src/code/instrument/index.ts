/**
 * Instruments scripts to report the accesses of their turns, for partial-order reduction. Runs in the host; the result
 * runs in realms, together with `../tracking`. Read `transform.ts` first (the traversal), then `scopes.ts` (shared
 * variables); each kind of syntax with accesses has a separate file.
 */
export { CannotInstrument } from "./refusal.js";
export { instrument } from "./transform.js";
