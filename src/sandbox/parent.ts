/**
 * Starts the process in which code under test runs, and watches it.
 *
 * Node's permission model would also disable the inspector, which captures closures; so `../code/isolation` removes capabilities
 * inside the process, and limits of the operating system restrict it here: memory, and no writing to files.
 */
import { spawn, type ChildProcess } from "node:child_process";
import type { Diagnostic } from "../model/index.js";
import { defaultMemoryBytes } from "../session/index.js";
import { childProgram } from "./child-program.js";
import { isAnswer, type Answer, type Job, type News, type ToChild } from "./job.js";

export interface Limits {
  /** A process that is silent for this time hangs: 20 s. */
  readonly hangMs?: number;
  /** Limit of the JavaScript heap; absent: Node's default, or slightly more than the budget of the search. */
  readonly heapMb?: number;
}

export interface Start extends Limits {
  /** The memory budget of the search. */
  readonly memoryBytes?: number | undefined;
  /** The search keeps states in files: it may write. */
  readonly writes?: boolean;
  readonly stdin?: "inherit" | "pipe";
}

export async function startChild(start: Start): Promise<ChildProcess> {
  const file = await childProgram();
  const args = [...heapFlag(start), ...FLAGS, file, String(process.pid)];
  const [command, all] = limited(process.execPath, args, start);
  const output = start.stdin ? "pipe" : "ignore";
  return spawn(command, all, {
    stdio: [start.stdin ?? "ignore", output, "pipe", "ipc"],
    serialization: "advanced",
    // The same zone and language on every machine.
    env: { TZ: "UTC", LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8", ...ownVariables() },
  });
}

/** No code from strings, in any realm: the constructors of a leaked host object could create some. */
const FLAGS = ["--no-addons", "--no-warnings", "--disallow-code-generation-from-strings"];

const ownVariables = (): Record<string, string> => {
  const root = process.env["EVERYPATH_ROOT"];
  return root === undefined ? {} : { EVERYPATH_ROOT: root };
};

function heapFlag({ heapMb, memoryBytes }: Start): string[] {
  const wanted = heapMb ?? (memoryBytes === undefined ? undefined : Math.ceil(memoryBytes / 2 ** 20) + 512);
  return wanted === undefined ? [] : [`--max-old-space-size=${wanted}`];
}

/** Limits of the operating system, if available: on memory beside Node's heap, and on written files. */
function limited(command: string, args: readonly string[], start: Start): [string, string[]] {
  if (process.platform === "win32") return [command, [...args]];
  const { heapMb, memoryBytes, writes } = start;
  const granted = heapMb === undefined ? (memoryBytes ?? defaultMemoryBytes()) : heapMb * 2 ** 20;
  const data = `ulimit -d ${Math.ceil(granted / 512) + 2 ** 20} 2>/dev/null`;
  const files = writes ? "" : "ulimit -f 0 2>/dev/null;";
  return ["/bin/sh", ["-c", `${data}; ${files} exec "$@"`, "sh", command, ...args]];
}

export type Ending =
  | { readonly kind: "answered"; readonly answer: Exclude<Answer, { kind: "refused" }> }
  /** Something is wrong with the system. */
  | { readonly kind: "refused"; readonly problem: Diagnostic }
  /** It exited: most likely out of memory. */
  | { readonly kind: "gone"; readonly reason: string }
  | { readonly kind: "hung" };

export interface Conversation {
  readonly hangMs: number | undefined;
  onNews?(news: News): void;
  isStopped?(): boolean;
  /** The caller handles signals; the other process ends with this one in any case. */
  readonly leavesSignals?: boolean;
}

export function converse(child: ChildProcess, job: Job, conversation: Conversation): Promise<Ending> {
  return new Promise((resolve) => {
    let answer: Answer | undefined;
    let complaints = "";
    const patience = new Patience(START_MS, conversation.hangMs ?? HANG_MS, () => child.kill("SIGKILL"));
    const asking = setInterval(() => {
      if (!conversation.isStopped?.()) return;
      clearInterval(asking);
      say(child, { kind: "stop" });
    }, ASK_MS);
    const release = conversation.leavesSignals
      ? () => undefined
      : endTogether(child, conversation.isStopped !== undefined);
    child.on("message", (message: News | Answer) => {
      patience.renew();
      if (!isAnswer(message)) return conversation.onNews?.(message);
      answer = message;
      // There is nothing left to do, and a debugger that is still connected would keep it.
      child.kill("SIGKILL");
    });
    child.stderr?.on("data", (data: Buffer) => {
      complaints = (complaints + data.toString("utf8")).slice(-4000);
    });
    const finish = (ending: Ending): void => {
      patience.end();
      clearInterval(asking);
      release();
      if (answer?.kind === "refused") resolve(answer);
      else resolve(answer ? { kind: "answered", answer } : ending);
    };
    child.on("error", (error) => finish({ kind: "gone", reason: error.message }));
    child.on("close", (code, signal) =>
      finish(
        patience.isOver ? { kind: "hung" } : { kind: "gone", reason: reasonOf(code, signal, complaints) },
      ),
    );
    say(child, { kind: "job", job });
  });
}

/** The close event reports a dead process. */
function say(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined);
}

/** Generous: a search may enlarge its tables, and a machine may have much else to do. */
const HANG_MS = 20_000;
const ASK_MS = 50;
/** Until the first sign of life: the process may still be starting. */
const START_MS = 30_000;

/** A clock that is set back by every sign of life. */
class Patience {
  isOver = false;
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout;
  #hasBegun = false;
  #isLast = false;

  constructor(startMs: number, ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.#expire(), startMs);
  }

  renew(): void {
    if (this.#hasBegun && !this.#isLast) return void this.#timer.refresh();
    clearTimeout(this.#timer);
    this.#hasBegun = true;
    this.#isLast = false;
    this.#timer = setTimeout(() => this.#expire(), this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** If this process itself had no time to run, signs of life may be waiting to be read. */
  #expire(): void {
    if (!this.#isLast) {
      this.#isLast = true;
      this.#timer = setTimeout(() => this.#expire(), LAST_CHANCE_MS);
      return;
    }
    this.isOver = true;
    this.#onEnd();
  }
}

const LAST_CHANCE_MS = 500;

/**
 * Ending this process ends the other. The first Ctrl-C may be a request to stop, which a listener handles; the second is not.
 */
function endTogether(child: ChildProcess, isAskedFirst: boolean): () => void {
  let interrupts = 0;
  const end = (signal: NodeJS.Signals): void => {
    if (signal === "SIGINT" && isAskedFirst && interrupts++ === 0) return;
    child.kill("SIGKILL");
    release();
    process.kill(process.pid, signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  const release = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  return release;
}

function reasonOf(code: number | null, signal: string | null, complaints: string): string {
  if (/heap out of memory|allocation failed|out of memory/i.test(complaints)) return "it ran out of memory";
  const first = complaints.split("\n").find((line) => /Error|FATAL/.test(line)) ?? "";
  return `it ended with ${signal ?? `exit code ${code}`}${first ? `: ${first.trim()}` : ""}`;
}
