/**
 * Runs Spin on a model: `spin -a`, the C compiler, `pan`; each with a time limit, in a temporary directory.
 *
 * Explores by default the plain graph of our `--plain`: no statement merging, no dead-variable reset, no partial-order
 * reduction, every error counted.
 */
import { basename, dirname, join, resolve } from "node:path";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { type Optimisation, panCompiler } from "./pan-compiler.js";
import { type PanReport, parsePanOutput } from "./pan-output.js";
import { type ProcessResult, inTemporaryDirectory, processorSeconds, runProcess } from "./process.js";

export interface SpinOptions {
  /** `NAME` or `NAME=VALUE`, for Spin's preprocessor. */
  readonly defines?: readonly string[];
  /** Options of `spin` besides `-a`. */
  readonly spin?: readonly string[];
  readonly optimise?: Optimisation;
  /** `-D` for the C compiler. */
  readonly compile?: readonly string[];
  /** Options of `pan` besides depth and table size. */
  readonly pan?: readonly string[];
  /** pan's depth bound. If it is reached, the search is repeated once with `largerDepth`. */
  readonly depth?: number;
  readonly largerDepth?: number;
  /** Base-2 logarithm of pan's hash table. */
  readonly hashBits?: number;
  /** Limit for spin, gcc and pan together. */
  readonly timeoutMs?: number;
  readonly measureMemory?: boolean;
}

export type SpinOutcome =
  | { readonly kind: "searched"; readonly report: PanReport; readonly run: SpinRun }
  /** Spin or the C compiler rejected the model. */
  | { readonly kind: "rejected"; readonly by: "spin" | "gcc"; readonly message: string }
  | { readonly kind: "timeout"; readonly stage: "spin" | "gcc" | "pan" }
  /** pan died without a report, for example by SIGFPE on a division by zero. */
  | { readonly kind: "crashed"; readonly how: string; readonly output: string };

/**
 * Wall times of the three stages, and the peak resident memory of pan. Processor times are 0 unless memory is measured.
 */
export interface SpinRun extends BuildTimes {
  readonly panSeconds: number;
  readonly panUserSeconds: number;
  /** User and system time of pan. */
  readonly panProcessorSeconds: number;
  readonly peakBytes: number;
  readonly output: string;
}

export interface BuildTimes {
  readonly spinSeconds: number;
  readonly gccSeconds: number;
  /** User and system time of both. */
  readonly buildProcessorSeconds: number;
}

/** A compiled pan in its directory, for several searches. */
export interface BuiltPan {
  readonly kind: "built";
  readonly directory: string;
  readonly times: BuildTimes;
}

type Failure = Exclude<SpinOutcome, { kind: "searched" }>;

/** One transition per statement, every value kept: the graph of our `--plain`. */
export const plainSpin = ["-o1", "-o2", "-o3"] as const;

/** A full search for safety only, with a memory bound that protects the machine. */
export const fullSearch = ["SAFETY", "NOREDUCE", "NOCLAIM", "VECTORSZ=8192", "MEMLIM=6000"] as const;

/** Count every error and write every trail. */
export const allErrors = ["-c0", "-e"] as const;

export async function runSpin(file: string, options: SpinOptions = {}): Promise<SpinOutcome> {
  return inTemporaryDirectory((directory) => verify(copyModel(file, directory), directory, options));
}

/** The same for a model given as text. */
export async function runSpinOnText(text: string, options: SpinOptions = {}): Promise<SpinOutcome> {
  return inTemporaryDirectory((directory) => {
    writeFileSync(join(directory, "model.pml"), text);
    return verify("model.pml", directory, options);
  });
}

/** Copies all files next to the model, which may include them. */
export function copyModel(file: string, directory: string): string {
  for (const entry of readdirSync(dirname(resolve(file)), { withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(dirname(file), entry.name), join(directory, entry.name));
  return basename(file);
}

async function verify(model: string, directory: string, options: SpinOptions): Promise<SpinOutcome> {
  const deadline = performance.now() + (options.timeoutMs ?? 60_000);
  const left = (): SpinOptions => ({ ...options, timeoutMs: Math.max(1, deadline - performance.now()) });
  const built = await buildPan(model, directory, left());
  if (built.kind !== "built") return built;
  const found = await searchWithPan(built, left());
  const isCut = found.kind === "searched" && found.report.incomplete === "depth";
  return isCut && options.largerDepth !== undefined
    ? searchWithPan(built, { ...left(), depth: options.largerDepth })
    : found;
}

/** Translates `model`, a file in `directory`, and compiles the verifier there. */
export async function buildPan(
  model: string,
  directory: string,
  options: SpinOptions,
): Promise<BuiltPan | Failure> {
  const { timeoutMs = 60_000, measureMemory = false } = options;
  const deadline = performance.now() + timeoutMs;
  const stage = (command: string, args: readonly string[]): Promise<ProcessResult> =>
    runProcess({
      ...{ command, arguments: args, directory, measureMemory },
      timeoutMs: Math.max(1, deadline - performance.now()),
    });

  const spin = await stage("spin", [...(options.spin ?? plainSpin), ...define(options.defines), "-a", model]);
  if (spin.timedOut) return { kind: "timeout", stage: "spin" };
  if (failed(spin)) return { kind: "rejected", by: "spin", message: (spin.stdout + spin.stderr).trim() };

  const compiler = panCompiler(options.optimise);
  const gcc = await stage(compiler.command, [
    ...compiler.arguments,
    ...define(options.compile ?? fullSearch),
    ...["-o", "pan", "pan.c"],
  ]);
  if (gcc.timedOut) return { kind: "timeout", stage: "gcc" };
  if (failed(gcc)) return { kind: "rejected", by: "gcc", message: gcc.stderr.trim() };
  const buildProcessorSeconds = processorSeconds(spin) + processorSeconds(gcc);
  return {
    kind: "built",
    directory,
    times: { spinSeconds: spin.seconds, gccSeconds: gcc.seconds, buildProcessorSeconds },
  };
}

export async function searchWithPan(
  { directory, times }: BuiltPan,
  options: Pick<SpinOptions, "pan" | "depth" | "hashBits" | "timeoutMs" | "measureMemory">,
): Promise<SpinOutcome> {
  const { depth = 1_000_000, hashBits = 20, timeoutMs = 60_000, measureMemory = false } = options;
  const pan = await runProcess({
    command: "./pan",
    arguments: [...(options.pan ?? allErrors), `-m${depth}`, `-w${hashBits}`],
    ...{ directory, timeoutMs, measureMemory },
  });
  return pan.timedOut ? { kind: "timeout", stage: "pan" } : outcome(pan, times);
}

function outcome(pan: ProcessResult, times: BuildTimes): SpinOutcome {
  const report = parsePanOutput(pan.stdout);
  if (!report) {
    const how = pan.signal ?? `exit code ${pan.exitCode}`;
    return { kind: "crashed", how, output: pan.stdout + pan.stderr };
  }
  const run = {
    ...times,
    panSeconds: pan.seconds,
    panUserSeconds: pan.userSeconds,
    panProcessorSeconds: processorSeconds(pan),
    peakBytes: pan.peakBytes,
    output: pan.stdout,
  };
  return { kind: "searched", report, run };
}

const failed = (result: ProcessResult): boolean => result.exitCode !== 0;

const define = (names: readonly string[] = []): string[] => names.map((name) => `-D${name}`);
