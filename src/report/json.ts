/**
 * Results as JSON: the object that `--json` prints and the library returns, documented in docs.
 * Fields may be added, never renamed or removed.
 */
import type {
  CodeCoverage,
  Diagnostic,
  AbstractGraph,
  Evidence,
  FaultKind,
  MessageEvent,
  Scope,
  Severity,
  Shown,
  Sources,
  Span,
  Stats,
  VerdictKind,
} from "../model/index.js";
import type { NarratedStep, Narrative } from "./narrative.js";
import {
  firstViolated,
  overallVerdict,
  type AcceptedScope,
  type CheckReport,
  type ExecutionReport,
  type NativeReport,
  type Outcome,
  type PropertyReport,
  type RunReport,
  type TotalStats,
  type Violation,
} from "./result.js";
import { version } from "./version.js";
import { isOfTuples } from "../model/derivation.js";
import { nth } from "../model/known.js";

export interface CheckJson {
  readonly everypath: string;
  readonly file: string;
  readonly language: string;
  readonly engine: string;
  readonly verdict: VerdictKind;
  readonly scope: Scope;
  readonly properties: readonly PropertyJson[];
  readonly stats: TotalStats;
  readonly trace: TraceJson | null;
  readonly runs: readonly RunReport[];
  /** Names of declared but unselected properties. */
  readonly unchecked: readonly string[];
  /** Null if the search did not end: then unknown. */
  readonly unreached: readonly UnreachedJson[] | null;
  readonly accepted: AcceptedScope | null;
  /** With `--coverage`: coverage of the user's code. */
  readonly coverage?: CodeCoverage;
  readonly diagnostics: readonly DiagnosticJson[];
}

export interface PropertyJson {
  readonly name: string;
  readonly kind: string;
  readonly verdict: VerdictKind;
  /** What kind of thing went wrong in a step: `assertion`, `array-bounds`, …; null otherwise. */
  readonly fault: FaultKind | null;
  readonly reason: string;
  readonly advice: string;
  readonly violations: readonly Violation[];
  readonly trace: TraceJson | null;
  /** Steps of the trace as it was found, if it was made shorter. */
  readonly foundSteps?: number;
  /** A derivation: each step from earlier ones (`premises`, by position), the last one is the target. */
  readonly derivation?: readonly DerivationStepJson[];
  /** Abstract states with their formulas, and the steps between them. */
  readonly abstraction?: AbstractGraph;
}

export interface DerivationStepJson {
  readonly rule: string;
  readonly source: PositionJson;
  readonly premises: readonly number[];
  /** Non-zero entries of a derived vector, by name; empty for a tuple. */
  readonly vector: Record<string, number>;
  /** A derived tuple. */
  readonly tuple?: string;
}

export interface TraceJson {
  readonly schedule: string;
  readonly length: number;
  readonly initial: Record<string, string>;
  readonly steps: readonly StepJson[];
  readonly final: Record<string, string>;
  readonly loopStart: number | null;
  /** Of a system that takes integers from outside: undefined initial values, then the inputs of the steps, in decimal. */
  readonly inputs?: readonly string[];
}

export interface StepJson {
  readonly number: number;
  readonly participants: readonly string[];
  readonly action: string;
  readonly sources: readonly PositionJson[];
  readonly changes: Record<string, string | null>;
  readonly messages: readonly MessageEvent[];
  readonly output: string;
  readonly isIntermediate: boolean;
}

