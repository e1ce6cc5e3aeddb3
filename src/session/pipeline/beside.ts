/** Searches the whole model beside a reduced one: for shorter traces and for contradictions. */
import type { Model } from "../../model/index.js";
import { Disagreement } from "./disagreement.js";
import type { EngineRequest, EngineResult, StateEngine } from "../contracts.js";
import { stepsOf } from "./totals.js";
import { isSameViolation } from "./whole-first.js";

/**
 * Tests the answers of a reduction whose conditions cannot be tested in single states: searches part of the whole system in random
 * order, and throws if it violates a property that the reduced search proved.
 */
export async function uncontradicted(
  engine: StateEngine,
  model: Model,
  result: EngineResult,
  request: EngineRequest,
): Promise<void> {
  const properties = result.findings.flatMap(({ property, verdict }) =>
    // sound: test/session/uncontradicted.test.ts test/session/answers.test.ts
    verdict.kind === "holds" ? [property] : [],
  );
  const isReduced = result.runs.some(({ reductions }) => reductions.length > 0);
  if (properties.length === 0 || !isReduced || request.sampling === "none") return;
  const { timeMs, maxDepth } = request.budget;
  const whole = await engine.search(model, {
    ...request,
    properties,
    search: "random",
    store: "exact",
    workers: 1,
    disk: undefined,
    budget: {
      maxStates: MOST_STATES_BESIDE,
      timeMs: Math.min(MOST_MS_BESIDE, timeMs ?? Infinity),
      ...(maxDepth === undefined ? {} : { maxDepth }),
    },
  });
  for (const { property, verdict } of whole.findings)
    // sound: test/session/uncontradicted.test.ts
    if (verdict.kind === "violated") throw new Disagreement(property, result, whole);
}

const MOST_STATES_BESIDE = 3000;
const MOST_MS_BESIDE = 500;

/**
 * Looks for shorter traces in the whole system, since a shortest trace of the reduced one need not be a shortest one. Searches no deeper
 * than the trace, and no more than 100,000 states. `ofExecutions`: for a temporal property, where depth counts product states.
 */
export async function shortened(
  engine: StateEngine,
  model: Model,
  result: EngineResult,
  request: EngineRequest,
  ofExecutions: boolean,
): Promise<EngineResult> {
  const lengths = result.findings.map(({ verdict }) => stepsOf(verdict)).filter((steps) => steps < Infinity);
  const isReduced = result.runs.some(({ reductions }) => reductions.length > 0);
  if (lengths.length === 0 || !isReduced) return result;
  const { budget } = request;
  const maxStates = Math.min(MOST_STATES_FOR_SHORTEST, budget.maxStates ?? Infinity);
  const maxDepth = Math.min(Math.max(...lengths), budget.maxDepth ?? Infinity);
  const again = await engine.search(
    model,
    ofExecutions
      ? { ...request, store: undefined, budget: { ...budget, maxStates } }
      : { ...request, budget: { ...budget, maxStates, maxDepth } },
  );
  const findings = result.findings.map((finding) => {
    const other = again.findings.find((f) => isSameViolation(f, finding));
    return other && stepsOf(other.verdict) <= stepsOf(finding.verdict)
      ? { ...finding, verdict: other.verdict }
      : finding;
  });
  return { ...result, findings };
}

const MOST_STATES_FOR_SHORTEST = 100_000;
