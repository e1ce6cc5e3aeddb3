/**
 * Checks and replays of code in a separate process (`../../sandbox`).
 *
 * This process bundles the files and writes the results; the other runs and searches the code. Read `check.ts` and
 * `replay.ts` first (results by the way the process ended), then `here.ts` (the other side).
 *
 * Always true: if the process dies, the answer is `unknown`, with the last figures. Of models that are not executable code, only
 * engines that ask a solver come here (`solving.ts`).
 */
import type { ExecutionReport } from "../../report/index.js";
import type { Limits } from "../../sandbox/index.js";
import { Sources, type Diagnostic } from "../../model/index.js";
import { checkInput, nothingChecked, type Checked } from "../check/check.js";
import { isRefused, languageOf } from "../load.js";
import type { Registry } from "../contracts.js";
import type { ReplayRequest } from "../replay/request.js";
import { replayInput } from "../replay/replay.js";
import type { CheckOptions, Input, ModelOptions } from "../request.js";
import { withSpecification } from "../refinement/specification.js";
import type { Debugging } from "./replay.js";

export type { Debugging } from "./replay.js";

/** Does loading run the text? */
export function runsCode(input: Input, language: string | undefined, registry: Registry): boolean {
  const found = languageOf(input, language, registry);
  return !("code" in found) && found.runsCode === true;
}

/** `isWatched`: this process is a separate one already, whose end another one reports. */
export async function checkApart(
  input: Input,
  options: CheckOptions,
  registry: Registry,
  limits: Limits = {},
  isWatched = false,
): Promise<Checked> {
  const isRun = options.isolation !== "none" && runsCode(input, options.language, registry);
  if (options.refines !== undefined && !options.specification && !isRefused(input, options, registry)) {
    const specified = await withSpecification(input, options, registry);
    if ("problems" in specified) return notChecked(input, options, specified.problems);
    return checkApart(input, specified.options, registry, limits, isWatched);
  }
  if (!isRun || isRefused(input, options, registry)) {
    if (isWatched || options.isolation === "none") return checkInput(input, options, registry);
    const apart = (await import("./solving.js")).solvingApart(input, options, registry, limits);
    return checkInput(apart.input, options, apart.registry);
  }
  const { schedules, workers = 1, measuresCoverage } = options;
  // Coverage is measured in one process.
  if (schedules?.by === "swarm" && workers > 1 && !measuresCoverage)
    return (await import("./simulate.js")).simulateInChildren(input, options, schedules, limits);
  return (await import("./check.js")).checkInChild(input, options, limits);
}

export async function replayApart(
  input: Input,
  request: ReplayRequest,
  options: ModelOptions,
  registry: Registry,
  limits: Limits = {},
  debugging?: Debugging,
): Promise<ExecutionReport> {
  const isRun = runsCode(input, options.language, registry);
  const isWithout = isRefused(input, { ...options, run: "replay" }, registry);
  if (options.refines !== undefined && !options.specification && !isWithout) {
    const specified = await withSpecification(input, options, registry);
    if ("problems" in specified) return (await import("./replay.js")).notReplayed(input, specified.problems);
    return replayApart(input, request, specified.options, registry, limits, debugging);
  }
  if (!isRun || isWithout) return replayInput(input, request, options, registry);
  return (await import("./replay.js")).replayInChild(input, request, options, limits, debugging);
}

function notChecked(
  { file, text, readFile }: Input,
  { language = "typescript", refines = "" }: CheckOptions,
  diagnostics: readonly Diagnostic[],
): Checked {
  const sources = new Sources();
  sources.add(file, text);
  const specified = readFile?.(refines);
  if (specified !== undefined) sources.add(refines, specified);
  return { report: nothingChecked(file, language, diagnostics, sources), code: undefined, model: undefined };
}