export interface PositionJson {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface UnreachedJson extends PositionJson {
  readonly owner: string;
  readonly text: string;
}

export interface DiagnosticJson extends PositionJson {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
}

/** Output of `simulate` and `replay`: the applicable fields of a check, and the outcome of the run. */
export interface ExecutionJson extends Pick<
  CheckJson,
  "everypath" | "file" | "language" | "engine" | "verdict" | "scope" | "properties" | "trace" | "diagnostics"
> {
  readonly stats: TotalStats;
  readonly runs: readonly RunReport[];
  readonly outcome: Outcome;
  readonly reason: string;
  readonly seed: number | null;
  /** With `--native`: the run of a C program under sanitizers. */
  readonly native?: NativeReport;
}

/** Several files: the combined verdict, and one object each. */
export interface FilesJson {
  readonly everypath: string;
  readonly verdict: VerdictKind;
  readonly files: readonly CheckJson[];
}

export function checkJson(report: CheckReport): CheckJson {
  const { file, language, engine, scope, stats, runs, sources } = report;
  const trace = firstViolated(report)?.trace;
  return {
    everypath: version,
    file,
    language,
    engine,
    verdict: overallVerdict(report),
    scope,
    properties: report.properties.map((property) => propertyJson(property, sources)),
    stats,
    trace: trace ? traceJson(trace, sources) : null,
    runs,
    unchecked: report.unchecked.map(({ name }) => name),
    unreached:
      report.unreached?.map(({ owner, text, span }) => ({ owner, text, ...positionJson(span, sources) })) ??
      null,
    accepted: report.accepted ?? null,
    ...(report.coverage ? { coverage: report.coverage } : {}),
    diagnostics: report.diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
  };
}

export function executionJson(report: ExecutionReport): ExecutionJson {
  const { command, file, language, outcome, reason, property, sources } = report;
  const stats = executionStats(report);
  const trace = report.trace ? traceJson(report.trace, sources) : null;
  const verdict = outcome === "failed" ? "violated" : "unknown";
  return {
    everypath: version,
    file,
    language,
    engine: command,
    verdict,
    scope: { kind: "partial", by: command, notes: ["one execution"] },
    properties: property
      ? [
          {
            name: property.name,
            kind: property.kind,
            verdict,
            fault: null,
            reason,
            advice: "",
            violations: [],
            trace,
          },
        ]
      : [],
    stats,
    trace,
    runs: [],
    outcome,
    reason,
    seed: report.seed ?? null,
    ...(report.native ? { native: report.native } : {}),
    diagnostics: report.diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources)),
  };
}

export function diagnosticJson(diagnostic: Diagnostic, sources: Sources): DiagnosticJson {
  const { code, severity, message, span, hint = "" } = diagnostic;
  return { code, severity, message, ...positionJson(span, sources), hint };
}

export const noStats: Stats = {
  states: 0,
  transitions: 0,
  depth: 0,
  seconds: 0,
  peakBytes: 0,
  bytesPerState: 0,
};

function propertyJson(report: PropertyReport, sources: Sources): PropertyJson {
  const { property, verdict, reason, advice, violations } = report;
  const { name, kind } = property;
  const trace = report.trace ? traceJson(report.trace, sources) : null;
  const derivation = report.derivation && { derivation: derivationJson(report.derivation, sources) };
  return {
    name,
    kind,
    verdict,
    fault: report.fault ?? null,
    reason,
    advice,
    violations,
    trace,
    ...(report.foundSteps === undefined ? {} : { foundSteps: report.foundSteps }),
    ...derivation,
    ...(report.abstraction ? { abstraction: report.abstraction } : {}),
  };
}

function derivationJson(derivation: Evidence, sources: Sources): DerivationStepJson[] {
  if (isOfTuples(derivation))
    return derivation.steps.map(({ rule, premises, tuple }) => ({
      rule: rule.name,
      source: positionJson(rule.span, sources),
      premises,
      vector: {},
      tuple,
    }));
  const { places, steps } = derivation;
  return steps.map(({ rule, premises, vector }) => ({
    rule: rule.name,
    source: positionJson(rule.span, sources),
    premises,
    vector: Object.fromEntries(
      vector.flatMap((value, k) => (value === 0 ? [] : [[nth(places, k), value] as const])),
    ),
  }));
}

export function traceJson(trace: Narrative, sources: Sources): TraceJson {
  return {
    schedule: trace.schedule,
    length: trace.length,
    initial: byName(trace.initial),
    steps: trace.steps.map((step) => stepJson(step, sources)),
    final: byName(trace.final.values),
    loopStart: trace.loopStart ?? null,
    ...(trace.inputs ? { inputs: trace.inputs } : {}),
  };
}

export function stepJson(step: NarratedStep, sources: Sources): StepJson {
  const { number, participants, action, messages, output, isIntermediate } = step;
  const positions = step.sources.map((span) => positionJson(span, sources));
  const changes = Object.fromEntries(step.changes);
  return { number, participants, action, sources: positions, changes, messages, output, isIntermediate };
}

const positionJson = (span: Span, sources: Sources): PositionJson => ({
  file: span.file,
  ...sources.position(span.file, span.start),
});

const byName = (values: readonly Shown[]): Record<string, string> =>
  Object.fromEntries(values.map(({ name, value }) => [name, value]));

/** One run visits one state per step; nothing is stored. */
function executionStats({ trace, seconds }: ExecutionReport): TotalStats {
  const transitions = trace?.length ?? 0;
  const states = trace ? transitions + 1 : 0;
  return { ...noStats, states, transitions, depth: transitions, seconds, totalSeconds: seconds };
}
