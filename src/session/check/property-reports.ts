/**
 * Turns findings into reports of properties.
 *
 * Always true: a violation is reported only after its trace was replayed and showed it.
 */
import {
  formatSchedule,
  type FaultKind,
  type Finding,
  type Model,
  type Property,
  type Scope,
  type Trace,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { narrate, scopeSentence, type Narrative, type PropertyReport } from "../../report/index.js";
import { shows } from "../replay/ending.js";
import type { EngineFinding, EngineResult } from "../contracts.js";

/** One report per property and kind of fault. */
export function reportProperties(model: Model | undefined, result: EngineResult): PropertyReport[] {
  const groups = new Map<string, EngineFinding[]>();
  for (const finding of result.findings) {
    const key = `${finding.property.name}\n${faultOf(model, finding) ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((findings) => reportProperty(model, result.scope, findings));
}

function reportProperty(
  model: Model | undefined,
  scope: Scope,
  findings: readonly EngineFinding[],
): PropertyReport {
  const { property, verdict, narrative, derivation, abstraction, foundSteps } = nth(findings, 0);
  const common = {
    property,
    fault: faultOf(model, nth(findings, 0)),
    advice: "",
    violations: [],
    trace: undefined,
    ...(abstraction ? { abstraction } : {}),
  };
  switch (verdict.kind) {
    case "holds":
      return {
        ...common,
        verdict: "holds",
        reason: scopeSentence(verdict.scope ?? scope),
        // A witness of something that ought to be possible.
        trace: narrative,
        ...(derivation ? { derivation } : {}),
      };
    case "unknown":
      return {
        ...common,
        verdict: "unknown",
        reason: verdict.reason,
        advice: verdict.advice,
        trace: narrative,
      };
    case "violated": {
      const trace = narrative ?? (model && verdict.trace && replayed(model, verdict.trace, property));
      return {
        ...common,
        verdict: "violated",
        reason: verdict.reason,
        violations: violationsOf(findings),
        trace,
        ...(derivation ? { derivation } : {}),
        ...(foundSteps === undefined ? {} : { foundSteps }),
      };
    }
  }
}

const violationsOf = (findings: readonly EngineFinding[]): PropertyReport["violations"] =>
  findings.flatMap(({ verdict, occurrences = 1 }) =>
    verdict.kind === "violated"
      ? [
          {
            reason: verdict.reason,
            occurrences,
            schedule: verdict.trace
              ? formatSchedule(verdict.trace.choices, verdict.trace.loopStart, verdict.trace.inputs)
              : "",
            steps: verdict.trace?.choices.length ?? 0,
          },
        ]
      : [],
  );

/** Throws if the trace does not show the violation: an internal error, never a result. */
function replayed(model: Model, trace: Trace, property: Property): Narrative {
  const narration = narrate(model.steps, trace);
  // sound: test/session/property-reports.test.ts
  if (narration.kind === "diverged")
    throw new Error(`a trace for '${property.name}' stops at step ${narration.step}`);
  const { narrative } = narration;
  // sound: test/session/property-reports.test.ts
  if (!shows(model, property, { ...trace, words: narrative.final.words, fault: narrative.fault }))
    throw new Error(`the trace '${narrative.schedule}' does not show that '${property.name}' is violated`);
  return narrative;
}

function faultOf(model: Model | undefined, { verdict }: Finding): FaultKind | undefined {
  return verdict.kind === "violated" && verdict.trace ? model?.sites[verdict.trace.fault]?.fault : undefined;
}
