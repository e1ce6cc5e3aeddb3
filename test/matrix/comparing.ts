/** Compares a check with the oracle. */
import type { CheckReport } from "../../src/report/index.js";
import type { CheckOptions } from "../../src/session/index.js";
import { temporalKinds } from "../../src/session/accepting.js";

/** The compared parts of a report. */
export interface Told {
  readonly verdicts: ReadonlyMap<string, string>;
  readonly deadlocks: ReadonlySet<string>;
  /** Covers that are reached; the trace shows it. */
  readonly covers: ReadonlySet<string>;
  readonly states: number;
  readonly transitions: number;
  readonly runs: number;
  /** Length of the shortest finite violation of each property. */
  readonly steps: ReadonlyMap<string, number>;
}

export const told = (report: CheckReport): Told => ({
  verdicts: verdicts(report),
  deadlocks: ofKind(report, "deadlock"),
  covers: ofKind(report, "cover"),
  states: report.stats.states,
  transitions: report.stats.transitions,
  runs: report.runs.length,
  steps: stepsOf(report),
});

const ofKind = ({ properties }: CheckReport, kind: string): Set<string> =>
  new Set(properties.flatMap(({ property }) => (property.kind === kind ? [property.name] : [])));

export const differences = (...all: Parameters<typeof compared>): string[] => [...compared(...all)];

function* compared(oracle: Told, report: CheckReport, options: CheckOptions): Generator<string> {
  yield* ofVerdicts(oracle, report, options);
  const { store, isPlain = false, reductions, search = "bfs" } = options;
  const isWhole = isPlain || reductions?.length === 0;
  if (!isWhole || isLossy(store) || isSpent(report)) return;
  yield* ofCounts(oracle, report, options);
  // Other procedures on nets may start with other tokens, which count as steps.
  if (search === "bfs" && options.engine === undefined) yield* ofSteps(oracle, report);
}

function* ofVerdicts(oracle: Told, report: CheckReport, options: CheckOptions): Generator<string> {
  const { maxErrors = 1, store, properties, checksDeadlock = true, engine } = options;
  const answers = verdicts(report);
  const isCutShort = maxErrors !== Infinity && [...answers.values()].includes("violated");
  const mayBeUnknown = isLossy(store) || isCutShort || isSpent(report) || engine === "explicit";
  const isAsked = (name: string): boolean =>
    (properties?.includes(name) ?? true) && (checksDeadlock || !oracle.deadlocks.has(name));
  for (const [name, wanted] of oracle.verdicts) {
    if (!isAsked(name)) continue;
    const got = answers.get(name);
    if (got === undefined) yield `'${name}' is missing, and is ${wanted}`;
    else if (
      got === (oracle.covers.has(name) ? "violated" : "holds") &&
      isLossy(store) &&
      !isDecidedExactly(report, name)
    )
      yield `'${name}' ${got === "holds" ? got : `is ${got}`} by a lossy store`;
    else if (got !== wanted && !(got === "unknown" && (mayBeUnknown || isRefused(report, name))))
      yield `'${name}' is ${wanted}, not ${got}`;
  }
  for (const name of answers.keys())
    if (!oracle.verdicts.has(name) || !isAsked(name)) yield `'${name}' is no property of the oracle`;
}

function* ofCounts(oracle: Told, report: CheckReport, options: CheckOptions): Generator<string> {
  const { maxErrors = 1, search = "bfs", properties, engine } = options;
  const isComplete = maxErrors === Infinity || ![...oracle.verdicts.values()].includes("violated");
  if (
    !isComplete ||
    search === "dfs" ||
    properties ||
    engine ||
    oracle.runs !== 1 ||
    report.runs.length !== 1
  )
    return;
  const { states, transitions } = report.stats;
  if (states !== oracle.states || transitions !== oracle.transitions)
    yield `${states} states and ${transitions} transitions, not ${oracle.states} and ${oracle.transitions}`;
}

function* ofSteps(oracle: Told, report: CheckReport): Generator<string> {
  for (const [name, steps] of stepsOf(report)) {
    const shortest = oracle.steps.get(name);
    if (shortest !== undefined && steps !== shortest)
      yield `'${name}' is violated in ${steps} steps, not ${shortest}`;
  }
}

const isLossy = (store: CheckOptions["store"]): boolean => store === "compact" || store === "bitstate";

const isSpent = ({ properties }: CheckReport): boolean =>
  properties.some(({ reason }) => /states was reached|limit on states/.test(reason));

/** An emptiness check refuses some automata. */
const isRefused = ({ properties }: CheckReport, name: string): boolean =>
  properties.some(({ property, reason }) => property.name === name && /: use \w+/.test(reason));

/** A property with several kinds of fault is violated if one of them occurs. */
function verdicts({ properties }: CheckReport): Map<string, string> {
  const found = new Map<string, string>();
  for (const { property, verdict } of properties)
    if (found.get(property.name) !== "violated") found.set(property.name, verdict);
  return found;
}

/** Some runs use an exact store regardless of the request, with a note. */
const isDecidedExactly = ({ runs }: CheckReport, name: string): boolean =>
  runs.some(({ properties, store }) => properties.includes(name) && (!store || !store.omissions));

function stepsOf({ properties }: CheckReport): Map<string, number> {
  const shortest = new Map<string, number>();
  for (const { property, trace } of properties)
    if (trace && trace.loopStart === undefined && !temporalKinds.includes(property.kind))
      shortest.set(property.name, Math.min(trace.length, shortest.get(property.name) ?? Infinity));
  return shortest;
}
