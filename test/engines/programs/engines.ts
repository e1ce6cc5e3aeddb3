/** Runs every engine of C programs on one module. */
import {
  checkBounded,
  Coverage,
  explore,
  runConcolic,
  runConcretely,
  type ConcolicOptions,
  type Exploration,
} from "../../../src/engines/programs/index.js";
import type { Module } from "../../../src/model/module.js";
import type { Solver } from "../../../src/model/solver.js";
import { openSolver } from "../../../src/solvers/index.js";
import { compiled } from "./programs.js";

const NO_INPUTS = { args: new Map<number, number>(), stdin: undefined };

export function finished(steps: Generator<Exploration, Exploration>): Exploration {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export function withSolver<T>(use: (solver: Solver) => T): T {
  const opened = openSolver({ name: "auto", timeMs: 60_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is no solver");
  try {
    return use(opened.solver);
  } finally {
    opened.close();
  }
}

export const bounded = (
  module: Module,
  options: Partial<Parameters<typeof checkBounded>[2]> = {},
): Exploration =>
  withSolver((solver) =>
    finished(
      checkBounded(
        { module, inputs: NO_INPUTS },
        solver,
        { unwind: Infinity, maxDepth: Infinity, maxPaths: Infinity, ...options },
        () => "continue",
      ),
    ),
  );

export interface ConcolicResult extends Exploration {
  readonly queries: number;
  readonly coverage: Coverage;
}

export const concolic = (
  text: string | Module,
  options: Partial<ConcolicOptions> = {},
  onError: "continue" | "stop" = "continue",
): ConcolicResult =>
  withSolver((solver) => {
    const module = typeof text === "string" ? compiled(text) : text;
    const coverage = new Coverage(module);
    const result = finished(
      runConcolic(
        { module, inputs: NO_INPUTS },
        solver,
        {
          strategy: "dfs",
          usesRegions: true,
          coversRegions: false,
          seed: 1,
          maxDepth: Infinity,
          maxRuns: Infinity,
          maxSteps: 1e6,
          ...options,
        },
        () => onError,
        coverage,
      ),
    );
    return { ...result, queries: solver.figures().queries, coverage };
  });

export const paths = (module: Module): Exploration =>
  withSolver((solver) => {
    const options = { order: "fork", seed: 1, maxDepth: Infinity, maxPaths: Infinity } as const;
    return finished(explore({ module, inputs: NO_INPUTS }, solver, options, () => "continue"));
  });

/** Errors by kind and place, sorted. */
export const errorKeys = ({ errors }: Exploration): string[] =>
  errors.map(({ error }) => `${error.kind} ${error.span?.start}`).sort();

/** Errors of all runs with inputs from 0 to 3. */
export function bruteForce(module: Module, inputs: number): string[] {
  const found = new Set<string>();
  for (let value = 0; value < 4 ** inputs; value++) {
    const given = Array.from({ length: inputs }, (_, n) => BigInt(Math.floor(value / 4 ** n) % 4));
    const { end } = runConcretely({ module, inputs: NO_INPUTS }, given, 1e5);
    if (end?.kind === "error") found.add(`${end.error.kind} ${end.error.span?.start}`);
  }
  return [...found].sort();
}
