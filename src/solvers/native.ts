/**
 * A native solver on PATH, through named pipes that this thread reads synchronously.
 *
 * The pipe is polled, so that a solver that does not answer in time is killed. A shell around the solver reports its end. The
 * solver reads end of file when this process ends, and is killed at the exit of this process.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerOf, endingAtFailure, sleep, SolverFailure, type Backend, type Exchange } from "./backend.js";

export interface NativeSolver {
  readonly name: "z3" | "cvc5";
  readonly args: (memoryMb: number, timeMs: number) => readonly string[];
  readonly limit: (timeMs: number) => string;
  /** Sent to a new process. */
  readonly prelude: string;
  /** Contexts (`push` or `reset`) of a process; then another one replaces it, because it keeps memory of each. */
  readonly renewAfter: number;
}

export const NATIVE: Readonly<Record<"z3" | "cvc5", NativeSolver>> = {
  z3: {
    name: "z3",
    args: (memoryMb) => ["-in", "-smt2", `-memory:${memoryMb}`],
    limit: (timeMs) => `(set-option :timeout ${Math.max(1, Math.round(timeMs))})`,
    prelude: "",
    renewAfter: Infinity,
  },
  cvc5: {
    name: "cvc5",
    args: () => ["--incremental", "--produce-models", "--lang", "smt2", "--quiet"],
    limit: () => "",
    prelude: "(set-logic ALL)",
    // Measured: 10 kB a check stay allocated, more than twice its size after 10,000 checks.
    renewAfter: 200,
  },
};

/** Is the program on PATH, and are there named pipes? */
export function isInstalled(name: string): boolean {
  if (process.platform === "win32") return false;
  const found = spawnSync("sh", ["-c", 'command -v "$0" && command -v mkfifo', name], { stdio: "ignore" });
  return found.status === 0;
}

export class NativeBackend implements Backend {
  readonly name: string;
  readonly #solver: NativeSolver;
  readonly #memoryMb: number;
  #process: Piped | undefined;
  #contexts = 0;

  constructor(solver: NativeSolver, memoryMb = 2048) {
    this.name = `${solver.name} (native)`;
    this.#solver = solver;
    this.#memoryMb = memoryMb;
  }

  limit(timeMs: number): string {
    return this.#solver.limit(timeMs);
  }

  ask(commands: string, timeMs: number): string {
    return answerOf(this.begin(commands, timeMs));
  }

  begin(commands: string, timeMs: number): Exchange {
    if (/^\((push|reset)\b/.test(commands) && ++this.#contexts > this.#solver.renewAfter) this.close();
    const prelude = this.#process ? "" : this.#solver.prelude;
    let exchange: Exchange | undefined;
    const poll = (waitMs: number): string | undefined => {
      this.#process ??= new Piped(this.#solver.name, this.#solver.args(this.#memoryMb, timeMs));
      exchange ??= this.#process.begin(`${prelude}${commands}`, timeMs + GRACE_MS);
      const output = exchange.poll(waitMs);
      if (output !== undefined && /\(error "[^"]*memory/i.test(output))
        throw new SolverFailure(`${this.name} ran out of memory`);
      return output;
    };
    const guarded = endingAtFailure({ poll }, () => this.close());
    const first = guarded.poll(0);
    return first === undefined ? guarded : { poll: () => first };
  }

  close(): void {
    this.#process?.end();
    this.#process = undefined;
    this.#contexts = 0;
  }

  /** Id of the running process group, for tests that kill it. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }
}

const GRACE_MS = 500;
const DONE = "everypath-answered";
const ENDED = "everypath-solver-ended";

class Piped {
  readonly #child: ChildProcess;
  readonly #directory = mkdtempSync(join(tmpdir(), "everypath-solver-"));
  readonly #input: number;
  readonly #output: number;
  readonly #name: string;
  readonly #onExit = (): void => this.end();
  #isOpen = true;

  constructor(name: string, args: readonly string[]) {
    this.#name = name;
    const [input, output] = [join(this.#directory, "in"), join(this.#directory, "out")];
    if (spawnSync("mkfifo", [input, output]).status !== 0) {
      rmSync(this.#directory, { recursive: true, force: true });
      throw new SolverFailure("cannot create pipes for the solver");
    }
    // Opening both ends here keeps open() from waiting for the other side.
    const flags = constants.O_RDWR | constants.O_NONBLOCK;
    this.#output = openSync(output, flags);
    this.#input = openSync(input, flags);
    // The shell keeps the pipe open: if this process dies, its write fails, and it ends.
    const program = `exec 3>"$OUT"; "$0" "$@" <"$IN" >&3 2>&1; printf '\\n${ENDED} %s\\n' "$?" >&3`;
    this.#child = spawn("sh", ["-c", program, name, ...args], {
      stdio: "ignore",
      detached: true,
      env: { ...process.env, IN: input, OUT: output },
    });
    this.#child.on("error", () => undefined);
    this.#child.unref();
    process.on("exit", this.#onExit);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  begin(commands: string, timeMs: number): Exchange {
    const deadline = performance.now() + timeMs;
    let output = this.#write(`${commands}\n(echo "${DONE}")\n`, deadline);
    const poll = (waitMs: number): string | undefined => {
      const until = performance.now() + waitMs;
      for (let pause = 0; ; pause = Math.min(pause + 0.05, 2)) {
        const end = output.indexOf(DONE);
        if (end >= 0) return output.slice(0, end).replace(/"$/, "");
        if (output.includes(ENDED)) throw new SolverFailure(endReason(this.#name, output));
        const now = performance.now();
        if (now > deadline) throw new SolverFailure(`${this.#name} does not answer`);
        const text = this.#read();
        output += text;
        if (text === "" && now >= until) return undefined;
        if (text === "") sleep(pause);
        else pause = 0;
      }
    };
    return { poll };
  }

  #read(): string {
    const buffer = Buffer.alloc(1 << 16);
    try {
      return buffer.toString("utf8", 0, readSync(this.#output, buffer));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
      throw new SolverFailure(`cannot read from ${this.#name}: ${(error as Error).message}`);
    }
  }

  /** Returns the solver's output meanwhile: it may answer, or end, before it has read everything. */
  #write(text: string, deadline: number): string {
    const bytes = Buffer.from(text);
    let output = "";
    for (let at = 0; at < bytes.length && !output.includes(ENDED);) {
      try {
        at += writeSync(this.#input, bytes, at, Math.min(bytes.length - at, 4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN")
          throw new SolverFailure(`cannot write to ${this.#name}: ${(error as Error).message}`);
        if (performance.now() > deadline) throw new SolverFailure(`${this.#name} does not read`);
        output += this.#read();
        sleep(1);
      }
    }
    return output;
  }

  /** Kills the solver and removes the pipes. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("exit", this.#onExit);
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    closeSync(this.#input);
    closeSync(this.#output);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

function endReason(name: string, output: string): string {
  if (/memory|bad_alloc/i.test(output)) return `${name} ran out of memory`;
  const code = /everypath-solver-ended (\d+)/.exec(output)?.[1] ?? "?";
  if (code === "127") return `${name} cannot be started`;
  return Number(code) > 128 ? `${name} was killed` : `${name} ended with code ${code}`;
}
