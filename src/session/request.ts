/** What can be asked of a session, by the command line and by programs alike. */
import type { AcceptedScope } from "../report/index.js";
import type { Budget, Control, Fairness, HashName, StoreName } from "../model/index.js";
import type { ReductionName } from "../transforms/reduction/index.js";

/** A text to work on. `file` is its name in reports; included files are read through `readFile`. */
export interface Input {
  readonly file: string;
  readonly text: string;
  /** The text of a file, or undefined if there is none. Without it nothing can be included. */
  readonly readFile?: (path: string) => string | undefined;
}

/** What decides which system a text stands for: a trace says something only about the same one. */
export interface ModelOptions {
  /** By its name in the registry; otherwise the file's extension decides. */
  readonly language?: string;
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
  /** Conditions that are to hold in every state. */
  readonly invariants?: readonly string[];
  /** Temporal formulas that every execution is to satisfy. */
  readonly ltl?: readonly string[];
  /** Files with more properties of the model: never claims, `ltl` blocks. */
  readonly claims?: readonly string[];
  /** Of a net: may so many tokens come together? `p >= 2, q >= 1`. */
  readonly targets?: readonly string[];
  /** Of a net: is there a largest number of tokens in each place? */
  readonly asksBoundedness?: boolean;
  /** A send to a full channel loses the message. */
  readonly loseWhenFull?: boolean;
  /** A valid end state also needs every channel empty. */
  readonly endNeedsEmptyChannels?: boolean;
  /** At most so many processes alive at once. */
  readonly maxProcesses?: number;
  /** Murphi: whose rules hold where the tools differ. */
  readonly dialect?: "rumur" | "cmurphi";
  /** Murphi: what a deadlock is. */
  readonly deadlock?: "stuttering" | "stuck" | "off";
  /** Murphi: how states are told to be alike up to the names of elements; `force`: even where that cannot be shown to be sound. */
  readonly symmetry?: "exact" | "heuristic" | "force";
  /** Murphi: rounds of a `while` loop before it is an error. */
  readonly loopLimit?: number;
  /** Murphi: calls inside each other before it is an error. */
  readonly callDepth?: number;
  /** Networks: each client sends each of its packets at most so often. */
  readonly concrete?: number;
  /** Networks: a published encoding, to compare figures with; it proves nothing. */
  readonly compat?: NetworkCompat;
}

export type NetworkCompat = "published" | "published-sets";

/** `random` and `guided` visit all states too, in an order that finds some errors earlier. */
export type SearchOrder = "bfs" | "dfs" | "random" | "guided";

/**
 * Few switches between agents first, which are delays or preemptions; or runs whose agents have random priorities: for systems of
 * nodes.
 */
export interface SwitchRequest {
  readonly by: "delays" | "preemptions" | "pct";
  /** Of delays or preemptions; of `pct`, the orderings that an error may need. */
  readonly bound?: number;
  /** How many runs `pct` makes. */
  readonly runs?: number;
}

export type { Fairness };

/** What is known beforehand about the states, and how a store is to use it. Each has a default. */
export interface StoreRequest {
  /** Bytes for the table of a lossy store. */
  readonly tableBytes?: number;
  /** How many states there will be, about. */
  readonly expectStates?: number;
  /** Bits set for a state (bitstate). */
  readonly hashFunctions?: number;
  /** Bits kept of a state (compact). */
  readonly hashBits?: number;
  readonly hash?: HashName;
  /** Levels between states that are kept whole (delta). */
  readonly deltaDistance?: number;
}

export interface SliceRequest {
  /** As `ignore` would name them; `auto`: numbers that seem to change nothing. */
  readonly paths: readonly string[] | "auto";
  /** Only numbers with more values than that are looked at. */
  readonly moreValuesThan?: number;
}

/** Proofs are asked for by `wantsProofs`. */
export type OutputName =
  | "html"
  | "trace"
  | "svg"
  | "traceFormat"
  | "emitCode"
  | "emitNet"
  | "netEncoding"
  | "emitProgram"
  | "emitMurphi";

