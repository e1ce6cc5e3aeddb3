/**
 * Adapts task programs to the registry: explores them phase by phase, so that an error comes with its smallest phase, and confirms every
 * error by a run with a real queue.
 */
import {
  DirectProgram,
  explore,
  runTasks,
  SequentialProgram,
  type Cut,
  type Exploration,
  type FoundError,
  type TaskRun,
} from "../../engines/programs/index.js";
import type { Diagnostic, Property, Scope, Stats, Verdict } from "../../model/index.js";
import { isTaskSubject, type TaskProgram, type TaskSubject } from "../../model/tasks.js";
import { errorProperty, errorReason, taskNarrative } from "../../report/index.js";
import { openSolver } from "../../solvers/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { exploredWithin, openReasons, QUERY_MS } from "./egt.js";

export type BackEnd = "direct" | "sequential" | "all";

/** An error with the inputs of a run with a real queue that shows it. */
export interface TaskError {
  readonly error: FoundError["error"];
  readonly phase: number;
  readonly inputs: readonly bigint[];
  readonly shown: TaskRun;
  readonly program: TaskProgram;
}

interface Outcome {
  readonly errors: readonly TaskError[];
  /** Reasons why paths are missing. */
  readonly open: readonly string[];
  readonly cuts: ReadonlySet<Cut>;
  readonly stats: Stats;
  /** The largest bound on phases that was explored as a whole. */
  readonly phases: number;
}

const noStats: Stats = { states: 0, transitions: 0, depth: 0, seconds: 0, peakBytes: 0, bytesPerState: 0 };
const CONFIRMED_STEPS = 1e7;

export async function check(
  { subject }: Loaded,
  request: EngineRequest,
  backEnd: BackEnd,
): Promise<EngineResult> {
  if (!isTaskSubject(subject)) throw new Error("there is no task program to check");
  const ends: readonly ("direct" | "sequential")[] = backEnd === "all" ? ["direct", "sequential"] : [backEnd];
  const outcomes: Outcome[] = [];
  for (const end of ends) outcomes.push(await explored(subject, request, end));
  const [first, second] = outcomes;
  if (!first) throw new Error("there is a back end");
  if (second) agree(first, second);
  return resultOf(subject, request, second && first.open.length > 0 ? second : first, outcomes);
}

/** Different answers are an internal error. */
function agree(one: Outcome, other: Outcome): void {
  const least = ({ errors }: Outcome): number => Math.min(...errors.map(({ phase }) => phase));
  const isDecided = ({ errors, open }: Outcome): boolean => errors.length > 0 || open.length === 0;
  if (!isDecided(one) || !isDecided(other) || least(one) === least(other)) return; // sound: test/session/bbs.test.ts
  const text = (outcome: Outcome): string =>
    least(outcome) === Infinity ? "no error" : `an error in phase ${least(outcome)}`;
  throw new Error(
    `the back ends disagree: the real queue shows ${text(one)}, the sequential program ${text(other)}`,
  );
}

