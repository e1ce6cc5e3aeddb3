/** Generates tests of a program: the inputs of every explored path, run once more concretely for coverage and expected output. */
import {
  Coverage,
  explore,
  runConcretely,
  type FileCoverage,
  type InputSource,
} from "../../engines/programs/index.js";
import type { Budget, Control } from "../../model/index.js";
import type { ProgramSubject } from "../../model/module.js";
import { errorReason } from "../../report/index.js";
import { openSolver, type SolverName } from "../../solvers/index.js";
import type { LoadOptions } from "../contracts.js";
import { boundsOf, exploredWithin, openReasons, QUERY_MS } from "./egt.js";

export interface TestRequest {
  readonly strategy: "fork" | "dfs" | "bfs" | "random" | "cfg";
  readonly seed: number;
  readonly budget: Budget;
  readonly control: Control;
  readonly solver: SolverName;
  readonly sources: LoadOptions["sources"];
}

export interface GeneratedTest {
  readonly schedule: readonly string[];
  readonly inputs: readonly {
    readonly name: string;
    readonly source: InputSource;
    readonly values: readonly bigint[];
  }[];
  /** Exit status; undefined: an error. */
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly output: Uint8Array;
  /** It covers a line or branch outcome that no earlier test covers. */
  readonly isNew: boolean;
}

export interface GeneratedTests {
  readonly tests: readonly GeneratedTest[];
  readonly coverage: readonly FileCoverage[];
  /** Reasons why paths are missing; none: there is a test for every path. */
  readonly open: readonly string[];
  readonly bounds: readonly string[];
  readonly paths: number;
  readonly instructions: number;
  readonly queries: number;
  readonly seconds: number;
}

export async function generate(
  program: ProgramSubject,
  request: TestRequest,
): Promise<GeneratedTests | { readonly problem: string }> {
  const { strategy, seed, budget, solver: wanted, sources } = request;
  const started = performance.now();
  const opened = openSolver({ name: wanted, timeMs: QUERY_MS, memoryMb: 2048 });
  if (!opened) return { problem: `the solver '${wanted}' is not installed` };
  const coverage = new Coverage(program.module);
  const tests: GeneratedTest[] = [];
  const onPath = (schedule: readonly bigint[]): void => {
    const before = coverage.size;
    const run = runConcretely(program, schedule, MOST_STEPS, false, coverage);
    if (run.end?.kind !== "exit" && run.end?.kind !== "error") return;
    tests.push({
      schedule: schedule.map(String),
      inputs: run.inputs,
      status: run.end.kind === "exit" ? run.end.code : undefined,
      error: run.end.kind === "error" ? errorReason(run.end.error, sources) : undefined,
      output: run.output,
      isNew: coverage.size > before,
    });
  };
  try {
    const options = {
      order: strategy,
      seed,
      maxDepth: budget.maxDepth ?? Infinity,
      maxPaths: budget.maxStates ?? Infinity,
    };
    const steps = explore(program, opened.solver, options, () => "continue", onPath);
    const { exploration, interruption } = await exploredWithin(steps, request, started);
    const { paths, instructions } = exploration;
    const isLost = exploration.gaps.size === 0 && interruption === undefined && tests.length < paths;
    return {
      tests,
      coverage: coverage.files(),
      open: [
        ...openReasons(exploration, interruption),
        ...(isLost ? [`${paths - tests.length} paths have no test that repeats them`] : []),
      ],
      bounds: boundsOf(program, exploration),
      paths,
      instructions,
      queries: opened.solver.figures().queries,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    opened.close();
  }
}

const MOST_STEPS = 1e7;
