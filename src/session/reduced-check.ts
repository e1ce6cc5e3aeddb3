/**
 * The explicit engine as the registry wants it: the model is reduced as far as it was asked for and is sound. What comes
 * back speaks of the unreduced model alone: its properties, its traces, its statements.
 */
import type { Proviso } from "../engines/explicit/index.js";
import type { Diagnostic, Model, Property, Scope, Verdict } from "../model/index.js";
import { narrate } from "../report/index.js";
import { automaticReductionNames, type ReductionName } from "../transforms/reduction/names.js";
import { search, stepsOf } from "./explicit.js";
import type {
  Assumptions,
  EngineFinding,
  EngineOptions,
  EngineRequest,
  EngineResult,
  Loaded,
  Reduced,
  Refusal,
} from "./registry.js";
import { Disagreement, compared } from "./disagreement.js";
import { sampled } from "./sampling.js";
import { doneBy, joined, remaining } from "./totals.js";
import { isSameViolation, wholeFirst, type PlannedSearch } from "./whole-first.js";

export async function check(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  const result = await wholeFirst(request, searchesOf(loaded, request), (asked) =>
    checkReduced(loaded, asked),
  );
  return assuming(loaded.assumptions, result);
}

/** One search for what a finite run violates, one for what is to stay reachable, one for each temporal property. */
export function searchesOf(loaded: Loaded, request: EngineRequest): readonly PlannedSearch[] {
  const wanted = wantedReductions(request);
  const temporal: readonly Property[] = loaded.model?.temporal?.properties ?? [];
  const [infinite, finite] = partition(request.properties, (p) => temporal.includes(p));
  const [goals, others] = partition(finite, ({ kind }) => kind === "agef");
  const isReducible = (property: Property): boolean =>
    temporal.includes(property)
      ? temporalReduction(loaded, request, wanted) !== undefined
      : loaded.reduce !== undefined &&
        loaded.whyWhole?.(property) === undefined &&
        (loaded.reductionsFor?.(property, wanted) ?? wanted).length > 0;
  return [others, goals, ...infinite.map((property) => [property])]
    .filter((properties) => properties.length > 0)
    .map((properties) => ({ properties, isReducible: properties.some(isReducible) }));
}

/** With the reductions that were asked for from the start; all that are sound, if none was. */
export async function checkReduced(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  const { model } = loaded;
  if (!model) throw new Error("there is no model to search");
  const temporal: readonly Property[] = model.temporal?.properties ?? [];
  const whyWhole = (p: Property): string | undefined => loaded.whyWhole?.(p);
  const [unreduced, finite] = partition(
    request.properties,
    // sound: test/session/answers.test.ts
    (p) => temporal.includes(p) || whyWhole(p) !== undefined,
  );
  const wanted = wantedReductions(request);
  const reduceTemporal = temporalReduction(loaded, request, wanted);
  const { reduce } = loaded;
  if (!reduce || wanted.length === 0 || finite.length === 0)
    return checkTemporal(model, { ...request, reduceTemporal });
  const started = performance.now();
  let result: EngineResult | undefined;
  const notices: Diagnostic[] = [];
  const left = (properties: readonly Property[]): EngineRequest => ({
    ...request,
    properties,
    budget: remaining(request.budget, result?.stats.states ?? 0, performance.now() - started),
  });
  for (const properties of groupsOf(finite, wanted, loaded)) {
    const reduced = reduce({ wanted, properties });
    if (!result) {
      notices.push(...absent(request, reduced));
      for (const p of unreduced) notices.push(...wholeNotice(p, reduced, whyWhole(p), request.file));
    }
    const run = await checkSafety(model, reduced, left(properties), loaded.doubt);
    result = result ? joined(result, run) : run;
  }
  if (unreduced.length > 0)
    result = joined(result!, await checkTemporal(model, { ...left(unreduced), reduceTemporal }));
  return { ...result!, notices: [...result!.notices, ...notices] };
}

/** Workers explore the product in no order that the proviso for cycles could go by. */
function temporalReduction(
  { reduceTemporal }: Loaded,
  { workers, fairness }: EngineRequest,
  wanted: readonly ReductionName[],
): EngineOptions["reduceTemporal"] {
  const allowed = workers === 1 ? wanted : wanted.filter((name) => name !== "por");
  if (!reduceTemporal || allowed.length === 0) return undefined;
  return (property) => reduceTemporal({ wanted: allowed, property, fairness });
}

