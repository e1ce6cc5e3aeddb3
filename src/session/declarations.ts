/** Capabilities of each language (`accepting.ts`): `docs/languages` as data. `engine-declarations.ts` has those of engines. */
import type { PropertyKind } from "../model/index.js";
import { networkReductionNames, optionalReductionNames } from "../transforms/reduction/names.js";
import type { Accepts, LanguageOption, Taken } from "./accepting.js";

/** Refused, with an alternative. */
export const no = (instead = ""): Taken => ({ instead });

/** Facets of models that are compiled from plain data. */
const compiled: Accepts["facets"] = {
  steps: true,
  explore: true,
  threads: true,
  resume: true,
  coverage: true,
};

const withoutFacets = (why: string): Accepts["facets"] => ({
  steps: no(why),
  explore: true,
  threads: no(why),
  resume: no(why),
  coverage: no(why),
});

/** Options that belong to one family of languages, as everything else refuses them. */
const foreign = {
  faults: no("--faults is for systems of nodes"),
  refines: no("--refines is for systems of nodes"),
  formulas: no("--formula is for transition systems; --ltl states a formula over states"),
  hierarchy: no("--hierarchy is for transition systems, which are composed"),
  targets: no("--target is a question about nets or Boolean programs"),
  asksBoundedness: no("--bounded is a question about nets"),
  loseWhenFull: no("--lose-when-full is for Promela"),
  endNeedsEmptyChannels: no("--end-needs-empty-channels is for Promela"),
  maxProcesses: no("--limit-processes is for Promela"),
  integers: no("--integers is for Promela"),
  refactor: no("--refactor is for Promela"),
  arrays: no("--arrays is for Promela"),
  warnsTruncation: no("--warn-truncation is for Promela, whose variables cut values"),
  dialect: no("--dialect is for Murphi"),
  deadlock: no(
    "--deadlock is for Murphi, nets, networks and message-passing programs; --no-deadlock switches deadlocks off",
  ),
  symmetry: no("--symmetry is for Murphi; --reduction chooses reductions"),
  loopLimit: no("--loop-limit is for Murphi"),
  callDepth: no("--call-depth is for Murphi"),
  traceFormat: no("--trace-format is for Murphi; --trace writes a trace that can be replayed"),
  concrete: no("--concrete is for networks"),
  compat: no("--compat is for networks"),
  symbolicArgs: no("--sym-arg is for C programs"),
  symbolicStdin: no("--sym-stdin is for C programs"),
  compiler: no("--cc is for C programs"),
  tasks: no("--tasks is for C programs"),
  emitMurphi: no("--emit-murphi is for networks"),
  emitPromela: no("--emit-promela is for Boolean programs and χ"),
  certifyLaws: no("--certify-laws is for χ"),
  emitSeq: no("--emit-seq is for task programs in C"),
  emitNet: no("--emit-net is for nets and message-passing programs"),
  netEncoding: no("--net-encoding is for message-passing programs"),
  emitProgram: no("--emit-program is for nets"),
  measuresCoverage: no("--coverage is for systems of nodes; a check lists the unreached parts of a model"),
} satisfies Partial<Record<LanguageOption, Taken>>;

/** Kinds of property that Promela can state about all states and executions. */
export const stated: readonly PropertyKind[] = [
  "assertion",
  "deadlock",
  "runtime",
  "invariant",
  "ltl",
  "never",
  "acceptance",
  "progress",
  "trace",
  "notrace",
];

export const promela: Accepts = {
  kinds: [...stated, "provenance"],
  reductions: ["slice", "dead", "merge", "por", "symmetry"],
  engines: ["explicit", "gpu"],
  facets: compiled,
  options: {
    ...foreign,
    defines: true,
    invariants: true,
    ltl: true,
    claims: true,
    loseWhenFull: true,
    endNeedsEmptyChannels: true,
    maxProcesses: true,
    integers: true,
    refactor: true,
    arrays: true,
    formulas: true, // of components
    hierarchy: true,
    warnsTruncation: true,
    trace: true,
    svg: true,
    emitCode: true,
    // Models with policies about provenance are message-passing programs.
    emitNet: true,
    netEncoding: true,
    deadlock: true,
  },
};

