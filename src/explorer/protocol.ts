/**
 * Messages between the page and its server: types only, so that both sides compile against the same declarations.
 *
 * Positions are small numbers (`Place`), values are pairs, a step contains only its changes: a trace of ten thousand steps has to fit
 * through a request. File names are relative to the project folder.
 */
import type { MessageEvent, Progress, PropertyKind, Scope, Stats, VerdictKind } from "../model/index.js";
import type { DiagnosticJson, RunReport, TotalStats, UnreachedJson } from "../report/index.js";
import type { Highlighting } from "../session/languages/highlighting.js";

/** The header in which the page shows that it was let in. */
export const SECRET_HEADER = "x-everypath-secret";

export interface ProjectView {
  readonly version: string;
  readonly file: string;
  readonly folder: string;
  readonly language: LanguageView | null;
  /** Where to begin: a schedule, or nothing in particular. */
  readonly at: string | null;
  /** The options that the system is made with, as on the command line. */
  readonly arguments: readonly string[];
  readonly choices: RunChoices;
}

export interface LanguageView {
  readonly name: string;
  readonly summary: string;
  readonly highlighting: Highlighting | null;
  /** To load it is to run it: texts that are not saved are read, not loaded. */
  readonly runsText: boolean;
}

/** Options of a run. */
export interface RunChoices {
  readonly engines: readonly { readonly name: string; readonly summary: string }[];
  readonly searches: readonly string[];
  readonly stores: readonly string[];
  readonly reductions: readonly string[];
  readonly fairness: readonly string[];
  readonly mostWorkers: number;
}

/** The text of a file as it is on disk. `mark` changes whenever the text does. */
export interface SourceView {
  readonly file: string;
  readonly text: string;
  readonly mark: string;
}

export interface SaveRequest {
  readonly file: string;
  readonly text: string;
  /** The text that was edited: if the file is another one by now, nothing is written. */
  readonly mark: string;
}

/** Contents of the text, or its errors. */
export interface LoadedView {
  readonly mark: string;
  readonly properties: readonly PropertyView[];
  readonly diagnostics: readonly DiagnosticView[];
  readonly files: readonly string[];
  /** There are states to step through. */
  readonly hasStates: boolean;
  /** Processes have automata. */
  readonly hasControl: boolean;
  /** Kind of drawing of the system; null: none. */
  readonly picture: string | null;
}

export interface PropertyView {
  readonly name: string;
  readonly kind: PropertyKind;
  readonly place: Place | null;
  /** It is about infinite executions, and has an automaton. */
  readonly isTemporal: boolean;
}

/** With offsets, so that an editor can underline it. */
export interface DiagnosticView extends DiagnosticJson {
  readonly start: number;
  readonly end: number;
}

export interface RunRequest {
  readonly properties?: readonly string[];
  readonly engine?: string;
  readonly search?: string;
  readonly store?: string;
  /** Absent: all sound ones; empty: none. */
  readonly reductions?: readonly string[];
  readonly fairness?: string;
  readonly workers?: number;
  /** Continue after the first error. */
  readonly goesOn?: boolean;
  readonly maxStates?: number;
  readonly timeMs?: number;
}

/** A run, from its start to its answer. */
export interface RunView {
  readonly id: number;
  readonly request: RunRequest;
  /** Version of the checked text. */
  readonly mark: string;
  readonly state: "running" | "stopping" | "done";
  /** Progress over time, for the chart: thinned out, never more than a few hundred. */
  readonly history: readonly Progress[];
  readonly answer: RunAnswer | null;
}

export type RunAnswer =
  | ({ readonly kind: "report" } & RunSummary)
  /** The search failed: memory, or an internal error. */
  | { readonly kind: "broken"; readonly message: string };

export interface RunSummary {
  readonly verdict: VerdictKind;
  readonly sentence: string;
  readonly scope: Scope;
  readonly engine: string;
  readonly properties: readonly PropertyAnswer[];
  readonly stats: TotalStats;
  readonly runs: readonly RunReport[];
  readonly unreached: readonly UnreachedJson[] | null;
  readonly diagnostics: readonly DiagnosticView[];
}