/** What was asked for by name, and is nothing that can be done with such a model. */
const absent = ({ reductions = [], file }: EngineRequest, { possible }: Reduced): Diagnostic[] =>
  reductions
    .filter((name) => !possible.includes(name))
    .map((name) => refusal({ name, why: "there is nothing in such a model that it works on" }, file));

const wholeNotice = (
  { name, span }: Property,
  { names }: Reduced,
  why: string | undefined,
  file: string,
): Diagnostic[] =>
  why === undefined
    ? []
    : names.map((reduction) =>
        refusal(
          { name: reduction, why: `'${name}' needs all states, since ${why}`, ...(span ? { span } : {}) },
          file,
        ),
      );

/** Properties that allow the same reductions share a run. */
function groupsOf(
  properties: readonly Property[],
  wanted: readonly ReductionName[],
  { reductionsFor }: Loaded,
): readonly (readonly Property[])[] {
  if (!reductionsFor) return [properties];
  const groups = new Map<string, Property[]>();
  for (const property of properties) {
    const key = reductionsFor(property, wanted).join();
    groups.set(key, [...(groups.get(key) ?? []), property]);
  }
  return [...groups.values()];
}

/** What the answer rests on is said; what was cut off because somebody asked for it is no proof. */
function assuming(assumptions: Assumptions | undefined, result: EngineResult): EngineResult {
  if (!assumptions) return result;
  const { notes, bound } = assumptions;
  const within = (scope: Scope): Scope => ({
    ...scope,
    // sound: test/session/answers.test.ts
    kind: bound && scope.kind === "complete" ? "bounded" : scope.kind,
    notes: [...scope.notes, ...notes],
  });
  return {
    ...result,
    scope: within(result.scope),
    // sound: test/session/answers.test.ts
    end: bound === "asked" && result.end === "complete" ? "bound" : result.end,
    findings: result.findings.map((finding) => {
      const { verdict } = finding;
      if (verdict.kind !== "holds") return finding;
      // sound: test/session/answers.test.ts
      if (bound !== "asked") return { ...finding, verdict: { ...verdict, scope: within(verdict.scope) } };
      const reason = `nothing was found within the bound: ${notes.join("; ")}`;
      return { ...finding, verdict: { kind: "unknown", reason, advice: "leave the bound out" } };
    }),
  };
}

/** Without rewriting anything; what is not temporal is not reduced. */
async function checkTemporal(model: Model, request: EngineRequest): Promise<EngineResult> {
  const result = await search(model, request);
  if (!request.checksReduction || !request.reduceTemporal) return result;
  const full = await search(model, { ...request, reduceTemporal: undefined });
  return { ...result, notices: [...result.notices, compared(result, full, request.file)] };
}

/** The properties that a finite run violates, on the reduced model. */
async function checkSafety(
  model: Model,
  reduced: Reduced,
  request: EngineRequest,
  doubt: string | undefined,
): Promise<EngineResult> {
  const proviso = reduced.names.includes("por") ? provisoFor(request, reduced) : undefined;
  const started = performance.now();
  // What was forced is known to be in doubt.
  const test = doubt === undefined ? reduced.test : undefined;
  const { found, verify } = await sampled(reduced.model, test, request, (watched) =>
    searchSettled({ ...reduced, model: watched }, { ...request, proviso }),
  );
  reduced.transferCoverage();
  const instead = reduced.instead?.(found.findings);
  // sound: test/session/answers.test.ts
  if (instead) {
    const budget = remaining(request.budget, 0, performance.now() - started);
    return checkSafety(model, instead, { ...request, budget }, doubt);
  }
  verify(); // sound: test/session/sampling.test.ts
  const result = {
    ...found,
    findings: await confirmed(found.findings, reduced, request, doubt),
    runs: found.runs.map((run) => ({ ...run, reductions: doneBy(run, reduced.names) })),
    scope: reduced.by === undefined ? found.scope : { ...found.scope, by: reduced.by },
  };
  if (!test && doubt === undefined) await uncontradicted(model, result, request);
  // A shortest run of representatives stands for a shortest run.
  const isShortest = request.search !== "bfs" || reduced.names.every((name) => name === "symmetry");
  const shortest = isShortest ? result : await shortened(result, model, request);
  const notices = [
    ...[...reduced.refused, ...(reduced.hindered?.() ?? [])].map((r) => refusal(r, request.file)),
    ...droppedPartialOrder(request, reduced),
  ];
  if (!request.checksReduction) return { ...shortest, notices };
  const full = await search(model, request);
  return { ...shortest, notices: [...notices, compared(result, full, request.file)] };
}

