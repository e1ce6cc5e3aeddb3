/**
 * Supervises the working process: forwards signals, enforces budgets that it does not poll, and reports a result if it cannot.
 *
 * A search polls its budgets between slices. Parsing, compiling, reducing and single steps of a model do not: if the process does
 * not respond after the time limit or a signal, it is killed, and the verdict is `unknown`. A second signal kills both at once.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  STDERR_FILE,
  WATCHED_BY,
  type CheckBegun,
  type WorkerMessage,
  type SupervisorMessage,
} from "./supervision.js";
import type { Terminal } from "./terminal.js";
import { nth } from "../model/known.js";

/** Known results of a check whose process was killed or has crashed. */
export interface AbortedCheck {
  readonly check: CheckBegun;
  /** Exit codes and JSON results of the files checked before. */
  readonly done: readonly { readonly code: number; readonly json: unknown }[];
  readonly progress: object | undefined;
  readonly seconds: number;
  readonly reason: string;
  readonly advice: string;
}

export async function supervise(argv: readonly string[], terminal: Terminal): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, nth(process.argv, 1), ...argv], {
    stdio: ["inherit", "inherit", "pipe", "ipc", 2],
    env: { ...process.env, [WATCHED_BY]: String(process.pid) },
  });
  if (child.stdio[STDERR_FILE]) throw new Error("standard error cannot be passed on");
  return new Watch(child, terminal, argv.includes("check")).ending;
}

class Watch {
  readonly ending: Promise<number>;
  readonly #child: ChildProcess;
  readonly #terminal: Terminal;
  readonly #release: () => void;
  readonly #reports: boolean;
  #check: CheckBegun | undefined;
  #done: { code: number; json: unknown }[] = [];
  #progress: object | undefined;
  #fileAt = performance.now();
  #isAnswered = false;
  /** Time of a request without a response. */
  #requestedAt: number | undefined;
  #signal: NodeJS.Signals | undefined;
  /** Reason why the process was killed. */
  #ended: { readonly reason: string; readonly advice: string } | undefined;
  #stderrTail = "";
  #overMemory = 0;

  /** `reports`: the command responds to a signal with its results. */
  constructor(child: ChildProcess, terminal: Terminal, reports: boolean) {
    this.#child = child;
    this.#reports = reports;
    this.#terminal = terminal;
    const onSignal = (signal: NodeJS.Signals): void => this.#onSignal(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const signal of signals) process.on(signal, onSignal);
    const timer = setInterval(() => this.#poll(), POLL_MS);
    this.#release = () => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, onSignal);
    };
    child.on("message", (message: WorkerMessage) => this.#onMessage(message));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#onStderr(text));
    this.ending = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.#release();
        resolve(this.#concluded(code, signal));
      });
    });
  }

  #onMessage(message: WorkerMessage): void {
    this.#requestedAt = undefined;
    switch (message.kind) {
      case "begun":
        this.#check = message.check;
        // Delivers an earlier signal.
        if (this.#signal) this.#request({ kind: "stop" });
        break;
      case "file":
        this.#fileAt = performance.now();
        this.#isAnswered = false;
        this.#progress = undefined;
        break;
      case "progress":
        this.#progress = message.progress;
        break;
      case "answered":
        this.#isAnswered = true;
        break;
      case "checked":
        this.#done.push({ code: message.code, json: message.json });
        break;
      case "alive":
        break;
    }
  }

  /** Forwards warnings of the runtime; its last message before a crash is part of the result. */
  #onStderr(text: string): void {
    this.#stderrTail = (this.#stderrTail + text).slice(-20_000);
    if (!FATAL.test(this.#stderrTail)) this.#terminal.stderr.write(text);
  }

  #poll(): void {
    const check = this.#check;
    if (!check || this.#isAnswered || this.#ended) return;
    const now = performance.now();
    if (this.#requestedAt !== undefined && now - this.#requestedAt > PATIENCE_MS) return this.#giveUp(check);
    if (this.#requestedAt === undefined && now - this.#fileAt > (check.timeMs ?? Infinity) + GRACE_MS)
      this.#request({ kind: "ping" });
    this.#pollMemory(check);
  }

  #giveUp({ timeMs }: CheckBegun): void {
    const isSearched = this.#progress !== undefined;
    const where = isSearched ? "in a single step of the model" : "before the search began";
    if (this.#signal) this.#end(`interrupted ${where}`, "let it run to the end");
    else
      this.#end(
        `the time limit of ${timeMs! / 1000} s was reached ${where}`,
        "allow more with --time, or make the model smaller",
      );
  }

  /** The search counts its own allocations; this also counts other memory of the process. */
  #pollMemory({ memoryBytes }: CheckBegun): void {
    if (memoryBytes === undefined) return;
    const most = 1.5 * memoryBytes + BESIDE_BYTES;
    this.#overMemory = residentBytes(this.#child.pid!) > most ? this.#overMemory + 1 : 0;
    if (this.#overMemory < 3) return;
    this.#end("the memory limit was reached", "allow more with --memory, or make the model smaller");
  }

  #request(message: SupervisorMessage): void {
    this.#requestedAt ??= performance.now();
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #end(reason: string, advice: string): void {
    this.#ended = { reason, advice };
    this.#child.kill("SIGKILL");
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (this.#signal) return this.#endBy(signal);
    this.#signal = signal;
    if (this.#check) this.#request({ kind: "stop" });
    // A check that is still loading receives the signal when it begins. Other commands end by a signal as usual.
    else if (!this.#reports) this.#child.kill(signal);
  }

  #endBy(signal: NodeJS.Signals): void {
    this.#child.kill("SIGKILL");
    this.#release();
    process.kill(process.pid, signal);
  }

  async #concluded(code: number | null, signal: NodeJS.Signals | null): Promise<number> {
    if (code !== null && !ABORTS.has(code)) return code;
    const isMemory = FATAL.test(this.#stderrTail) || signal === "SIGKILL";
    const how = this.#ended ?? (isMemory ? OUT_OF_MEMORY : undefined);
    if (this.#check && how) {
      const { reportAborted } = await import("./aborted-check.js");
      const seconds = (performance.now() - this.#fileAt) / 1000;
      return reportAborted(
        { check: this.#check, done: this.#done, progress: this.#progress, seconds, ...how },
        this.#terminal,
      );
    }
    if (signal && ["SIGINT", "SIGTERM", "SIGHUP"].includes(signal)) process.kill(process.pid, signal);
    const { reportBug } = await import("./run.js");
    return reportBug(
      new Error(how?.reason ?? `the process ended with ${signal ?? code}: ${this.#stderrTail.trim()}`),
      this.#terminal,
    );
  }
}

const OUT_OF_MEMORY = {
  reason: "the process ran out of memory",
  advice: "make the model smaller, or grant Node more memory: NODE_OPTIONS=--max-old-space-size=8192",
};

/** Prefixes of V8's messages about exhausted memory or oversized objects. */
const FATAL = /<--- Last few GCs --->|FATAL ERROR|# Fatal|invalid (array|table) (length|size)|out of memory/i;
/** Exit codes of a shell for SIGILL, SIGTRAP, SIGABRT and SIGSEGV. */
const ABORTS = new Set([132, 133, 134, 139]);

const POLL_MS = 200;
/** Allowance for a slow response on a loaded machine. */
const GRACE_MS = 500;
const PATIENCE_MS = 1500;
/** Allowance for the runtime, the parser and generated code. */
const BESIDE_BYTES = 512 * 2 ** 20;

/** 0 if unknown. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}