const notComponents = no("only models with the remark `everypath: components` have actions");
const withoutPolicies = no("only models with policies about provenance are message-passing programs");

/** A model in Promela without policies about provenance, as nearly all are. */
export const promelaProcesses: Accepts = {
  ...promela,
  options: {
    ...promela.options,
    emitNet: withoutPolicies,
    netEncoding: withoutPolicies,
    formulas: notComponents,
    hierarchy: notComponents,
    deadlock: foreign.deadlock,
  },
};

export const murphi: Accepts = {
  kinds: ["assertion", "deadlock", "runtime", "invariant", "cover", "agef", "ltl"],
  reductions: ["por", "symmetry"],
  engines: ["explicit", "gpu"],
  facets: compiled,
  options: {
    ...foreign,
    defines: true,
    invariants: true,
    ltl: true,
    claims: no("state the property as a formula: --ltl, or `ltl` in the model"),
    dialect: true,
    deadlock: true,
    symmetry: true,
    loopLimit: true,
    callDepth: true,
    traceFormat: true,
    trace: true,
    svg: true,
    emitCode: true,
  },
};

/** A Murphi model without formulas, so without properties of infinite executions. */
export const murphiWithoutFormulas: Accepts = {
  ...murphi,
  kinds: murphi.kinds.filter((kind) => kind !== "ltl"),
};

/** Message-passing programs. */
export const messages: Accepts = {
  kinds: ["provenance", "invariant", "ltl", "deadlock"],
  reductions: ["dead", "merge", "por"],
  engines: ["provenance", "explicit"],
  facets: {
    steps: true,
    explore: true,
    threads: true,
    resume: true,
    coverage: no("a message-passing program does not record which statements were executed"),
  },
  options: {
    ...foreign,
    defines: no("a message-passing program has no constants"),
    invariants: true,
    ltl: true,
    claims: no("--ltl states a formula over messages"),
    deadlock: true,
    emitNet: true,
    netEncoding: true,
    trace: true,
    svg: true,
    emitCode: no("--emit-net writes a message-passing program as a net"),
  },
};

/** A model in Promela with policies about provenance. */
export const promelaMessages: Accepts = {
  ...messages,
  options: { ...messages.options, defines: true, arrays: true },
};

const oneLeak = "extensions are checked for one property: leaks from private windows";

/** The extracted program has names and steps that the scripts do not have: questions about them would not concern the extension. */
export const webextension: Accepts = {
  ...messages,
  kinds: ["provenance"],
  without: { deadlock: oneLeak, ltl: oneLeak },
  options: {
    ...messages.options,
    defines: no("an extension has no constants"),
    invariants: no(oneLeak),
    ltl: no(oneLeak),
    claims: no(oneLeak),
    deadlock: no(oneLeak),
    emitCode: true,
  },
};

export const net: Accepts = {
  kinds: ["coverability", "boundedness", "invariant", "deadlock", "ltl"],
  reductions: [],
  engines: ["backward", "eec", "karp-miller", "explicit"],
  facets: compiled,
  options: {
    ...foreign,
    defines: no("a net has no constants"),
    invariants: true,
    ltl: true,
    claims: no("--ltl states a formula over markings"),
    deadlock: true,
    targets: true,
    asksBoundedness: true,
    emitNet: true,
    emitProgram: true,
    trace: true,
    svg: true,
    emitCode: no("--emit-net writes the net"),
  },
};

const byComparison = no("everypath compare FILE SPECIFICATION compares it with another system");

