/** `everypath simulate FILE`: one run, chosen at random, by the user, or by a trace; or many random runs. */
import { Option, type Command } from "commander";
import { hasErrors, type Diagnostic } from "../model/index.js";
import {
  counted,
  executionJson,
  palette,
  renderDiagnostics,
  renderSingleStep,
  renderState,
  type AcceptedScope,
  type ExecutionReport,
  type Outcome,
  type TraceStyle,
} from "../report/index.js";
import {
  Random,
  Simulation,
  freshSeed,
  isRefused,
  load,
  readInput,
  registry as everything,
  runOf,
  type LoadedInput,
  type Refusal,
  type Registry,
  type ReplayRequest,
  type SteppedRun,
} from "../session/index.js";
import { runsCode } from "../session/apart/index.js";
import { chooseAtRandom, chooseByTrace, type Chooser, type Stop } from "./chooser.js";
import { exitCodeOfExecution } from "./exit.js";
import { chooseInteractively } from "./interactive.js";
import {
  addModelOptions,
  addOutputOptions,
  modelOptions,
  type ModelFlags,
  type OutputFlags,
} from "./options.js";
import { addRunsOptions, refuseWithoutRuns, runMany } from "./simulate-many.js";
import { hasColor, type ProgressChoice, type Terminal } from "./terminal.js";
import { optionsFor, readTrace } from "./trace-argument.js";
import { usageError } from "./usage.js";
import { count } from "./values.js";

export interface SimulateFlags extends ModelFlags, OutputFlags {
  readonly seed?: number;
  readonly steps?: number;
  readonly interactive?: boolean;
  readonly trace?: string;
  readonly runs?: number;
  readonly shard?: { readonly index: number; readonly of: number };
  readonly workers?: number;
  readonly property?: readonly string[];
  readonly accept?: AcceptedScope;
  readonly time?: number;
  readonly coverage?: boolean;
  readonly minimise?: boolean;
  readonly html?: string;
  readonly svg?: string;
  readonly progress?: ProgressChoice;
}

export function addSimulateOptions(command: Command): Command {
  command
    .addOption(new Option("--seed <n>", "repeat the random run with this seed").argParser(count("--seed", 0)))
    .addOption(new Option("--steps <n>", "stop after n steps (10000)").argParser(count("--steps")))
    .option("--interactive", "choose every step interactively (the default on a terminal)")
    .option("--trace <file|schedule>", "follow a trace; with --runs: write the trace of the failure");
  addRunsOptions(command);
  return addOutputOptions(addModelOptions(command));
}

/** Code runs in a separate process, by this same function with the registry of that process. */
export async function runSimulate(
  file: string,
  flags: SimulateFlags,
  terminal: Terminal,
  argv: readonly string[],
  registry: Registry = everything,
): Promise<number> {
  if (flags.runs !== undefined) return runMany(file, flags, terminal, argv);
  refuseWithoutRuns(flags, argv);
  const input = readInput(file);
  if ("code" in input) throw usageError(argv, "cannot-read", input.message, file);
  const { trace } = flags;
  const guide = trace === undefined ? undefined : readTrace(trace, argv);
  refuseContradictions(flags, argv);
  const given = guide && trace !== undefined ? optionsFor(trace, guide, flags, argv) : modelOptions(flags);
  const options = { ...given, run: guide ? "replay" : "simulate" } as const;
  const isRun = registry === everything && runsCode(input, options.language, registry);
  if (isRun && !isRefused(input, options, registry)) {
    const { simulateInChild } = await import("./simulate-apart.js");
    const exitCode = await simulateInChild(input, options, flags, terminal, argv);
    if (exitCode !== undefined) return exitCode;
  }
  const loaded = await load(input, options, registry);
  const { stderr, env } = terminal;
  if (!flags.json && loaded.diagnostics.length > 0)
    stderr.write(
      renderDiagnostics(loaded.diagnostics, loaded.sources, palette(hasColor(flags.color, stderr, env))),
    );
  const report = await simulate(loaded, file, guide?.request, flags, terminal);
  if (flags.json) terminal.stdout.write(`${JSON.stringify(executionJson(report), null, 2)}\n`);
  return exitCodeOfExecution(report);
}

/** Each selects a source of steps. */
function refuseContradictions({ seed, trace, interactive }: SimulateFlags, argv: readonly string[]): void {
  const given = [
    ...(trace === undefined ? [] : ["--trace"]),
    ...(interactive ? ["--interactive"] : []),
    ...(seed === undefined ? [] : ["--seed"]),
  ];
  if (given.length > 1)
    throw usageError(
      argv,
      "one-chooser",
      `${given[0]} and ${given[1]} exclude each other: both choose the steps`,
      given[1],
      "give one of them",
    );
}

