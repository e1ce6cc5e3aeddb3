/** Annotates findings about a system of nodes: reasons given by conditions, bounds, and the way nodes were captured. */
import { Nondeterminism, minimise, type SystemModel } from "../../code/system/index.js";
import type { Property, Scope, Verdict } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { narrate } from "../../report/index.js";
import type { NodesSubject } from "./load.js";
import type { EngineFinding, EngineRequest, EngineResult } from "../contracts.js";

export function annotated(result: EngineResult, subject: NodesSubject, request: EngineRequest): EngineResult {
  const scope = scopeOf(result.scope, subject);
  const findings = result.findings.map((found): EngineFinding => {
    const finding = shorter(found, subject, request);
    const { verdict, property } = finding;
    // sound: test/code/system/properties.test.ts
    if (subject.model.nodeSystem.isStillborn && !hasTrace(verdict)) return { ...finding, verdict: STILLBORN };
    // A run that was made is a witness, whatever was left out.
    if (verdict.kind === "holds" && request.schedules?.by === "swarm") return finding;
    if (verdict.kind === "holds")
      return { ...finding, verdict: { ...verdict, scope: { ...scope, notes: [] } } };
    if (verdict.kind !== "violated" || !verdict.trace) return finding;
    const narration = narrate(subject.model.steps, verdict.trace);
    if (narration.kind === "diverged")
      throw new Nondeterminism(property.name, `its trace stops at step ${narration.step}`);
    const reason =
      property.kind === "invariant"
        ? reasonOf(subject.model, property, narration.narrative.final.words)
        : (subject.model.sites[verdict.trace.fault]?.message ?? verdict.reason);
    return { ...finding, verdict: { ...verdict, reason }, narrative: narration.narrative };
  });
  return { ...result, scope, findings };
}

const hasTrace = (verdict: Verdict): boolean => verdict.kind === "violated" && verdict.trace !== undefined;

/** For all properties except the failure itself. */
const STILLBORN: Verdict = {
  kind: "unknown",
  reason: "a node fails while the system starts, so there is no state to look at",
  advice: "mend the start first",
};

/** Minimises the trace unless a breadth-first search found it. */
function shorter(finding: EngineFinding, { model }: NodesSubject, request: EngineRequest): EngineFinding {
  const { verdict, property } = finding;
  if (property.kind === "refinement" || request.search === "bfs" || request.minimises === false)
    return finding;
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  const isStopped = (): boolean => request.control.isStopped?.() === true;
  const trace = minimise(model, property, verdict.trace, isStopped);
  const foundSteps = verdict.trace.choices.length;
  const isShorter = trace.choices.length < foundSteps;
  return { ...finding, verdict: { ...verdict, trace }, ...(isShorter ? { foundSteps } : {}) };
}

function reasonOf(model: SystemModel, property: Property, words: Int32Array): string {
  const index = model.invariants.indexOf(property);
  model.holds(index, words, 0);
  const reason = model.reasonOf(property.name);
  return `invariant violated: ${property.name}${reason === undefined ? "" : `: ${reason}`}`;
}

function scopeOf(scope: Scope, { model }: NodesSubject): Scope {
  const { nodes, summary, nodeSystem, local, assumptions } = model;
  const replayed = summary.nodes.filter((_, node) => nth(nodes, node).mode === "replay");
  const modes =
    replayed.length === 0
      ? "node states captured as data"
      : `nodes replayed: ${replayed.join(", ")}${replayed.length < nodes.length ? "; others captured as data" : ""}`;
  const bounds = boundsOf(model);
  const ignored = summary.ignore.length > 0 ? [`ignored: ${summary.ignore.join(", ")}`] : [];
  const silent = [...local.sites].filter(([, hasFailed]) => !hasFailed).map(([site]) => site);
  const untried = silent.length > 0 ? [`never let fail: ${silent.sort().join(", ")}`] : [];
  const discarded = nodeSystem.discarded > 0 ? ["states beyond the declared bound were discarded"] : [];
  const assumed = assumptions.all;
  const kind =
    scope.kind === "complete" && bounds.length + discarded.length + ignored.length + assumed.length > 0
      ? "bounded"
      : scope.kind;
  const limits = [...bounds, ...assumed, ...discarded, ...ignored, ...untried];
  return { ...scope, kind, notes: [...scope.notes, ...limits, modes] };
}

function boundsOf({ summary }: SystemModel): string[] {
  const { network, faults, budgets, actions } = summary;
  const counted = [
    ...(network.capacity === undefined ? [] : [`at most ${network.capacity} messages in transit`]),
    ...(typeof network.loss === "number" ? [`losses: ${network.loss}`] : []),
    ...(network.duplicates ? [`duplicates: ${network.duplicates}`] : []),
    ...(faults.crashes ? [`crashes: ${faults.crashes}`] : []),
    ...(faults.failures ? [`failures: ${faults.failures}`] : []),
    ...(faults.partitions ? [`partitions: ${faults.partitions}`] : []),
    ...Object.entries(budgets).map(([name, limit]) => `${name}: ${limit}`),
    ...actions.flatMap(({ name, times }) => (times === undefined ? [] : [`${name}: ${times}`])),
  ];
  return counted;
}
