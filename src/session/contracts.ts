/** Interfaces of the registry's entries, languages and engines, with their requests and results. */
import type {
  AbstractGraph,
  Budget,
  Control,
  Evidence,
  Diagnostic,
  Finding,
  Model,
  Property,
  PropertyKind,
  Proof,
  Reductions,
  Scope,
  Sources,
  Span,
  Stats,
  StoreName,
  Subject,
  Words,
} from "../model/index.js";
import type { Resources } from "../engines/explicit/index.js";
import type { ExecutionReport, Narrative, PeerFigures, Picture, RunReport } from "../report/index.js";
import type { Accepts, EngineAccepts } from "./accepting.js";
import type { Highlighting } from "./languages/highlighting.js";
import type {
  CheckOptions,
  Fairness,
  Input,
  ModelOptions,
  SearchOrder,
  SliceRequest,
  StoreRequest,
  SwitchRequest,
} from "./request.js";
import type { ReplayRequest } from "./replay/request.js";
import type { SteppedRun } from "./replay/stepped-run.js";
import type { Refusal } from "./replay/trail.js";

export interface Registry {
  readonly languages: readonly Language[];
  readonly engines: readonly Engine[];
}

export interface Language {
  readonly name: string;
  readonly summary: string;
  /** With the dot. */
  readonly extensions: readonly string[];
  /** File names that belong to this language regardless of their extension. */
  readonly fileNames?: readonly string[];
  /** Selects among languages that share an extension: the first that recognises the text. Absent: recognises every text. */
  recognises?(text: string): boolean;
  /** Accepted options and kinds of property; `accepting.ts` refuses all others. */
  readonly accepts: Accepts;
  /** Inputs that accept less than the language (`Loaded.accepts`), as further rows of the grid. */
  readonly variants?: readonly { readonly name: string; readonly accepts: Accepts }[];
  load(input: Input, options: LoadOptions): Promise<Loaded>;
  /** Reports errors without running the text. Present only if `load` runs it. */
  inspect?(input: Input, options: ModelOptions): Promise<readonly Diagnostic[]>;
  /** Loading runs the text, preferably in a separate process (`src/sandbox`). */
  readonly runsCode?: true;
  /** Finds declarations of tests in the text of code, which is not run to find them; the group `name` is the name. */
  readonly testPattern?: RegExp;
  /** Syntax colouring in editors and reports; absent: none. */
  readonly highlighting?: Highlighting;
  /** Figures in the units of the language's reference tools. */
  peerFigures?(result: Pick<EngineResult, "stats" | "runs">, model: Model | undefined): PeerFigures;
}

export interface LoadOptions extends ModelOptions {
  readonly isPlain: boolean;
  readonly warnsTruncation: boolean;
  /** Requested by name; absent: all sound ones. */
  readonly reductions?: readonly string[] | undefined;
  readonly fairness?: Fairness | undefined;
  /** Receives the text and every file that it includes. */
  readonly sources: Sources;
  /** An engine will visit all states: errors in conditions are left to it, since it reports them with a trace. */
  readonly isSearched?: boolean | undefined;
}

export interface Loaded {
  /** Absent if the diagnostics contain errors, or if the input has no states to step through. */
  readonly model: Model | undefined;
  /** Input of specialised engines; absent: the model is the only input. */
  readonly subject?: Subject | undefined;
  /** Properties of the input that cannot be checked yet. */
  readonly unsupported: readonly Unsupported[];
  readonly diagnostics: readonly Diagnostic[];
  /** Draws a state, for reports and the explorer. */
  readonly picture?: Picture | undefined;
  /** Draws a state by the user's code: text that is not trusted, and undefined where there is nothing to draw. */
  readonly userPicture?: ((words: Words) => string | undefined) | undefined;
  /** Source of the program that the model was compiled to, if any. */
  readonly code?: (() => string) | undefined;
  /** Restates the reason of a violation in terms of the source, with the help of the trace. */
  readonly retell?: ((reason: string, trace: Narrative, sources: Sources) => string) | undefined;
  /** Assumptions beyond the text. */
  readonly assumptions?: Assumptions | undefined;
  /** Declared if this input accepts less than its language. */
  readonly accepts?: Accepts | undefined;
  /** Replays a schedule if there is no model. */
  readonly replay?: (request: ReplayRequest) => Promise<Judged | Refusal>;
  /** Steps through a run if there is no model; `schedule`: along a trace. */
  readonly simulate?: (seed: number, schedule: string | undefined) => SteppedRun | Refusal;
}

/** Outcome of a replay. */
export interface Judged extends Pick<ExecutionReport, "outcome" | "reason" | "property" | "native"> {
  readonly trace: Narrative | undefined;
}

export interface Assumptions {
  /** For the scope, as text. */
  readonly notes: readonly string[];
  /** The model is truncated: by a bound declared in the text, or by a bound that the user requested, which proves nothing. */
  readonly bound?: "declared" | "asked" | undefined;
}

export interface Unsupported {
  readonly kind: PropertyKind;
  readonly name: string;
  readonly span: Span;
}

export interface Engine {
  readonly name: string;
  readonly summary: string;
  /** Accepted options and kinds of property; `accepting.ts` refuses all others. */
  readonly accepts: EngineAccepts;
  /** Is the input in the domain of this engine? The first applicable engine in the registry is the default. */
  takes(loaded: Loaded): boolean;
  /** The reason why a related input is outside the domain. */
  whyNot?(loaded: Loaded): string | undefined;
  /** Asks a solver: runs in a separate process, if there is none around it (`apart/solving.ts`). */
  readonly asksSolver?: true;
  check(loaded: Loaded, request: EngineRequest): Promise<EngineResult>;
}