/**
 * Where the conditions of a reduction cannot be tested in single states, its answers are: part of the whole system is searched, in
 * random order, and must not violate what is said to hold.
 */
async function uncontradicted(model: Model, result: EngineResult, request: EngineRequest): Promise<void> {
  const properties = result.findings.flatMap(({ property, verdict }) =>
    // sound: test/session/uncontradicted.test.ts
    verdict.kind === "holds" ? [property] : [],
  );
  const isReduced = result.runs.some(({ reductions }) => reductions.length > 0);
  if (properties.length === 0 || !isReduced || request.sampling === "none") return;
  const { timeMs, maxDepth } = request.budget;
  const whole = await search(model, {
    ...request,
    properties,
    search: "random",
    store: "exact",
    workers: 1,
    disk: undefined,
    proviso: undefined,
    budget: {
      maxStates: MOST_STATES_BESIDE,
      timeMs: Math.min(MOST_MS_BESIDE, timeMs ?? Infinity),
      ...(maxDepth === undefined ? {} : { maxDepth }),
    },
  });
  for (const { property, verdict } of whole.findings)
    // sound: test/session/uncontradicted.test.ts
    if (verdict.kind === "violated") throw new Disagreement(property, result, whole);
}

const MOST_STATES_BESIDE = 3000;
const MOST_MS_BESIDE = 500;

/** Again, while what was found to hold rests on something that turned out wrong. */
async function searchSettled({ model, isSettled }: Reduced, how: EngineOptions): Promise<EngineResult> {
  const started = performance.now();
  for (let budget = how.budget; ;) {
    const found = await search(model, { ...how, budget });
    // What has a trace is shown, and what is unknown claims nothing.
    const isClaimed = found.findings.some(
      // sound: test/session/answers.test.ts
      ({ verdict }) => verdict.kind === "holds" || (verdict.kind === "violated" && !verdict.trace),
    );
    // sound: test/session/answers.test.ts
    if (!isClaimed || !isSettled || isSettled()) return found;
    budget = remaining(how.budget, 0, performance.now() - started);
  }
}

/**
 * A shortest trace of the reduced system need not be a shortest one: the unreduced system is searched as deep as the
 * trace goes, if that is not too much.
 */
async function shortened(result: EngineResult, model: Model, how: EngineOptions): Promise<EngineResult> {
  const lengths = result.findings.map(({ verdict }) => stepsOf(verdict)).filter((steps) => steps < Infinity);
  if (lengths.length === 0) return result;
  const maxStates = Math.min(MOST_STATES_FOR_SHORTEST, how.budget.maxStates ?? Infinity);
  const maxDepth = Math.min(Math.max(...lengths), how.budget.maxDepth ?? Infinity);
  const again = await search(model, { ...how, budget: { ...how.budget, maxStates, maxDepth } });
  const findings = result.findings.map((finding) => {
    const other = again.findings.find((f) => isSameViolation(f, finding));
    return other && stepsOf(other.verdict) <= stepsOf(finding.verdict)
      ? { ...finding, verdict: other.verdict }
      : finding;
  });
  return { ...result, findings };
}

const MOST_STATES_FOR_SHORTEST = 100_000;

function wantedReductions({
  isPlain,
  reductions = automaticReductionNames,
  warnsTruncation,
  store,
  search,
  disk,
}: EngineRequest): ReductionName[] {
  // What is on disk is bound to the model as it was written.
  if (isPlain || disk) return [];
  return reductions.filter((name) => {
    // What is sliced away is not seen to be cut.
    // sound: test/session/answers.test.ts
    if (name === "slice") return !warnsTruncation;
    // sound: test/session/answers.test.ts
    return name !== "por" || whyNoPartialOrder({ store, search }) === undefined;
  });
}

function whyNoPartialOrder({ store, search }: Pick<EngineOptions, "store" | "search">): string | undefined {
  // sound: test/session/answers.test.ts
  if (search === "random" || search === "guided") return "states wait in no order that a proviso could use";
  // sound: test/session/answers.test.ts
  if (store !== undefined && store !== "exact")
    return `the ${store} store does not know which state it has found`;
  return undefined;
}

