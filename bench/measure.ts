/**
 * One run of one tool on one bench model, with the compared figures: time of the search alone, time from text to answer,
 * and peak resident memory of the searching process.
 */
import { runEverypathOnText } from "../test/peers/everypath.js";
import { runProcess } from "../test/peers/process.js";
import { type SpinOptions, plainSpin, runSpinOnText } from "../test/peers/spin.js";
import type { BenchModel } from "./models/index.js";

export interface Measurement {
  readonly states: number;
  readonly transitions: number;
  readonly searchSeconds: number;
  readonly totalSeconds: number;
  /** Processor time of the whole run; 0 for Spin. */
  readonly userSeconds: number;
  readonly peakBytes: number;
}

type Measured = Omit<BenchModel, "transitions">;

/** The ways in which the two tools are compared. */
export type Mode =
  /** The same graph, depth-first, as with `--plain` and Spin without its optimisations. */
  | "depth-first"
  /** The same graph, breadth-first: our default order. */
  | "breadth-first"
  /** Each tool's defaults. */
  | "defaults";

export async function measureSpin(model: Measured, mode: Mode, timeoutMs: number): Promise<Measurement> {
  const outcome = await runSpinOnText(model.text, {
    ...spinModes[mode],
    ...sizes(model),
    timeoutMs,
    measureMemory: true,
  });
  if (outcome.kind !== "searched")
    throw new Error(`Spin gave no figures for ${model.name}: ${JSON.stringify(outcome)}`);
  const { report, run } = outcome;
  if (report.incomplete || report.errors > 0)
    throw new Error(`pan did not complete ${model.name}:\n${run.output}`);
  return {
    states: report.nominalStates,
    transitions: report.transitions,
    searchSeconds: report.seconds,
    totalSeconds: run.spinSeconds + run.gccSeconds + run.panSeconds,
    userSeconds: 0,
    peakBytes: run.peakBytes,
  };
}

export async function measureEverypath(
  model: Pick<BenchModel, "name" | "text">,
  mode: Mode,
  timeoutMs: number,
  script?: string,
): Promise<Measurement> {
  const outcome = await runEverypathOnText(model.text, {
    options: ourModes[mode],
    ...(script === undefined ? {} : { script }),
    timeoutMs,
    measureMemory: true,
  });
  if (outcome.kind !== "searched")
    throw new Error(`we gave no figures for ${model.name}: ${JSON.stringify(outcome)}`);
  const { report, wallSeconds, peakBytes, userSeconds } = outcome;
  if (report.verdict !== "holds") throw new Error(`we found ${model.name} ${report.verdict}`);
  return {
    states: report.stats.states,
    transitions: report.stats.spin?.transitions ?? report.stats.transitions + 1,
    searchSeconds: report.stats.seconds,
    totalSeconds: wallSeconds,
    userSeconds,
    peakBytes,
  };
}

/** Node's start-up without our code. */
export async function nodeBaseline(): Promise<{ seconds: number; peakBytes: number }> {
  const { seconds, peakBytes } = await runProcess({
    command: process.execPath,
    arguments: ["-e", "0"],
    timeoutMs: 10_000,
    measureMemory: true,
  });
  return { seconds, peakBytes };
}

const ourModes: Record<Mode, readonly string[]> = {
  "depth-first": ["--plain", "--search", "dfs"],
  "breadth-first": ["--plain", "--search", "bfs"],
  defaults: [],
};

const spinModes: Record<Mode, SpinOptions> = {
  "depth-first": { spin: plainSpin, optimise: "-O2", compile: ["SAFETY", "NOREDUCE"], pan: [] },
  "breadth-first": { spin: plainSpin, optimise: "-O2", compile: ["SAFETY", "NOREDUCE", "BFS"], pan: [] },
  // With its optimisations and partial-order reduction, as Spin's manual advises for safety.
  defaults: { spin: [], optimise: "-O2", compile: ["SAFETY"], pan: [] },
};

/** Best flags for pan: a table of the right size and the smallest stack. */
const sizes = ({ states, depth }: Measured): SpinOptions => ({
  hashBits: Math.max(16, Math.ceil(Math.log2(states))),
  depth: Math.max(10_000, depth + 100),
});
