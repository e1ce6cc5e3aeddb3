/** Runs whole scripts, each in a new context, on any back end. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptAnswer, ScriptRunner } from "../model/solver.js";
import { SolverFailure, type Backend } from "./backend.js";

export class BackendScripts implements ScriptRunner {
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
    if (this.#dumpDirectory !== undefined)
      writeFileSync(
        join(this.#dumpDirectory, `script-${String(++this.#dumped).padStart(6, "0")}.smt2`),
        script,
      );
    try {
      const output = this.#backend.ask(`(reset)${this.#backend.limit(timeMs)}\n${script}`, timeMs);
      const isSat = ifSat !== undefined && output.trimStart().startsWith("sat");
      const more = isSat ? this.#backend.ask(ifSat, timeMs) : "";
      return { kind: "answered", output: `${output}${more}` };
    } catch (error) {
      if (!(error instanceof SolverFailure)) throw error;
      return { kind: "failed", reason: error.message };
    }
  }

  close(): void {
    this.#backend.close();
  }
}
