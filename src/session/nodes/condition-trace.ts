/** Finds a trace to a state in which a condition throws or does not terminate, and reports it like an error of a node. */
import { diagnosticOf, type BadCondition, type SystemModel } from "../../code/system/index.js";
import type { Model, Property, Words } from "../../model/index.js";
import { narrate, type Narrative } from "../../report/index.js";
import type { NodesSubject } from "./load.js";
import { search } from "../engines/explicit.js";
import type { EngineFinding, EngineRequest } from "../contracts.js";

/** Attaches the trace to the finding of the condition; if the condition is not a property, to the first finding. */
export async function withConditionTrace(
  findings: readonly EngineFinding[],
  error: BadCondition,
  { model }: NodesSubject,
  request: EngineRequest,
): Promise<readonly EngineFinding[]> {
  const narrative = error.state && (await wayTo(error.state, model, request).catch(unlessBroken(request)));
  if (!narrative) return findings;
  const named = findings.findIndex(({ property }) => property.name === error.condition);
  return findings.map((finding, index) =>
    index === Math.max(0, named) ? { ...finding, narrative } : finding,
  );
}

/** A condition may have changed nodes irreversibly: then there is no trace. */
const unlessBroken =
  ({ file }: EngineRequest) =>
  (error: unknown): undefined => {
    diagnosticOf(error, file);
  };

/** Undefined: the time limit expired before the condition was evaluated again. */
async function wayTo(
  state: Int32Array,
  model: SystemModel,
  request: EngineRequest,
): Promise<Narrative | undefined> {
  const property: Property = { name: "the condition is evaluated", kind: "invariant", span: undefined };
  const { temporal, violationClass: _, ...whole } = model;
  const ofStates = new Set<Property>([...model.invariants, ...(temporal?.properties ?? [])]);
  const sought: Model = {
    ...whole,
    properties: [...model.properties.filter((other) => !ofStates.has(other)), property],
    invariants: [property],
    holds: (_, words, at) => !isAt(state, words, at),
  };
  // The search that met the condition may have spent its share of time.
  const { processorEndMs: __, ...budget } = request.budget;
  const { findings } = await search(sought, {
    ...request,
    properties: [property],
    search: "bfs",
    workers: 1,
    disk: undefined,
    budget,
  });
  const verdict = findings[0]?.verdict;
  if (verdict?.kind !== "violated" || !verdict.trace) return undefined;
  const narration = narrate(model.steps, verdict.trace);
  return narration.kind === "narrated" ? narration.narrative : undefined;
}

const isAt = (state: Int32Array, words: Words, at: number): boolean =>
  state.every((word, index) => words[at + index] === word);
