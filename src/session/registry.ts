/**
 * Every language and engine there is, once. A new one is a line here; its code is loaded when it is used.
 *
 * Always true: nothing heavy is imported at the top, so that `everypath --version` stays instant.
 */
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
import * as declared from "./declarations.js";
import { isBvas } from "../model/bvas.js";
import { isNet } from "../model/net.js";
import { whyNotNet } from "./engines/net-engines.js";
import {
  codeHighlighting,
  manifestHighlighting,
  markupHighlighting,
  messagesHighlighting,
  murphiHighlighting,
  netHighlighting,
  networkHighlighting,
  promelaHighlighting,
  tasksHighlighting,
  vectorsHighlighting,
  type Highlighting,
} from "./highlighting.js";
import type { ReplayRequest } from "./replay/replay.js";
import { importsDoor } from "./schedules/recognising.js";
import type { Refusal } from "./replay/trail.js";
import type {
  Fairness,
  Input,
  ModelOptions,
  SearchOrder,
  SliceRequest,
  StoreRequest,
  SwitchRequest,
} from "./request.js";

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

/**
 * Rumur counts steps that an assumption discards, too. Searches of temporal properties, which Rumur does not have, are left out. Searches that
 * sample states or use several threads do not count.
 */
function rulesFired(
  { runs: all }: Pick<EngineResult, "stats" | "runs">,
  model: Model | undefined,
): PeerFigures {
  const runs = all.filter(({ automaton }) => automaton === undefined);
  const { parts = [], times = [] } = model?.coverage ?? {};
  const rules = parts.flatMap(({ owner, text }, i) =>
    owner === "rule" ? [{ name: text, fired: times[i] ?? 0 }] : [],
  );
  const total = rules.reduce((sum, { fired }) => sum + fired, 0);
  const transitions = runs.reduce((sum, { stats }) => sum + stats.transitions, 0);
  const isCounted =
    runs.length > 0 && total >= transitions && runs.every(({ store }) => store?.kind !== "tree");
  return isCounted ? { rumur: { rulesFired: total, rules } } : {};
}
const whyNot =
  (engine: string) =>
  ({ subject }: Loaded): string | undefined =>
    isNet(subject) ? whyNotNet(engine, subject) : undefined;

const netEngine = (name: string, summary: string): Engine => ({
  name,
  summary,
  accepts: declared.coverability,
  takes: ({ subject }) =>
    isNet(subject) ? whyNotNet(name, subject) === undefined : name === "eec" && isBvas(subject),
  whyNot: whyNot(name),
  check: async (loaded, request) =>
    isBvas(loaded.subject)
      ? (await import("./engines/branching.js")).check(loaded, request)
      : (await import("./engines/coverability.js")).check(name, loaded, request),
});

