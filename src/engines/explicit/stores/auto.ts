/**
 * Automatic choice of a store: exact while the memory lasts, flat first and then in a tree; if even that is not enough and
 * the user accepts a probable answer, lossy: first with few bits for a state, as the number of states is unknown; then with
 * the best settings for the estimate. Each run has its own seed, so that all of them miss a state only with the product of
 * their probabilities.
 */
import type { Model, StoreReport } from "../../../model/index.js";
import { searchCompactly, type CompactResult, type Resources } from "../compaction.js";
import { Ledger, collectGarbage } from "../ledger.js";
import type { SearchOptions, StoreKind } from "../search.js";
import { ExactStore } from "../store.js";
import { derivedSeed } from "./hashing.js";
import { plans } from "./plan.js";
import { TARGET, combined, storeReport } from "./report.js";
import { storeFor, type StoreSettings } from "./settings.js";

export interface AutoResult extends CompactResult {
  readonly report: StoreReport;
}

export async function searchAutomatically(
  model: Model,
  options: SearchOptions,
  settings: StoreSettings,
  { takesProbable, resources = {} }: { readonly takesProbable: boolean; readonly resources?: Resources },
): Promise<AutoResult> {
  const started = performance.now();
  const run = async (store: StoreKind, reason: string): Promise<AutoResult> => {
    const found = await searchCompactly(model, { ...remaining(options, started), store }, resources);
    return { ...found, report: storeReport(store, found.result, reason) };
  };
  const flat = withoutStates(await run("flat", ""));
  // sound: test/engines/explicit/endings.test.ts
  if (!isWorthAnother(flat)) return flat;
  const tree = withoutStates(await run("tree", "states as they are did not fit into the memory"));
  const exact = furthest(flat, tree);
  // sound: test/engines/explicit/endings.test.ts test/engines/explicit/tree-suffices.test.ts
  if (!isWorthAnother(tree) || !takesProbable) return exact;
  const probable = await searchProbably(run, settings);
  return furthest(exact, probable) === probable
    ? probable
    : { ...exact, report: withFailure(exact, probable) };
}

/** Why the requested probable answer is missing: lossy stores also need memory, for waiting states. */
const withFailure = ({ report }: AutoResult, { result }: AutoResult): StoreReport => ({
  ...report,
  reason:
    `it came furthest: a lossy store left no memory for the stack or the queue after ${result.stats.states} states; ` +
    "try --search bfs, or less for the table (--table)",
});

/** Nothing was found before the memory was spent. */
const isWorthAnother = ({ result }: AutoResult): boolean =>
  // sound: test/engines/explicit/endings.test.ts
  result.stop === "memory" && result.violations.length === 0;

/** The later one, unless it also ran out of memory, and earlier. */
const furthest = (earlier: AutoResult, later: AutoResult): AutoResult =>
  isWorthAnother(later) && later.result.stats.states < earlier.result.stats.states ? earlier : later;

/** The next search needs the memory that the states have; the paths of violations keep theirs. */
function withoutStates(found: AutoResult): AutoResult {
  if (!isWorthAnother(found)) return found;
  const store = new ExactStore({ width: 1, compareFrom: 0, keepsParents: false, maxStates: 0 }, new Ledger());
  setImmediate(collectGarbage);
  return { ...found, result: { ...found.result, store } };
}

/** Limit on lossy runs. */
const MOST_RUNS = 3;

async function searchProbably(
  run: (store: StoreKind, reason: string) => Promise<AutoResult>,
  settings: StoreSettings,
): Promise<AutoResult> {
  const why = "exact stores did not fit into the memory, and a probable answer is accepted";
  let last = await run(storeFor("bitstate", settings), why);
  const omissions = [last.report.omissions!];
  for (let index = 1; index < MOST_RUNS; index++) {
    const { stop, violations } = last.result;
    const known = last.report.omissions;
    if (stop !== undefined || violations.length > 0 || !known?.estimatedStates) break;
    if (combined(omissions).probability <= TARGET) break;
    const [plan] = plans(known.estimatedStates, settings.tableBytes);
    if (!plan) break;
    const next = storeFor(plan.store.kind, {
      ...settings,
      expectStates: Math.ceil(1.01 * known.estimatedStates),
      seed: derivedSeed(settings.seed, index) >>> 1,
    });
    const reason = `${why}; run ${index + 1}, for the ${known.estimatedStates} states that the one before made probable`;
    const found = await run(next, reason);
    if (!found.report.omissions) break;
    last = found;
    omissions.push(found.report.omissions);
  }
  return { ...last, report: { ...last.report, omissions: combined(omissions) } };
}

/** The time budget is for all attempts together. */
function remaining(options: SearchOptions, started: number): SearchOptions {
  const { timeMs } = options.budget;
  if (timeMs === undefined) return options;
  const left = Math.max(0, timeMs - (performance.now() - started));
  return { ...options, budget: { ...options.budget, timeMs: left } };
}
