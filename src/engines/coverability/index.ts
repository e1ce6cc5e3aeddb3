/**
 * Coverability: can a net reach a marking with at least the given tokens? Three procedures that share only the
 * representation of vectors, so that each can check the others; and branching vector addition systems.
 *
 * In: a `Net` (or a `Bvas`) and targets. Out: a run (or a derivation) that covers a target, or `uncovered`. Read
 * `procedure.ts` first, then `eec.ts`, `backward.ts` or `karp-miller.ts`.
 *
 * Invariant: every reported run has been replayed on the net.
 */
export { backward, type BackwardOptions } from "./backward.js";
export { eec, isInductive, type EecAnswer, type EecOptions } from "./eec.js";
export { lastBound, witnessHeight } from "./branching/bound.js";
export { coversTarget, isDerivation, isInvariant } from "./branching/certify.js";
export { closure, type Closure, type ClosureRequest } from "./branching/closure.js";
export { branchingEec, type BvasAnswer } from "./branching/eec.js";
export { boundedness, karpMiller, type BoundednessAnswer } from "./karp-miller.js";
export { procedures } from "./procedures.js";
export type { CoverAnswer, DecideCoverability, Procedure } from "./procedure.js";
export { shorten } from "./shorten.js";
export { Spent, Work, runAtOnce, runInSlices, type Exhausted } from "./work.js";
