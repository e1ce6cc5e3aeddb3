/**
 * Runs another program with a time limit on its whole process group, and measures its peak memory.
 *
 * Memory is the kernel's `ru_maxrss` of the child, from GNU time if installed: exact, and not inflated by the size of
 * the parent. Without GNU time, polls the high-water mark in `/proc/PID/status`, which can miss allocations in the last
 * few milliseconds.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ProcessRequest {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly directory?: string;
  readonly timeoutMs: number;
  /** Measure the peak resident memory; costs one more (tiny) process. */
  readonly measureMemory?: boolean;
}

export interface ProcessResult {
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGFPE` for a division by zero in C. */
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** 0 unless measured. */
  readonly peakBytes: number;
  /** Processor time in the program, the figure least distorted by a busy machine. 0 unless memory is measured. */
  readonly userSeconds: number;
  /** Processor time in the kernel. 0 unless memory is measured. */
  readonly systemSeconds: number;
}

/** User and system time together. */
export const processorSeconds = (run: Pick<ProcessResult, "userSeconds" | "systemSeconds">): number =>
  run.userSeconds + run.systemSeconds;

export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  if (!request.measureMemory) return run(request);
  return existsSync(gnuTime) ? runUnderGnuTime(request) : run(request, { pollMemory: true });
}

/** Runs `work` in a fresh directory, and removes the directory afterwards. */
export async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "everypath-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const gnuTime = "/usr/bin/time";

async function runUnderGnuTime(request: ProcessRequest): Promise<ProcessResult> {
  return inTemporaryDirectory(async (directory) => {
    const figures = join(directory, "figures");
    const result = await run({
      ...request,
      command: gnuTime,
      arguments: ["--quiet", "-o", figures, "-f", "%M %U %S", request.command, ...request.arguments],
    });
    const text = existsSync(figures) ? readFileSync(figures, "utf8").trim() : "";
    const [kibibytes = 0, userSeconds = 0, systemSeconds = 0] = text.split(" ").map(Number);
    return { ...unwrapGnuTime(result), peakBytes: kibibytes * 1024, userSeconds, systemSeconds };
  });
}

/** GNU time exits with 128 + signal if a signal ended the measured program. */
function unwrapGnuTime(result: ProcessResult): ProcessResult {
  const signal = signalOfExitCode.get(result.exitCode ?? 0);
  return signal ? { ...result, exitCode: null, signal } : result;
}

const signalOfExitCode = new Map<number, NodeJS.Signals>([
  [134, "SIGABRT"],
  [136, "SIGFPE"],
  [137, "SIGKILL"],
  [139, "SIGSEGV"],
]);

function run(request: ProcessRequest, { pollMemory = false } = {}): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    // A separate process group, so that a time-out also ends the compiler behind the compiler driver.
    const child = spawn(request.command, request.arguments, {
      cwd: request.directory,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let peakBytes = 0;
    let timedOut = false;
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    const poll = pollMemory
      ? setInterval(() => (peakBytes = Math.max(peakBytes, highWaterMark(child.pid))), 5)
      : undefined;
    const killer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
    }, request.timeoutMs);
    const stopTimers = (): void => {
      clearInterval(poll);
      clearTimeout(killer);
    };
    child.on("error", (error) => {
      stopTimers();
      reject(error);
    });
    child.on("close", (exitCode, signal) => {
      stopTimers();
      resolve({
        exitCode,
        signal,
        timedOut,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8"),
        seconds: (performance.now() - started) / 1000,
        peakBytes,
        userSeconds: 0,
        systemSeconds: 0,
      });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}

function highWaterMark(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0; // Ended between two polls.
  }
}
