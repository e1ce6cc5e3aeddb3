/** Adapts the execution of programs to the registry: opens the solver, watches the budget, and turns errors into findings. */
import {
  checkBounded,
  explore,
  runConcolic,
  type Exploration,
  type FoundError,
} from "../../engines/programs/index.js";
import type { Solver } from "../../model/solver.js";
import { isTimeUp, type Property, type Scope, type Stats, type Verdict } from "../../model/index.js";
import { isProgram, type ProgramSubject } from "../../model/module.js";
import { errorProperty, errorReason, runNarrative } from "../../report/index.js";
import { openSolver } from "../../solvers/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";

export type ProgramEngine = "egt" | "llsplat" | "bmc";

export async function check(
  engine: ProgramEngine,
  { subject }: Loaded,
  request: EngineRequest,
): Promise<EngineResult> {
  if (!isProgram(subject)) throw new Error("there is no program to check");
  const { solver: wanted = "auto", dumpSmt } = request.symbolic ?? {};
  const { timeMs = Infinity, memoryBytes = Infinity } = request.budget;
  const opened = openSolver({
    name: wanted,
    timeMs: Math.min(QUERY_MS, timeMs),
    memoryMb: Math.max(64, Math.min(2048, Math.floor(memoryBytes / 2 ** 20))),
    dumpDirectory: dumpSmt,
  });
  const started = performance.now();
  if (!opened)
    return resultOf(
      engine,
      subject,
      request,
      undefined,
      `the solver '${wanted}' is not installed`,
      emptyStats,
    );
  try {
    const steps = stepsOf(engine, subject, opened.solver, request);
    const { exploration, interruption } = await exploredWithin(steps, request, started);
    const stats: Stats = {
      states: exploration.paths,
      transitions: exploration.instructions,
      depth: exploration.depth,
      seconds: (performance.now() - started) / 1000,
      peakBytes: 0,
      bytesPerState: 0,
      solver: opened.solver.figures(),
    };
    return resultOf(engine, subject, request, exploration, interruption, stats);
  } finally {
    opened.close();
  }
}

function stepsOf(
  engine: ProgramEngine,
  program: ProgramSubject,
  solver: Solver,
  request: EngineRequest,
): ReturnType<typeof explore> {
  const { budget, search, isDefaultOrder, isPlain, seed, symbolic } = request;
  const maxDepth = budget.maxDepth ?? Infinity;
  const maxPaths = budget.maxStates ?? Infinity;
  const onError = errorCounter(request);
  if (engine === "bmc") {
    const unwind = symbolic?.unwind ?? Infinity;
    return checkBounded(program, solver, { unwind, maxDepth, maxPaths }, onError);
  }
  if (engine === "llsplat") {
    const strategy = symbolic?.strategy ?? "idfs";
    const limits = { maxDepth, maxRuns: maxPaths, maxSteps: MOST_STEPS };
    const options = { strategy, usesRegions: !isPlain, coversRegions: false, seed, ...limits };
    return runConcolic(program, solver, options, onError);
  }
  const order = isDefaultOrder ? "fork" : search === "guided" ? "cfg" : search;
  return explore(program, solver, { order, seed, maxDepth, maxPaths }, onError);
}

/** Of a run. */
const MOST_STEPS = 10_000_000;
export const QUERY_MS = 10_000;
const SLICE_MS = 100;
const emptyStats: Stats = { states: 0, transitions: 0, depth: 0, seconds: 0, peakBytes: 0, bytesPerState: 0 };

/** Explores within a budget; other tasks of the process have their turn. */
export async function exploredWithin(
  steps: ReturnType<typeof explore>,
  { budget, control }: Pick<EngineRequest, "budget" | "control">,
  started: number,
): Promise<{ readonly exploration: Exploration; readonly interruption: string | undefined }> {
  let pause = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { exploration: value, interruption: undefined };
    const now = performance.now();
    if (now > pause) {
      // Signals and timers of the process have their turn.
      await new Promise((resolve) => setImmediate(resolve));
      const { paths: states, instructions: transitions, depth, pending: frontier } = value;
      const seconds = (now - started) / 1000;
      control.onProgress?.({ states, transitions, depth, frontier, bytes: 0, seconds });
      pause = now + SLICE_MS;
    }
    if (control.isStopped?.() === true)
      return { exploration: value, interruption: "the search was interrupted" };
    if (isTimeUp(budget, now, started + (budget.timeMs ?? Infinity)))
      return { exploration: value, interruption: "the time ran out" };
  }
}

/** Stops at the wanted number of errors of the wanted kinds. */
function errorCounter({ maxErrors, properties }: EngineRequest): (found: FoundError) => "continue" | "stop" {
  const kinds = new Set(properties.map(({ kind }) => kind));
  let errors = 0;
  return ({ error }) => (kinds.has(errorProperty(error)) && ++errors >= maxErrors ? "stop" : "continue");
}

