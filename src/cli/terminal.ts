/** The outside of the command line: where text goes, whether it has colour, and Ctrl-C. */
import type { ProgressStyle } from "../report/index.js";

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly env: NodeJS.ProcessEnv;
}

export type ColorChoice = "auto" | "always" | "never";
export type ProgressChoice = "auto" | "plain" | "none";

export function hasColor(choice: ColorChoice, stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (choice !== "auto") return choice === "always";
  return stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

export function progressStyle(choice: ProgressChoice, { stderr }: Terminal): ProgressStyle {
  if (choice !== "auto") return choice;
  return stderr.isTTY ? "line" : "plain";
}

/** The first Ctrl-C asks the work to stop and say what it knows; the second ends the process as usual. */
export class Interrupt {
  isStopped = false;
  readonly #terminal: Terminal;
  readonly #onSignal = (): void => {
    this.isStopped = true;
    process.off("SIGINT", this.#onSignal);
    this.#terminal.stderr.write("\nstopping; Ctrl-C again to end at once\n");
  };

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    process.on("SIGINT", this.#onSignal);
  }

  release(): void {
    process.off("SIGINT", this.#onSignal);
  }
}
