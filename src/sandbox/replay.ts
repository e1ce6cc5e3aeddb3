/** A replay in a separate process. */
import { resolve } from "node:path";
import { packed } from "../code/system/index.js";
import { Sources, type Diagnostic } from "../model/index.js";
import type { ExecutionReport } from "../report/index.js";
import { bundleInput } from "../session/code.js";
import type { Input, ModelOptions, ReplayRequest } from "../session/index.js";
import { brokenBy, problemOf } from "./check.js";
import { unpackReport, type Job } from "./job.js";
import { converse, startChild, type Limits } from "./parent.js";

export interface Debugging {
  /** 0: any that is free. */
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
  const reads = [resolve(input.file)];
  const common = { source: packed(source), text: input.text, reads, request, options };
  const job: Job = {
    kind: "replay",
    ...common,
    ...(debugging ? { inspectPort: debugging.port } : {}),
  };
  const ending = await converse(await startChild(limits), job, {
    // No time limit under a debugger.
    hangMs: debugging ? LONGEST_MS : limits.hangMs,
    onNews: (news) => {
      if (news.kind === "waiting") debugging?.onWaiting(news.url);
    },
  });
  if (ending.kind === "answered") {
    if (ending.answer.kind !== "replayed") throw brokenBy(ending.answer);
    return unpackReport<ExecutionReport>(ending.answer.report);
  }
  const problem = problemOf(input, ending);
  return nothing(input, [problem], problem.message);
}

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