/** Labelled transition systems: states have no values, so formulas are about actions. */
export const transitions: Accepts = {
  kinds: ["assertion", "deadlock", "actions"],
  without: { ltl: "formulas over actions are decided without fairness, by one method" },
  reductions: [],
  engines: ["explicit", "compositional", "learning"],
  facets: {
    steps: true,
    explore: true,
    threads: no("a transition system is searched by one thread"),
    resume: no("a transition system is searched in memory"),
    coverage: no("a transition system does not record which transitions were taken"),
  },
  options: {
    ...foreign,
    defines: no("a transition system has no constants"),
    invariants: byComparison,
    ltl: true,
    formulas: true,
    hierarchy: true,
    claims: byComparison,
    trace: true,
    svg: true,
    emitCode: no("everypath lts writes a transition system"),
  },
};

const asProcess = no("write a `property` or `progress` in the file");

/** Finite state processes: transition systems with constants, properties and progress. */
export const processes: Accepts = {
  ...transitions,
  kinds: ["assertion", "deadlock", "agef", "actions"],
  options: {
    ...transitions.options,
    defines: true,
    invariants: asProcess,
    claims: asProcess,
  },
};

const inFormula = no("--formula and --ltl state it over actions");

/** Architectures of components: transition systems with a plan of control operations. */
export const architectures: Accepts = {
  ...transitions,
  options: { ...transitions.options, defines: true, invariants: inFormula, claims: inFormula },
};

/** Promela as components that exchange messages. */
export const promelaComponents: Accepts = {
  ...transitions,
  options: {
    ...transitions.options,
    defines: true,
    refactor: true,
    arrays: true,
    invariants: no("components have no common states; ask about actions with --formula or --ltl"),
    claims: no("components have no common states; ask about actions with --formula or --ltl"),
  },
};

/** χ: terms whose states are variables and residual processes. */
export const chi: Accepts = {
  kinds: ["deadlock", "runtime", "invariant", "agef", "ltl"],
  reductions: [],
  engines: ["explicit"],
  facets: { ...compiled, coverage: no("residual terms are not statements of the text") },
  options: {
    ...foreign,
    defines: true,
    invariants: true,
    ltl: true,
    claims: no("state the property as a formula: --ltl, or `check ltl` in the file"),
    trace: true,
    svg: true,
    emitCode: true,
    emitPromela: true,
    certifyLaws: true,
  },
};

const DERIVED = "a violation is shown by a derivation, not by a run of steps";

/** Tasks that post tasks: an answer is shown by a derivation, which no single run is. */
export const tasks: Accepts = {
  kinds: ["coverability"],
  without: { deadlock: DERIVED, ltl: DERIVED },
  reductions: [],
  engines: ["eec"],
  facets: withoutFacets(DERIVED),
  options: {
    ...foreign,
    defines: no("a recursively parallel program has no constants"),
    invariants: no("write the property as an `assert` or `error` in the program"),
    ltl: no("write the property as an `assert` or `error` in the program"),
    claims: no("write the property as an `assert` or `error` in the program"),
    trace: no("a derivation shows the violation; --json and --html write it"),
    svg: no("a derivation shows the violation; --html draws it"),
    emitCode: no(),
  },
};

/** Vector addition systems that branch. */
export const branching: Accepts = {
  ...tasks,
  options: {
    ...tasks.options,
    defines: no("a vector addition system has no constants"),
    invariants: no("write it as a `target` in the file"),
    ltl: no("write it as a `target` in the file"),
    claims: no("write it as a `target` in the file"),
    targets: no("write it as a `target` in the file"),
  },
};

const UNBOUNDED = "integers are unbounded, so states cannot be enumerated";

/** Guarded commands with an unbounded integer: there are no states to visit. */
export const unboundedGuarded: Accepts = {
  kinds: ["invariant"],
  without: {
    deadlock: "a state without successors is not an error; declare errors with `error NAME: …;`",
    ltl: UNBOUNDED,
  },
  reductions: [],
  engines: ["guarded", "ase", "chc", "ur"],
  facets: withoutFacets(UNBOUNDED),
  options: {
    ...foreign,
    defines: true,
    invariants: no("write it as `safety NAME: …;` in the file"),
    ltl: no("write safety as `safety NAME: …;` in the file"),
    claims: no("write it as `safety NAME: …;` in the file"),
    trace: true,
    svg: true,
    emitCode: no(),
  },
};

