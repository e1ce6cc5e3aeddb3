/**
 * Lists all languages and engines. Each entry loads its code on first use.
 *
 * Always true: no heavy module is imported statically, so that `everypath --version` stays instant.
 */
import type { Registry } from "./contracts.js";
import * as declared from "./declarations.js";
import * as deciding from "./engine-declarations.js";
import { isGuarded } from "../model/guarded.js";
import { whyNotConcrete } from "./engines/guarded-domain.js";
import { netEngine, whyNotLoaded } from "./engines/net-engines.js";
import { taskEngine } from "./engines/task-engines.js";
import {
  booleanHighlighting,
  codeHighlighting,
  componentsHighlighting,
  composeHighlighting,
  guardedHighlighting,
  ltsHighlighting,
  manifestHighlighting,
  markupHighlighting,
  messagesHighlighting,
  murphiHighlighting,
  ndlogHighlighting,
  netHighlighting,
  networkHighlighting,
  chiHighlighting,
  processHighlighting,
  programHighlighting,
  promelaHighlighting,
  tasksHighlighting,
  vectorsHighlighting,
} from "./languages/highlighting.js";
import { panTransitions, rulesFired } from "./languages/peer-figures.js";
import { exportsMachines } from "./machines/recognising.js";
import { importsDoor } from "./schedules/recognising.js";

