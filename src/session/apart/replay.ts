/** Replays a trace in a separate process. */
import { Sources, type Diagnostic } from "../../model/index.js";
import type { ExecutionReport } from "../../report/index.js";
import { converse, startChild, type Limits } from "../../sandbox/index.js";
import { bundleInput } from "../nodes/load.js";
import type { ReplayRequest } from "../replay/request.js";
import type { Input, ModelOptions } from "../request.js";
import { problemOf } from "./check.js";
import { nodesJob, unpackReport, type PackedReplay, type ReplayJob, type ReplayNews } from "./job.js";

export interface Debugging {
  /** 0: any free one. */
  readonly port: number;
  /** Address of the waiting debugger; undefined: the port is not available, and nothing waits. */
  onWaiting(url: string | undefined): void;
}

export async function replayInChild(
  input: Input,
  request: ReplayRequest,
  options: ModelOptions,
  limits: Limits,
  debugging?: Debugging,
): Promise<ExecutionReport> {
  const source = await bundleInput(input, options);
  if (!("code" in source)) return nothing(input, source, "nothing was replayed");
  const job: ReplayJob = {
    kind: "replay",
    ...nodesJob(source, input),
    request,
    options,
    ...(debugging ? { inspectPort: debugging.port } : {}),
  };
  const ending = await converse<PackedReplay, ReplayNews>(await startChild(limits), job, {
    // A debugging session has no time limit.
    hangMs: debugging ? LONGEST_MS : limits.hangMs,
    onNews: ({ url }) => debugging?.onWaiting(url),
  });
  if (ending.kind === "answered") return unpackReport<ExecutionReport>(ending.answer);
  const problem = problemOf(input, ending);
  return nothing(input, [problem], problem.message);
}

/** The specification is wrong. */
export const notReplayed = (input: Input, diagnostics: readonly Diagnostic[]): ExecutionReport =>
  nothing(input, diagnostics, "nothing was replayed");

/** Maximum delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

function nothing({ file, text }: Input, diagnostics: readonly Diagnostic[], reason: string): ExecutionReport {
  const sources = new Sources();
  sources.add(file, text);
  return {
    command: "replay",
    file,
    language: "typescript",
    outcome: "diverged",
    reason,
    property: undefined,
    trace: undefined,
    seed: undefined,
    seconds: 0,
    diagnostics,
    sources,
  };
}
