/**
 * Scripts that tell what their turns touch, for partial-order reduction. Runs in the host; what it makes runs in realms, together
 * with `../tracking`. Read `transform.ts` first, then `scopes.ts`.
 */
export { CannotInstrument, instrument } from "./transform.js";