export const registry: Registry = {
  languages: [
    {
      name: "promela",
      summary: "Promela, the language of Spin 6.5",
      accepts: declared.promela,
      variants: [
        { name: "policies about provenance", accepts: declared.promelaMessages },
        { name: "components", accepts: declared.promelaComponents },
      ],
      extensions: [".pml", ".promela", ".prom", ".spin"],
      highlighting: promelaHighlighting,
      peerFigures: panTransitions,
      load: async (input, options) => (await import("./languages/promela.js")).load(input, options),
    },
    {
      name: "mpp",
      summary: "message-passing programs with unbounded, unordered channels, and policies about provenance",
      accepts: declared.messages,
      extensions: [".mpp"],
      highlighting: messagesHighlighting,
      load: async (input, options) => (await import("./languages/mpp.js")).load(input, options),
    },
    {
      name: "webextension",
      summary: "browser extensions: data of private windows that they keep, extracted from their scripts",
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
      name: "gcl",
      summary: "guarded commands over unbounded integers, with undefined initial values and inputs",
      accepts: declared.guarded,
      variants: [{ name: "with unbounded integers", accepts: declared.unboundedGuarded }],
      extensions: [".gcl"],
      highlighting: guardedHighlighting,
      load: async (input, options) => (await import("./languages/gcl.js")).load(input, options),
    },
    {
      name: "ndlog",
      summary: "NDLog: declarative networks, verified for every topology that satisfies the constraints",
      accepts: declared.declarative,
      extensions: [".ndlog"],
      highlighting: ndlogHighlighting,
      load: async (input, options) => (await import("./languages/ndlog.js")).load(input, options),
    },
    {
      name: "bp",
      summary: "Boolean programs: threads over Boolean variables, as predicate abstraction makes them",
      accepts: declared.booleans,
      extensions: [".bp"],
      highlighting: booleanHighlighting,
      load: async (input, options) => (await import("./languages/bp.js")).load(input, options),
    },
    {
      name: "c",
      summary: "C programs, through clang: memory errors, undefined behaviour and assertions, for all inputs",
      accepts: declared.programs,
      extensions: [".c"],
      highlighting: programHighlighting,
      load: async (input, options) => (await import("./languages/c.js")).load(input, options),
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
      testPattern: /\beverySchedule(?:\.\w+)*\s*\(\s*(["'`])(?<name>(?:(?!\1)[^\\\n])+)\1/g,
      load: async (input, options) => (await import("./schedules/language.js")).load(input, options),
      inspect: async (input) => (await import("./schedules/language.js")).inspect(input),
    },
    {
      name: "machines",
      summary: "XState 5 machines, one or several wired together, exported by TypeScript or JavaScript",
      accepts: declared.machines,
      extensions: [".ts", ".mts", ".js", ".mjs"],
      recognises: exportsMachines,
      highlighting: codeHighlighting,
      load: async (input, options) => (await import("./nodes/load.js")).load(input, options),
      inspect: async (input, options) => (await import("./nodes/load.js")).inspect(input, options),
      runsCode: true,
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
      summary: "software-defined networks: a topology, a controller and forbidden behaviour of packets",
      accepts: declared.network,
      variants: [{ name: "described in TypeScript", accepts: declared.describedNetwork }],
      extensions: [".sdn"],
      highlighting: networkHighlighting,
      load: async (input, options) => (await import("./languages/sdn.js")).load(input, options),
    },
    {
      name: "lts",
      summary: "labelled transition systems: Aldebaran's .aut, JSON, products by synchronisation vectors",
      accepts: declared.transitions,
      extensions: [".aut", ".vectors"],
      highlighting: ltsHighlighting,
      load: async (input, options) => (await import("./languages/lts.js")).load(input, options),
    },
    {
      name: "fsp",
      summary: "finite state processes, the language of LTSA",
      accepts: declared.processes,
      extensions: [".fsp", ".lts"],
      highlighting: processHighlighting,
      load: async (input, options) => (await import("./languages/fsp.js")).load(input, options),
    },
    {
      name: "fractal",
      summary: "Fractal ADL: hierarchical components with behaviours, deployment and reconfiguration",
      accepts: declared.architectures,
      extensions: [".fractal"],
      highlighting: componentsHighlighting,
      load: async (input, options) => (await import("./languages/fractal.js")).load(input, options),
    },
    {
      name: "compose",
      summary: "compose files of Docker: is a service called before it is ready?",
      accepts: declared.architectures,
      extensions: [],
      fileNames: ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml"],
      highlighting: composeHighlighting,
      load: async (input, options) => (await import("./languages/compose.js")).load(input, options),
    },
    {
      name: "chi",
      summary: "χ, processes of production systems with shared variables and channels",
      accepts: declared.chi,
      extensions: [".chi"],
      highlighting: chiHighlighting,
      load: async (input, options) => (await import("./languages/chi.js")).load(input, options),
    },
  ],
  engines: [
    {
      name: "guarded",
      asksSolver: true,
      summary: "guarded commands: runs ase and chc in turn, and names the one that decides",
      accepts: deciding.guardedAnalysis,
      takes: ({ subject }) => subject?.kind === "guarded",
      check: async (loaded, request) =>
        (await import("./engines/guarded.js")).check("guarded", loaded, request),
    },
    {
      name: "ase",
      asksSolver: true,
      summary: "guarded commands: symbolic execution with abstract matching; proves, or finds a run",
      accepts: deciding.guardedAnalysis,
      takes: ({ subject }) => subject?.kind === "guarded",
      check: async (loaded, request) => (await import("./engines/guarded.js")).check("ase", loaded, request),
    },
    {
      name: "chc",
      asksSolver: true,
      summary: "guarded commands: Horn clauses, solved by Z3's Spacer",
      accepts: deciding.guardedOther,
      takes: ({ subject }) => subject?.kind === "guarded",
      check: async (loaded, request) => (await import("./engines/guarded.js")).check("chc", loaded, request),
    },
    {
      name: "ur",
      asksSolver: true,
      summary: "guarded commands: under-approximation refinement, the baseline of ase",
      accepts: deciding.guardedOther,
      takes: ({ subject }) => isGuarded(subject) && whyNotConcrete(subject) === undefined,
      whyNot: ({ subject }) => (isGuarded(subject) ? whyNotConcrete(subject) : undefined),
      check: async (loaded, request) => (await import("./engines/guarded.js")).check("ur", loaded, request),
    },
    {
      name: "pools",
      asksSolver: true,
      summary: "NDLog: all derivations as trees with variables, decided by a solver",
      accepts: deciding.pools,
      takes: ({ subject }) => subject?.kind === "ndlog",
      check: async (loaded, request) => (await import("./engines/pools.js")).check(loaded, request),
    },
    {
      name: "parametric",
      summary:
        "Boolean programs: symbolic search with values as formulas over choices; proves, or finds a run",
      accepts: deciding.parametric,
      takes: ({ subject }) => subject?.kind === "boolean",
      check: async (loaded, request) => (await import("./engines/parametric.js")).check(loaded, request),
    },
    {
      name: "egt",
      asksSolver: true,
      summary:
        "C programs: executes every path with symbolic inputs; an error comes with the inputs that cause it",
      accepts: deciding.programPaths,
      takes: ({ subject }) => subject?.kind === "program",
      check: async (loaded, request) => (await import("./engines/egt.js")).check("egt", loaded, request),
    },
    {
      name: "llsplat",
      summary:
        "C programs: runs with concrete inputs, and bounded model checking of pieces without loops and calls",
      accepts: deciding.programRuns,
      takes: ({ subject }) => subject?.kind === "program",
      check: async (loaded, request) => (await import("./engines/egt.js")).check("llsplat", loaded, request),
    },
    {
      name: "bmc",
      summary: "C programs: bounded model checking; all paths at once, loops unwound up to a bound",
      accepts: deciding.programUnwinding,
      takes: ({ subject }) => subject?.kind === "program",
      check: async (loaded, request) => (await import("./engines/egt.js")).check("bmc", loaded, request),
    },
    taskEngine(
      "bbs",
      "task programs in C: phase by phase, with a real queue; finds the smallest phase of an error",
      "direct",
    ),
    taskEngine(
      "bbs-sequential",
      "task programs in C as sequential ones, with guessed variables for every phase",
      "sequential",
    ),
    taskEngine(
      "bbs-all",
      "task programs in C with the engines bbs and bbs-sequential, which must agree",
      "all",
    ),
    netEngine("backward", "nets: goes back from the target over minimal markings; finds a shortest run"),
    netEngine("eec", "nets: forward, exact up to i tokens, below and above (expand, enlarge, check)"),
    netEngine("karp-miller", "nets: the coverability tree; also decides boundedness"),
    {
      name: "provenance",
      summary: "proves where messages may have been: counts messages exactly up to k, more as any number",
      accepts: deciding.provenance,
      takes: ({ subject }) => subject?.kind === "messages",
      check: async (loaded, request) => (await import("./engines/provenance.js")).check(loaded, request),
    },
    {
      name: "nodes",
      summary: "runs the code of nodes and visits every state they can be in together",
      accepts: deciding.nodeSearch,
      takes: ({ subject }) => subject?.kind === "nodes",
      check: async (loaded, request) => (await import("./nodes/check.js")).check(loaded, request),
    },
    {
      name: "schedules",
      summary: "runs a test of async code under every schedule of its pending operations",
      accepts: deciding.scheduleSearch,
      takes: ({ subject }) => subject?.kind === "schedules",
      check: async (loaded, request) => (await import("./schedules/engine.js")).check(loaded, request),
    },
    {
      name: "explicit",
      summary: "visits every reachable state once; breadth-first or depth-first",
      accepts: deciding.explicit,
      // The engine `nodes` also detects nondeterminism and states that are not data.
      takes: (loaded) =>
        loaded.model !== undefined &&
        loaded.subject?.kind !== "nodes" &&
        whyNotLoaded("explicit")(loaded) === undefined,
      whyNot: whyNotLoaded("explicit"),
      check: async (loaded, request) => {
        const [{ check }, engine] = await Promise.all([
          import("./pipeline/pipeline.js"),
          import("./engines/explicit.js"),
        ]);
        return check(engine, loaded, request);
      },
    },
    {
      name: "compositional",
      summary: "transition systems: composes parts, minimising each group, and decides formulas over actions",
      accepts: deciding.compositional,
      takes: ({ subject }) => subject?.kind === "composition",
      check: async (loaded, request) => (await import("./engines/compositional.js")).check(loaded, request),
    },
    {
      name: "learning",
      summary: "transition systems: proves properties part by part, under assumptions that it learns",
      accepts: deciding.learning,
      takes: ({ subject }) => subject?.kind === "composition",
      check: async (loaded, request) => (await import("./engines/learning.js")).check(loaded, request),
    },
    {
      name: "gpu",
      summary: "visits every reachable state once, breadth-first, on an OpenCL device",
      accepts: deciding.gpu,
      takes: ({ model, accepts }) => model !== undefined && accepts?.engines.includes("gpu") === true,
      check: async (loaded, request) => {
        const [{ check }, engine] = await Promise.all([
          import("./pipeline/pipeline.js"),
          import("./engines/gpu.js"),
        ]);
        return check(engine, loaded, request);
      },
    },
  ],
};
