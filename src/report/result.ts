/**
 * The result of a run, with all data for reports. Text, JSON, HTML and chart are views of a
 * `CheckReport` and use nothing else.
 */
import {
  worst,
  type CodeCoverage,
  type CompositionStep,
  type LearningReport,
  type AbstractGraph,
  type Evidence,
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
  /** Declared but unselected properties. */
  readonly unchecked: readonly Property[];
  /** Undefined if the search did not end: then unknown. */
  readonly unreached: readonly UnreachedPart[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
  /** The limited scope that `--accept` let pass as good enough. */
  readonly accepted: AcceptedScope | undefined;
  /** Options that a replay needs to find the same system, as they are written on the command line. */
  readonly modelOptions: readonly string[];
  /** Coverage of the user's code, if requested. */
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
  /** Reason of the verdict, or method of the proof. */
  readonly reason: string;
  /** For `unknown`: advice. */
  readonly advice: string;
  /** All violations; `trace` describes the first. */
  readonly violations: readonly Violation[];
  readonly trace: Narrative | undefined;
  /** Steps of the trace as it was found, if it was made shorter. */
  readonly foundSteps?: number;
  /** Evidence without a run: the derivation of a vector. */
  readonly derivation?: Evidence;
  readonly abstraction?: AbstractGraph;
}

export interface Violation {
  readonly reason: string;
  /** Number of occurrences before the search ended; the schedule leads to the first. */
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
  /** A depth-first search after a breadth-first one that spent its budget. */
  readonly isProbe?: true;
  readonly stats: Stats;
  readonly store?: StoreReport;
  /** Of a temporal property: the automaton of the executions that violate it. */
  readonly automaton?: AutomatonFigures;
  /** Of a temporal property: the emptiness check, or the order of a plain search where that is enough. */
  readonly method?: string;
  readonly fairness?: "weak" | "strong";
  /** Of a composition: the graph of each group of parts, before and after it was minimised. */
  readonly composition?: readonly CompositionStep[];
  /** Of learned assumptions. */
  readonly learning?: LearningReport;
  /** Of a run with counted messages. */
  readonly counting?: CountingFigures;
  /** Of random runs of a system of nodes. */
  readonly simulation?: SimulationFigures;
}

export interface SimulationFigures {
  readonly seed: number;
  /** Runs that were begun, of all that this part was to make. */
  readonly runs: number;
  readonly planned: number;
  readonly steps: number;
  /** Largest number of steps of a run. */
  readonly stepsPerRun: number;
  readonly shard: { readonly index: number; readonly of: number } | null;
  /** Kinds of fault, and the number of runs whose mix has each. */
  readonly faults: Readonly<Record<string, number>>;
  /** Number of abstract states, by the system's `guide`; null: it has none. */
  readonly guideStates: number | null;
  /** The first run that failed, from 0; its steps before it was shortened. */
  readonly failed: { readonly run: number; readonly steps: number } | null;
  readonly processorSeconds: number;
  /** Options that determine the system, as on the command line, for replays. */
  readonly options: readonly string[];
}

/** The runs whose figures count. */
export const decidingRuns = ({ runs }: Pick<CheckReport, "runs">): readonly RunReport[] =>
  runs.filter(({ isAbandoned, isProbe }) => !isAbandoned && !isProbe);

/** Result of counting messages exactly up to `k`. */
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
/** An exhaustive search without properties holds; an incomplete or missing one is unknown. */
export const overallVerdict = ({ properties, scope }: CheckReport): VerdictKind =>
  properties.length > 0
    ? worst(properties.map((p) => p.verdict))
    : scope.kind === "complete"
      ? "holds"
      : "unknown";

export const firstViolated = (report: CheckReport): PropertyReport | undefined =>
  report.properties.find((p) => p.verdict === "violated");

/** What a native run under sanitizers reported. */
export interface NativeReport {
  readonly compiler: string;
  readonly tool: string;
  /** `same`: the class of the error is reported; `other`: another one; `none`: nothing is. */
  readonly outcome: "same" | "other" | "none";
  readonly report: string;
}

/** One run instead of all of them: the result of `simulate` and `replay`. */
export interface ExecutionReport {
  readonly command: "simulate" | "replay";
  readonly file: string;
  readonly language: string;
  readonly outcome: Outcome;
  /** In words: why the run stopped there. */
  readonly reason: string;
  /** The violated property, if any. */
  readonly property: Property | undefined;
  readonly trace: Narrative | undefined;
  /** The same inputs in a native process. */
  readonly native?: NativeReport | undefined;
  /** The seed of random steps. */
  readonly seed: number | undefined;
  readonly seconds: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/**
 * `ended`: a valid end; `open`: stopped before its end; `failed`: reached an error;
 * `diverged`: the system lacks a choice of the trace; `passed`: a replay without its error.
 */
export type Outcome = "ended" | "open" | "failed" | "diverged" | "passed";
