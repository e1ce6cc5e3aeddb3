/**
 * Searches the whole system first, and starts over with reductions once the search has outgrown a measured size: small models get
 * shortest traces and do not depend on the soundness of reductions.
 *
 * In: the searches of an engine, and the engine. Out: its answers. Answers of the first search are kept; the rest is searched with
 * reductions, in the remaining time.
 *
 * Always true: a violation found in the whole system is an answer; if the search of the whole system completes, all its answers are
 * final.
 */
import { processorMs, type Budget, type Property } from "../../model/index.js";
import { known } from "../../model/known.js";
import { formatCount, type RunReport } from "../../report/index.js";
import { Disagreement } from "./disagreement.js";
import type { EngineFinding, EngineRequest, EngineResult } from "../contracts.js";
import { distinct, isDecisive, joined, remaining } from "./totals.js";

/** Properties decided by one search. */
export interface PlannedSearch {
  readonly properties: readonly Property[];
  /** Does a reduction apply? Then the search of the whole system gets only a part of the budget. */
  readonly isReducible: boolean;
}

/** `check` searches with the requested reductions; if none are named, with all sound ones. */
export async function wholeFirst(
  request: EngineRequest,
  searches: readonly PlannedSearch[],
  check: (request: EngineRequest) => Promise<EngineResult>,
): Promise<EngineResult> {
  // sound: test/session/handover.test.ts
  if (!isAutomatic(request) || !searches.some(({ isReducible }) => isReducible)) return check(request);
  const started = performance.now();
  let result: EngineResult | undefined;
  for (const { properties, isReducible } of searches) {
    const kept = result?.runs.filter(({ isAbandoned }) => !isAbandoned) ?? [];
    const budget = remaining(request.budget, statesOf(kept), performance.now() - started);
    const left = { ...request, properties, budget };
    // sound: test/session/handover.test.ts
    const one = await (isReducible ? growing(left, check) : check(left));
    result = result ? joined(result, one) : one;
  }
  return known(result, "a planned search");
}

/** The user requested no reductions. A search on disk has room for the whole system and is bound to it. */
const isAutomatic = (request: EngineRequest): boolean =>
  request.reductions === undefined && // sound: test/session/handover.test.ts
  !request.isPlain &&
  !request.reducesAtOnce &&
  !request.checksReduction &&
  request.disk === undefined;

async function growing(
  request: EngineRequest,
  check: (request: EngineRequest) => Promise<EngineResult>,
): Promise<EngineResult> {
  const started = performance.now();
  const whole = await check({
    ...request,
    reductions: [],
    // If memory runs out, reductions are preferred to a lossy store.
    // sound: test/session/handover.test.ts
    takesProbable: false,
    budget: shareOf(request),
  });
  // sound: test/session/handover.test.ts
  const open = whole.end === "budget" ? openIn(whole, request) : [];
  // sound: test/session/handover.test.ts
  if (open.length === 0) return whole;
  // Discarded states do not count; elapsed time does.
  const budget = remaining(request.budget, 0, performance.now() - started);
  return continued(whole, await check({ ...request, properties: open, budget }), request);
}

/** Measured (docs/decisions/reductions-in-a-check.md). */
const MOST_WHOLE_STATES = 100_000;
const MOST_WHOLE_MS = 1000;

/**
 * Budget of the search of the whole system: half of every limit, at most a size that a restart soon makes up for. Depth is part of
 * the question, not a resource; a lossy store's table has a fixed size.
 */
function shareOf({ budget, store, workers }: EngineRequest): Budget {
  const { maxStates = Infinity, memoryBytes, timeMs } = budget;
  const isSized = store === "bitstate" || store === "compact";
  return {
    ...budget,
    maxStates: Math.min(MOST_WHOLE_STATES, Math.ceil(maxStates / 2)),
    processorEndMs: processorMs() + workers * MOST_WHOLE_MS,
    ...(timeMs === undefined ? {} : { timeMs: timeMs / 2 }),
    ...(memoryBytes === undefined || isSized ? {} : { memoryBytes: memoryBytes / 2 }),
  };
}