/** Searches the states of any model, reduced or not. */
export interface StateEngine {
  search(model: Model, options: EngineOptions): Promise<EngineResult>;
  /** The reason why a search cannot use candidates (`System.candidates`); undefined: it can. Absent: the engine may ignore them. */
  whyNoCandidates?(
    request: EngineRequest,
    isTemporal: boolean,
    reductions: Reductions | undefined,
  ): string | undefined;
  /** `search: "dfs"` is supported. */
  readonly searchesDepthFirst?: boolean;
}

export interface EngineRequest extends EngineOptions {
  readonly isPlain: boolean;
  /** Requested reductions, used if sound; absent: all. */
  readonly reductions: readonly string[] | undefined;
  /** If `reductions` is absent: reduce from the start, not after a search of the whole system. */
  readonly reducesAtOnce: boolean;
  readonly checksReduction: boolean;
  readonly warnsTruncation: boolean;
  /** Bounds k of the counter abstraction, in order; absent: 0, 1, 2, … */
  readonly counts: readonly number[] | undefined;
  /** Results that hold need a checkable proof. */
  readonly wantsProofs: boolean;
  readonly slice?: SliceRequest | undefined;
  /** Shorten traces that need not be shortest, if the engine supports it. */
  readonly minimises?: boolean;
  /** The user did not choose the search order. */
  readonly isDefaultOrder?: boolean;
  /** The user chose the seed: it also determines orders that are otherwise fixed. */
  readonly isSeeded?: boolean;
  /** Options of engines that use a solver. */
  readonly symbolic?: Pick<
    CheckOptions,
    | "solver"
    | "dumpSmt"
    | "explore"
    | "model"
    | "draws"
    | "closure"
    | "refineFrom"
    | "refineAtoms"
    | "fixpoint"
    | "unwind"
    | "strategy"
    | "relation"
    | "rule"
    | "order"
    | "alphabet"
  >;
  /** Search by switches between agents, if the engine supports it. */
  readonly schedules?: SwitchRequest | undefined;
}

export interface EngineOptions {
  /** For diagnostics without a position. */
  readonly file: string;
  /** For positions in messages; absent: none are given. */
  readonly sources?: Sources | undefined;
  /** States in which to test the conditions of reductions; absent: a sample. For tests; not a command-line option. */
  readonly sampling?: "all" | "none" | undefined;
  readonly properties: readonly Property[];
  readonly search: SearchOrder;
  readonly store: StoreName | undefined;
  readonly storeRequest: StoreRequest;
  readonly seed: number;
  /** Allows a lossy store if no exact one fits into memory. */
  readonly takesProbable: boolean;
  readonly budget: Budget;
  readonly maxErrors: number;
  readonly fairness: Fairness;
  /** Name of the algorithm; `auto`: the fastest measured for the property. */
  readonly emptiness: string;
  readonly control: Control;
  /** Number of threads. */
  readonly workers: number;
  /** Folder for states that do not fit into memory. */
  readonly disk: DiskRequest | undefined;
  /** Neither engine nor threads were requested: a large search may move to a graphics processor. */
  readonly mayUseDevice?: boolean;
  /** The requested device, and how much of its memory to use. */
  readonly device?: DeviceRequest | undefined;
  /** Set by the engine that has opened a device: large searches go there. */
  readonly deviceSearch?: Resources["device"];
}

export interface DeviceRequest {
  /** A number, or a part of the name. */
  readonly choice?: string | undefined;
  readonly memoryBytes?: number | undefined;
}

export interface DiskRequest {
  readonly directory: string;
  /** Resume the search stored there. */
  readonly resumes: boolean;
  /** Hash of the text, the options and the version. */
  readonly identity: string;
}

export interface EngineResult {
  /** At least one per property; a violated property may have several. */
  readonly findings: readonly EngineFinding[];
  readonly scope: Scope;
  readonly end: SearchEnd;
  /** One for the safety properties together, one for each temporal property. */
  readonly runs: readonly RunReport[];
  /** Sums over all runs. */
  readonly stats: Stats;
  /** Every state was visited, so parts that were not reached are unreachable. */
  readonly coversAll: boolean;
  /** Further diagnostics for the user. */
  readonly notices: readonly Diagnostic[];
  /** Proofs of properties that hold, if requested and supported. */
  readonly proofs?: readonly Proof[];
}

export interface EngineFinding extends Finding {
  /** Number of times that the search found it. */
  readonly occurrences: number;
  /** The replayed trace, narrated by the engine; for inputs without a model. */
  readonly narrative?: Narrative;
  /** Length of the trace before it was shortened. */
  readonly foundSteps?: number;
  /** Evidence without a run: a tree of derived vectors. */
  readonly derivation?: Evidence;
  /** The abstract states that led to the verdict, if they were requested. */
  readonly abstraction?: AbstractGraph;
}

/**
 * Reason why the search ended. `complete`: nothing is left to explore; `probable`: states may have been omitted;
 * `bound`: everything within a requested bound was visited; `budget`: states, memory or time ran out.
 */
export type SearchEnd = "complete" | "probable" | "errors" | "budget" | "bound" | "stopped";
