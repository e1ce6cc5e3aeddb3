/**
 * A system of nodes, written in ordinary TypeScript, as a `Model`.
 *
 * In: a file that exports `defineSystem({ … })`. Out: a model whose states are numbers of captured node states, for the
 * common search core.
 * Read `define.ts` first (the user's API), then `node-process.ts` (one node), `local-steps.ts` (its memoised steps),
 * `node-system.ts` (all nodes and the network). `node-runtime.ts`, `condition-evaluator.ts`, `define.ts` and `weak.ts` run inside realms.
 *
 * Always true: nodes share no data; successors depend on the state alone. Not here: the search, and capture, which is
 * in `../heap`.
 */
export { UnknownBudget } from "./budgets.js";
export { BadDeclaration } from "./declared.js";
export { FAULT_NAMES, SPEED_NAMES, parseLimit, type Limits } from "./limits.js";
export { minimise, traceOfRun } from "./minimise.js";
export { makeModel, type SystemModel, type SystemModelOptions } from "./model.js";
export { JournalFull } from "../../model/journal.js";
export { NotWorthwhile } from "./node-candidates.js";
export {
  ChangedByCondition as Disturbed,
  StepTimeout as GivenUp,
  Nondeterminism,
  NotSupported,
  OpaqueNode,
} from "./node-process.js";
export { ChoiceAtStart } from "./node-system.js";
export { nodeReductions } from "./reductions.js";
export { NotSymmetric } from "./representatives.js";
export { USUAL_VALUES, findSlice, type Slice } from "./slicing.js";
export { groupsOf, whyAsymmetric } from "./symmetry.js";
export { asymmetricProperty, diagnosticOf, replayNote } from "./problems.js";
export { BadCondition } from "./properties.js";
export {
  CannotLoad,
  bundleName,
  bundleSystem,
  inspectSystem,
  messageOf,
  packed,
  unpacked,
  type PackedSource,
  type SystemKind,
  type SystemSource,
} from "./source.js";
export { limitConditions } from "./condition-limit.js";
export { areThreadsStill } from "./pulse.js";
export { runAgain } from "./run-again.js";
export { onEachStep } from "./run-step.js";
export { simulateRun, type SimulatedRun } from "./simulate.js";
export { Swarm, faultKinds, seedOfRun, type FaultKind, type SpeedKind, type Strategy } from "./swarm.js";
export type { SystemSummary } from "./summary.js";
export { NODES_MAKER, nodesFromRecipe, sharedModel, type SharedModel } from "./threads.js";
