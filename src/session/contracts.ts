/** What the registry lists: the interfaces of languages and of engines, their requests and results. */
import type {
  Budget,
  Control,
  Derivation,
  Diagnostic,
  Finding,
  Model,
  Property,
  PropertyKind,
  ProvenanceProof,
  Scope,
  Sources,
  Span,
  Stats,
  StoreName,
  Subject,
} from "../model/index.js";
import type { ExecutionReport, Narrative, PeerFigures, Picture, RunReport } from "../report/index.js";
import type { Accepts, EngineAccepts } from "./accepting.js";
import type { Highlighting } from "./languages/highlighting.js";
import type {
  Fairness,
  Input,
  ModelOptions,
  SearchOrder,
  SliceRequest,
  StoreRequest,
  SwitchRequest,
} from "./request.js";
import type { ReplayRequest } from "./replay/request.js";
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
  /** Whole names of files that are in this language, whatever their extension. */
  readonly fileNames?: readonly string[];
  /** Of those languages that share an extension: is this text in it? The first that says so is meant; absent: every text is. */
  recognises?(text: string): boolean;
  /** Which options and kinds of property it takes: everything else is refused (`accepting.ts`). */
  readonly accepts: Accepts;
  /** Texts that take less, and say so when they are loaded (`Loaded.accepts`): rows of the grid beside that of the language. */
  readonly variants?: readonly { readonly name: string; readonly accepts: Accepts }[];
  load(input: Input, options: LoadOptions): Promise<Loaded>;
  /**
   * What is wrong with a text, as far as that can be seen without running it. Of languages whose `load` runs the text; of all others
   * loading is harmless, and nothing is here.
   */
  inspect?(input: Input, options: ModelOptions): Promise<readonly Diagnostic[]>;
  /** Its texts are programs that are run: best in a process of their own (`src/sandbox`). */
  readonly runsCode?: true;
  /** How its texts are coloured, in editors and on pages; absent: not at all. */
  readonly highlighting?: Highlighting;
  /** The figures as the language's own tools count them. */
  peerFigures?(result: Pick<EngineResult, "stats" | "runs">, model: Model | undefined): PeerFigures;
}

export interface LoadOptions extends ModelOptions {
  readonly isPlain: boolean;
  readonly warnsTruncation: boolean;
  /** Asked for by name; absent: whatever is sound. */
  readonly reductions?: readonly string[] | undefined;
  readonly fairness?: Fairness | undefined;
  /** The text and everything it includes is added here. */
  readonly sources: Sources;
  /** An engine is going to look at all states: what is wrong with conditions is met there, with the way to it. */
  readonly isSearched?: boolean | undefined;
}

export interface Loaded {
  /** Absent when the diagnostics have errors, and where there are no states to step through. */
  readonly model: Model | undefined;
  /** What engines of its own work on, where the language has such; absent: the model is all there is. */
  readonly subject?: Subject | undefined;
  /** Declared, understood, but not checked yet. */
  readonly unsupported: readonly Unsupported[];
  readonly diagnostics: readonly Diagnostic[];
  /** How the system looks at a moment of a run, where it can be drawn: reports and the explorer show it. */
  readonly picture?: Picture | undefined;
  /** The program that the model was compiled to, where there is one to read. */
  readonly code?: string | undefined;
  /** The reason of a violation in the words of the source, where the trace tells more than the engine. */
  readonly retell?: ((reason: string, trace: Narrative, sources: Sources) => string) | undefined;
  /** What is assumed of the system beyond what it says itself. */
  readonly assumptions?: Assumptions | undefined;
  /** What such a text takes, where that is less than what its language does. */
  readonly accepts?: Accepts | undefined;
  /** Runs one schedule again, where there is no model to run it through. */
  readonly replay?: (request: ReplayRequest) => Promise<Judged | Refusal>;
}

/** What came of a run that a trace tells. */
export interface Judged extends Pick<ExecutionReport, "outcome" | "reason" | "property"> {
  readonly trace: Narrative | undefined;
}

