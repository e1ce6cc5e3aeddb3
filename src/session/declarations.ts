/** Capabilities of each language and each engine (`accepting.ts`): `docs/languages` and `docs/engines` as data. */
import type { PropertyKind } from "../model/index.js";
import { networkReductionNames, optionalReductionNames } from "../transforms/reduction/names.js";
import type { Accepts, EngineAccepts, LanguageOption, Taken } from "./accepting.js";

const no = (instead = ""): Taken => ({ instead });

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
  targets: no("--target is a question about nets"),
  asksBoundedness: no("--bounded is a question about nets"),
  loseWhenFull: no("--lose-when-full is for Promela"),
  endNeedsEmptyChannels: no("--end-needs-empty-channels is for Promela"),
  maxProcesses: no("--limit-processes is for Promela"),
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
  emitMurphi: no("--emit-murphi is for networks"),
  emitNet: no("--emit-net is for nets and message-passing programs"),
  netEncoding: no("--net-encoding is for message-passing programs"),
  emitProgram: no("--emit-program is for nets"),
  measuresCoverage: no("--coverage is for systems of nodes; a check lists the unreached parts of a model"),
} satisfies Partial<Record<LanguageOption, Taken>>;

/** Kinds of property that Promela can state about all states and executions. */
const stated: readonly PropertyKind[] = [
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
    warnsTruncation: true,
    trace: true,
    svg: true,
    emitCode: true,
    // Models with policies about provenance are message-passing programs.
    emitNet: true,
    netEncoding: true,
  },
};

const withoutPolicies = no("only models with policies about provenance are message-passing programs");

