/**
 * The engine for systems of nodes: an explicit search of running code. Nodes whose state is not data are replayed from their
 * detection on; nondeterministic code gets no verdict.
 */
import { join } from "node:path";
import {
  BadCondition,
  Disturbed,
  GivenUp,
  JournalFull,
  Nondeterminism,
  NotSupported,
  NotSymmetric,
  NotWorthwhile,
  OpaqueNode,
  asymmetricProperty,
  diagnosticOf,
  groupsOf,
  nodeReductions,
  replayNote,
  type SharedModel,
  type SystemModel,
} from "../../code/system/index.js";
import type { Diagnostic, Model, Property } from "../../model/index.js";
import { noStats } from "../../report/index.js";
import { isNodesSubject, type NodesSubject } from "./load.js";
import { checkSliced } from "./slicing.js";
import { annotated } from "./findings.js";
import { withConditionTrace } from "./condition-trace.js";
import { oneThread, whyOneThread } from "./threads.js";
import { Disagreement } from "../pipeline/disagreement.js";
import * as explicit from "../engines/explicit.js";
import { checkReduced, searchesOf } from "../pipeline/pipeline.js";
import type { EngineRequest, EngineResult, Loaded } from "../contracts.js";
import { shuffled } from "./shuffled.js";
import { simulateRuns } from "./simulation.js";
import { searchSwitches } from "./switching.js";
import { joined } from "../pipeline/totals.js";
import { wholeFirst } from "../pipeline/whole-first.js";
import { checkRefinement } from "../refinement/check.js";

export async function check(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isNodesSubject(loaded.subject)) throw new Error("there is no system of nodes to search");
  const { subject } = loaded;
  const isRefinement = ({ kind }: Property): boolean => kind === "refinement";
  const refinement = request.properties.filter(isRefinement);
  const others = { ...request, properties: request.properties.filter((each) => !isRefinement(each)) };
  const checked = (): Promise<EngineResult> =>
    request.slice ? checkSliced(subject, others, checkWholeFirst) : checkWholeFirst(subject, others);
  if (refinement.length === 0) return checked();
  const alone: EngineRequest = { ...request, properties: refinement, workers: 1, disk: undefined };
  const compared = (): Promise<EngineResult> => checkSubject(subject, { ...alone, slice: undefined });
  return others.properties.length === 0 ? compared() : joined(await checked(), await compared());
}

async function checkWholeFirst(subject: NodesSubject, request: EngineRequest): Promise<EngineResult> {
  const searches = request.schedules ? [] : searchesOf(explicit, subject.model, request);
  try {
    return await wholeFirst(request, searches, (asked) => checkSubject(subject, asked));
  } catch (thrown) {
    const error = asymmetry(thrown);
    if (!error) throw thrown;
    return undecided(request.properties, diagnosticOf(error, request.file), error.message);
  }
}

async function checkSubject(subject: NodesSubject, request: EngineRequest): Promise<EngineResult> {
  if (request.workers === 1) return checkBy(subject, request, undefined);
  const why = whyOneThread(subject.model, request);
  if (why === undefined) return checkBy(subject, request, subject.sharing());
  const result = await checkBy(subject, { ...request, workers: 1 }, undefined);
  return { ...result, notices: [...result.notices, oneThread(why, request.file)] };
}

/** `shared`: the model of several threads, if any. */
async function checkBy(
  subject: NodesSubject,
  request: EngineRequest,
  shared: SharedModel | undefined,
): Promise<EngineResult> {
  const model = shared?.model ?? subject.model;
  const properties = model.properties.filter((p) =>
    request.properties.some(({ name, kind }) => name === p.name && kind === p.kind),
  );
  try {
    const searching = searched({ ...subject, model }, { ...request, properties }, shared);
    return await searching.finally(() => shared?.release());
  } catch (thrown) {
    const error = shared?.failure() ?? asymmetry(thrown) ?? thrown;
    if (error instanceof JournalFull) {
      const result = await checkBy(subject, { ...request, workers: 1 }, undefined);
      const why = "there is no room for the numbers that threads have to agree on";
      return { ...result, notices: [...result.notices, oneThread(why, request.file)] };
    }
    if (error instanceof OpaqueNode && !subject.opaque.some(({ node }) => node === error.node)) {
      const result = await checkSubject(subject.because(error), elsewhere(request));
      return { ...result, notices: [replayNote(error, model), ...result.notices] };
    }
    if (error instanceof NotSymmetric && error.property !== undefined) {
      const result = await checkSubject(subject, { ...elsewhere(request), isPlain: true });
      return { ...result, notices: [asymmetricProperty(error, request.file), ...result.notices] };
    }
    if (error instanceof NotWorthwhile) return checkSubject(subject, withoutOrder(model, elsewhere(request)));
    if ((error instanceof BadCondition || error instanceof GivenUp) && shared)
      // State numbers belong to the threads: one thread repeats the search and finds the trace.
      return checkBy(subject, { ...request, workers: 1 }, undefined);
    if (error instanceof Disturbed) return namingTheCondition(error, subject, { ...request, properties });
    if (error instanceof BadCondition) {
      const problem = { ...diagnosticOf(error, request.file), span: model.placeOf(error.condition) };
      const result = undecided(properties, problem, error.message);
      return { ...result, findings: await withConditionTrace(result.findings, error, subject, request) };
    }
    if (UNDECIDED.some((kind) => error instanceof kind))
      return undecided(properties, diagnosticOf(error, request.file), (error as Error).message);
    throw error;
  }
}

