/** Adapts coverability of branching vector addition systems to the registry. The evidence is a derivation, not a run. */
import { branchingEec, runInSlices, type Work } from "../../engines/coverability/index.js";
import { isBvas, isBvasProperty, type Bvas, type BvasProperty } from "../../model/index.js";
import { answerAll, type Answered } from "./coverability.js";
import type { EngineRequest, EngineResult, Loaded } from "../contracts.js";

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isBvas(subject)) throw new Error("not a branching vector addition system");
  const asked = request.properties.filter(isBvasProperty);
  return answerAll(asked, request, (property, work) => decide(subject, property, work));
}

async function decide(bvas: Bvas, { targets, name }: BvasProperty, work: Work): Promise<Answered> {
  const answer = await runInSlices(branchingEec(bvas, targets, work), work);
  const method = "eec";
  if (answer.kind === "uncovered") {
    const notes = [`i = ${answer.i}`, `a closed set with ${answer.invariant.length} maximal vectors`];
    const scope = { kind: "complete", by: "expand-enlarge-check", notes } as const;
    return { method, verdict: { kind: "holds", scope } };
  }
  const { derivation } = answer;
  const steps = derivation.steps.length;
  const reason = `can be derived: ${name}, in ${steps} step${steps === 1 ? "" : "s"}`;
  return { method, verdict: { kind: "violated", reason, trace: undefined }, derivation };
}
