/**
 * A depth-first search behind a breadth-first one that spent its budget: errors deep inside of a wide graph are often a few hundred
 * steps down its first paths, while breadth-first search has not left the upper levels.
 *
 * Adds violations only: what the probe does not find stays unknown.
 */
import type { Budget, Property } from "../../model/index.js";
import type { EngineFinding, EngineRequest, EngineResult, StateEngine } from "../contracts.js";
import { distinct } from "./totals.js";

/** The part of the time that is kept for the probe. */
const SHARE = 0.1;
/** Found in less: the deadlock of a public model that breadth-first search missed among 1.6 million states took 515. */
const MOST_STATES = 100_000;
const MOST_MS = 2000;

/** Searches breadth-first, then probes for undecided properties of states. */
export async function withProbe(
  engine: StateEngine,
  request: EngineRequest,
  isOfStates: (property: Property) => boolean,
  check: (request: EngineRequest) => Promise<EngineResult>,
): Promise<EngineResult> {
  if (!isProbed(engine, request)) return check(request);
  const started = performance.now();
  const { timeMs } = request.budget;
  const whole = await check({
    ...request,
    budget: { ...request.budget, ...(timeMs === undefined ? {} : { timeMs: timeMs * (1 - SHARE) }) },
  });
  const open = whole.end === "budget" ? undecided(whole, request, isOfStates) : [];
  if (open.length === 0) return whole;
  const probe = await check({
    ...request,
    properties: open,
    search: "dfs",
    reducesAtOnce: true,
    workers: 1,
    maxErrors: 1,
    takesProbable: false,
    budget: probeBudget(request.budget, performance.now() - started),
  });
  return joinedWith(
    whole,
    probe.findings.filter(({ verdict }) => verdict.kind === "violated"),
    probe,
  );
}

/** The user chose neither order, store nor depth, and the search is not bound to a folder. */
const isProbed = (engine: StateEngine, request: EngineRequest): boolean =>
  engine.searchesDepthFirst === true &&
  request.isDefaultOrder === true &&
  request.store === undefined &&
  request.disk === undefined &&
  !request.checksReduction &&
  request.budget.maxDepth === undefined;

const undecided = (
  { findings }: EngineResult,
  { properties }: EngineRequest,
  isOfStates: (property: Property) => boolean,
): readonly Property[] =>
  properties.filter(
    (property) =>
      isOfStates(property) &&
      findings.every((finding) => finding.property !== property || finding.verdict.kind === "unknown"),
  );

const probeBudget = (budget: Budget, elapsedMs: number): Budget => ({
  ...budget,
  maxStates: Math.min(MOST_STATES, budget.maxStates ?? Infinity),
  timeMs: Math.min(MOST_MS, Math.max(1, (budget.timeMs ?? Infinity) - elapsedMs)),
});

/** Violations take the place of unknown verdicts; the others advise a longer search in this order. */
function joinedWith(
  whole: EngineResult,
  violated: readonly EngineFinding[],
  { runs, notices }: EngineResult,
): EngineResult {
  const findings = whole.findings.flatMap((finding): readonly EngineFinding[] => {
    const { verdict, property } = finding;
    const found = violated.filter((other) => other.property === property);
    if (found.length > 0) return found;
    if (verdict.kind !== "unknown") return [finding];
    return [{ ...finding, verdict: { ...verdict, advice: `${verdict.advice}, or try --search dfs` } }];
  });
  return {
    ...whole,
    findings,
    runs: [...whole.runs, ...runs.map((run) => ({ ...run, isProbe: true as const }))],
    notices: distinct([...whole.notices, ...(violated.length > 0 ? notices : [])]),
  };
}
