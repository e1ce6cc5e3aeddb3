/**
 * Supervises the working process: forwards signals, enforces budgets that it does not poll, and answers for it when it cannot.
 *
 * A search looks at its budgets between slices. Parsing, compiling, reducing and single steps of a model do not: when the time is
 * spent and the process does not answer, it is ended, and the answer is `unknown`. The same after a signal. A second signal ends both at once.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { STDERR_FILE, WATCHED_BY, type CheckBegun, type News, type Word } from "./supervision.js";
import type { Terminal } from "./terminal.js";
import { nth } from "../model/known.js";

/** Known results of a check whose process cannot answer. */
export interface Fallen {
  readonly check: CheckBegun;
  /** Exit codes, and results that were to be printed together, of files before. */
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
  /** Time of an unanswered request for a sign of life. */
  #askedAt: number | undefined;
  #signal: NodeJS.Signals | undefined;
  /** Reason why it was killed. */
  #ended: { readonly reason: string; readonly advice: string } | undefined;
  #complaints = "";
  #overMemory = 0;

  /** `reports`: the command responds to a signal with its results. */
  constructor(child: ChildProcess, terminal: Terminal, reports: boolean) {
    this.#child = child;
    this.#reports = reports;
    this.#terminal = terminal;
    const onSignal = (signal: NodeJS.Signals): void => this.#onSignal(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const signal of signals) process.on(signal, onSignal);
    const timer = setInterval(() => this.#look(), LOOK_MS);
    this.#release = () => {
      clearInterval(timer);
      for (const signal of signals) process.off(signal, onSignal);
    };
    child.on("message", (news: News) => this.#hear(news));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#complain(text));
    this.ending = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => {
        this.#release();
        resolve(this.#concluded(code, signal));
      });
    });
  }

  #hear(news: News): void {
    this.#askedAt = undefined;
    switch (news.kind) {
      case "begun":
        this.#check = news.check;
        // Delivers an earlier signal.
        if (this.#signal) this.#ask({ kind: "stop" });
        break;
      case "file":
        this.#fileAt = performance.now();
        this.#isAnswered = false;
        this.#progress = undefined;
        break;
      case "progress":
        this.#progress = news.progress;
        break;
      case "answered":
        this.#isAnswered = true;
        break;
      case "checked":
        this.#done.push({ code: news.code, json: news.json });
        break;
      case "alive":
        break;
    }
  }

  /** Forwards warnings of the runtime; its last message before a crash is part of the result. */
  #complain(text: string): void {
    this.#complaints = (this.#complaints + text).slice(-20_000);
    if (!FATAL.test(this.#complaints)) this.#terminal.stderr.write(text);
  }

  #look(): void {
    const check = this.#check;
    if (!check || this.#isAnswered || this.#ended) return;
    const now = performance.now();
    if (this.#askedAt !== undefined && now - this.#askedAt > PATIENCE_MS) return this.#giveUp(check);
    if (this.#askedAt === undefined && now - this.#fileAt > (check.timeMs ?? Infinity) + GRACE_MS)
      this.#ask({ kind: "ping" });
    this.#lookAtMemory(check);
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

  /** The search counts its allocations; this counts memory used beside it. */
  #lookAtMemory({ memoryBytes }: CheckBegun): void {
    if (memoryBytes === undefined) return;
    const most = 1.5 * memoryBytes + BESIDE_BYTES;
    this.#overMemory = residentBytes(this.#child.pid!) > most ? this.#overMemory + 1 : 0;
    if (this.#overMemory < 3) return;
    this.#end("the memory limit was reached", "allow more with --memory, or make the model smaller");
  }

  #ask(word: Word): void {
    this.#askedAt ??= performance.now();
    if (this.#child.connected) this.#child.send(word, () => undefined);
  }

  #end(reason: string, advice: string): void {
    this.#ended = { reason, advice };
    this.#child.kill("SIGKILL");
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (this.#signal) return this.#endBy(signal);
    this.#signal = signal;
    if (this.#check) this.#ask({ kind: "stop" });
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
    const isMemory = FATAL.test(this.#complaints) || signal === "SIGKILL";
    const how = this.#ended ?? (isMemory ? OUT_OF_MEMORY : undefined);
    if (this.#check && how) {
      const { reportFallen } = await import("./fallen.js");
      const seconds = (performance.now() - this.#fileAt) / 1000;
      return reportFallen(
        { check: this.#check, done: this.#done, progress: this.#progress, seconds, ...how },
        this.#terminal,
      );
    }
    if (signal && ["SIGINT", "SIGTERM", "SIGHUP"].includes(signal)) process.kill(process.pid, signal);
    const { reportBug } = await import("./run.js");
    return reportBug(
      new Error(how?.reason ?? `the process ended with ${signal ?? code}: ${this.#complaints.trim()}`),
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
/** The exit codes of a shell for SIGILL, SIGTRAP, SIGABRT, SIGSEGV, and Node's own. */
const ABORTS = new Set([132, 133, 134, 139]);

const LOOK_MS = 200;
/** Extends the time of a busy process on a busy machine by the time it waited. */
const GRACE_MS = 500;
const PATIENCE_MS = 1500;
/** The runtime, the parser, the generated code. */
const BESIDE_BYTES = 512 * 2 ** 20;

/** 0 where it cannot be known. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}
