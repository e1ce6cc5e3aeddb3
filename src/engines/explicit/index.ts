/**
 * Explicit-state search: visits every reachable state once.
 *
 * In: a `Model`. Out: a finding for each property, with figures; a violation carries a trace that was replayed,
 * breadth-first the shortest one.
 *
 * Read `search.ts` first (the driver), then `breadth-first.ts` and `depth-first.ts` (the loops; the same
 * store, monitor and budget), then `store.ts` (visited states) and `store-code.ts` (its hot operations as
 * text for the loops). `intermediates.ts` runs through atomic sequences, `monitor.ts` keeps the
 * errors, `trace.ts` turns paths of stored states into traces, `check.ts` makes findings of it all, and
 * `compaction.ts` begins a large search again with smaller states. `parallel/` is the breadth-first search by several
 * threads (read its `search.ts` first, then `worker.ts`), `disk/` the one that goes on when memory is spent (likewise).
 *
 * Always true: a state's id is its order of discovery; breadth-first, a parent's id is smaller; only
 * nominal states are stored.
 */
export { checkExplicit, type ExplicitFinding, type ExplicitOptions, type ExplicitResult } from "./check.js";
export type { Resources } from "./compaction.js";
export { DiskProblem, type DiskProblemKind } from "./disk/folder.js";
export type { WorkerSource } from "./parallel/crew.js";
export { serveSearch } from "./parallel/worker.js";
export type { SearchStats } from "./search.js";
export type { Stop } from "./order.js";
