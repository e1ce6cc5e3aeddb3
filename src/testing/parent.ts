/**
 * Runs a job in a separate process, and watches it.
 *
 * Node's permission model keeps that process from writing, from starting processes and workers and from loading add-ons;
 * it reads its code and the job. Node 20 cannot deny it the network. The parent bundles, because the bundler is a process.
 * If a schedule is silent for too long, the process is killed and the schedule repeated with a time limit on
 * every turn, which is slow but shows the non-terminating turn.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Plan } from "../model/index.js";
import { childFile } from "./child-file.js";
import { beginMark, outcomeMark, type Job, type Outcome } from "./job.js";

export type Ending =
  | Outcome
  /** The process exited: most likely out of memory. */
  | { readonly kind: "crashed"; readonly plan: Plan | undefined; readonly reason: string }
  /** It did not end, and not even the turn could be found. */
  | { readonly kind: "hung"; readonly plan: Plan };

export async function runJob(job: Job): Promise<Ending> {
  const directory = mkdtempSync(join(tmpdir(), "everypath-"));
  try {
    const child = childFile(directory);
    const ending = await watch(job, child, directory, job.limits.hangMs);
    if (ending.kind !== "hung") return ending;
    // Includes compiling and starting, so the second process has more time than its turns.
    const { hangMs } = job.limits;
    const second = await watch({ ...job, hanging: ending.plan }, child, directory, hangMs * 3 + 5000);
    return second.kind === "outcome" && second.failing ? second : ending;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function watch(job: Job, child: ChildFile, directory: string, patienceMs: number): Promise<Ending> {
  const file = join(directory, "job.json");
  writeFileSync(file, JSON.stringify(job));
  const process = start(job, child, file, directory);
  return new Promise((resolve) => {
    const state: Heard = { plan: undefined, outcome: undefined, rest: "", complaints: "" };
    let isHung = false;
    const patience = setTimeout(() => {
      isHung = true;
      process.kill("SIGKILL");
    }, patienceMs + startMs);
    process.stdio[3]!.on("data", (data: Buffer) => {
      hear(state, data.toString("utf8"));
      patience.refresh();
    });
    process.stderr!.on("data", (data: Buffer) => {
      state.complaints = (state.complaints + data.toString("utf8")).slice(-4000);
    });
    process.on("close", (code, signal) => {
      clearTimeout(patience);
      if (state.outcome) resolve(state.outcome);
      else if (isHung) resolve({ kind: "hung", plan: state.plan ?? { prefix: [], tail: { kind: "first" } } });
      else resolve({ kind: "crashed", plan: state.plan, reason: reasonOf(code, signal, state.complaints) });
    });
    process.on("error", (error) => resolve({ kind: "crashed", plan: undefined, reason: error.message }));
  });
}

/** A busy machine takes its time to start a process. */
const startMs = 1000;

export interface ChildFile {
  readonly file: string;
  /** Paths that it must be allowed to read, besides its folder. */
  readonly reads: readonly string[];
}

interface Heard {
  plan: Plan | undefined;
  outcome: Outcome | undefined;
  rest: string;
  complaints: string;
}

function hear(state: Heard, text: string): void {
  const lines = (state.rest + text).split("\n");
  state.rest = lines.pop()!;
  const result = lines.find((line) => line.startsWith(outcomeMark));
  const begun = lines.findLast((line) => line.startsWith(beginMark));
  if (result) state.outcome = JSON.parse(result.slice(outcomeMark.length)) as Outcome;
  if (begun) state.plan = JSON.parse(begun.slice(beginMark.length)) as Plan;
}

function start(job: Job, child: ChildFile, file: string, directory: string): ChildProcess {
  // Node 20 aborts when it is given the same path twice.
  const reads = new Set([dirname(child.file), directory, ...child.reads]);
  const args = [
    permissionFlag(),
    ...[...reads].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${job.limits.memoryMb}`,
    // Realms are short-lived: a larger young generation collects most of them early.
    "--max-semi-space-size=32",
    "--no-warnings",
    // Applies to the process; realms have a separate switch.
    "--disallow-code-generation-from-strings",
    child.file,
    file,
  ];
  const [command, all] = limited(process.execPath, args, job.limits);
  return spawn(command, all, {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    // The same zone and language on every machine.
    env: { TZ: "UTC", LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8" },
  });
}

/**
 * Node limits its heap, but not typed arrays beside it: the operating system does, if
 * available. It also ends a process whose parent was killed, eventually: no thread here polls for this.
 */
function limited(command: string, args: readonly string[], limits: Job["limits"]): [string, string[]] {
  if (process.platform === "win32") return [command, [...args]];
  const kilobytes = (limits.memoryMb * 2 + 256) * 1024;
  const seconds = processorSeconds(limits);
  const time = Number.isFinite(seconds) ? `ulimit -t ${seconds} 2>/dev/null;` : "";
  return ["/bin/sh", ["-c", `ulimit -d ${kilobytes} 2>/dev/null; ${time} exec "$@"`, "sh", command, ...args]];
}

/** Generous: several threads collect garbage at a time. */
const processorSeconds = ({ search, hangMs }: Job["limits"]): number =>
  60 +
  Math.ceil(
    (4 * (Math.min(search.timeMs, search.cpuMs ?? Infinity) + search.shorteningMs + 3 * hangMs)) / 1000,
  );

const permissionFlag = (): string =>
  process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";

function reasonOf(code: number | null, signal: string | null, complaints: string): string {
  if (/heap out of memory|allocation failed/i.test(complaints)) return "it ran out of memory";
  const first = complaints.split("\n").find((line) => /Error|FATAL/.test(line)) ?? "";
  return `it ended with ${signal ?? `exit code ${code}`}${first ? `: ${first.trim()}` : ""}`;
}
