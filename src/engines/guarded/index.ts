/**
 * Safety of guarded commands over unbounded integers.
 *
 * In: a `GuardedProgram`, a property and a solver. Out: a proof with an invariant, a run, or the reason why neither was found.
 * Read `ase.ts` first (the loop), then `explore.ts` (symbolic execution with abstract matching), `checks.ts` (is the explored part
 * closed?) and `refine.ts` (new predicates). `abstraction.ts` splits symbolic states, `ur.ts` is the baseline, `chc.ts` asks Spacer.
 *
 * Always true: a violation is a run that was executed; a proof is closed under every transition, inputs included.
 */
export {
  ase,
  DEFAULT_ASE,
  isConcrete,
  type Analysed,
  type AseOptions,
  type GuardedAnswer,
  type Iteration,
} from "./ase.js";

export { chc, hornClauses, type ChcOptions } from "./chc.js";
export { Undecided } from "./abstraction.js";
export { abstractGraph } from "./graph.js";
export { ur } from "./ur.js";