async function simulate(
  loaded: LoadedInput,
  file: string,
  guide: ReplayRequest | undefined,
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<ExecutionReport> {
  const started = performance.now();
  const style = styleOf(loaded, file, flags, terminal);
  const print = (lines: readonly string[]): void => {
    if (!flags.json && !flags.quiet) terminal.stdout.write(lines.map((line) => `${line}\n`).join(""));
  };
  const isInteractive = guide === undefined && wantsInteraction(flags, terminal);
  const own = flags.seed ?? freshSeed();
  const seed = guide === undefined && !isInteractive ? own : undefined;
  const begun = hasErrors(loaded.diagnostics) ? undefined : begin(loaded, guide, own);
  if (!begun) return rejected(file, loaded);
  const { run: stepped, guided } = begun;
  const chooser = isInteractive
    ? chooseInteractively(terminal.stdin, flags.json ? terminal.stderr : terminal.stdout, style)
    : guided
      ? chooseByTrace(guided)
      : chooseAtRandom(new Random(own));
  if (seed !== undefined) print([style.colors.dim(`random run with --seed ${seed}`)]);
  const stop = await run(stepped, chooser, flags.steps ?? stepped.usualSteps, (step) =>
    print(renderSingleStep(step, style)),
  );
  chooser.close();
  const narrative = stepped.narrative();
  const result = summary(stepped, stop);
  print(["", style.colors.bold("State at the end"), ...renderState(narrative.final, style), ""]);
  if (!flags.json)
    terminal.stdout.write(`${resultLine(file, result, stepped.choices.length, seed, style)}\n`);
  const seconds = (performance.now() - started) / 1000;
  return { command: "simulate", file, ...result, trace: narrative, seed, seconds, ...from(loaded) };
}

interface Begun {
  readonly run: SteppedRun;
  /** Choices of a trace. */
  readonly guided: readonly number[] | Refusal | undefined;
}

/** Undefined: there is nothing to run. */
function begin(
  { model, simulate: open }: LoadedInput,
  guide: ReplayRequest | undefined,
  seed: number,
): Begun | undefined {
  if (model) return { run: new Simulation(model), guided: guide && choicesOf(runOf(model, guide)) };
  if (!open) return undefined;
  const free = open(seed, undefined);
  if ("problem" in free) throw new Error(free.problem);
  if (!guide) return { run: free, guided: undefined };
  const along = "schedule" in guide ? open(seed, guide.schedule) : { problem: "give a schedule" };
  // A run along a trace offers its next step alone.
  return "problem" in along ? { run: free, guided: along } : { run: along, guided: undefined };
}

/** A loop is followed once. */
const choicesOf = (run: ReturnType<typeof runOf>): readonly number[] | Refusal =>
  "problem" in run ? run : run.choices;

/** Takes steps until the run ends, the chooser stops, or the limit is reached. */
async function run(
  simulation: SteppedRun,
  chooser: Chooser,
  limit: number,
  onStep: (step: ReturnType<SteppedRun["take"]>) => void,
): Promise<Stop | undefined> {
  while (simulation.ending().kind === "open") {
    if (simulation.choices.length >= limit) return { outcome: "open", reason: `--steps ${limit} reached` };
    const choice = await chooser.next(simulation);
    if (typeof choice !== "number") return choice;
    onStep(simulation.take(choice));
  }
  return undefined;
}

function summary(simulation: SteppedRun, stop: Stop | undefined): Stop & Pick<ExecutionReport, "property"> {
  if (stop) return { ...stop, property: undefined };
  const ending = simulation.ending();
  if (ending.kind === "failed")
    return { outcome: "failed", reason: ending.reason, property: ending.property };
  return { outcome: "ended", reason: simulation.endReason, property: undefined };
}

function wantsInteraction(flags: SimulateFlags, { stdin, stdout }: Terminal): boolean {
  if (flags.interactive !== undefined) return flags.interactive;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  return isTerminal && flags.seed === undefined && !flags.json && !flags.quiet;
}

function resultLine(
  file: string,
  stop: Stop,
  steps: number,
  seed: number | undefined,
  { colors }: TraceStyle,
): string {
  const words: Record<Outcome, string> = {
    failed: colors.bad("error"),
    ended: colors.good("end of run"),
    open: "stopped",
    diverged: colors.warning("diverged"),
    passed: "stopped",
  };
  const again = seed === undefined ? "" : colors.dim(` (--seed ${seed})`);
  return `${colors.bold(file)}: ${words[stop.outcome]} after ${counted(steps, "step")}: ${stop.reason}${again}`;
}

const styleOf = (
  loaded: LoadedInput,
  file: string,
  flags: OutputFlags,
  { stdout, env }: Terminal,
): TraceStyle => ({
  colors: palette(hasColor(flags.color, stdout, env)),
  width: Math.min(120, Math.max(60, stdout.columns || 100)),
  sources: loaded.sources,
  mainFile: file,
});

const from = (
  loaded: LoadedInput,
): { language: string; diagnostics: readonly Diagnostic[]; sources: LoadedInput["sources"] } => ({
  language: loaded.language,
  diagnostics: loaded.diagnostics,
  sources: loaded.sources,
});

const rejected = (file: string, loaded: LoadedInput): ExecutionReport => ({
  command: "simulate",
  file,
  outcome: "diverged",
  reason: "nothing was simulated",
  property: undefined,
  trace: undefined,
  seed: undefined,
  seconds: 0,
  ...from(loaded),
});
