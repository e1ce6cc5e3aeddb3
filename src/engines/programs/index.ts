/**
 * Executes programs (`Module`) with symbolic inputs, as execution-generated testing and KLEE do: a branch on inputs forks the path.
 *
 * Read `explore.ts` first (the search), then `machine.ts` (decisions and forks), `execute.ts` (instructions), `memory.ts` and
 * `access.ts` (objects of bytes, and every check of an access), `calls.ts` and the functions that it provides. `run.ts` runs a program
 * with concrete inputs.
 *
 * Always true: an error has been seen in a concrete run, and an incomplete search lists its gaps (`Exploration.gaps`).
 */
export { checkBounded, type BoundedOptions } from "./bmc.js";
export { runConcolic } from "./concolic/index.js";
export { CONCOLIC_STRATEGIES, type ConcolicOptions, type ConcolicStrategy } from "./concolic/options.js";
export { explore, type Exploration, type ExploreOptions } from "./explore.js";
export type { FoundError } from "./findings.js";
export { runConcretely, type ConcreteRun } from "./run.js";
export { DirectProgram, type Cut } from "./phases/direct.js";
export { runTasks, type TaskRun } from "./phases/timeline.js";
export { SequentialProgram } from "./phases/sequential.js";
export { isProvided } from "./calls.js";
export { Coverage, type FileCoverage } from "./coverage.js";
export type { InputSource, PathEnd, ProgramError, Violation } from "./state.js";