export interface CheckOptions extends ModelOptions {
  /** Names of properties to check; otherwise all. */
  readonly properties?: readonly string[];
  readonly checksDeadlock?: boolean;
  /** By its name in the registry; otherwise the first that can work on what was loaded. */
  readonly engine?: string;
  readonly search?: SearchOrder;
  /** Instead of `search`. */
  readonly schedules?: SwitchRequest;
  /** Absent: whatever suits the search. */
  readonly store?: StoreName;
  readonly storeRequest?: StoreRequest;
  /** For every random choice. */
  readonly seed?: number;
  /** One transition a statement: nothing merged, nothing reduced. */
  readonly isPlain?: boolean;
  /** Which reductions to use where they are sound, from the start; absent: all, once a search has outgrown the whole system. */
  readonly reductions?: readonly ReductionName[];
  /** Where `reductions` is absent: all of them, from the start. */
  readonly reducesAtOnce?: boolean;
  /** Search the unreduced system too; that both agree is our business, and a difference is a bug of ours. */
  readonly checksReduction?: boolean;
  /** What holds is to come with a proof that can be checked, where the engine makes such. */
  readonly wantsProofs?: boolean;
  /** Up to how many messages of a kind to count, one after the other. */
  readonly counts?: readonly number[];
  readonly budget?: Budget;
  /** Threads to search with; one when absent. */
  readonly workers?: number;
  /** A folder for states that memory has no room for; resumed, the search that is in it goes on. */
  readonly disk?: { readonly directory: string; readonly resumes: boolean };
  /** Stop after so many errors. */
  readonly maxErrors?: number;
  /** Warn about assignments that cut a value to fit its variable. */
  readonly warnsTruncation?: boolean;
  /** Which lines and branches of the user's code are run? Only where the system is code. */
  readonly measuresCoverage?: boolean;
  /** Systems of nodes: fields to leave out when states are compared, though the system does not say so. */
  readonly slice?: SliceRequest;
  /** Systems of nodes: make traces shorter that were not found breadth-first. Unless it is false. */
  readonly minimises?: boolean;
  readonly fairness?: Fairness;
  /** The emptiness check for temporal properties, by its name. */
  readonly emptiness?: string;
  readonly accept?: AcceptedScope;
  /** What is going to be made of the answer: refused before the search where there can be no such thing. */
  readonly outputs?: readonly OutputName[];
  readonly control?: Control;
  /** Code that is checked runs in a process of its own; `none`: in this one, without protection from what it does. */
  readonly isolation?: "process" | "none";
}

/** The options that determine the system of a text, as command-line arguments: for replay commands. */
export function modelArguments(options: ModelOptions): string[] {
  return [
    ...(options.language === undefined ? [] : ["--language", options.language]),
    ...(options.defines ?? []).flatMap((define) => ["-D", define]),
    ...(options.invariants ?? []).flatMap((invariant) => ["--invariant", invariant]),
    ...(options.ltl ?? []).flatMap((formula) => ["--ltl", formula]),
    ...(options.claims ?? []).flatMap((file) => ["--claim", file]),
    ...(options.targets ?? []).flatMap((target) => ["--target", target]),
    ...(options.asksBoundedness ? ["--bounded"] : []),
    ...(options.loseWhenFull ? ["--lose-when-full"] : []),
    ...(options.endNeedsEmptyChannels ? ["--end-needs-empty-channels"] : []),
    ...(options.maxProcesses === undefined ? [] : ["--limit-processes", `${options.maxProcesses}`]),
    ...(options.dialect === undefined ? [] : ["--dialect", options.dialect]),
    ...(options.deadlock === undefined ? [] : ["--deadlock", options.deadlock]),
    ...(options.loopLimit === undefined ? [] : ["--loop-limit", `${options.loopLimit}`]),
    ...(options.callDepth === undefined ? [] : ["--call-depth", `${options.callDepth}`]),
    ...(options.concrete === undefined ? [] : ["--concrete", `${options.concrete}`]),
  ];
}