export interface PropertyAnswer {
  readonly title: string;
  readonly name: string;
  readonly kind: PropertyKind;
  readonly verdict: VerdictKind;
  /** The verdict in the property's words: a state that ought to be reached is "reached". */
  readonly word: string;
  readonly reason: string;
  readonly advice: string;
  /** Of its trace; null when there is none. */
  readonly trace: {
    readonly schedule: string;
    readonly length: number;
    readonly loopStart: number | null;
    /** The run that found it tells it: a schedule alone does not say of which test it is. */
    readonly isKept: boolean;
  } | null;
  /** Evidence for a finding without a run; null without one. */
  readonly derivation: DerivationView | null;
  /** The abstract states behind the verdict; null without any. */
  readonly abstraction: AbstractionView | null;
}

export interface AbstractionView {
  readonly states: readonly {
    readonly name: string;
    readonly formulas: readonly string[];
    readonly marks: string;
  }[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly kind: string;
  }[];
  /** Null when there are too many states for a drawing. */
  readonly svg: string | null;
}

/** A derivation of a vector, step by step. */
export interface DerivationView {
  readonly steps: readonly {
    readonly rule: string;
    readonly place: Place;
    /** Numbers of the premises, from 1. */
    readonly from: readonly number[];
    readonly vector: string;
  }[];
  /** Omitted steps at the beginning. */
  readonly leftOut: number;
  /** Null when there are too many steps for a drawing. */
  readonly svg: string | null;
}

export type { Progress, Stats };

/** File, line and column, the last two from 1; the file is a position in the accompanying list. */
export type Place = readonly [file: number, line: number, column: number];
export type Value = readonly [name: string, value: string];
export type Change = readonly [name: string, value: string | null];

export type TraceRequest =
  /** Of a long run also the steps around the one with the number `around`. */
  | { readonly schedule: string; readonly around?: number }
  /** The trace of the n-th answer of a run. */
  | { readonly run: number; readonly property: number };

export interface TraceView {
  readonly mark: string;
  readonly files: readonly string[];
  readonly schedule: string;
  readonly length: number;
  readonly loopStart: number | null;
  readonly initial: readonly Value[];
  readonly places: readonly (readonly [process: string, place: Place])[];
  readonly steps: readonly StepView[];
  /** The finding at the end. */
  readonly ending: EndingView;
  /** What is judged in every listed state. */
  readonly truths?: readonly TruthView[];
}

export interface TruthView {
  readonly name: string;
  readonly isTrueAtFirst: boolean;
  /** Positions in the listed steps, from 1, whose state has another truth than the one before. */
  readonly flips: readonly number[];
}

/** A text to look for in all steps of a run, listed or not. */
export interface FindRequest {
  readonly schedule: string;
  readonly text: string;
}

export interface FoundView {
  /** Numbers of steps that mention the text, the first ones if there are very many; 0 is the first state. */
  readonly numbers: readonly number[];
  readonly total: number;
}

export interface StepView {
  /** Counted from 1; numbers of omitted steps are missing. */
  readonly number: number;
  readonly participants: readonly string[];
  readonly action: string;
  readonly sources: readonly Place[];
  readonly changes: readonly Change[];
  /** Locations of the moved processes after it; null for removed ones. */
  readonly moves: readonly (readonly [process: string, place: Place | null])[];
  readonly messages: readonly MessageEvent[];
  readonly output: string;
  readonly isIntermediate: boolean;
  /** Error in it. */
  readonly fault: string | null;
}

export interface EndingView {
  readonly kind: "open" | "ended" | "failed" | "loop" | "diverged";
  /** In words. */
  readonly text: string;
  /** Declaration of the violated property. */
  readonly place?: Place;
}

export interface WalkView {
  readonly mark: string;
  readonly files: readonly string[];
  readonly schedule: string;
  readonly length: number;
  readonly values: readonly Value[];
  readonly places: readonly (readonly [process: string, place: Place])[];
  readonly choices: readonly ChoiceView[];
  readonly ending: EndingView;
}