export const registry: Registry = {
  languages: [
    {
      name: "promela",
      summary: "Promela, the language of Spin 6.5",
      accepts: declared.promela,
      variants: [{ name: "policies about provenance", accepts: declared.promelaMessages }],
      extensions: [".pml", ".promela", ".prom", ".spin"],
      highlighting: promelaHighlighting,
      // pan counts the arrival in the initial state as a transition: once for each run that searched at all.
      peerFigures: ({ stats, runs }) => {
        const searched = runs.filter((run) => run.stats.states > 0 && !run.isAbandoned).length;
        return { spin: { transitions: stats.transitions + searched } };
      },
      load: async (input, options) => (await import("./languages/promela.js")).load(input, options),
    },
    {
      name: "mpp",
      summary: "message-passing programs with unbounded, unordered channels, and policies about provenance",
      accepts: declared.messages,
      extensions: [".mpp"],
      highlighting: messagesHighlighting,
      load: async (input) => (await import("./languages/mpp.js")).load(input),
    },
    {
      name: "webextension",
      summary: "browser extensions: what they keep of private windows, extracted from their scripts",
      accepts: declared.webextension,
      extensions: [],
      fileNames: ["manifest.json"],
      highlighting: manifestHighlighting,
      load: async (input, options) => (await import("./languages/webextension.js")).load(input, options),
    },
    {
      name: "mist",
      summary: "Petri nets in the format of the tool Mist",
      accepts: declared.net,
      extensions: [".spec"],
      highlighting: netHighlighting,
      load: async (input, options) => (await import("./languages/mist.js")).load(input, options),
    },
    {
      name: "pnml",
      summary: "place/transition nets in the Petri Net Markup Language; --target asks",
      accepts: declared.net,
      extensions: [".pnml"],
      highlighting: markupHighlighting,
      load: async (input, options) => (await import("./languages/pnml.js")).load(input, options),
    },
    {
      name: "bvas",
      summary: "vector addition systems, also branching ones",
      accepts: declared.net,
      variants: [{ name: "branching", accepts: declared.branching }],
      extensions: [".bvas"],
      highlighting: vectorsHighlighting,
      load: async (input, options) => (await import("./languages/bvas.js")).load(input, options),
    },
    {
      name: "rpp",
      summary: "recursively parallel programs: tasks that post tasks and wait for the first to return",
      accepts: declared.tasks,
      extensions: [".rpp"],
      highlighting: tasksHighlighting,
      load: async (input) => (await import("./languages/rpp.js")).load(input),
    },
    {
      name: "schedules",
      summary: "test files of Vitest, Jest or node:test whose tests run under every schedule (everySchedule)",
      accepts: declared.schedules,
      extensions: [".ts", ".tsx", ".mts", ".js", ".mjs"],
      recognises: importsDoor,
      highlighting: codeHighlighting,
      load: async (input, options) => (await import("./schedules/language.js")).load(input, options),
      inspect: async (input) => (await import("./schedules/language.js")).inspect(input),
    },
    {
      name: "typescript",
      summary: "TypeScript or JavaScript that exports a system of nodes (defineSystem)",
      accepts: declared.nodes,
      extensions: [".ts", ".mts", ".js", ".mjs"],
      highlighting: codeHighlighting,
      load: async (input, options) => (await import("./nodes/load.js")).load(input, options),
      inspect: async (input, options) => (await import("./nodes/load.js")).inspect(input, options),
      runsCode: true,
    },
    {
      name: "murphi",
      summary: "Murphi, as Rumur and CMurphi read it",
      accepts: declared.murphi,
      extensions: [".m", ".murphi"],
      highlighting: murphiHighlighting,
      peerFigures: rulesFired,
      load: async (input, options) => (await import("./languages/murphi.js")).load(input, options),
    },
    {
      name: "sdn",
      summary: "software-defined networks: a topology, a controller and what must never happen to packets",
      accepts: declared.network,
      variants: [{ name: "described in TypeScript", accepts: declared.describedNetwork }],
      extensions: [".sdn"],
      highlighting: networkHighlighting,
      load: async (input, options) => (await import("./languages/sdn.js")).load(input, options),
    },
  ],
  engines: [
    netEngine("backward", "nets: goes back from the target over minimal markings; finds a shortest run"),
    netEngine("eec", "nets: forward, exact up to i tokens, below and above (expand, enlarge, check)"),
    netEngine("karp-miller", "nets: the coverability tree; also decides boundedness"),
    {
      name: "provenance",
      summary: "proves where messages may have been: counts messages exactly up to k, more as any number",
      accepts: declared.provenance,
      takes: ({ subject }) => subject?.kind === "messages",
      check: async (loaded, request) => (await import("./engines/provenance.js")).check(loaded, request),
    },
    {
      name: "nodes",
      summary: "runs the code of nodes and visits every state they can be in together",
      accepts: declared.nodeSearch,
      takes: ({ subject }) => subject?.kind === "nodes",
      check: async (loaded, request) => (await import("./nodes/check.js")).check(loaded, request),
    },
    {
      name: "schedules",
      summary: "runs a test of async code under every schedule of what it waits for",
      accepts: declared.scheduleSearch,
      takes: ({ subject }) => subject?.kind === "schedules",
      check: async (loaded, request) => (await import("./schedules/engine.js")).check(loaded, request),
    },
    {
      name: "explicit",
      summary: "visits every reachable state once; breadth-first or depth-first",
      accepts: declared.explicit,
      // Code needs what watches over it: it may not be data, and it may not do the same twice.
      takes: (loaded) =>
        loaded.model !== undefined &&
        loaded.subject?.kind !== "nodes" &&
        whyNot("explicit")(loaded) === undefined,
      whyNot: whyNot("explicit"),
      check: async (loaded, request) => {
        const [{ check }, engine] = await Promise.all([
          import("./pipeline/pipeline.js"),
          import("./engines/explicit.js"),
        ]);
        return check(engine, loaded, request);
      },
    },
  ],
};
