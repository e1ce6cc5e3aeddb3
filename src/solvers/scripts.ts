/** Runs whole scripts, each in a new context, on any back end. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackgroundRunner, RunningScript, ScriptAnswer } from "../model/solver.js";
import { SolverFailure, type Backend, type Exchange } from "./backend.js";

export class BackendScripts implements BackgroundRunner {
  readonly name: string;
  readonly #backend: Backend;
  readonly #dumpDirectory: string | undefined;
  #dumped = 0;

  constructor(backend: Backend, dumpDirectory?: string) {
    this.name = backend.name;
    this.#backend = backend;
    this.#dumpDirectory = dumpDirectory;
  }

  run(script: string, timeMs: number, ifSat?: string): ScriptAnswer {
    const running = this.begin(script, timeMs, ifSat);
    for (;;) {
      const answer = running.poll(LONG_MS);
      if (answer) return answer;
    }
  }

  begin(script: string, timeMs: number, ifSat?: string): RunningScript {
    this.#dump(script);
    let exchange: Exchange | undefined;
    let isOver = false;
    const poll = (waitMs: number): ScriptAnswer | undefined =>
      orFailed(() => {
        exchange ??= this.#backend.begin(`(reset)${this.#backend.limit(timeMs)}\n${script}`, timeMs);
        const output = exchange.poll(waitMs);
        if (output === undefined) return undefined;
        isOver = true;
        const isSat = ifSat !== undefined && output.trimStart().startsWith("sat");
        const more = isSat ? this.#backend.ask(ifSat, timeMs) : "";
        return { kind: "answered", output: `${output}${more}` };
      });
    const first = poll(0);
    return {
      poll: (waitMs) => first ?? poll(waitMs),
      // A solver at work cannot be interrupted: the next script gets another one.
      cancel: () => {
        if (!isOver) this.#backend.close();
      },
    };
  }

  #dump(script: string): void {
    if (this.#dumpDirectory !== undefined)
      writeFileSync(
        join(this.#dumpDirectory, `script-${String(++this.#dumped).padStart(6, "0")}.smt2`),
        script,
      );
  }

  close(): void {
    this.#backend.close();
  }
}

const LONG_MS = 3_600_000;

function orFailed(run: () => ScriptAnswer | undefined): ScriptAnswer | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SolverFailure)) throw error;
    return { kind: "failed", reason: error.message };
  }
}