const WITHOUT_BOUNDS = no("--integers unbounded proves safety by a solver");

/** Promela with `--integers unbounded`: guarded commands. */
export const unboundedPromela: Accepts = {
  ...unboundedGuarded,
  kinds: ["assertion", "deadlock", "invariant"],
  without: { ltl: "--integers unbounded is for properties of states" },
  options: {
    ...promela.options,
    ltl: WITHOUT_BOUNDS,
    claims: WITHOUT_BOUNDS,
    loseWhenFull: WITHOUT_BOUNDS,
    endNeedsEmptyChannels: WITHOUT_BOUNDS,
    warnsTruncation: no("nothing is cut"),
    emitCode: no(),
    emitNet: no(),
    netEncoding: no(),
    deadlock: foreign.deadlock,
  },
};

/** Guarded commands, here with a range for every variable: their states can be visited. */
export const guarded: Accepts = {
  ...unboundedGuarded,
  without: { ...unboundedGuarded.without, ltl: "write safety as `safety NAME: …;` in the file" },
  reductions: ["por"],
  engines: [...unboundedGuarded.engines, "explicit", "gpu"],
  facets: compiled,
  options: { ...unboundedGuarded.options, emitCode: true },
};

const DERIVES = "a network derives tuples; it has no states to visit";
const byNdspec = no("write `property NAME { … => … }` in the .ndspec file");

/** NDLog programs, for all networks. */
export const declarative: Accepts = {
  kinds: ["invariant", "cover"],
  without: { deadlock: "a network that derives nothing is not an error", ltl: DERIVES },
  reductions: [],
  engines: ["pools"],
  facets: { ...withoutFacets(DERIVES), steps: true },
  options: {
    ...foreign,
    defines: true,
    invariants: byNdspec,
    ltl: byNdspec,
    claims: true,
    trace: true,
    svg: true,
    emitCode: no(),
  },
};

const BY_LABEL = "write `assert(…)`, a label ERROR, or --target THREAD:LABEL";

/** Boolean programs. */
export const booleans: Accepts = {
  kinds: ["assertion", "invariant"],
  without: {
    deadlock: "a thread that waits for ever is no error of a Boolean program",
    ltl: BY_LABEL,
  },
  reductions: ["slice", "dead", "merge", "por", "symmetry"],
  engines: ["parametric", "explicit", "gpu"],
  facets: compiled,
  options: {
    ...foreign,
    defines: true,
    invariants: no(BY_LABEL),
    ltl: no(BY_LABEL),
    claims: no(BY_LABEL),
    targets: true,
    emitPromela: true,
    trace: true,
    svg: true,
    emitCode: true,
  },
};

const INPUTS = "paths of a program are explored as a whole; everypath replay runs one with concrete inputs";
const inTheProgram = no("write it as an assertion in the program");

/** C programs, executed with symbolic inputs. */
export const programs: Accepts = {
  kinds: ["assertion", "runtime"],
  without: {
    deadlock: "a program that ends is not an error",
    ltl: "write it as an assertion in the program",
  },
  reductions: [],
  engines: ["egt", "llsplat", "bmc", "bbs", "bbs-sequential", "bbs-all"],
  facets: withoutFacets(INPUTS),
  options: {
    ...foreign,
    defines: true,
    invariants: inTheProgram,
    ltl: inTheProgram,
    claims: inTheProgram,
    symbolicArgs: true,
    symbolicStdin: true,
    compiler: true,
    tasks: true,
    emitSeq: true,
    trace: true,
    svg: true,
    emitCode: no("clang -S -emit-llvm writes the intermediate code"),
  },
};

/** Programs without tasks. */
export const plainPrograms: Accepts = {
  ...programs,
  engines: ["egt", "llsplat", "bmc"],
  options: {
    ...programs.options,
    tasks: no("omit it: the program has no tasks"),
    emitSeq: no("--emit-seq is for task programs: include <bbs.h>, or choose a dialect with --tasks"),
  },
};

