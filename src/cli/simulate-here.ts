/** `everypath simulate` in the process of the code; pipes connect it to the terminal of the parent. */
import type { Worker } from "../sandbox/index.js";
import { problemInRun, registryFor, watch } from "../session/apart/here.js";
import type { NodesJob } from "../session/apart/job.js";
import { runSimulate, type SimulateFlags } from "./simulate.js";

/** Runs the command; its output goes through pipes, and the job describes the terminal. */
export interface SimulateJob extends NodesJob {
  readonly kind: "simulate";
  readonly file: string;
  readonly flags: SimulateFlags;
  readonly argv: readonly string[];
  readonly screens: { readonly stdout: Screen; readonly stderr: Screen };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Screen {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

/** Answers with the exit code. */
export const simulateHere: Worker<SimulateJob> = {
  prepare: () => [process.stdout, process.stderr, process.stdin],
  problemOf: problemInRun,
  work: (job, parent) => {
    watch(job, parent);
    const { file, flags, argv, screens, env } = job;
    const { stdin } = process;
    const terminal = {
      stdout: seenAs(process.stdout, screens.stdout),
      stderr: seenAs(process.stderr, screens.stderr),
    };
    return runSimulate(file, flags, { ...terminal, stdin, env }, argv, registryFor(job));
  },
};

function seenAs(stream: NodeJS.WriteStream, { isTTY, columns }: Screen): NodeJS.WriteStream {
  return Object.defineProperties(stream, { isTTY: { value: isTTY }, columns: { value: columns } });
}
