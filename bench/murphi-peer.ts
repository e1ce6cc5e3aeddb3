/** One run of Rumur on one model: translated, compiled for this machine, run with one thread. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  inTemporaryDirectory,
  processorSeconds,
  runProcess,
  type ProcessResult,
} from "../test/peers/process.js";

export type RumurSymmetry = "off" | "heuristic" | "exhaustive";

export interface RumurRun {
  readonly states: number;
  readonly rulesFired: number;
  /** The verifier alone. */
  readonly searchSeconds: number;
  /** With translation and compilation. */
  readonly totalSeconds: number;
}

/** With process figures: 0 unless requested. */
export interface MeasuredRumurRun extends RumurRun {
  readonly errors: number;
  /** User and system time of the verifier, and of translation and compilation. */
  readonly processorSeconds: number;
  readonly buildProcessorSeconds: number;
  /** Resident memory of the verifier at its peak. */
  readonly peakBytes: number;
}

export interface RumurOptions {
  readonly symmetry: RumurSymmetry;
  readonly packs: boolean;
  readonly timeoutMs: number;
  readonly deadlocks?: "off" | "stuck" | "stuttering";
  readonly measureMemory?: boolean;
}

export type RumurOutcome =
  | { readonly kind: "searched"; readonly run: MeasuredRumurRun }
  | { readonly kind: "rejected"; readonly by: "rumur" | "gcc"; readonly message: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "crashed"; readonly how: string; readonly output: string };

/** Undefined on a timeout; throws if Rumur finds an error or fails. */
export async function runRumur(text: string, options: RumurOptions): Promise<RumurRun | undefined> {
  const outcome = await measureRumur(text, options);
  if (outcome.kind === "timeout") return undefined;
  if (outcome.kind !== "searched" || outcome.run.errors > 0)
    throw new Error(`Rumur found an error, or gave no summary:\n${JSON.stringify(outcome)}`);
  return outcome.run;
}

export async function measureRumur(text: string, options: RumurOptions): Promise<RumurOutcome> {
  return inTemporaryDirectory((directory) => verify(text, directory, options));
}

async function verify(text: string, directory: string, options: RumurOptions): Promise<RumurOutcome> {
  const { symmetry, packs, timeoutMs, deadlocks = "stuttering", measureMemory = false } = options;
  const [model, code, verifier] = ["model.m", "model.c", "model"].map((name) => join(directory, name));
  writeFileSync(model!, text);
  const stage = (command: string, args: readonly string[], limit: number): Promise<ProcessResult> =>
    runProcess({ command, arguments: args, timeoutMs: limit, measureMemory });
  const settings = ["--threads", "1", "--symmetry-reduction", symmetry, "--pack-state", packs ? "on" : "off"];
  const output = ["--output-format", "machine-readable", "--deadlock-detection", deadlocks];
  const translated = await stage("rumur", [...settings, ...output, "--output", code!, model!], BUILD_MS);
  if (translated.exitCode !== 0) return { kind: "rejected", by: "rumur", message: translated.stderr };
  const optimised = ["-std=c11", "-O3", "-march=native", "-o", verifier!, code!, "-lpthread"];
  const compiled = await stage("gcc", optimised, BUILD_MS);
  if (compiled.exitCode !== 0) return { kind: "rejected", by: "gcc", message: compiled.stderr };
  const run = await stage(verifier!, [], timeoutMs);
  if (run.timedOut) return { kind: "timeout" };
  const summary = parseRumurSummary(run.stdout);
  if (!summary)
    return { kind: "crashed", how: run.signal ?? `exit code ${run.exitCode}`, output: run.stdout };
  const figures = {
    searchSeconds: run.seconds,
    totalSeconds: translated.seconds + compiled.seconds + run.seconds,
    processorSeconds: processorSeconds(run),
    buildProcessorSeconds: processorSeconds(translated) + processorSeconds(compiled),
    peakBytes: run.peakBytes,
  };
  return { kind: "searched", run: { ...summary, ...figures } };
}

const BUILD_MS = 120_000;

/** The last line of a verifier's machine-readable output; undefined if it printed none. */
export function parseRumurSummary(
  output: string,
): Pick<MeasuredRumurRun, "states" | "rulesFired" | "errors"> | undefined {
  const summary = /<summary\b[^>]*>/.exec(output)?.[0];
  if (summary === undefined) return undefined;
  const figure = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(summary)?.[1]);
  return { states: figure("states"), rulesFired: figure("rules_fired"), errors: figure("errors") };
}
