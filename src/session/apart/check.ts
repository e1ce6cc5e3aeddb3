/** Runs a check in a separate process: returns its result, or `unknown` if the process has none. */
import type { ChildProcess } from "node:child_process";
import { Sources, type Diagnostic, type Progress, type Property } from "../../model/index.js";
import { noStats, type CheckReport } from "../../report/index.js";
import { converse, startChild, type Ending, type Limits } from "../../sandbox/index.js";
import { nothingChecked, type Checked } from "../check/check.js";
import { bundleInput } from "../nodes/load.js";
import { modelArguments, type CheckOptions, type Input } from "../request.js";
import { nodesJob, unpackReport, type CheckJob, type CheckNews, type PackedCheck } from "./job.js";

export async function checkInChild(input: Input, options: CheckOptions, limits: Limits): Promise<Checked> {
  const started: Promise<ChildProcess>[] = [];
  const start = (): Promise<ChildProcess> => {
    const { budget, disk } = options;
    const child = startChild({ ...limits, memoryBytes: budget?.memoryBytes, writes: disk !== undefined });
    started.push(child);
    return child;
  };
  try {
    return await conducted(input, options, limits, start);
  } finally {
    // Kill the process after any failure here: it would keep this one alive.
    for (const child of await Promise.allSettled(started))
      if (child.status === "fulfilled") child.value.kill("SIGKILL");
  }
}

async function conducted(
  input: Input,
  options: CheckOptions,
  limits: Limits,
  start: () => Promise<ChildProcess>,
): Promise<Checked> {
  const started = performance.now();
  const { control = {}, ...rest } = options;
  // The process starts while the file is bundled.
  const child = start();
  const source = await bundleInput(input, options);
  if (!("code" in source)) return rejected(input, source);
  const lock = { writes: options.disk !== undefined, threads: (options.workers ?? 1) > 1 };
  const job: CheckJob = { kind: "check", ...nodesJob(source, input, lock), options: rest };
  const attempt = async (process: typeof child, each: CheckJob): Promise<Attempt> => {
    const known: Known = { properties: undefined, progress: undefined };
    const ending = await converse<PackedCheck, CheckNews>(await process, each, {
      hangMs: limits.hangMs,
      isStopped: () => control.isStopped?.() ?? false,
      onNews: (news) => {
        if (news.kind === "begun") return void (known.properties = news.properties);
        known.progress = news.progress;
        control.onProgress?.(news.progress);
      },
    });
    return { ending, known };
  };
  let last = await attempt(child, job);
  if (last.ending.kind === "hung") {
    const again = await attempt(start(), { ...job, conditionMs: CONDITION_MS });
    if (again.ending.kind === "answered") last = again;
  }
  return concluded(input, options, last, (performance.now() - started) / 1000);
}

const CONDITION_MS = 1000;

interface Attempt {
  readonly ending: Ending<PackedCheck>;
  readonly known: Known;
}

interface Known {
  properties: readonly Property[] | undefined;
  progress: Progress | undefined;
}

function concluded(
  input: Input,
  options: CheckOptions,
  { ending, known }: Attempt,
  totalSeconds: number,
): Checked {
  if (ending.kind === "answered") {
    const report = unpackReport<CheckReport>(ending.answer);
    const stats = { ...report.stats, totalSeconds: report.runs.length > 0 ? totalSeconds : 0 };
    return { report: { ...report, stats }, code: undefined, model: undefined };
  }
  const problem = problemOf(input, ending);
  if (!known.properties)
    return rejected(input, [
      { ...problem, severity: "error", message: `${problem.message} while the file was loaded` },
    ]);
  return unknown(input, options, problem, known.properties, known.progress, totalSeconds);
}

/** The reason for a missing result. Internal errors are thrown. */
export function problemOf(
  { file }: Input,
  ending: Exclude<Ending<unknown>, { kind: "answered" }>,
): Diagnostic {
  if (ending.kind === "broken") throw ending.error;
  if (ending.kind === "refused") return ending.problem;
  const span = { file, start: 0, end: 0 };
  if (ending.kind === "hung")
    return {
      code: "code/endless",
      severity: "warning",
      message: "the code did not terminate",
      span,
      hint: "look for loops in conditions, in getters and at the top level of modules",
    };
  return {
    code: "code/process-gone",
    severity: "warning",
    message: `the process that ran the code has ended: ${ending.kind === "gone" ? ending.reason : "it was stopped"}`,
    span,
    hint: "if the code or its states exhaust memory: --memory grants more, --max-states stops earlier",
  };
}

const rejected = ({ file, text }: Input, diagnostics: readonly Diagnostic[]): Checked => {
  const sources = new Sources();
  sources.add(file, text);
  return {
    report: nothingChecked(file, "typescript", diagnostics, sources),
    code: undefined,
    model: undefined,
  };
};

/** With the last reported figures. */
function unknown(
  input: Input,
  options: CheckOptions,
  problem: Diagnostic,
  properties: readonly Property[],
  progress: Progress | undefined,
  totalSeconds: number,
): Checked {
  const { states = 0, transitions = 0, depth = 0, bytes = 0, seconds = 0 } = progress ?? {};
  const bytesPerState = states === 0 ? 0 : bytes / states;
  const stats = { ...noStats, states, transitions, depth, seconds, peakBytes: bytes, bytesPerState };
  const { report } = rejected(input, [problem]);
  return {
    report: {
      ...report,
      engine: "nodes",
      scope: { kind: "partial", by: "exhaustion", notes: [problem.message] },
      properties: properties.map((property) => ({
        property,
        verdict: "unknown",
        fault: undefined,
        reason: problem.message,
        advice: problem.hint ?? "",
        violations: [],
        trace: undefined,
      })),
      stats: { ...stats, totalSeconds },
      runs: [{ properties: properties.map(({ name }) => name), reductions: [], stats }],
      modelOptions: modelArguments(options),
    },
    code: undefined,
    model: undefined,
  };
}
