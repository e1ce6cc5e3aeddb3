/**
 * Symmetric states of a compiled `Program`: `settled.ts` finds the processes, `parts.ts` the parts that renamings change,
 * `canonical.ts` computes representatives, `representing.ts` wraps a system. `renaming.ts` renames directly, as a test
 * oracle.
 */
export { Canonicaliser } from "./canonical.js";
export { ProcessRenamer, type ElementRenaming } from "./renaming.js";
export { representing } from "./representing.js";
export { settle, type Unsettled } from "./settled.js";
