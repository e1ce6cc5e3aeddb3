/** Requests to a session, from the command line and from programs. */
import type { AcceptedScope } from "../report/index.js";
import type { AbstractModel, Budget, Control, Fairness, HashName, StoreName } from "../model/index.js";
import type { ConcolicStrategy } from "../engines/programs/index.js";
import type { SolverName } from "../solvers/index.js";
import type { Specification } from "./refinement/observed.js";
import type { ReductionName } from "../transforms/reduction/index.js";

/** A text. `file` is its name in reports; `readFile` reads included files. */
export interface Input {
  readonly file: string;
  readonly text: string;
  /** Text of a file, or undefined if it does not exist. Absent: includes fail. */
  readonly readFile?: (path: string) => string | undefined;
}

/** Options that determine the system of a text: a trace applies only to the system it was found in. */
export interface ModelOptions {
  /** Name in the registry; absent: by the file's extension. */
  readonly language?: string;
  /** `NAME` or `NAME=VALUE`. */
  readonly defines?: readonly string[];
  /** Systems of nodes: limits instead of those in the file, `crashes=3` or `loss`; a name alone has none. */
  readonly faults?: readonly string[];
  /** Systems of nodes: the file with the specification that the system must refine. */
  readonly refines?: string;
  /** What `refines` names, explored; set by the session. */
  readonly specification?: Specification;
  /** Conditions that must hold in every state. */
  readonly invariants?: readonly string[];
  /** Temporal formulas that every execution must satisfy. */
  readonly ltl?: readonly string[];
  /** Files with more properties of the model: never claims, `ltl` blocks. */
  readonly claims?: readonly string[];
  /** Transition systems: formulas over actions that must hold initially. */
  readonly formulas?: readonly string[];
  /** Transition systems: the file with the order of composition. */
  readonly hierarchy?: string;
  /** Nets: can these places hold that many tokens together? `p >= 2, q >= 1`. */
  readonly targets?: readonly string[];
  /** Nets: is the number of tokens in each place bounded? */
  readonly asksBoundedness?: boolean;
  /** A send to a full channel loses the message. */
  readonly loseWhenFull?: boolean;
  /** A valid end state also needs every channel empty. */
  readonly endNeedsEmptyChannels?: boolean;
  /** Promela: numbers are mathematical integers and do not wrap around. */
  readonly integers?: "bounded" | "unbounded";
  /** Promela: carry out `refactorby`, and compare the parts with the original. */
  readonly refactor?: "apply" | "verify";
  /** Promela: arrays; absent: warned about where sets and queues are used. */
  readonly arrays?: "allow" | "warn" | "forbid";
  /** Maximum number of live processes. */
  readonly maxProcesses?: number;
  /** Murphi: the tool to follow where Rumur and CMurphi differ. */
  readonly dialect?: "rumur" | "cmurphi";
  /** Murphi: the meaning of a deadlock. */
  readonly deadlock?: "stuttering" | "stuck" | "off";
  /** Murphi: canonicalisation of scalarsets; `force`: even if its soundness cannot be shown. */
  readonly symmetry?: "exact" | "heuristic" | "force";
  /** Murphi: maximum number of iterations of a `while` loop. */
  readonly loopLimit?: number;
  /** Murphi: maximum depth of nested calls. */
  readonly callDepth?: number;
  /** Networks: maximum number of times that each client sends each of its packets. */
  readonly concrete?: number;
  /** Networks: a published encoding, for comparison of figures; it proves nothing. */
  readonly compat?: NetworkCompat;
  /** C programs: symbolic arguments, by position from 1, with their largest lengths: `1:16`. */
  readonly symbolicArgs?: readonly string[];
  /** C programs: largest length of a symbolic standard input. */
  readonly symbolicStdin?: number;
  /** C programs: the compiler, a clang. */
  readonly compiler?: string;
  /** Task programs in C: the dialect and the bounds, such as `tinyos` and `phases=4`. */
  readonly tasks?: readonly string[];
}

export type NetworkCompat = "published" | "published-sets";

/** `random` and `guided` also visit all states, in an order that finds some errors earlier. */
export type SearchOrder = "bfs" | "dfs" | "random" | "guided";