function resultOf(
  engine: ProgramEngine,
  program: ProgramSubject,
  request: EngineRequest,
  exploration: Exploration | undefined,
  interruption: string | undefined,
  stats: Stats,
): EngineResult {
  const open = openReasons(exploration, interruption);
  const bounds = exploration ? boundsOf(program, exploration) : [];
  const scope: Scope = {
    kind: open.length > 0 ? "partial" : bounds.length > 0 ? "bounded" : "complete",
    by: "exhaustion",
    notes: [...bounds, `${stats.states} ${stats.states === 1 ? "path" : "paths"}`],
  };
  const findings = request.properties.flatMap((property) =>
    findingsOf(property, request, exploration?.errors ?? [], open, bounds, scope),
  );
  const isViolated = findings.some(({ verdict }) => verdict.kind === "violated");
  const end: SearchEnd = isViolated
    ? "errors"
    : open.length > 0
      ? interruption?.includes("interrupted")
        ? "stopped"
        : "budget"
      : bounds.length > 0
        ? "bound"
        : "complete";
  return {
    findings,
    scope,
    end,
    runs: [{ properties: request.properties.map(({ name }) => name), reductions: [], stats, method: engine }],
    stats,
    coversAll: false,
    notices: [],
  };
}

/** Reasons why paths are missing; none: every path was explored. */
export function openReasons(
  exploration: Exploration | undefined,
  interruption: string | undefined,
): string[] {
  if (!exploration) return [interruption ?? "nothing was explored"];
  const reasons = [...exploration.gaps].map(([gap, detail]) => REASONS[gap](detail));
  if (interruption !== undefined) reasons.unshift(interruption);
  // sound: test/session/programs.test.ts
  if (exploration.pending > 0 && reasons.length === 0) reasons.push("the search stopped at an error");
  return reasons;
}

const REASONS: Readonly<
  Record<
    Exploration["gaps"] extends ReadonlyMap<infer K, string> ? K & string : never,
    (detail: string) => string
  >
> = {
  solver: (detail) => `a solver left a branch undecided: ${detail}`,
  float: (detail) => `${detail} were tried with one value only`,
  address: (detail) => detail,
  limit: (detail) => detail,
  unsupported: (detail) => `a path reaches ${detail}`,
  depth: (detail) => detail,
  paths: (detail) => detail,
  unconfirmed: (detail) => detail,
  strategy: (detail) => detail,
};

/** Bounds on inputs from outside: only inputs that the program makes symbolic itself are unbounded. */
export function boundsOf(
  { module, inputs }: ProgramSubject,
  { readsInput, bounds: searched = [] }: Exploration,
): string[] {
  const main = module.functions.get("main");
  const bounds: string[] = [...searched];
  // sound: test/session/programs.test.ts
  if (main && main.parameters.length > 0)
    bounds.push(
      inputs.args.size === 0
        ? "run without arguments"
        : [...inputs.args]
            .map(([position, length]) => `argument ${position} has at most ${length} bytes`)
            .join(", "),
    );
  if (readsInput)
    bounds.push(
      inputs.stdin === undefined
        ? "standard input is empty"
        : `standard input has at most ${inputs.stdin} bytes`,
    );
  return bounds;
}

function findingsOf(
  property: Property,
  { sources }: EngineRequest,
  errors: readonly FoundError[],
  open: readonly string[],
  bounds: readonly string[],
  scope: Scope,
): EngineFinding[] {
  const own = errors.filter(({ error }) => errorProperty(error) === property.kind);
  if (own.length > 0)
    return own.map(({ error, inputs, run }) => {
      const trace = { choices: [], fault: -1, loopStart: undefined, inputs: inputs.map(String) };
      const verdict: Verdict = { kind: "violated", reason: errorReason(error, sources), trace };
      return { property, verdict, occurrences: 1, narrative: runNarrative(run, inputs, sources) };
    });
  if (open.length > 0)
    return [
      {
        property,
        verdict: {
          kind: "unknown",
          reason: open.join("; "),
          advice: "raise --time, or use --errors all to continue after errors",
        },
        occurrences: 0,
      },
    ];
  if (bounds.length > 0)
    return [
      {
        property,
        verdict: {
          kind: "unknown",
          reason: `nothing was found within the bounds: ${bounds.join("; ")}`,
          advice: "--sym-arg, --sym-stdin and --unwind widen them; --accept bounded accepts them",
        },
        occurrences: 0,
      },
    ];
  return [{ property, verdict: { kind: "holds", scope }, occurrences: 0 }];
}
