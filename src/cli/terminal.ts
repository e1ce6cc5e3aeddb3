/** The environment of the command line: output streams, colour and Ctrl-C. */
import type { ProgressStyle } from "../report/index.js";
import type { Supervisor } from "./supervision.js";

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: NodeJS.ProcessEnv;
  /** The process that watches this one. */
  readonly supervisor?: Supervisor;
}

export type ColorChoice = "auto" | "always" | "never";
export type ProgressChoice = "auto" | "plain" | "none";

export function hasColor(choice: ColorChoice, stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (choice !== "auto") return choice === "always";
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

export function progressStyle(choice: ProgressChoice, { stderr }: Terminal): ProgressStyle {
  if (choice !== "auto") return choice;
  return stderr.isTTY ? "line" : "plain";
}

/** The first Ctrl-C or SIGTERM requests a stop with results; the second ends the process as usual. */
export class Interrupt {
  isStopped = false;
  readonly #terminal: Terminal;
  readonly #onSignal = (): void => {
    if (!this.isStopped) this.#terminal.stderr.write("\nstopping; Ctrl-C again to end at once\n");
    this.isStopped = true;
    this.release();
  };

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    if (terminal.supervisor) terminal.supervisor.onStop(this.#onSignal);
    else for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  release(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