/** The folder of a search on disk is taken: the next search uses a folder inside it. */
const elsewhere = (request: EngineRequest): EngineRequest =>
  request.disk
    ? { ...request, disk: { ...request.disk, directory: join(request.disk.directory, "again") } }
    : request;

/** Repeats the search with every condition watched, to identify the condition with side effects. */
async function namingTheCondition(
  error: Disturbed,
  subject: NodesSubject,
  request: EngineRequest,
): Promise<EngineResult> {
  const watched = subject.watched();
  const result = watched && (await checkBy(watched, { ...elsewhere(request), workers: 1 }, undefined));
  const problem = diagnosticOf(error, request.file);
  return result?.notices.some(({ code }) => code === problem.code)
    ? result
    : undecided(request.properties, problem, error.message);
}

/** If nodes are declared interchangeable, symmetry stays requested, so that its refusal is reported. */
const withoutOrder = ({ summary }: SystemModel, request: EngineRequest): EngineRequest =>
  groupsOf(summary).length > 0 ? { ...request, reductions: ["symmetry"] } : { ...request, isPlain: true };

/** Converts a disagreement under symmetry into the diagnostic that the declared symmetry is wrong. */
function asymmetry(error: unknown): NotSymmetric | undefined {
  if (!(error instanceof Disagreement) || !error.reductions.includes("symmetry")) return undefined;
  const { reduced, full } = error.answers;
  return new NotSymmetric(
    `the nodes that are declared to be alike are not: '${error.property}' comes out as '${full}' in the search of all states, ` +
      `and as '${reduced}' in the search of one representative of each orbit`,
  );
}

async function searched(
  subject: NodesSubject,
  request: EngineRequest,
  shared: SharedModel | undefined,
): Promise<EngineResult> {
  const { model, specification } = subject;
  if (request.properties.some(({ kind }) => kind === "refinement") && specification) {
    const compared = await checkRefinement(model, specification, request);
    for (const node of model.nodes) node.verify(); // sound: test/session/refinement.test.ts
    return annotated(compared, subject, request);
  }
  const ordered = request.search === "dfs" && request.isSeeded ? inOrderOf(request.seed, model) : model;
  const { schedules } = request;
  if (schedules?.by === "swarm") return simulateRuns({ ...subject, model }, { ...request, schedules });
  const result = schedules
    ? await searchSwitches(model, { ...request, schedules })
    : await checkReduced(explicit, ordered, request);
  shared?.catchUp();
  for (const node of model.nodes) node.verify();
  // A single thread compares whole states.
  const hashed = shared ? ["threads recognise states of nodes by hashes of 128 bits"] : [];
  const scope = { ...result.scope, notes: [...result.scope.notes, ...hashed] };
  return annotated({ ...result, scope }, subject, request);
}

function inOrderOf(seed: number, model: SystemModel): Model {
  const ordered = shuffled(model, seed);
  return model.reductions ? { ...ordered, reductions: nodeReductions(model, ordered) } : ordered;
}

/** These errors leave all properties undecided, regardless of earlier findings. */
const UNDECIDED = [Nondeterminism, NotSupported, NotSymmetric, OpaqueNode] as const;

const undecided = (properties: readonly Property[], problem: Diagnostic, reason: string): EngineResult => ({
  findings: properties.map((property) => ({
    property,
    verdict: { kind: "unknown", reason, advice: problem.hint ?? "" },
    occurrences: 0,
  })),
  scope: { kind: "partial", by: "exhaustion", notes: [reason] },
  end: "stopped",
  runs: [],
  stats: noStats,
  coversAll: false,
  notices: [problem],
});
