/**
 * Code under test in a separate process.
 *
 * In: requests of `session`. Out: its results, from a process that may die, hang or be ended without harm to this one.
 * This process bundles files and prints results; the other one runs and searches the code.
 * Read `parent.ts` first (the process and its supervision), then `child.ts` (the other side), `../code/isolation` (removed
 * capabilities), `check.ts` and `replay.ts` (interpretation of its end).
 *
 * Invariant: a dead process yields `unknown`, with the last known figures. Models that are parsed, not run, never
 * come here.
 */
import type {
  CheckOptions,
  Checked,
  Input,
  ModelOptions,
  Registry,
  ReplayRequest,
} from "../session/index.js";
import { checkInput, isRefused, languageOf, replayInput } from "../session/index.js";
import type { ExecutionReport } from "../report/index.js";
import type { Limits } from "./parent.js";
import type { Debugging } from "./replay.js";

export type { Limits } from "./parent.js";
export type { Debugging } from "./replay.js";

/** Would loading it run it? */
export function runsCode(input: Input, language: string | undefined, registry: Registry): boolean {
  const found = languageOf(input, language, registry);
  return !("code" in found) && found.runsCode === true;
}

export async function checkApart(
  input: Input,
  options: CheckOptions,
  registry: Registry,
  limits: Limits = {},
): Promise<Checked> {
  const isRun = options.isolation !== "none" && runsCode(input, options.language, registry);
  if (!isRun || isRefused(input, options, registry)) return checkInput(input, options, registry);
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
  if (!isRun || isRefused(input, { ...options, run: "replay" }, registry))
    return replayInput(input, request, options, registry);
  return (await import("./replay.js")).replayInChild(input, request, options, limits, debugging);
}