/** Undecided properties, and violated ones if the user requested several errors. */
const openIn = ({ findings }: EngineResult, { properties, maxErrors }: EngineRequest): Property[] =>
  properties.filter((property) => {
    const own = findings.filter((finding) => isSame(finding.property, property));
    // sound: test/session/handover.test.ts
    return !own.some(isDecisive) || (maxErrors > 1 && own.some(({ verdict }) => verdict.kind === "violated"));
  });

/** Combines the answers of both searches. */
function continued(whole: EngineResult, reduced: EngineResult, { properties }: EngineRequest): EngineResult {
  const kept = whole.findings.filter(isDecisive);
  for (const { property, verdict } of reduced.findings) {
    const earlier = kept.find((finding) => isSame(finding.property, property));
    // sound: test/session/handover.test.ts
    if (earlier && verdict.kind === "holds" && earlier.verdict.kind === "violated")
      throw new Disagreement(property, reduced, whole);
  }
  const isNew = (finding: EngineFinding): boolean =>
    !kept.some(
      (other) =>
        // sound: test/session/handover.test.ts
        isSame(other.property, finding.property) &&
        (!isDecisive(finding) || isSameViolation(other, finding) || other.verdict.kind === "holds"),
    );
  const placeOf = ({ property }: EngineFinding): number =>
    properties.findIndex((asked) => isSame(asked, property));
  return {
    ...reduced,
    findings: [...kept, ...reduced.findings.filter(isNew)].sort((a, b) => placeOf(a) - placeOf(b)),
    runs: [...whole.runs.map((run): RunReport => ({ ...run, isAbandoned: true })), ...reduced.runs],
    notices: distinct([...whole.notices, ...reduced.notices]),
    ...(whole.proofs || reduced.proofs
      ? { proofs: [...(whole.proofs ?? []), ...(reduced.proofs ?? [])] }
      : {}),
  };
}

// sound: test/session/handover.test.ts
const isSame = (a: Property, b: Property): boolean => a.name === b.name && a.kind === b.kind;

/** The same error of the same property, possibly by another trace. */
export const isSameViolation = (a: EngineFinding, b: EngineFinding): boolean =>
  isSame(a.property, b.property) &&
  a.verdict.kind === "violated" &&
  b.verdict.kind === "violated" &&
  // sound: test/session/handover.test.ts
  a.verdict.trace?.fault === b.verdict.trace?.fault;

const statesOf = (runs: readonly RunReport[]): number =>
  runs.reduce((sum, { stats }) => sum + stats.states, 0);

/** Adds the reductions used to the scope of each answer. */
export function attributed(result: EngineResult): EngineResult {
  const noteOn = (runs: readonly RunReport[]): readonly string[] => {
    const names = [...new Set(runs.flatMap((run) => run.reductions))];
    const given = runs.filter(({ isAbandoned }) => isAbandoned);
    const after =
      given.length === 0 ? "" : `, after ${formatCount(statesOf(given))} states of the whole system`;
    // sound: test/session/handover.test.ts
    return names.length === 0 ? [] : [`reduced by ${names.join(", ")}${after}`];
  };
  const findings = result.findings.map((finding): EngineFinding => {
    const { verdict, property } = finding;
    // sound: test/session/handover.test.ts
    if (verdict.kind !== "holds" || verdict.scope.by === "witness") return finding;
    const notes = noteOn(result.runs.filter(({ properties }) => properties.includes(property.name)));
    return {
      ...finding,
      verdict: { ...verdict, scope: { ...verdict.scope, notes: [...verdict.scope.notes, ...notes] } },
    };
  });
  const { scope } = result;
  return { ...result, findings, scope: { ...scope, notes: [...scope.notes, ...noteOn(result.runs)] } };
}