/**
 * For systems of nodes: bounds the delays or preemptions, smallest first, or makes runs with random priorities (`pct`) or
 * random mixes of faults (`swarm`).
 */
export interface SwitchRequest {
  readonly by: "delays" | "preemptions" | "pct" | "swarm";
  /** Maximum number of delays or preemptions; for `pct`, the depth of the bug: the number of ordering constraints. */
  readonly bound?: number;
  /** Number of runs of `pct` and `swarm`. */
  readonly runs?: number;
  /** Number of steps of a run of `swarm`. */
  readonly steps?: number;
  /** Of `swarm`: only the runs of one shard, from 1. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Of `swarm`: the part of the shard that one process makes, from 0. */
  readonly part?: { readonly index: number; readonly of: number };
  /** Of `swarm`: `plain` chooses uniformly among all events, for comparison. */
  readonly strategy?: "swarm" | "plain";
}

export type { Fairness };

/** Parameters of stores. Each has a default. */
export interface StoreRequest {
  /** Bytes for the table of a lossy store. */
  readonly tableBytes?: number;
  /** Estimated number of states. */
  readonly expectStates?: number;
  /** Bits set for a state (bitstate). */
  readonly hashFunctions?: number;
  /** Bits stored per state (compact). */
  readonly hashBits?: number;
  readonly hash?: HashName;
  /** Levels between states that are stored in full (delta). */
  readonly deltaDistance?: number;
}

export interface SliceRequest {
  /** In the syntax of `ignore`; `auto`: numbers that seem to have no effect. */
  readonly paths: readonly string[] | "auto";
  /** Considers only numbers with more values. */
  readonly moreValuesThan?: number;
}

/** `wantsProofs` requests proofs. */
export type OutputName =
  | "html"
  | "trace"
  | "svg"
  | "traceFormat"
  | "emitCode"
  | "emitNet"
  | "netEncoding"
  | "emitProgram"
  | "emitMurphi"
  | "emitPromela"
  | "certifyLaws"
  | "emitSeq";

export interface CheckOptions extends ModelOptions {
  /** Names of properties to check; absent: all. */
  readonly properties?: readonly string[];
  readonly checksDeadlock?: boolean;
  /** Name in the registry; absent: the first applicable one. */
  readonly engine?: string;
  readonly search?: SearchOrder;
  /** Instead of `search`. */
  readonly schedules?: SwitchRequest;
  /** Absent: chosen by the search. */
  readonly store?: StoreName;
  readonly storeRequest?: StoreRequest;
  /** For all random choices. */
  readonly seed?: number;
  /** One transition per statement: no merging, no reduction. */
  readonly isPlain?: boolean;
  /** Requested reductions, used from the start if sound; absent: all, once a search outgrows the whole system. */
  readonly reductions?: readonly ReductionName[];
  /** If `reductions` is absent: use all from the start. */
  readonly reducesAtOnce?: boolean;
  /** Also search the unreduced system; a difference is an internal error. */
  readonly checksReduction?: boolean;
  /** Results that hold need a checkable proof, if the engine supports it. */
  readonly wantsProofs?: boolean;
  /** Bounds k of the counter abstraction, in order. */
  readonly counts?: readonly number[];
  readonly budget?: Budget;
  /** Number of threads; absent: one. */
  readonly workers?: number;
  /** A folder for states that do not fit into memory; `resumes`: continue the search stored there. */
  readonly disk?: { readonly directory: string; readonly resumes: boolean };
  /** For `--engine gpu`: number of the device, or a part of its name; absent: the first graphics processor. */
  readonly device?: string;
  /** For `--engine gpu`: memory of the device for states. */
  readonly gpuMemoryBytes?: number;
  /** Stop after this number of errors. */
  readonly maxErrors?: number;
  /** Warn about assignments that truncate a value. */
  readonly warnsTruncation?: boolean;
  /** Measure line and branch coverage of the user's code. */
  readonly measuresCoverage?: boolean;
  /** Systems of nodes: ignore these fields in comparisons of states, although the system does not declare them irrelevant. */
  readonly slice?: SliceRequest;
  /** Systems of nodes: shorten traces that a breadth-first search did not find; absent: yes. */
  readonly minimises?: boolean;
  readonly fairness?: Fairness;
  /** Name of the emptiness check for temporal properties. */
  readonly emptiness?: string;
  readonly accept?: AcceptedScope;
  /** Engines that ask a solver: which one, and the folder for its queries. */
  readonly solver?: SolverName;
  readonly dumpSmt?: string;
  /** Guarded commands: how paths are pruned, closure is shown and predicates are found. */
  readonly explore?: "path" | "path-memo" | "concrete-cache" | "subsume";
  /** Guarded commands: the abstract states of this model, for the predicates of the text alone. */
  readonly model?: AbstractModel;
  /** Guarded commands: the abstract states are drawn: in a file, or on a page if there are any. */
  readonly draws?: "file" | "page";
  readonly closure?: "trap" | "printed";
  readonly refineFrom?: "loop" | "all";
  readonly refineAtoms?: "needed" | "all";
  /** Transition systems: the relation by which groups of parts are minimised. */
  readonly relation?: string;
  /** Learned assumptions: the rule, the order of parts, and the alphabets of assumptions. */
  readonly rule?: string;
  readonly order?: "given" | "interface" | "property";
  readonly alphabet?: "interface" | "refined";
  /** Learned assumptions are written to a file. */
  readonly wantsAssumptions?: boolean;
  /** Boolean programs: how a search recognises covered states. */
  readonly fixpoint?: "qbf" | "bdd" | "sat-enum";
  /** C programs, bounded model checking: most rounds of a loop. */
  readonly unwind?: number;
  /** C programs, governed regions: which path comes next. */
  readonly strategy?: ConcolicStrategy;
  /** Requested outputs; impossible ones are refused before the search. */
  readonly outputs?: readonly OutputName[];
  readonly control?: Control;
  /** Run the code under test in a separate process; `none`: in this one, unprotected. */
  readonly isolation?: "process" | "none";
}