/** Programs of tasks and interrupt handlers. */
export const taskPrograms: Accepts = {
  ...programs,
  engines: ["bbs", "bbs-sequential", "bbs-all"],
  options: {
    ...programs.options,
    symbolicArgs: no("task programs have no arguments"),
    symbolicStdin: no("task programs read no standard input: use __nondet_uchar()"),
  },
};

export const nodes: Accepts = {
  kinds: ["assertion", "runtime", "event", "deadlock", "invariant", "ltl", "agef", "cover", "refinement"],
  reductions: ["por", "symmetry"],
  engines: ["nodes"],
  facets: {
    steps: true,
    explore: true,
    threads: true,
    resume: no(
      "one process numbers the states of nodes in the order it finds them: start again with --disk in another folder",
    ),
    coverage: no("--coverage measures the code that was run"),
  },
  options: {
    ...foreign,
    defines: true,
    faults: true,
    refines: true,
    invariants: no("write it under `always` in defineSystem"),
    ltl: no("write it under `eventually` in defineSystem"),
    claims: no("write it under `always` or `eventually` in defineSystem"),
    measuresCoverage: true,
    trace: true,
    svg: true,
    emitCode: no("the file itself is the code"),
  },
};

/** XState machines: nodes, with conditions in `defineMachines`. */
export const machines: Accepts = {
  ...nodes,
  reductions: [],
  options: {
    ...nodes.options,
    defines: no("write the values into the file"),
    faults: no("write the limits into the file"),
    refines: no("everypath compare A B compares machines"),
    invariants: no("write it under `always` in defineMachines"),
    ltl: no("write it under `eventually` in defineMachines"),
    claims: no("write it under `always` or `eventually` in defineMachines"),
  },
};

const inTheTest = no("write it as an assertion in a test");

/** Test files: each test says in its own options how it is searched. */
export const schedules: Accepts = {
  kinds: ["assertion"],
  without: {
    deadlock: "a test that cannot end fails like an assertion",
    ltl: "write it as an assertion in a test",
  },
  reductions: [],
  engines: ["schedules"],
  facets: {
    steps: no("a schedule is replayed as a whole: everypath replay SCHEDULE FILE"),
    explore: true,
    threads: no("the schedules of a test run one after the other"),
    resume: no("schedules are not stored"),
    coverage: no("set { coverage: true } in the test and run it with its framework"),
  },
  options: {
    ...foreign,
    defines: no("a test file has no constants; { env: … } of a test sets variables of the environment"),
    invariants: inTheTest,
    ltl: inTheTest,
    claims: inTheTest,
    measuresCoverage: no("set { coverage: true } in the test and run it with its framework"),
    trace: true,
    svg: true,
    emitCode: no("the file itself is the code"),
  },
};

export const network: Accepts = {
  kinds: ["invariant", "event", "ltl", "deadlock"],
  reductions: [...networkReductionNames, ...optionalReductionNames],
  engines: ["explicit"],
  facets: {
    steps: true,
    explore: true,
    threads: true,
    resume: true,
    coverage: no("a network does not record which handlers were executed"),
  },
  options: {
    ...foreign,
    defines: true,
    invariants: true,
    ltl: true,
    claims: no('--ltl, or `property NAME: ltl "…"` in the file, states a formula'),
    deadlock: true,
    concrete: true,
    compat: true,
    emitMurphi: true,
    trace: true,
    svg: true,
    emitCode: no("--emit-murphi writes the network as a Murphi model"),
  },
};

const byProgram = no("use checkNetwork: commands need a file, not a program");

/** A network whose handlers are functions of a program. */
export const describedNetwork: Accepts = {
  ...network,
  facets: {
    ...network.facets,
    steps: byProgram,
    explore: byProgram,
    threads: no("functions of a program cannot be passed to other threads"),
    resume: no("functions of a program cannot be compared with those of a stored search"),
  },
  options: {
    ...network.options,
    invariants: no("write it as `everyPacket` or `everyState` among the properties of defineNetwork"),
    ltl: no("write it as `ltl` among the properties of defineNetwork"),
    claims: no("write it as `ltl` among the properties of defineNetwork"),
  },
};