/** A model in Promela without policies about provenance, as nearly all are. */
export const promelaProcesses: Accepts = {
  ...promela,
  options: { ...promela.options, emitNet: withoutPolicies, netEncoding: withoutPolicies },
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

const inTheFile = no("write the property as a `property` in the file");

/** Message-passing programs. */
export const messages: Accepts = {
  kinds: ["provenance"],
  without: {
    deadlock: "a principal may wait for ever for a message: that is not an error",
    ltl: "write the property as a `property` in the file",
  },
  reductions: ["dead", "merge", "por"],
  engines: ["provenance", "explicit"],
  facets: {
    steps: true,
    explore: true,
    threads: no("messages and bags are numbered as one thread meets them"),
    resume: no("messages and bags are numbered as one process meets them"),
    coverage: no("a message-passing program does not record which statements were executed"),
  },
  options: {
    ...foreign,
    defines: no("a message-passing program has no constants"),
    invariants: inTheFile,
    ltl: inTheFile,
    claims: inTheFile,
    emitNet: true,
    netEncoding: true,
    trace: true,
    svg: true,
    emitCode: no("--emit-net writes a message-passing program as a net"),
  },
};

const byPolicies = no("ask about provenance alone");

/** A model in Promela with policies about provenance. */
export const promelaMessages: Accepts = {
  ...messages,
  options: {
    ...messages.options,
    defines: true,
    invariants: byPolicies,
    ltl: byPolicies,
    claims: byPolicies,
  },
};

export const webextension: Accepts = {
  ...messages,
  options: {
    ...messages.options,
    defines: no("an extension has no constants"),
    invariants: no("extensions are checked for one property: leaks from private windows"),
    ltl: no("extensions are checked for one property: leaks from private windows"),
    claims: no("extensions are checked for one property: leaks from private windows"),
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

const DERIVED = "a derivation shows the violation: nothing is run step by step";

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

export const nodes: Accepts = {
  kinds: ["assertion", "runtime", "event", "deadlock", "invariant", "ltl", "agef", "cover"],
  reductions: ["por", "symmetry"],
  engines: ["nodes"],
  facets: {
    steps: true,
    explore: true,
    threads: true,
    resume: no(
      "states of nodes are numbered as one process meets them: begin anew with --disk in another folder",
    ),
    coverage: no("--coverage measures the code that was run"),
  },
  options: {
    ...foreign,
    defines: true,
    invariants: no("write it under `always` in defineSystem"),
    ltl: no("write it under `eventually` in defineSystem"),
    claims: no("write it under `always` or `eventually` in defineSystem"),
    measuresCoverage: true,
    trace: true,
    svg: true,
    emitCode: no("the file itself is the code"),
  },
};

const inTheTest = no("write it as an assertion in a test");

/** Test files: each test says in its own options how it is searched. */
export const schedules: Accepts = {
  kinds: ["assertion"],
  without: {
    deadlock: "a test that never ends fails: each is an assertion",
    ltl: "write it as an assertion in a test",
  },
  reductions: [],
  engines: ["schedules"],
  facets: {
    steps: no("a schedule is replayed as a whole: everypath replay SCHEDULE FILE"),
    explore: true,
    threads: no("the schedules of a test run one after the other"),
    resume: no("schedules are not stored"),
    coverage: no("{ coverage: true } of a test, run by its framework, prints it"),
  },
  options: {
    ...foreign,
    defines: no("a test file has no constants; { env: … } of a test sets variables of the environment"),
    invariants: inTheTest,
    ltl: inTheTest,
    claims: inTheTest,
    measuresCoverage: no("{ coverage: true } of a test, run by its framework, prints it"),
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
    threads: no("packets and rules are numbered as one thread meets them"),
    resume: no("packets and rules are numbered as one process meets them"),
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

const byProgram = no("checkNetwork checks it: there is no file that a command could read");

/** A network whose handlers are functions of a program. */
export const describedNetwork: Accepts = {
  ...network,
  facets: { ...network.facets, steps: byProgram, explore: byProgram },
  options: {
    ...network.options,
    invariants: no("write it as `everyPacket` or `everyState` among the properties of defineNetwork"),
    ltl: no("write it as `ltl` among the properties of defineNetwork"),
    claims: no("write it as `ltl` among the properties of defineNetwork"),
  },
};

/** Checks of all kinds that a search of states decides. */
const searched: readonly PropertyKind[] = [...stated, "event", "cover", "agef"];

const ofNodes = {
  slice: no("--slice is for systems of nodes; --reduction slice is for models"),
  minimises: no("--no-minimise is for systems of nodes"),
};
const ofDevices = {
  device: no("--engine gpu searches on a device"),
  gpuMemoryBytes: no("--engine gpu searches on a device; --memory is the processor's"),
};
const ofProvenance = {
  certificate: no("certificates are made for provenance"),
  counts: no("--count is for provenance"),
};

export const explicit: EngineAccepts = {
  kinds: [...searched, "provenance", "coverability", "boundedness"],
  searches: ["bfs", "dfs", "random", "guided"],
  stores: ["exact", "tree", "delta", "compact", "bitstate"],
  reductions: "loaded",
  options: {
    ...ofNodes,
    ...ofProvenance,
    ...ofDevices,
    seed: true,
    isPlain: true,
    checksReduction: true,
    maxStates: true,
    maxDepth: true,
    memoryBytes: true,
    timeMs: true,
    workers: "threads",
    disk: true,
    resume: "resume",
    maxErrors: true,
    acceptsBounded: true,
    acceptsProbable: true,
  },
};

/** Breadth-first, whole states: a device has one order and one store. */
export const gpu: EngineAccepts = {
  kinds: ["assertion", "deadlock", "runtime", "invariant", "trace", "notrace", "event", "cover"],
  searches: ["bfs"],
  stores: ["exact"],
  reductions: "loaded",
  options: {
    ...explicit.options,
    device: true,
    gpuMemoryBytes: true,
    seed: no("nothing is chosen at random"),
    workers: no("the device is the worker"),
    disk: no("states stay in the memory of the device"),
    resume: no("states stay in the memory of the device"),
    acceptsProbable: no("nothing is lossy; --accept bounded takes a spent budget"),
  },
};

export const nodeSearch: EngineAccepts = {
  ...explicit,
  kinds: searched,
  searches: [...explicit.searches, "delays", "preemptions", "pct"],
  reductions: nodes.reductions,
  options: {
    ...explicit.options,
    slice: true,
    minimises: true,
  },
};

export const provenance: EngineAccepts = {
  kinds: ["provenance"],
  searches: explicit.searches,
  stores: explicit.stores,
  reductions: messages.reductions,
  options: {
    ...explicit.options,
    certificate: true,
    counts: true,
    workers: no("provenance is searched by one thread"),
    disk: no("provenance is searched in memory"),
    resume: no("provenance is searched in memory"),
    maxErrors: no("one error a property is shown; --property chooses"),
  },
};

/** Procedures on nets: each has its own order and its own sets of markings, and makes no random choice. */
export const coverability: EngineAccepts = {
  kinds: ["coverability", "boundedness"],
  searches: [],
  stores: [],
  reductions: [],
  options: {
    ...ofNodes,
    ...ofProvenance,
    ...ofDevices,
    seed: no("nothing is chosen at random"),
    isPlain: true,
    checksReduction: no("nothing is reduced"),
    maxStates: true,
    maxDepth: no("--max-states and --time limit the search"),
    memoryBytes: true,
    timeMs: true,
    workers: no("the procedures on nets use one thread"),
    disk: no("the procedures on nets work in memory"),
    resume: no("the procedures on nets work in memory"),
    maxErrors: no("every target gets an answer; one run a target is shown"),
    acceptsBounded: true,
    acceptsProbable: no("nothing is lossy"),
  },
};

/** Runs of a test, made anew for each schedule: no state is stored. */
export const scheduleSearch: EngineAccepts = {
  kinds: schedules.kinds,
  searches: [],
  stores: [],
  reductions: [],
  options: {
    ...ofNodes,
    ...ofProvenance,
    ...ofDevices,
    seed: no("{ seed: n } of a test"),
    isPlain: true,
    checksReduction: no("nothing is reduced"),
    maxStates: no("no states are stored; { schedules: n } of a test limits its schedules"),
    maxDepth: no("{ turns: n } of a test limits the turns of a schedule"),
    memoryBytes: no("{ memoryMb: n } of a test"),
    timeMs: true,
    workers: no("tests run one after the other"),
    disk: no("no states are stored"),
    resume: no("no states are stored"),
    maxErrors: no("every test is run; the shortest failing schedule of each is shown"),
    acceptsBounded: true,
    acceptsProbable: no("nothing is lossy; --accept bounded takes a spent budget"),
  },
};
