/**
 * What a run found, with everything that reports show of it. Text, JSON, HTML and chart are views of a
 * `CheckReport`; none of them looks anywhere else.
 */
import {
  worst,
  type CodeCoverage,
  type Derivation,
  type Diagnostic,
  type FaultKind,
  type Property,
  type Scope,
  type Sources,
  type Span,
  type Stats,
  type StoreReport,
  type VerdictKind,
} from "../model/index.js";
import type { Narrative } from "./narrative.js";
import type { Picture } from "./picture.js";

export interface CheckReport {
  readonly file: string;
  readonly language: string;
  readonly engine: string;
  readonly scope: Scope;
  readonly properties: readonly PropertyReport[];
  readonly stats: TotalStats;
  readonly runs: readonly RunReport[];
  /** What was declared, but not asked for. */
  readonly unchecked: readonly Property[];
  /** Undefined when the search did not end: then nobody knows. */
  readonly unreached: readonly UnreachedPart[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** The limited scope that `--accept` let pass as good enough. */
  readonly accepted: AcceptedScope | undefined;
  /** Options that a replay needs to find the same system, as they are written on the command line. */
  readonly modelOptions: readonly string[];
  /** What of the user's code was run, where that was asked. */
  readonly coverage?: CodeCoverage | undefined;
  /** How the system looks, where it can be drawn. */
  readonly picture?: Picture | undefined;
}

export type AcceptedScope = "bounded" | "probabilistic";

export interface PropertyReport {
  readonly property: Property;
  readonly verdict: VerdictKind;
  /** What kind of thing went wrong, where a step failed. A property that fails in two ways has two reports. */
  readonly fault: FaultKind | undefined;
  /** Why it is violated or unknown; how it was shown to hold. */
  readonly reason: string;
  /** For `unknown`: what to try. */
  readonly advice: string;
  /** All that were found, the first of them told in `trace`. */
  readonly violations: readonly Violation[];
  readonly trace: Narrative | undefined;
  /** Steps of the trace as it was found, if it was made shorter. */
  readonly foundSteps?: number;
  /** What shows it where nothing is run: how a vector is derived. */
  readonly derivation?: Derivation;
}

export interface Violation {
  readonly reason: string;
  /** How often it was met before the search ended; the schedule leads to the first. */
  readonly occurrences: number;
  readonly schedule: string;
  readonly steps: number;
}

export interface TotalStats extends Stats, PeerFigures {
  /** With parsing and code generation. */
  readonly totalSeconds: number;
}

/** Figures as another tool counts them, by its name. */
export interface PeerFigures {
  readonly spin?: { readonly transitions: number };
  /** Steps that an assumption discards count as well; and how often each rule fired, in the order of the text. */
  readonly rumur?: {
    readonly rulesFired: number;
    readonly rules: readonly { readonly name: string; readonly fired: number }[];
  };
}

export interface RunReport {
  readonly properties: readonly string[];
  readonly reductions: readonly string[];
  /** The search of the whole system, given up when it had outgrown its share: a run with reductions follows, and decides. */
  readonly isAbandoned?: true;
  readonly stats: Stats;
  readonly store?: StoreReport;
  /** Of a temporal property: the automaton of the executions that violate it. */
  readonly automaton?: AutomatonFigures;
  /** Of a temporal property: the emptiness check, or the order of a plain search where that is enough. */
  readonly method?: string;
  readonly fairness?: "weak" | "strong";
  /** Of a run with counted messages. */
  readonly counting?: CountingFigures;
}

/** The runs whose figures count. */
export const decidingRuns = ({ runs }: Pick<CheckReport, "runs">): readonly RunReport[] =>
  runs.filter(({ isAbandoned }) => !isAbandoned);

/** Messages were counted exactly up to `k`; what came of it. */
export interface CountingFigures {
  readonly k: number;
  readonly direction: "over" | "under";
  readonly outcome: "proof" | "genuine trace" | "spurious trace" | "nothing" | "stopped";
}

export interface AutomatonFigures {
  readonly states: number;
  readonly edges: number;
  readonly conditions: number;
}

export interface UnreachedPart {
  readonly owner: string;
  readonly text: string;
  readonly span: Span;
}

/** The verdict over all properties. Of none nothing is known. */
/** A search of everything that had nothing to look for holds; one that was cut off, or was never made, says nothing. */
export const overallVerdict = ({ properties, scope }: CheckReport): VerdictKind =>
  properties.length > 0
    ? worst(properties.map((p) => p.verdict))
    : scope.kind === "complete"
      ? "holds"
      : "unknown";

export const firstViolated = (report: CheckReport): PropertyReport | undefined =>
  report.properties.find((p) => p.verdict === "violated");

/** One run instead of all of them: what `simulate` and `replay` found. */
export interface ExecutionReport {
  readonly command: "simulate" | "replay";
  readonly file: string;
  readonly language: string;
  readonly outcome: Outcome;
  /** In words: why the run stopped there. */
  readonly reason: string;
  /** What the run violates, when it does. */
  readonly property: Property | undefined;
  readonly trace: Narrative | undefined;
  /** What chose the steps, where a random number did. */
  readonly seed: number | undefined;
  readonly seconds: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/**
 * `ended`: a valid end; `open`: could go on, but was not asked to; `failed`: an error was met;
 * `diverged`: the system does not offer what the trace says; `passed`: a replay that ends without its error.
 */
export type Outcome = "ended" | "open" | "failed" | "diverged" | "passed";
