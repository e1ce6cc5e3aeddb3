/**
 * Checks properties of a model with its reductions (`Model.reductions`) and any engine that searches states.
 *
 * Groups properties by the reductions that they accept, reduces the model for each group, lets the engine search it, and tests the
 * conditions of the reductions. Findings refer to the whole model: its properties, its traces, its statements.
 *
 * Elsewhere: the search of the whole model that comes first (`whole-first.ts`), and the translation of traces (`confirming.ts`).
 */
import type {
  Acceptance,
  Diagnostic,
  Model,
  Property,
  Reduced,
  ReductionRequest,
  Refusal,
} from "../../model/index.js";
import { unreduced } from "../../model/index.js";
import { known } from "../../model/known.js";
import { shortened, uncontradicted } from "./beside.js";
import { confirmed } from "./confirming.js";
import { compared } from "./disagreement.js";
import type { EngineRequest, EngineResult, Loaded, StateEngine } from "../contracts.js";
import { sampled } from "./sampling.js";
import { assuming } from "./assuming.js";
import { withProbe } from "./depth-probe.js";
import { distinct, doneBy, joined, remaining } from "./totals.js";
import { wholeFirst, type PlannedSearch } from "./whole-first.js";

export async function check(
  engine: StateEngine,
  { model, assumptions }: Pick<Loaded, "model" | "assumptions">,
  request: EngineRequest,
): Promise<EngineResult> {
  if (!model) throw new Error("there is no model to search");
  const isOfStates = (property: Property): boolean =>
    !isTemporal(model, property) && property.kind !== "agef" && property.kind !== "cover";
  const result = await withProbe(engine, request, isOfStates, (wanted) =>
    wholeFirst(wanted, searchesOf(engine, model, wanted), (asked) => checkReduced(engine, model, asked)),
  );
  return assuming(assumptions, result);
}

/** One search for all safety properties, one for all of kind `agef`, one for each temporal property. */
export function searchesOf(
  engine: StateEngine,
  model: Model,
  request: EngineRequest,
): readonly PlannedSearch[] {
  const [infinite, finite] = partition(request.properties, (p) => isTemporal(model, p));
  const [goals, others] = partition(finite, ({ kind }) => kind === "agef");
  const isReducible = (property: Property): boolean =>
    model.reductions?.replacesModel !== true && acceptance(engine, model, property, request).names.length > 0;
  return [others, goals, ...infinite.map((property) => [property])]
    .filter((properties) => properties.length > 0)
    .map((properties) => ({ properties, isReducible: properties.some(isReducible) }));
}

/** Applies the requested reductions from the start; by default, all sound ones. */
export async function checkReduced(
  engine: StateEngine,
  model: Model,
  request: EngineRequest,
): Promise<EngineResult> {
  const started = performance.now();
  let result: EngineResult | undefined;
  const used = new Set<string>();
  for (const { properties, wanted } of groupsOf(engine, model, request)) {
    const states = result?.stats.states ?? 0;
    const budget = remaining(request.budget, states, performance.now() - started);
    const left = { ...request, properties, budget };
    // sound: test/session/answers.test.ts
    const isWhole = wanted.length === 0;
    const one = isWhole
      ? await engine.search(model, left)
      : await checkGroup(engine, model, applied(engine, model, properties, left), left);
    for (const { reductions } of one.runs) for (const name of reductions) used.add(name);
    result = result ? joined(result, one) : one;
  }
  const all = known(result, "a group of properties");
  return { ...all, notices: distinct([...all.notices, ...refusals(engine, model, request, used)]) };
}

// ---- which reductions ----

interface Group {
  readonly properties: readonly Property[];
  /** By name; none: on the whole model. */
  readonly wanted: readonly string[];
}

/**
 * Properties that accept the same reductions share a search. Each temporal property with a reduced model is searched separately, after
 * the safety properties.
 */
function groupsOf(engine: StateEngine, model: Model, request: EngineRequest): readonly Group[] {
  const groups = new Map<string, { properties: Property[]; wanted: readonly string[]; place: number }>();
  for (const property of request.properties) {
    const wanted = acceptance(engine, model, property, request).names;
    // sound: test/session/answers.test.ts
    const own = wanted.length > 0 && isTemporal(model, property);
    const key = JSON.stringify([wanted, own ? property.name : ""]);
    const group = groups.get(key) ?? { properties: [], wanted, place: own ? 2 : wanted.length > 0 ? 0 : 1 };
    group.properties.push(property);
    groups.set(key, group);
  }
  const all = [...groups.values()].sort((a, b) => a.place - b.place);
  // A model without properties is searched all the same.
  return all.length > 0 ? all : [{ properties: [], wanted: [] }];
}

function acceptance(
  engine: StateEngine,
  model: Model,
  property: Property,
  request: EngineRequest,
): Acceptance {
  const asked = reductionRequest(engine, model, request, isTemporal(model, property));
  return asked.wanted.length === 0 || !model.reductions
    ? { names: [], refused: [] }
    : model.reductions.accepts(property, asked);
}

