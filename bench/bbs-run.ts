/** Runs task programs with each back end: shared by the conformance run, the fuzzer and the tests. */
import {
  DirectProgram,
  explore,
  runTasks,
  SequentialProgram,
  type TaskRun,
} from "../src/engines/programs/index.js";
import type { TaskBounds, TaskProgram } from "../src/model/tasks.js";
import { loadProgram, replaySequential, taskProgram, type TaskDialect } from "../src/programs/index.js";
import { openSolver } from "../src/solvers/index.js";

export const usualBounds: TaskBounds = {
  phases: 4,
  queue: "fifo",
  reduction: "per-handler",
  granularity: "statement",
  perPoint: 1,
  atTaskEnd: 1,
  unwind: 64,
};

export type Instrument = (bounds: Partial<TaskBounds>) => TaskProgram;

/** Throws the first diagnostic. */
export function taskProgramOf(text: string, dialect: TaskDialect = "plain"): Instrument {
  const file = "tasks.c";
  const source = (name: string): string | undefined => (name === file ? text : undefined);
  const { module, diagnostics } = loadProgram({
    file,
    text,
    defines: [],
    compiler: undefined,
    source,
    tasks: dialect,
  });
  if (!module) throw new Error(diagnostics[0]?.message);
  const found = taskProgram(module, dialect, file);
  if ("diagnostics" in found)
    throw new Error(`${found.diagnostics[0]?.code} ${found.diagnostics[0]?.message}`);
  return (bounds) => found.instrument({ ...usualBounds, ...bounds });
}

export interface Found {
  readonly kind: string;
  readonly line: number | undefined;
  readonly phase: number;
  readonly shown: TaskRun;
}

export interface Answer {
  readonly error: Found | undefined;
  /** Reasons why paths are missing. */
  readonly gaps: readonly string[];
  readonly paths: number;
  /** Names of guesses, with their values, of the sequential program. */
  readonly guesses: readonly string[];
  readonly problem: string | undefined;
}

/** The first error that a back end finds within the bounds. */
export function answerOf(program: TaskProgram, backEnd: "direct" | "sequential", maxPaths = 20_000): Answer {
  const opened = openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is no solver");
  let error: Found | undefined;
  let problem: string | undefined;
  let guesses: string[] = [];
  const runnable = backEnd === "direct" ? new DirectProgram(program) : new SequentialProgram(program);
  try {
    const steps = explore(
      runnable,
      opened.solver,
      { order: "dfs", seed: 1, maxDepth: Infinity, maxPaths },
      (found) => {
        const inputs =
          runnable instanceof SequentialProgram ? runnable.inOrder(found.run.inputs) : found.inputs;
        const shown = runTasks(program, inputs, 1e6);
        const { end } = shown.run;
        guesses = found.run.inputs
          .filter(({ name }) => name.includes(" in phase "))
          .map(({ name, values }) => `${name}: ${values.join(" ")}`);
        if (end?.kind !== "error" || end.error.kind !== found.error.kind)
          problem = `${found.error.message}: a run with a real queue does not show it`;
        else error = { kind: end.error.kind, line: lineOf(end.error.span), phase: shown.phase, shown };
        return "stop";
      },
    );
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { error, gaps: [...value.gaps.values()], paths: value.paths, guesses, problem };
    }
  } finally {
    opened.close();
  }
}

const lineOf = (span: object | undefined): number | undefined =>
  (span as { readonly line?: number } | undefined)?.line;

/** The smallest phase of an error, up to a bound, phase by phase; undefined: none; a text: why it is not known. */
export function leastPhase(
  instrument: Instrument,
  backEnd: "direct" | "sequential",
  bounds: Partial<TaskBounds>,
  maxPaths?: number,
): { readonly phase: number | undefined; readonly error?: Found; readonly open?: string } {
  const { phases = usualBounds.phases } = bounds;
  for (let phase = 1; phase <= phases; phase++) {
    const { error, gaps, problem } = answerOf(instrument({ ...bounds, phases: phase }), backEnd, maxPaths);
    if (problem !== undefined) return { phase: undefined, open: problem };
    if (error) return { phase, error };
    if (gaps.length > 0) return { phase: undefined, open: gaps.join("; ") };
  }
  return { phase: undefined };
}

/** Does the exported sequential program show the error natively? */
export function shownNatively(program: TaskProgram, { shown }: Found): string {
  const native = replaySequential(program, shown);
  return "problem" in native ? native.problem : native.outcome;
}
