/**
 * Symmetric states of a compiled `Program`: `settled.ts` finds the processes that there are, `parts.ts` what a renaming changes in a
 * state, `canonical.ts` makes representatives, `representing.ts` puts them into a system. `renaming.ts` renames the obvious way, to test the rest.
 */
export { Canonicaliser } from "./canonical.js";
export { ProcessRenamer, type ElementRenaming } from "./renaming.js";
export { representing } from "./representing.js";
export { settle, type Unsettled } from "./settled.js";
