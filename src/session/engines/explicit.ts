/** Searches one model: one run for all safety properties, one for each temporal property. All runs share the budget. */
import {
  DEFAULT_SETTINGS,
  alwaysReachable,
  checkExplicit,
  formatProbability,
  storeFor,
  traceThrough,
  withRoot,
  withoutFinding,
  withoutRoot,
  type DeviceOffer,
  type Proviso,
  type Stop,
  type StoreSettings,
  type WorkerSource,
} from "../../engines/explicit/index.js";
import { EMPTINESS_ALGORITHMS, type EmptinessAlgorithm } from "../../engines/explicit/emptiness/index.js";
import type {
  Budget,
  Diagnostic,
  Model,
  Property,
  Scope,
  StoreName,
  StoreReport,
  TemporalProperty,
  Verdict,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { RunReport } from "../../report/index.js";
import { makeModel } from "./make-model.js";
import type { EngineFinding, EngineOptions, EngineResult, SearchEnd } from "../contracts.js";
import { checkTemporal, type TemporalOptions } from "../temporal.js";
import { remaining, stepsOf, total } from "../pipeline/totals.js";

export const searchesDepthFirst = true;

export async function search(model: Model, options: EngineOptions): Promise<EngineResult> {
  const started = performance.now();
  const runs: Run[] = [];
  const left = (): Budget =>
    remaining(
      options.budget,
      runs.reduce((sum, { report }) => sum + report.stats.states, 0),
      performance.now() - started,
    );
  const temporal = model.temporal?.properties ?? [];
  // sound: test/session/verdicts.test.ts
  const asked = temporal.filter((property) => options.properties.includes(property));
  const goals = options.properties.filter(({ kind }) => kind === "agef");
  // A search without properties still visits the states.
  const hasOthers =
    // sound: test/session/verdicts.test.ts
    asked.length + goals.length < options.properties.length || options.properties.length === 0;
  const devices: string[] = [];
  if (hasOthers) runs.push(await checkSafety(model, options, (name) => devices.push(name)));
  if (goals.length > 0) {
    const fired = model.coverage.times?.slice();
    const run = await checkGoals(model, goals, options, left());
    const [whole] = runs;
    if (whole && isVisited(whole) && run.report.stats.states === whole.report.stats.states) {
      // The second search visits the same states: they and the fired rules count once.
      runs[0] = asOne(whole, run);
      if (fired) model.coverage.times?.set(fired);
    } else runs.push(run);
  }
  // A product repeats the steps of a state for each state of the automaton; these do not count as fired rules.
  const fired = model.coverage.times?.slice();
  for (const property of asked) runs.push(await checkOne(model, property, options, left()));
  if (fired) model.coverage.times?.set(fired);
  const reports = runs.map(({ report }) => report);
  // sound: test/session/verdicts.test.ts
  const stops = runs.flatMap(({ stop }) => stop ?? []);
  const ending = {
    // The depth limit is the weakest reason to stop: it counts only if no run stopped for another one.
    // sound: test/session/verdicts.test.ts
    stop: stops.find((stop) => stop !== "depth") ?? stops[0],
    // sound: test/session/verdicts.test.ts
    lossy: reports.map(({ store }) => store).find((store) => store?.omissions),
    isByLevels:
      // sound: test/session/verdicts.test.ts
      options.search === "bfs" &&
      asked.length === 0 &&
      reports.every(({ stats }) => !stats.partialOrder?.reduced),
  };
  return {
    findings: runs.flatMap((run) => run.findings),
    scope: scopeOf(ending),
    end: endOf(ending),
    runs: reports,
    stats: total(reports.map(({ stats }) => stats)),
    // sound: test/session/verdicts.test.ts
    coversAll: hasOthers && isVisited(nth(runs, 0)),
    notices: [
      ...ownWays(options, asked.length > 0, goals.length > 0),
      ...devices.map((name) => movedTo(name, options)),
    ],
  };
}

// sound: test/session/verdicts.test.ts
const isVisited = ({ stop, report }: Run): boolean => stop === undefined && !report.store?.omissions;

/** `second` visited the same states as `first`. */
function asOne(first: Run, second: Run): Run {
  const [one, other] = [first.report, second.report];
  return {
    findings: [...first.findings, ...second.findings],
    stop: second.stop,
    report: {
      ...one,
      properties: [...one.properties, ...other.properties],
      stats: {
        ...one.stats,
        seconds: one.stats.seconds + other.stats.seconds,
        peakBytes: Math.max(one.stats.peakBytes, other.stats.peakBytes),
      },
    },
  };
}

const movedTo = (device: string, { file }: EngineOptions): Diagnostic => ({
  code: "session/moved-to-device",
  severity: "note",
  message: `this search grew large and was moved to ${device}`,
  span: { file, start: 0, end: 0 },
  hint: "--engine explicit keeps it on the processor",
});

/** Notes on options that separately searched properties do not support. */
function ownWays(
  { workers, fairness, store, disk, file }: EngineOptions,
  hasTemporal: boolean,
  hasGoals: boolean,
): Diagnostic[] {
  const isExact = store === undefined || store === "exact";
  const ofTemporal = [
    ...(workers > 1 && fairness !== "none"
      ? ["with --fairness temporal properties are searched by one thread"]
      : []),
    ...(store === "tree" || store === "delta" || (isLossy(store) && fairness === "strong")
      ? ["temporal properties are searched with the exact store"]
      : []),
    ...(workers > 1 && fairness === "none" && isLossy(store)
      ? [`with the ${store} store temporal properties are searched by one thread`]
      : []),
    ...(disk ? ["temporal properties are searched in memory"] : []),
  ];
  const ofGoals =
    workers > 1 || !isExact || disk
      ? ["properties of kind 'agef' are searched in memory, by one thread, with the exact store"]
      : [];
  return [...(hasTemporal ? ofTemporal : []), ...(hasGoals ? ofGoals : [])].map((message) => ({
    code: "session/not-for-temporal",
    severity: "note",
    message,
    span: { file, start: 0, end: 0 },
  }));
}

/** Reasons why the runs ended, and the store that may have lost states. */
interface Ending {
  readonly stop: Stop | undefined;
  readonly lossy: StoreReport | undefined;
  /** States were reached by shortest paths. Any other order may reach a state first at the depth limit and not expand it. */
  readonly isByLevels: boolean;
}

interface Run {
  readonly findings: readonly EngineFinding[];
  readonly stop: Stop | undefined;
  readonly report: RunReport;
}

async function checkSafety(
  model: Model,
  options: EngineOptions,
  onDevice: (name: string) => void,
): Promise<Run> {
  const { search, store, budget, maxErrors, control, disk } = options;
  const temporal: readonly unknown[] = model.temporal?.properties ?? [];
  const properties = options.properties.filter(
    // sound: test/session/verdicts.test.ts
    (property) => !temporal.includes(property) && property.kind !== "agef",
  );
  const request = (threads: WorkerSource | undefined): Parameters<typeof checkExplicit>[1] => ({
    order: search,
    seed: options.seed,
    ...(store ? { store: storeFor(store, storeSettings(options)) } : {}),
    storeSettings: storeSettings(options),
    takesProbable: options.takesProbable,
    checkDeadlock: true,
    proviso: provisoFor(model, properties, options),
    errors: maxErrors === Infinity ? "all" : maxErrors,
    budget,
    control,
    // sound: test/session/verdicts.test.ts
    isChecked: (property) => properties.includes(property),
    resources: {
      ...(threads ? { workers: threads } : {}),
      ...(disk ? { disk: { ...disk, make: makeModel } } : {}),
      ...(options.deviceSearch ? { device: options.deviceSearch } : {}),
      ...(isForDevices(options) ? { offer: deviceOffer(onDevice) } : {}),
    },
  });
  const result = await byThreads(options, (threads) => checkExplicit(model, request(threads)));
  const { findings, stop, stats } = result;
  const names = properties.map((p) => p.name);
  return { findings, stop, report: { properties: names, reductions: [], stats, store: result.store } };
}

/** The order and the store are those of a device, and nobody has asked for another way. */
const isForDevices = ({ search, store, disk, deviceSearch, mayUseDevice }: EngineOptions): boolean =>
  mayUseDevice === true && search === "bfs" && store === undefined && !disk && !deviceSearch;

const deviceOffer = (tell: (name: string) => void): DeviceOffer => ({
  after: LARGE_STATES,
  open: async (model) => (await import("./offered-device.js")).openOffered(model, tell),
});

/** A search of this size has taken a processor as long as a driver needs to compile kernels: 1 to 7 s on an H200. */
const LARGE_STATES = 5_000_000;

/** The reason why the search cannot use candidates: it could postpone a transition forever. */
export function whyNoCandidates(
  { store, search, workers }: EngineOptions,
  isTemporal: boolean,
): string | undefined {
  // sound: test/session/answers.test.ts
  if (search === "random" || search === "guided") return "states wait in no order that a proviso could use";
  // sound: test/session/answers.test.ts
  if (store !== undefined && store !== "exact")
    return `the ${store} store cannot identify the states that it finds`;
  // sound: test/session/answers.test.ts
  if (isTemporal && workers > 1) return "threads explore executions in no order that a proviso could use";
  return undefined;
}

/** A search for deadlocks alone needs no proviso, unless postponed transitions could disprove a candidate. */
function provisoFor(
  { system }: Model,
  properties: readonly Property[],
  options: EngineOptions,
): Proviso | undefined {
  if (!system.candidates || whyNoCandidates(options, false) !== undefined) return undefined;
  // sound: test/session/answers.test.ts
  if (!system.candidates.isProvisional && properties.every((p) => p.kind === "deadlock")) return "none";
  // sound: test/session/answers.test.ts
  return options.search === "bfs" ? "queue" : "stack";
}

/** Checks properties of kind `agef`. */
async function checkGoals(
  model: Model,
  properties: readonly Property[],
  options: EngineOptions,
  budget: Budget,
): Promise<Run> {
  const indexes = properties.map((property) => model.invariants.indexOf(property));
  const found = await alwaysReachable(model, indexes, withRoot(budget, model.system), options.control);
  const { paths, stop } = found;
  const stats = withoutRoot(found.stats, model.system);
  const findings = properties.map((property, i): EngineFinding => {
    const path = paths[i];
    // sound: test/session/verdicts.test.ts
    if (!path) return { property, verdict: withoutFinding(stop, stats), occurrences: 0 };
    const reason = `from the last state no state is reachable that satisfies ${property.name}`;
    const trace = traceThrough(model, path, []);
    return { property, verdict: { kind: "violated", reason, trace }, occurrences: 1 };
  });
  const isViolated = paths.some((path) => path !== undefined);
  const names = properties.map(({ name }) => name);
  const report: RunReport = { properties: names, reductions: [], stats, method: "backwards" };
  // sound: test/session/verdicts.test.ts
  return { findings, stop: isViolated ? "errors" : stop, report };
}

async function checkOne(
  model: Model,
  property: TemporalProperty,
  options: EngineOptions,
  budget: Budget,
): Promise<Run> {
  const { fairness } = options;
  const emptiness = algorithmOf(options.emptiness);
  const request: TemporalOptions = {
    fairness,
    emptiness,
    search: options.search === "dfs" ? "dfs" : "bfs",
    store: lossyStore(options),
    budget,
    control: options.control,
  };
  const found = await byThreads(options, (workers) =>
    checkTemporal(model, property, { ...request, workers }),
  );
  const { stop, stats, automaton, method } = found;
  const verdict = request.store ? await shortened(model, property, request, found.verdict) : found.verdict;
  const report: RunReport = {
    properties: [property.name],
    reductions: [],
    stats,
    ...(automaton ? { automaton } : {}),
    ...(found.store ? { store: found.store } : {}),
    method,
    ...(fairness === "none" ? {} : { fairness }),
  };
  const isViolated = verdict.kind === "violated";
  return {
    findings: [{ property, verdict, occurrences: isViolated ? 1 : 0 }],
    stop: isViolated ? "errors" : stop,
    report,
  };
}

/** Searches again with an exact store if feasible, since a lossy store may lengthen a trace. */
async function shortened(
  model: Model,
  property: TemporalProperty,
  request: TemporalOptions,
  verdict: Verdict,
): Promise<Verdict> {
  if (verdict.kind !== "violated") return verdict;
  const maxStates = Math.min(MOST_STATES_FOR_SHORTEST, request.budget.maxStates ?? Infinity);
  const budget = { ...request.budget, maxStates };
  const again = (await checkTemporal(model, property, { ...request, store: undefined, budget })).verdict;
  return stepsOf(again) < stepsOf(verdict) ? again : verdict;
}

const MOST_STATES_FOR_SHORTEST = 100_000;

/** A thread that gave up a step cannot hand over findings: repeats the search in one thread, which reports the step. */
async function byThreads<T>(
  options: EngineOptions,
  search: (threads: WorkerSource | undefined) => Promise<T>,
): Promise<T> {
  const threads = await workersOf(options);
  return search(threads).catch((error: unknown) => {
    if (!threads || (error as Error).name !== "StepTooLong") throw error;
    return search(undefined);
  });
}

const workersOf = async ({ workers }: EngineOptions): Promise<WorkerSource | undefined> =>
  workers > 1 ? (await import("./search-worker.js")).searchWorkers(workers) : undefined;

const isLossy = (store: StoreName | undefined): boolean => store === "bitstate" || store === "compact";

/** The store for temporal properties: a lossy one if requested, otherwise the flat one. */
function lossyStore(options: EngineOptions): TemporalOptions["store"] {
  const { store, fairness } = options;
  const kind = store && storeFor(store, storeSettings(options));
  // sound: test/session/verdicts.test.ts
  return typeof kind === "object" && kind.kind !== "delta" && fairness !== "strong" ? kind : undefined;
}

/** The command line has checked the name. */
function algorithmOf(name: string): EmptinessAlgorithm | "auto" {
  const algorithm = EMPTINESS_ALGORITHMS.find((known) => known === name);
  if (!algorithm && name !== "auto") throw new Error(`there is no emptiness check '${name}'`);
  return algorithm ?? "auto";
}

function storeSettings({ storeRequest, seed }: EngineOptions): StoreSettings {
  const { tableBytes, expectStates, hashFunctions, hashBits, hash, deltaDistance } = storeRequest;
  return {
    tableBytes: tableBytes ?? DEFAULT_SETTINGS.tableBytes,
    hash: hash ?? DEFAULT_SETTINGS.hash,
    distance: deltaDistance ?? DEFAULT_SETTINGS.distance,
    seed,
    ...(expectStates === undefined ? {} : { expectStates }),
    ...(hashFunctions === undefined ? {} : { functions: hashFunctions }),
    ...(hashBits === undefined ? {} : { width: hashBits }),
  };
}

function scopeOf({ stop, lossy, isByLevels }: Ending): Scope {
  if (stop === "depth" && !isByLevels)
    return { kind: "partial", by: "exhaustion", notes: [stopNotes.depth, "states within it may be missing"] };
  // sound: test/session/verdicts.test.ts
  if (stop !== undefined) return { kind: "partial", by: "exhaustion", notes: [stopNotes[stop]] };
  // sound: test/session/verdicts.test.ts
  if (!lossy?.omissions) return { kind: "complete", by: "exhaustion", notes: [] };
  const note = `${lossy.kind} store, probability of an omission ${formatProbability(lossy.omissions.probability)}`;
  return { kind: "probabilistic", by: "exhaustion", notes: [note] };
}

const stopNotes: Record<Stop, string> = {
  states: "stopped by --max-states",
  depth: "limited by --max-depth",
  memory: "stopped by --memory",
  full: "stopped by a full table",
  time: "stopped by --time",
  step: "stopped inside a step that does not end",
  tokens: "stopped by a marking with too many tokens",
  disk: "stopped by a disk that is full or failed",
  interrupted: "interrupted",
  errors: "stopped at an error",
};

function endOf({ stop, lossy, isByLevels }: Ending): SearchEnd {
  // sound: test/session/verdicts.test.ts
  if (stop === undefined) return lossy ? "probable" : "complete";
  // sound: test/session/verdicts.test.ts
  if (stop === "errors") return "errors";
  // sound: test/session/verdicts.test.ts
  if (stop === "depth") return isByLevels && !lossy ? "bound" : "stopped";
  return stop === "interrupted" ? "stopped" : "budget";
}
