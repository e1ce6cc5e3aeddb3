/** Explores a specification that is itself a system of nodes, in a separate process. */
import type { Diagnostic } from "../../model/index.js";
import { converse, startChild } from "../../sandbox/index.js";
import { bundleInput } from "../nodes/load.js";
import type { Specification } from "../refinement/observed.js";
import type { Input } from "../request.js";
import { problemOf } from "./check.js";
import { nodesJob, type NodesJob } from "./job.js";

export interface SpecificationJob extends NodesJob {
  readonly kind: "specification";
}

export async function specificationInChild(input: Input): Promise<Specification | readonly Diagnostic[]> {
  const source = await bundleInput(input, {});
  if (!("code" in source)) return source;
  const child = await startChild({});
  try {
    const job: SpecificationJob = { kind: "specification", ...nodesJob(source, input) };
    const ending = await converse<Specification | readonly Diagnostic[], never>(child, job, {});
    if (ending.kind === "answered") return ending.answer;
    return [{ ...problemOf(input, ending), severity: "error" }];
  } finally {
    child.kill("SIGKILL");
  }
}