/** Said only where it would have been used. */
function droppedPartialOrder(request: EngineRequest, { possible }: Reduced): Diagnostic[] {
  const { isPlain, disk, reductions = automaticReductionNames, file } = request;
  const why = whyNoPartialOrder(request);
  if (isPlain || disk || why === undefined || !reductions.includes("por") || !possible.includes("por"))
    return [];
  return [refusal({ name: "por", why }, file)];
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

/** Deadlocks are found whatever is put off, unless what could be wrong with the reduction is put off, too. */
function provisoFor({ search, properties }: EngineOptions, { isSettled }: Reduced): Proviso {
  // sound: test/session/answers.test.ts
  if (!isSettled && properties.every((p) => p.kind === "deadlock")) return "none";
  // sound: test/session/answers.test.ts
  return search === "bfs" ? "queue" : "stack";
}

/** Findings about the unreduced model; one that stands for nothing there is looked at again in a finer model. */
async function confirmed(
  findings: readonly EngineFinding[],
  reduced: Reduced,
  request: EngineRequest,
  doubt: string | undefined,
): Promise<EngineFinding[]> {
  const all: EngineFinding[] = [];
  for (const finding of findings) {
    const sure = await concrete(finding, reduced, doubt !== undefined);
    if (sure) all.push(doubted(sure, doubt));
    else if (doubt !== undefined) all.push(doubted({ ...finding, verdict: UNSHOWN }, doubt));
    else all.push(...(await refined(finding, reduced, request)));
  }
  return all;
}

/** Nothing is proved where the reduction itself is in doubt. */
function doubted(finding: EngineFinding, doubt: string | undefined): EngineFinding {
  // sound: test/session/answers.test.ts
  if (doubt === undefined || finding.verdict.kind !== "holds") return finding;
  return {
    ...finding,
    verdict: { kind: "unknown", reason: doubt, advice: "check without --symmetry force" },
  };
}

const UNSHOWN: Verdict = { kind: "holds", scope: { kind: "partial", by: "", notes: [] } };

/** Undefined: the trace stands for nothing in the unreduced model. */
async function concrete(
  finding: EngineFinding,
  reduced: Reduced,
  mayFail: boolean,
): Promise<EngineFinding | undefined> {
  const { verdict, property } = finding;
  if (verdict.kind === "holds") return { ...finding, verdict: proof(verdict, reduced) };
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  try {
    const trace = await reduced.concretise(verdict.trace, property);
    return trace && { ...finding, verdict: { ...verdict, trace } };
  } catch (error) {
    // sound: test/session/answers.test.ts
    if (!mayFail) throw error;
    return undefined;
  }
}

function proof(verdict: Extract<Verdict, { kind: "holds" }>, { by, unsound }: Reduced): Verdict {
  // sound: test/session/answers.test.ts
  if (unsound !== undefined)
    return { kind: "unknown", reason: `unsound-compat: ${unsound}`, advice: "leave --compat out" };
  return by === undefined ? verdict : { ...verdict, scope: { ...verdict.scope, by } };
}

async function refined(
  finding: EngineFinding,
  reduced: Reduced,
  request: EngineRequest,
): Promise<readonly EngineFinding[]> {
  const finer = reduced.refine?.();
  if (!finer) return [unconfirmed(finding, reduced)];
  const budget = {
    ...request.budget,
    maxStates: Math.min(MOST_STATES_FOR_FINER, request.budget.maxStates ?? Infinity),
  };
  const again = await search(finer.model, { ...request, properties: [finding.property], budget });
  const findings = await confirmed(again.findings, finer, request, undefined);
  const isSettled = findings.some(({ verdict }) => verdict.kind !== "unknown");
  return isSettled ? findings : [unconfirmed(finding, reduced)];
}

const MOST_STATES_FOR_FINER = 200_000;

/** The reduced model's own trace is all there is to show. */
function unconfirmed(finding: EngineFinding, { model }: Reduced): EngineFinding {
  const { verdict } = finding;
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  const { narrative } = narrate(model.steps, verdict.trace);
  const reason = `${verdict.reason}, but only in the reduced model: unconfirmed (abstract)`;
  const advice = "look at the trace, or search the network itself with --concrete N";
  return { ...finding, verdict: { kind: "unknown", reason, advice }, narrative };
}

const refusal = ({ name, why, when, span }: Refusal, file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction '${name}' is off${when === undefined ? "" : ` while ${when}`}: ${why}`,
  span: span ?? { file, start: 0, end: 0 },
});