function applied(
  engine: StateEngine,
  model: Model,
  properties: readonly Property[],
  request: EngineRequest,
): Reduced {
  const asked = reductionRequest(
    engine,
    model,
    request,
    properties.some((p) => isTemporal(model, p)),
  );
  return model.reductions?.apply(properties, asked) ?? unreduced(model);
}

function reductionRequest(
  engine: StateEngine,
  model: Model,
  request: EngineRequest,
  isTemporal: boolean,
): ReductionRequest {
  const { fairness, workers, reductions } = request;
  const { proposing = [] } = model.reductions ?? {};
  // sound: test/session/answers.test.ts
  const isOrdered = engine.whyNoCandidates?.(request, isTemporal, model.reductions) === undefined;
  return {
    wanted: wantedReductions(model, request).filter((name) => isOrdered || !proposing.includes(name)),
    isAsked: reductions !== undefined,
    fairness,
    workers,
  };
}

function wantedReductions({ reductions }: Model, request: EngineRequest): readonly string[] {
  // A search on disk resumes with the same model only.
  if (!reductions || request.isPlain || request.disk) return [];
  const { names, optional = [] } = reductions;
  return request.reductions ?? names.filter((name) => !optional.includes(name));
}

/** Notes on reductions that are off although the user requested them or other properties use them. */
function refusals(
  engine: StateEngine,
  model: Model,
  request: EngineRequest,
  used: ReadonlySet<string>,
): readonly Diagnostic[] {
  const { reductions } = model;
  const wanted = wantedReductions(model, request);
  if (!reductions || wanted.length === 0) return [];
  const { names, proposing = [] } = reductions;
  const isSaid = ({ name }: Refusal): boolean =>
    request.reductions?.includes(name) === true || used.has(name);
  const absent = wanted
    .filter((name) => !names.includes(name))
    .map((name) => ({ name, why: "it does not apply to this kind of model" }));
  const isOfStates = request.properties.some((p) => !isTemporal(model, p));
  const whyUnordered = isOfStates ? engine.whyNoCandidates?.(request, false, reductions) : undefined;
  const unordered = wanted.flatMap((name) =>
    whyUnordered !== undefined && proposing.includes(name) && names.includes(name)
      ? [{ name, why: whyUnordered }]
      : [],
  );
  const ruledOut = reductions.refused?.(reductionRequest(engine, model, request, false)) ?? [];
  const refused = request.properties.flatMap((p) => acceptance(engine, model, p, request).refused);
  return [...absent, ...unordered, ...ruledOut, ...refused.filter(isSaid)].map((r) =>
    refusal(r, request.file),
  );
}

const isTemporal = ({ temporal }: Model, property: Property): boolean =>
  (temporal?.properties as readonly Property[] | undefined)?.includes(property) === true;

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

const refusal = ({ name, why, when, span }: Refusal, file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction '${name}' is off${when === undefined ? "" : ` while ${when}`}: ${why}`,
  span: span ?? { file, start: 0, end: 0 },
});

// ---- one group ----

async function checkGroup(
  engine: StateEngine,
  model: Model,
  reduced: Reduced,
  request: EngineRequest,
): Promise<EngineResult> {
  const started = performance.now();
  // The conditions of a forced reduction need not hold.
  const test = reduced.doubt === undefined ? reduced.test : undefined;
  const { found, verify } = await sampled(reduced.model, test, request, (watched) =>
    engine.search(watched, request),
  );
  reduced.transferCoverage();
  const next = reduced.again?.(found.findings);
  // sound: test/session/answers.test.ts
  if (next) {
    const budget = remaining(request.budget, 0, performance.now() - started);
    return checkGroup(engine, model, next, { ...request, budget });
  }
  verify(); // sound: test/session/sampling.test.ts
  const { proposing = [] } = model.reductions ?? {};
  const { by, notes } = reduced;
  const result: EngineResult = {
    ...found,
    findings: await confirmed(engine, found.findings, reduced, request),
    runs: found.runs.map((run) => ({ ...run, reductions: doneBy(run, reduced.names, proposing) })),
    scope: {
      ...found.scope,
      ...(by === undefined ? {} : { by }),
      notes: [...found.scope.notes, ...(notes?.() ?? [])],
    },
  };
  if (!test && reduced.doubt === undefined) await uncontradicted(engine, model, result, request);
  const ofExecutions = request.properties.some((p) => isTemporal(model, p));
  const isShortest = reduced.keepsLengths || (request.search !== "bfs" && !ofExecutions);
  const shortest = isShortest ? result : await shortened(engine, model, result, request, ofExecutions);
  const notices = [
    ...shortest.notices,
    ...(reduced.refused?.() ?? []).map((refused) => refusal(refused, request.file)),
  ];
  if (!request.checksReduction) return { ...shortest, notices };
  const full = await engine.search(model, request);
  return { ...shortest, notices: [...notices, compared(result, full, request.file)] };
}
