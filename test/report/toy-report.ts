/** Reports about the toy, with constant times. */
import { narrate, type CheckReport, type Narrative, type PropertyReport } from "../../src/report/index.js";
import { toyFile, toyModel, toyProperties, toySources } from "./toy.js";

/** A run in which the assertion fails: the sender sends both, then the receiver takes both. */
export const failingChoices = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];

export function failingTrace(): Narrative {
  const narration = narrate(toyModel().steps, { choices: failingChoices, loopStart: undefined });
  if (narration.kind !== "narrated") throw new Error(`the toy has changed: step ${narration.step}`);
  return narration.narrative;
}

export function violatedReport(changes: Partial<CheckReport> = {}): CheckReport {
  const trace = failingTrace();
  const reason = "assertion violated: sum != 3";
  return {
    ...base,
    scope: { kind: "partial", by: "exhaustion", notes: ["stopped at an error"] },
    properties: [
      {
        property: toyProperties.asserts,
        verdict: "violated",
        fault: "assertion",
        reason,
        advice: "",
        violations: [{ reason, occurrences: 1, schedule: trace.schedule, steps: trace.length }],
        trace,
      },
      unanswered(
        "the search stopped at an error of another property",
        "go on after errors with --errors all",
      ),
    ],
    ...changes,
  };
}

export function holdsReport(changes: Partial<CheckReport> = {}): CheckReport {
  const { coverage } = toyModel();
  return {
    ...base,
    scope: { kind: "complete", by: "exhaustion", notes: [] },
    properties: [toyProperties.asserts, toyProperties.deadlock].map((property) => ({
      ...unanswered("every execution was explored", ""),
      property,
      verdict: "holds",
    })),
    unreached: coverage.parts.slice(-2),
    ...changes,
  };
}

export function unknownReport(changes: Partial<CheckReport> = {}): CheckReport {
  const reason = "the limit on states was reached after 1000 states, 2345 transitions, depth 12";
  return {
    ...base,
    scope: { kind: "partial", by: "exhaustion", notes: ["stopped by --max-states"] },
    properties: [
      { ...unanswered(reason, "raise --max-states"), property: toyProperties.asserts },
      { ...unanswered("not yet supported", ""), property: { name: "live", kind: "ltl", span: undefined } },
    ],
    unchecked: [toyProperties.deadlock],
    ...changes,
  };
}

const unanswered = (reason: string, advice: string): PropertyReport => ({
  property: toyProperties.deadlock,
  verdict: "unknown",
  fault: undefined,
  reason,
  advice,
  violations: [],
  trace: undefined,
});

const stats = {
  states: 1234,
  transitions: 2345,
  depth: 21,
  seconds: 0.125,
  peakBytes: 45_000_000,
  bytesPerState: 27.3,
};

const base = {
  file: toyFile,
  language: "promela",
  engine: "explicit",
  stats: { ...stats, totalSeconds: 0.25, spin: { transitions: 2346 } },
  runs: [{ properties: ["assertions", "deadlock"], reductions: [], stats }],
  unchecked: [],
  unreached: undefined,
  diagnostics: [],
  sources: toySources(),
  accepted: undefined,
  modelOptions: ["-D", "N=3"],
} satisfies Partial<CheckReport>;