export interface ChoiceView extends Omit<StepView, "number" | "moves"> {
  readonly choice: number;
  /** Target of the step. */
  readonly leadsTo: EndingView;
}

export interface GraphRequest {
  /** The state to begin at. */
  readonly schedule: string;
  readonly limit: number;
  /** A run whose states are wanted before all others. */
  readonly trace?: string;
}

export interface GraphView {
  readonly mark: string;
  /** Names of node values: variables, and `@P` for the line of process `P`. */
  readonly names: readonly string[];
  /** Conditions that nodes are labelled with: propositions of temporal properties, and invariants. */
  readonly labels: readonly string[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Nothing is omitted. */
  readonly isComplete: boolean;
  /** Keys of the states of the requested run, in order. */
  readonly path: readonly string[];
}

export interface GraphNode {
  /** The same state has the same key in every answer. */
  readonly key: string;
  /** The node it was found from, and by which choice; -1 for the first. */
  readonly parent: number;
  readonly choice: number;
  /** By position in `names`; null where there is none. */
  readonly values: readonly (string | null)[];
  /** Positions in `labels` of the propositions that hold here. */
  readonly labels: readonly number[];
  readonly kind: "state" | "intermediate" | "deadlock" | "end" | "fault" | "broken";
  /** Description of its error. */
  readonly text: string;
  /** Its successors are in the graph. */
  readonly isExpanded: boolean;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A moment of a run, to be drawn. */
export interface PictureRequest {
  /** Leads to the moment. */
  readonly schedule: string;
  readonly values: readonly Value[];
  /** Before the last step; null at the start. */
  readonly before: readonly Value[] | null;
  /** The steps before it, or the last of them. */
  readonly steps: readonly PictureStep[];
}

export type PictureStep = Pick<StepView, "number" | "participants" | "action" | "messages">;

/** `untrusted`: returned by the user's code; the server sanitises it. Null: there is nothing to draw. */
export type PictureView = { readonly svg: string } | { readonly untrusted: string | null };

export interface DrawnView {
  readonly svg: string;
}

export interface AutomatonView {
  readonly title: string;
  readonly svg: string;
}

/** The counterexamples that were shown. */
export interface AnotherRequest {
  readonly known: readonly string[];
}

export type AnotherView =
  | {
      readonly kind: "found";
      readonly schedule: string;
      readonly length: number;
      /** From all known ones: the error; only the state that has it; only the last step. */
      readonly differs: "error" | "state" | "way";
      readonly text: string;
    }
  | NotFoundView;

/** An execution that does not fail, beside one that does. */
export type PassingView =
  | {
      readonly kind: "found";
      readonly schedule: string;
      /** Number of steps that both begin with. */
      readonly shared: number;
      /** At a valid end, in a loop, or the search ended there. */
      readonly ends: "end" | "loop" | "open";
    }
  | NotFoundView;

export interface NotFoundView {
  readonly kind: "none";
  /** States that were looked at. */
  readonly states: number;
  /** There are no others. */
  readonly isComplete: boolean;
}

export interface ControlView {
  readonly automata: readonly {
    readonly name: string;
    readonly initial: number;
    readonly locations: readonly {
      readonly name: string;
      readonly kind: "state" | "end" | "fault";
    }[];
    readonly edges: readonly GraphEdge[];
  }[];
}

/** Where processes stand after a schedule. */
export interface StandingView {
  readonly standing: readonly {
    readonly process: string;
    readonly automaton: number;
    readonly location: number;
  }[];
}

/** Events that the server sends unprompted. */
export type ServerEvent =
  | { readonly kind: "run"; readonly run: RunView }
  | { readonly kind: "progress"; readonly id: number; readonly progress: Progress }
  /** A file of the model is another one now. */
  | { readonly kind: "source"; readonly file: string; readonly mark: string };

/** Response to a refused request. */
export interface Problem {
  readonly error: string;
}
