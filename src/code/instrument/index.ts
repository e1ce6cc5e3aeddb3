/**
 * Scripts that tell what their turns touch, for partial-order reduction. Runs in the host; what it makes runs in realms, together
 * with `../tracking`. Read `transform.ts` first (the walk), then `scopes.ts` (which variables are shared); each kind of syntax
 * that touches something has a file of its own.
 */
export { CannotInstrument } from "./refusal.js";
export { instrument } from "./transform.js";