async function explored(
  subject: TaskSubject,
  request: EngineRequest,
  backEnd: "direct" | "sequential",
): Promise<Outcome> {
  const { budget, control, properties, maxErrors } = request;
  const started = performance.now();
  const found = new Map<string, TaskError>();
  const kinds = new Set(properties.map(({ kind }) => kind));
  const { solver: wanted = "auto", dumpSmt } = request.symbolic ?? {};
  const { timeMs = Infinity, memoryBytes = Infinity } = budget;
  const opened = openSolver({
    name: wanted,
    timeMs: Math.min(QUERY_MS, timeMs),
    memoryMb: Math.max(64, Math.min(2048, Math.floor(memoryBytes / 2 ** 20))),
    dumpDirectory: dumpSmt,
  });
  const nothing = { errors: [], cuts: new Set<Cut>(), stats: noStats, phases: 0 };
  if (!opened) return { ...nothing, open: [`the solver '${wanted}' is not installed`] };
  let stats = noStats;
  let cuts: ReadonlySet<Cut> = new Set();
  try {
    for (let phases = 1; phases <= subject.bounds.phases; phases++) {
      const program = subject.instrument({ phases });
      const runnable = backEnd === "direct" ? new DirectProgram(program) : new SequentialProgram(program);
      const unconfirmed: string[] = [];
      const onError = (error: FoundError): "continue" | "stop" => {
        const confirmed = confirm(program, runnable, error);
        if ("problem" in confirmed) unconfirmed.push(confirmed.problem);
        else if (kinds.has(errorProperty(error.error)) && !found.has(keyOf(error)))
          found.set(keyOf(error), confirmed);
        return found.size >= maxErrors ? "stop" : "continue";
      };
      const steps = explore(runnable, opened.solver, optionsOf(request), onError);
      const { exploration, interruption } = await exploredWithin(steps, { budget, control }, started);
      stats = added(stats, exploration, (performance.now() - started) / 1000, opened.solver.figures());
      cuts = runnable.cuts;
      const errors = [...found.values()];
      const open = [...openReasons(exploration, interruption), ...unconfirmed];
      if (open.length > 0 || (errors.length > 0 && errors.length >= maxErrors))
        return { errors, open, cuts, stats, phases: phases - 1 };
      if (!cuts.has("phases")) break;
    }
    return { errors: [...found.values()], open: [], cuts, stats, phases: subject.bounds.phases };
  } finally {
    opened.close();
  }
}

const keyOf = ({ error: { kind, span } }: FoundError): string => `${kind} ${span?.file} ${span?.start}`;

function optionsOf({ search, isDefaultOrder, seed, budget }: EngineRequest): Parameters<typeof explore>[2] {
  return {
    order: isDefaultOrder || search === "guided" ? "dfs" : search,
    seed,
    maxDepth: budget.maxDepth ?? Infinity,
    maxPaths: budget.maxStates ?? Infinity,
  };
}

/** The error in a run with a real queue, to which the inputs of a sequential run are put in order. */
function confirm(
  program: TaskProgram,
  runnable: DirectProgram | SequentialProgram,
  { error, inputs, run }: FoundError,
): TaskError | { readonly problem: string } {
  const ordered = runnable instanceof SequentialProgram ? runnable.inOrder(run.inputs) : inputs;
  const shown = runTasks(program, ordered, CONFIRMED_STEPS);
  const { end } = shown.run;
  // sound: test/session/bbs.test.ts
  if (end?.kind !== "error" || end.error.kind !== error.kind || end.error.span?.start !== error.span?.start)
    return { problem: `an error (${error.message}) that a run with a real queue does not show` };
  const used = shown.run.inputs.flatMap(({ values }) => values);
  return { error: end.error, phase: shown.phase, inputs: used, shown, program };
}

const added = (
  stats: Stats,
  { paths, instructions, depth }: Exploration,
  seconds: number,
  solver: NonNullable<Stats["solver"]>,
): Stats => ({
  ...stats,
  states: stats.states + paths,
  transitions: stats.transitions + instructions,
  depth: Math.max(stats.depth, depth),
  seconds,
  solver,
});

function boundsText(
  { phases, perPoint, atTaskEnd, unwind, granularity }: TaskSubject["bounds"],
  cuts: ReadonlySet<Cut>,
): string[] {
  const texts: Readonly<Record<Cut, string>> = {
    phases: `tasks of phases up to ${phases}`,
    interrupts: `at most ${perPoint} ${perPoint === 1 ? "interrupt" : "interrupts"} before a ${granularity} and ${atTaskEnd} at the end of a task`,
    loops: `loops of up to ${unwind} turns`,
  };
  return (["phases", "interrupts", "loops"] as const).flatMap((cut) => (cuts.has(cut) ? [texts[cut]] : []));
}

