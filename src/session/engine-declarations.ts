/** Capabilities of each engine (`accepting.ts`): `docs/engines` as data. */
import type { PropertyKind } from "../model/index.js";
import type { EngineAccepts } from "./accepting.js";
import { messages, no, nodes, schedules, stated } from "./declarations.js";

/** Checks of all kinds that a search of states decides. */
const searched: readonly PropertyKind[] = [...stated, "event", "cover", "agef"];

const ofNodes = {
  slice: no("--slice is for systems of nodes; --reduction slice is for models"),
  minimises: no("--no-minimise is for systems of nodes"),
};
const ofSolvers = {
  solver: no("--solver is for engines that ask a solver, such as those of guarded commands"),
  dumpSmt: no("--dump-smt is for engines that ask a solver, such as those of guarded commands"),
};
const ofGuarded = {
  explore: no("--explore is for the engine ase; --search chooses the order of states"),
  model: no("--model is for the engine ase"),
  dot: no("--dot is for the engines of guarded commands; everypath lts draws transition systems"),
  closure: no("--closure is for the engine ase"),
  refineFrom: no("--refine-from is for the engine ase"),
  refineAtoms: no("--refine-atoms is for the engine ase"),
};
const ofBooleans = {
  fixpoint: no("--fixpoint is for the engine parametric"),
  unwind: no("--unwind is for the engine bmc"),
  strategy: no("--strategy is for the engine llsplat; --search chooses the order of states or paths"),
  relation: no("--relation is for the engine compositional"),
  rule: no("--rule is for the engine learning"),
  order: no("--order is for the engine learning; --search chooses the order of states"),
  alphabet: no("--alphabet is for the engine learning"),
  assumptions: no("--assumptions is for the engine learning"),
  hierarchy: no("--hierarchy is for the engine compositional"),
};
const ofDevices = {
  device: no("--engine gpu searches on a device"),
  gpuMemoryBytes: no("--engine gpu searches on a device; --memory is the processor's"),
};
const ofProvenance = {
  ...ofDevices,
  ...ofSolvers,
  ...ofGuarded,
  ...ofBooleans,
  certificate: no(
    "certificates are made for provenance, guarded commands, NDLog, Boolean programs and learned assumptions",
  ),
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

/** Builds graphs part by part; limits hold for each of them. */
export const compositional: EngineAccepts = {
  kinds: ["assertion", "deadlock", "agef", "actions"],
  searches: [],
  stores: [],
  reductions: [],
  options: {
    ...explicit.options,
    relation: true,
    hierarchy: true,
    seed: no("nothing is chosen at random"),
    isPlain: true,
    checksReduction: no("omit it: --relation strong reduces least"),
    maxDepth: no("--max-states limits each graph"),
    workers: no("one thread composes"),
    disk: no("graphs stay in memory"),
    resume: no("graphs stay in memory"),
    maxErrors: no("each property has one answer"),
    acceptsBounded: no("a graph that is cut decides nothing"),
    acceptsProbable: no("nothing is lossy"),
  },
};

/** Breadth-first: a device has one order. */
export const gpu: EngineAccepts = {
  kinds: ["assertion", "deadlock", "runtime", "invariant", "trace", "notrace", "event", "cover"],
  searches: ["bfs"],
  stores: ["exact", "tree"],
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
  kinds: [...searched, "refinement"],
  searches: [...explicit.searches, "delays", "preemptions", "pct", "swarm"],
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
    workers: no("one thread counts messages; --engine explicit takes --workers"),
    disk: no("messages are counted in memory; --engine explicit takes --disk"),
    resume: no("messages are counted in memory; --engine explicit takes --resume"),
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

/** Runs of a test, repeated for each schedule: no state is stored. */
export const scheduleSearch: EngineAccepts = {
  kinds: schedules.kinds,
  searches: [],
  stores: [],
  reductions: [],
  options: {
    ...ofNodes,
    ...ofProvenance,
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

/** Proofs and runs of guarded commands, by a solver. */
export const guardedAnalysis: EngineAccepts = {
  kinds: ["invariant", "assertion", "deadlock"],
  searches: [],
  stores: [],
  reductions: [],
  options: {
    ...ofNodes,
    ...ofProvenance,
    certificate: true,
    solver: true,
    dumpSmt: true,
    explore: true,
    model: true,
    dot: true,
    closure: true,
    refineFrom: true,
    refineAtoms: true,
    seed: no("nothing is chosen at random"),
    isPlain: true,
    checksReduction: no("nothing is reduced"),
    maxStates: no("--time limits the analysis"),
    maxDepth: no("--time limits the analysis"),
    memoryBytes: true,
    timeMs: true,
    workers: no("the analysis uses one thread"),
    disk: no("the analysis works in memory"),
    resume: no("the analysis works in memory"),
    maxErrors: no("every property gets an answer"),
    acceptsBounded: true,
    acceptsProbable: no("nothing is lossy"),
  },
};

/** Safety properties by learned assumptions; limits hold for each graph. */
export const learning: EngineAccepts = {
  ...compositional,
  kinds: ["assertion"],
  options: {
    ...compositional.options,
    relation: no("--relation is for the engine compositional"),
    checksReduction: no("omit it: nothing is reduced"),
    rule: true,
    order: true,
    alphabet: true,
    assumptions: true,
    certificate: true,
  },
};

const byAse = no("--engine ase");

/** Horn clauses, or the baseline: nothing of `ase` to choose. */
export const guardedOther: EngineAccepts = {
  ...guardedAnalysis,
  options: {
    ...guardedAnalysis.options,
    explore: byAse,
    model: byAse,
    dot: byAse,
    closure: byAse,
    refineFrom: byAse,
    refineAtoms: byAse,
  },
};

/** Derivation pools of NDLog. */
export const pools: EngineAccepts = {
  ...guardedAnalysis,
  kinds: ["invariant", "cover"],
  options: {
    ...guardedAnalysis.options,
    ...ofGuarded,
    certificate: true,
    // Expansions of open leaves.
    maxStates: true,
  },
};

/** Symbolic search of Boolean programs; its own solver decides formulas. */
export const parametric: EngineAccepts = {
  kinds: ["assertion", "invariant"],
  searches: ["bfs", "dfs"],
  stores: [],
  reductions: ["por", "dead"],
  options: {
    ...ofNodes,
    ...ofProvenance,
    fixpoint: true,
    certificate: true,
    seed: no("nothing is chosen at random"),
    isPlain: true,
    checksReduction: no("compare with --plain"),
    maxStates: true,
    maxDepth: no("--max-states and --time limit the search"),
    memoryBytes: no("--max-states and --time limit the search"),
    timeMs: true,
    workers: no("one thread searches sets of states; --engine explicit takes --workers"),
    disk: no("sets of states stay in memory; --engine explicit takes --disk"),
    resume: no("sets of states stay in memory; --engine explicit takes --resume"),
    maxErrors: no("every property gets an answer"),
    acceptsBounded: true,
    acceptsProbable: no("nothing is lossy"),
  },
};

/** Paths of a program, executed with symbolic inputs. */
export const programPaths: EngineAccepts = {
  kinds: ["assertion", "runtime"],
  searches: ["bfs", "dfs", "random"],
  stores: [],
  reductions: [],
  options: {
    ...guardedOther.options,
    certificate: no("paths are explored, not proved"),
    explore: no("--explore is for the engine ase; --search chooses the order of paths"),
    closure: ofGuarded.closure,
    refineFrom: ofGuarded.refineFrom,
    refineAtoms: ofGuarded.refineAtoms,
    seed: true,
    maxStates: true,
    maxDepth: true,
    maxErrors: true,
  },
};

/** Unwinds a program: paths that meet are merged, so that there is no order to choose. */
export const programUnwinding: EngineAccepts = {
  ...programPaths,
  searches: [],
  options: { ...programPaths.options, unwind: true, seed: no("nothing is chosen at random") },
};

/** Runs a program with concrete inputs that a solver chooses. */
export const programRuns: EngineAccepts = {
  ...programPaths,
  searches: [],
  options: { ...programPaths.options, strategy: true },
};
