/** A replay in a process of its own. */
import { resolve } from "node:path";
import { packed } from "../code/system/index.js";
import { Sources, type Diagnostic } from "../model/index.js";
import type { ExecutionReport } from "../report/index.js";
import { bundleInput } from "../session/code.js";
import type { Input, ModelOptions, ReplayRequest } from "../session/index.js";
import { brokenBy, problemOf } from "./check.js";
import { unpackReport, type Job } from "./job.js";
import { converse, startChild, type Limits } from "./parent.js";

export async function replayInChild(
  input: Input,
  request: ReplayRequest,
  options: ModelOptions,
  limits: Limits,
): Promise<ExecutionReport> {
  const source = await bundleInput(input, options);
  if (!("code" in source)) return nothing(input, source, "nothing was replayed");
  const reads = [resolve(input.file)];
  const job: Job = { kind: "replay", source: packed(source), text: input.text, reads, request, options };
  const ending = await converse(await startChild(limits), job, { hangMs: limits.hangMs });
  if (ending.kind === "answered") {
    if (ending.answer.kind !== "replayed") throw brokenBy(ending.answer);
    return unpackReport<ExecutionReport>(ending.answer.report);
  }
  const problem = problemOf(input, ending);
  return nothing(input, [problem], problem.message);
}

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
