/**
 * Labelled transition systems: minimises and compares them.
 *
 * In: an `Lts` (`src/model/lts.ts`). Out: a partition with its quotient, or the verdict of a comparison with its evidence.
 * Read `relations.ts` and `view.ts` (systems as a relation sees them), `partition.ts`, then `refine.ts` (the engine for strong and branching bisimilarity) and `weak.ts`. `compare.ts` compares two
 * systems: `levels.ts` and `distinguish.ts` find a formula that distinguishes them, and `evaluate.ts`, which shares no code
 * with the refinement, confirms it on both. `traces.ts` and `simulation.ts` decide the preorders.
 */
export { partitioning, type Partition, type Slices } from "./partition.js";
export {
  basicEquivalences,
  equivalences,
  isEquivalence,
  minimisingEquivalences,
  preorders,
  relations,
  seenBy,
  seesStates,
} from "./relations.js";
export type {
  BasicEquivalence,
  Equivalence,
  MinimisingEquivalence,
  Preorder,
  Relation,
} from "./relations.js";
export { showsTrace } from "./evaluate.js";
export { comparing, type Comparison, type Evidence } from "./compare.js";
export { StateFormulas, type FormulaPath } from "./state-formula.js";
export { acceptedRun, type AcceptedRun } from "./runs.js";
