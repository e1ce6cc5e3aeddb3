/**
 * Explicit-state search: visits every reachable state once.
 *
 * In: a `Model`. Out: a finding for each property, with figures; a violation carries a trace that was replayed, breadth-first
 * the shortest one.
 *
 * Read `search.ts` first (the driver), then `breadth-first.ts` and `depth-first.ts` (the loops; the same store, monitor and
 * budget), then `store.ts` (visited states) and `store-code.ts` (its hot operations as text for the loops).
 * `intermediates.ts` runs through atomic sequences, `monitor.ts` keeps the errors, `trace.ts` turns paths of stored states
 * into traces, `check.ts` makes findings of it all, and `compaction.ts` restarts a large search with smaller states.
 * `reduction.ts` holds the provisos of partial-order reduction, `breadth-first-again.ts` handles rejected candidates.
 * `parallel/` is the breadth-first search by several threads (read its `search.ts` first, then `worker.ts`; `emptiness.ts`
 * for temporal properties), `disk/` the search that continues when memory is spent (likewise). `always-reachable.ts` is for AG
 * EF, `root.ts` for systems with several start states.
 *
 * Always true: a state's id is its order of discovery; breadth-first, a parent's id is smaller; only nominal states are
 * stored.
 */
export {
  checkExplicit,
  ownerOf,
  unproven,
  withoutFinding,
  type ExplicitFinding,
  type ExplicitOptions,
  type ExplicitResult,
} from "./check.js";
export { searchCompactly, type DeviceOffer, type Resources } from "./compaction.js";
export { DiskProblem, type DiskProblemKind } from "./disk/folder.js";
export type { WorkerSource } from "./parallel/crew.js";
export { checkEmptinessInParallel } from "./parallel/emptiness.js";
export { serveSearch } from "./parallel/worker.js";
export type { Proviso } from "./reduction.js";
export { search, type SearchOptions, type SearchResult, type SearchStats } from "./search.js";
export { type Lossy } from "./stores/omissions.js";
export type { BitstateChoice, CompactChoice } from "./stores/choice.js";
export { plans, type Plan } from "./stores/plan.js";
export { DEFAULT_SETTINGS, storeFor, type StoreSettings } from "./stores/settings.js";
export { formatExpected, formatProbability, storeReport } from "./stores/report.js";
export { withRoot, withoutRoot } from "./root.js";
export { alwaysReachable, type AlwaysReachable } from "./always-reachable.js";
export { traceThrough } from "./trace.js";
export type { Stop } from "./order.js";
export { drive, type Task } from "./drive.js";
export { exploreLts, type ActionSource, type ExploredLts } from "./labelled-graph.js";