export interface Assumptions {
  /** In words, for the scope. */
  readonly notes: readonly string[];
  /** The model is cut off somewhere: `declared` by the text itself, or `asked` for, and then nothing is proved by it. */
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
  /** Which options and kinds of property it takes: everything else is refused (`accepting.ts`). */
  readonly accepts: EngineAccepts;
  /** Can it work on that at all? The first engine in the registry that can is the default. */
  takes(loaded: Loaded): boolean;
  /** Of what it does not take, though it takes the like: why not. */
  whyNot?(loaded: Loaded): string | undefined;
  check(loaded: Loaded, request: EngineRequest): Promise<EngineResult>;
}

/** Searches the states of any model, reduced or not. */
export interface StateEngine {
  search(model: Model, options: EngineOptions): Promise<EngineResult>;
  /** The reason why such a search cannot use candidates (`System.candidates`); undefined: it can. Absent: the engine may ignore them. */
  whyNoCandidates?(options: EngineOptions, isTemporal: boolean): string | undefined;
}

export interface EngineRequest extends EngineOptions {
  readonly isPlain: boolean;
  /** Which reductions to use where they are sound; absent: all. */
  readonly reductions: readonly string[] | undefined;
  /** Where `reductions` is absent: from the start, instead of after a search of the whole system. */
  readonly reducesAtOnce: boolean;
  readonly checksReduction: boolean;
  readonly warnsTruncation: boolean;
  /** Up to how many messages of a kind to count, one after the other; absent: 0, 1, 2, … */
  readonly counts: readonly number[] | undefined;
  /** What holds is to come with a proof that can be checked. */
  readonly wantsProofs: boolean;
  readonly slice?: SliceRequest | undefined;
  /** Traces that need not be shortest are made shorter, where the engine knows how. */
  readonly minimises?: boolean;
  /** The seed was chosen by somebody: then it decides what else can be in any order. */
  readonly isSeeded?: boolean;
  /** By switches between agents, where the engine can. */
  readonly schedules?: SwitchRequest | undefined;
}

export interface EngineOptions {
  /** For diagnostics about the whole. */
  readonly file: string;
  /** To tell places by; absent: they are not told. */
  readonly sources?: Sources | undefined;
  /** In which states of a search the conditions of reductions are tested; absent: in some. For tests, no option. */
  readonly sampling?: "all" | "none" | undefined;
  readonly properties: readonly Property[];
  readonly search: SearchOrder;
  readonly store: StoreName | undefined;
  readonly storeRequest: StoreRequest;
  readonly seed: number;
  /** A lossy store may be chosen where no other fits into the memory. */
  readonly takesProbable: boolean;
  readonly budget: Budget;
  readonly maxErrors: number;
  readonly fairness: Fairness;
  /** By its name; `auto`: what measures best for the property. */
  readonly emptiness: string;
  readonly control: Control;
  /** Threads to search with. */
  readonly workers: number;
  /** Where to keep what memory has no room for. */
  readonly disk: DiskRequest | undefined;
}

export interface DiskRequest {
  readonly directory: string;
  /** Go on with the search that is there. */
  readonly resumes: boolean;
  /** Says which search this is: of what text, with what options, by which version. */
  readonly identity: string;
}

export interface EngineResult {
  /** At least one a property; a violated property may have several. */
  readonly findings: readonly EngineFinding[];
  readonly scope: Scope;
  readonly end: SearchEnd;
  /** One for the safety properties together, one for each temporal property. */
  readonly runs: readonly RunReport[];
  /** Of all runs together. */
  readonly stats: Stats;
  /** Every state was visited: what was not reached is unreachable. */
  readonly coversAll: boolean;
  /** What else the user should know. */
  readonly notices: readonly Diagnostic[];
  /** Of properties that hold, if they were asked for and the engine makes such. */
  readonly proofs?: readonly ProvenanceProof[];
}

export interface EngineFinding extends Finding {
  /** How often the same thing was met. */
  readonly occurrences: number;
  /** The trace, run again and told by the engine itself: where there is no model to run it through. */
  readonly narrative?: Narrative;
  /** Steps of the trace as it was found, if it was made shorter. */
  readonly foundSteps?: number;
  /** What shows it where nothing is run: a tree of derived vectors. */
  readonly derivation?: Derivation;
}

/**
 * Why the search ended: `complete` means that nothing was left to explore, `probable` that states may have been omitted, `bound` that
 * everything was visited within a bound that was asked for, `budget` that states, memory or time ran out.
 */
export type SearchEnd = "complete" | "probable" | "errors" | "budget" | "bound" | "stopped";
