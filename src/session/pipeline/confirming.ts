/**
 * Translates findings about a reduced model into findings about the whole model.
 *
 * Concretises traces (`Reduced.concretise`). A trace without a counterpart in the whole model leads to a search of a finer model; if there
 * is none, the verdict is `unknown`. A proof counts unless the reduction is in doubt.
 */
import type { Finding, Property, Reduced, TemporalProperty, Trace, Verdict } from "../../model/index.js";
import { narrate } from "../../report/index.js";
import type { EngineFinding, EngineRequest, StateEngine } from "../contracts.js";
import { cycleReason } from "./temporal-reasons.js";

export async function confirmed(
  engine: StateEngine,
  findings: readonly EngineFinding[],
  reduced: Reduced,
  request: EngineRequest,
): Promise<EngineFinding[]> {
  const all: EngineFinding[] = [];
  for (const finding of findings) {
    const verdict = await concrete(finding, reduced);
    if (verdict) all.push({ ...finding, verdict });
    else all.push(...(await refined(engine, finding, reduced, request)));
  }
  return all;
}

/** Undefined: the trace has no counterpart in the whole model. */
async function concrete({ verdict, property }: Finding, reduced: Reduced): Promise<Verdict | undefined> {
  if (verdict.kind === "holds") return proof(verdict, reduced);
  if (verdict.kind !== "violated" || !verdict.trace) return verdict;
  try {
    const trace = await reduced.concretise(verdict.trace, property);
    return trace && { ...verdict, reason: reasonFor(verdict.reason, property, trace), trace };
  } catch (error) {
    // sound: test/session/answers.test.ts
    if (reduced.doubt === undefined) throw error;
    return { kind: "unknown", ...reduced.doubt };
  }
}

/** A reduction in doubt proves nothing. */
function proof(verdict: Extract<Verdict, { kind: "holds" }>, { by, doubt }: Reduced): Verdict {
  // sound: test/session/answers.test.ts
  if (doubt !== undefined) return { kind: "unknown", ...doubt };
  return by === undefined ? verdict : { ...verdict, scope: { ...verdict.scope, by } };
}

/** A cycle may be longer in the whole model. */
const reasonFor = (reason: string, property: Property, trace: Trace): string =>
  trace.loopStart === undefined ? reason : cycleReason(property as TemporalProperty, trace);

async function refined(
  engine: StateEngine,
  finding: EngineFinding,
  reduced: Reduced,
  request: EngineRequest,
): Promise<readonly EngineFinding[]> {
  const finer = reduced.refine?.();
  if (!finer) return [unconfirmed(finding, reduced)];
  const { budget } = request;
  const maxStates =
    finer.names.length === 0 && !finer.by
      ? budget.maxStates
      : Math.min(MOST_STATES_FOR_FINER, budget.maxStates ?? Infinity);
  const again = await engine.search(finer.model, {
    ...request,
    properties: [finding.property],
    budget: { ...budget, ...(maxStates === undefined ? {} : { maxStates }) },
  });
  const findings = await confirmed(engine, again.findings, finer, request);
  const isSettled = findings.some(({ verdict }) => verdict.kind !== "unknown");
  return isSettled ? findings : [unconfirmed(finding, reduced)];
}

const MOST_STATES_FOR_FINER = 200_000;

/** Shows the trace of the reduced model. */
function unconfirmed(
  finding: EngineFinding,
  { model, advice = "check with --plain" }: Reduced,
): EngineFinding {
  const { verdict } = finding;
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  const { narrative } = narrate(model.steps, verdict.trace);
  const reason = `${verdict.reason}, but only in the reduced model: unconfirmed (abstract)`;
  return { ...finding, verdict: { kind: "unknown", reason, advice }, narrative };
}
