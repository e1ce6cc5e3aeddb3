/**
 * Derivation pools: verification of NDLog programs for all networks.
 *
 * In: an `NdlogProgram` and a `Solver`. Out: a proof, a counterexample that the concrete semantics has confirmed, or undecided. Read
 * `pool.ts` (all derivations as trees with variables), `query.ts` (one query), `verify.ts` (the search), then `lemmas.ts` and
 * `annotations.ts`; `proof.ts` writes certificates.
 *
 * Always true: `holds` rests on unsatisfiable queries alone, `violated` on a replayed run.
 */
export { checkAnnotations, type AnnotationReport } from "./annotations.js";
export { whyNotConfirmed, type Counterexample } from "./counterexample.js";
export { cutOf } from "./cut.js";
export { Encoder } from "./encode.js";
export { lemmaText, provable, type Failed } from "./lemmas.js";
export { Pool, PoolTooLarge } from "./pool.js";
export { poolProofOf, type PoolEvidence } from "./proof.js";
export { Queries } from "./query.js";
export { suggestions, type Suggestion } from "./suggest.js";
export {
  DEFAULT_UNFOLDINGS,
  verify,
  type CombinationReport,
  type PoolAnswer,
  type PoolOptions,
  type Verified,
} from "./verify.js";