function resultOf(
  subject: TaskSubject,
  request: EngineRequest,
  outcome: Outcome,
  all: readonly Outcome[],
): EngineResult {
  const { errors, open, cuts, stats } = outcome;
  const bounds = boundsText(subject.bounds, cuts);
  const { queue } = subject.bounds;
  const hidden =
    errors.length > 0 && open.length === 0 ? ["an error ends its path, so that others may be hidden"] : [];
  const reasons = [...open, ...hidden];
  const scope: Scope = {
    kind: reasons.length > 0 ? "partial" : bounds.length > 0 ? "bounded" : "complete",
    by: "exhaustion",
    notes: [...bounds, `queue ${queue}`, `${stats.states} ${stats.states === 1 ? "path" : "paths"}`],
  };
  const findings = request.properties.flatMap((property) =>
    findingsOf(property, request, outcome, reasons, bounds, scope),
  );
  const isViolated = findings.some(({ verdict }) => verdict.kind === "violated");
  const end: SearchEnd = isViolated
    ? "errors"
    : open.some((reason) => reason.includes("interrupted"))
      ? "stopped"
      : reasons.length > 0
        ? "budget"
        : bounds.length > 0
          ? "bound"
          : "complete";
  return {
    findings,
    scope,
    end,
    runs: [
      {
        properties: request.properties.map(({ name }) => name),
        reductions: [],
        stats,
        method: all.length > 1 ? "real queue and sequential program" : "phases",
      },
    ],
    stats,
    coversAll: false,
    notices: [statisticsNotice(subject, request.file)],
  };
}

function findingsOf(
  property: Property,
  { sources }: EngineRequest,
  { errors, phases }: Outcome,
  reasons: readonly string[],
  bounds: readonly string[],
  scope: Scope,
): EngineFinding[] {
  const own = errors.filter(({ error }) => errorProperty(error) === property.kind);
  if (own.length > 0)
    return own.map(({ error, phase, inputs, shown }) => {
      const trace = { choices: [], fault: -1, loopStart: undefined, inputs: inputs.map(String) };
      const reason = `${errorReason(error, sources)}, in phase ${phase}`;
      const narrative = taskNarrative({ ...shown, inputs: shown.run.inputs }, inputs, sources);
      return { property, verdict: { kind: "violated", reason, trace }, occurrences: 1, narrative };
    });
  const unknown = (reason: string, advice: string): EngineFinding[] => [
    { property, verdict: { kind: "unknown", reason, advice }, occurrences: 0 },
  ];
  if (reasons.length > 0)
    return unknown(
      `${reasons.join("; ")}${phases > 0 ? `; nothing was found in phases up to ${phases}` : ""}`,
      "raise --time, or use --errors all to continue after errors",
    );
  // sound: test/session/bbs.test.ts
  if (bounds.length > 0)
    return unknown(
      `nothing was found within the bounds: ${bounds.join("; ")}`,
      "--tasks phases=N, interrupts=N, at-end=N and unwind=N widen them; --accept bounded accepts them",
    );
  const verdict: Verdict = { kind: "holds", scope };
  return [{ property, verdict, occurrences: 0 }];
}

function statisticsNotice(subject: TaskSubject, file: string): Diagnostic {
  const { tasks, handlers, variables, raced, points, pointsWithout } = subject.instrument({}).statistics;
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  const racedText =
    raced.length === 0 ? "" : ` (${raced.slice(0, 12).join(", ")}${raced.length > 12 ? ", …" : ""})`;
  return {
    code: "c/tasks",
    severity: "note",
    message: `${count(tasks.length, "task")}, ${count(handlers.length, "interrupt handler")}, ${count(variables.length, "variable")}, ${raced.length} of them raced${racedText}; interrupts before ${points} of ${count(pointsWithout, "statement")}`,
    span: { file, start: 0, end: 0 },
  };
}