/** Renders the options that determine the system as command-line arguments, for replay commands. */
export function modelArguments(options: ModelOptions): string[] {
  return [
    ...(options.language === undefined ? [] : ["--language", options.language]),
    ...(options.defines ?? []).flatMap((define) => ["-D", define]),
    ...(options.faults?.length ? ["--faults", options.faults.join(",")] : []),
    ...(options.refines === undefined ? [] : ["--refines", options.refines]),
    ...(options.invariants ?? []).flatMap((invariant) => ["--invariant", invariant]),
    ...(options.ltl ?? []).flatMap((formula) => ["--ltl", formula]),
    ...(options.claims ?? []).flatMap((file) => ["--claim", file]),
    ...(options.formulas ?? []).flatMap((formula) => ["--formula", formula]),
    ...(options.targets ?? []).flatMap((target) => ["--target", target]),
    ...(options.asksBoundedness ? ["--bounded"] : []),
    ...(options.loseWhenFull ? ["--lose-when-full"] : []),
    ...(options.endNeedsEmptyChannels ? ["--end-needs-empty-channels"] : []),
    ...(options.integers === undefined ? [] : ["--integers", options.integers]),
    ...(options.refactor === undefined ? [] : ["--refactor", options.refactor]),
    ...(options.arrays === undefined ? [] : ["--arrays", options.arrays]),
    ...(options.maxProcesses === undefined ? [] : ["--limit-processes", `${options.maxProcesses}`]),
    ...(options.dialect === undefined ? [] : ["--dialect", options.dialect]),
    ...(options.deadlock === undefined ? [] : ["--deadlock", options.deadlock]),
    ...(options.loopLimit === undefined ? [] : ["--loop-limit", `${options.loopLimit}`]),
    ...(options.callDepth === undefined ? [] : ["--call-depth", `${options.callDepth}`]),
    ...(options.concrete === undefined ? [] : ["--concrete", `${options.concrete}`]),
    ...(options.symbolicArgs ?? []).flatMap((arg) => ["--sym-arg", arg]),
    ...(options.symbolicStdin === undefined ? [] : ["--sym-stdin", `${options.symbolicStdin}`]),
    ...(options.compiler === undefined ? [] : ["--cc", options.compiler]),
    ...(options.tasks?.length ? ["--tasks", options.tasks.join(",")] : []),
  ];
}
