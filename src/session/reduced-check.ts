/**
 * The explicit engine as the registry wants it: the model is reduced as far as it was asked for and is sound. What comes
 * back speaks of the unreduced model alone: its properties, its traces, its statements.
 */
import type { Proviso } from "../engines/explicit/index.js";
import type { Diagnostic, Model, Property } from "../model/index.js";
import type { RunReport } from "../report/index.js";
import { reductionNames, type ReductionName } from "../transforms/reduction/names.js";
import { search, stepsOf } from "./explicit.js";
import type {
  EngineFinding,
  EngineOptions,
  EngineRequest,
  EngineResult,
  Loaded,
  Reduced,
} from "./registry.js";
import { remaining, total } from "./totals.js";

export async function check(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  const { model } = loaded;
  if (!model) throw new Error("there is no model to search");
  const temporal: readonly Property[] = model.temporal?.properties ?? [];
  const whyWhole = (p: Property): string | undefined => loaded.whyWhole?.(p);
  const [infinite, finite] = partition(
    request.properties,
    (p) => temporal.includes(p) || whyWhole(p) !== undefined,
  );
  const wanted = wantedReductions(request);
  const reduced =
    wanted.length > 0 && finite.length > 0 ? loaded.reduce?.({ wanted, properties: finite }) : undefined;
  const reduceTemporal = wanted.includes("por") ? loaded.reduceTemporal : undefined;
  if (!reduced) return checkTemporal(model, { ...request, reduceTemporal });
  const started = performance.now();
  const found = await checkSafety(model, reduced, { ...request, properties: finite }, loaded.doubt);
  const first = withNotices(found, absent(request, reduced));
  if (infinite.length === 0) return first;
  const budget = remaining(request.budget, first.stats.states, performance.now() - started);
  const left = { ...request, properties: infinite, budget, reduceTemporal };
  const whole = infinite.flatMap((p) => wholeNotice(p, reduced, whyWhole(p), request.file));
  return withNotices(joined(first, await checkTemporal(model, left)), whole);
}

const withNotices = (result: EngineResult, notices: readonly Diagnostic[]): EngineResult => ({
  ...result,
  notices: [...result.notices, ...notices],
});

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

/** Without rewriting anything; what is not temporal is not reduced. */
async function checkTemporal(model: Model, request: EngineRequest): Promise<EngineResult> {
  const result = await search(model, request);
  if (!request.checksReduction || !request.reduceTemporal) return result;
  const full = await search(model, { ...request, reduceTemporal: undefined });
  return { ...result, notices: [compared(result, full, request.file)] };
}

/** The properties that a finite run violates, on the reduced model. */
async function checkSafety(
  model: Model,
  reduced: Reduced,
  request: EngineRequest,
  doubt: string | undefined,
): Promise<EngineResult> {
  const proviso = reduced.names.includes("por") ? provisoFor(request) : undefined;
  const found = await search(reduced.model, { ...request, proviso });
  reduced.transferCoverage();
  const result = {
    ...found,
    findings: found.findings.map((f) => doubted(concrete(f, reduced, doubt !== undefined), doubt)),
    runs: found.runs.map((run) => ({ ...run, reductions: reductionsOf(run, reduced) })),
  };
  // A shortest run of representatives stands for a shortest run.
  const isShortest = request.search !== "bfs" || reduced.names.every((name) => name === "symmetry");
  const shortest = isShortest ? result : await shortened(result, model, request);
  const notices = [
    ...reduced.refused.map((r) => refusal(r, request.file)),
    ...droppedPartialOrder(request, reduced),
  ];
  if (!request.checksReduction) return { ...shortest, notices };
  const full = await search(model, request);
  return { ...shortest, notices: [...notices, compared(result, full, request.file)] };
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

const isSameViolation = (a: EngineFinding, b: EngineFinding): boolean =>
  a.property === b.property &&
  a.verdict.kind === "violated" &&
  b.verdict.kind === "violated" &&
  a.verdict.trace?.fault === b.verdict.trace?.fault;

function wantedReductions({
  isPlain,
  reductions = reductionNames,
  warnsTruncation,
  store,
  workers,
  disk,
}: EngineRequest): ReductionName[] {
  // What is on disk is bound to the model as it was written.
  if (isPlain || disk) return [];
  return reductions.filter((name) => {
    // What is sliced away is not seen to be cut.
    if (name === "slice") return !warnsTruncation;
    return name !== "por" || whyNoPartialOrder({ store, workers }) === undefined;
  });
}

function whyNoPartialOrder({ store, workers }: Pick<EngineOptions, "store" | "workers">): string | undefined {
  if (store !== undefined && store !== "exact")
    return `the ${store} store does not know which state it has found`;
  return workers > 1 ? "it is for one thread" : undefined;
}

/** Said only where it would have been used. */
function droppedPartialOrder(request: EngineRequest, { possible }: Reduced): Diagnostic[] {
  const { isPlain, disk, reductions = reductionNames, file } = request;
  const why = whyNoPartialOrder(request);
  if (isPlain || disk || why === undefined || !reductions.includes("por") || !possible.includes("por"))
    return [];
  return [refusal({ name: "por", why }, file)];
}

/** What was done: candidates may have been proposed to a store that could do nothing with them. */
const reductionsOf = ({ stats }: RunReport, { names }: Reduced): readonly string[] =>
  names.filter((name) => name !== "por" || stats.partialOrder !== undefined);

/** One result of two: what one does not cover, both do not. */
function joined(first: EngineResult, second: EngineResult): EngineResult {
  const runs = [...first.runs, ...second.runs];
  const { scope, end } = first.end === "complete" ? second : first;
  return {
    findings: [...first.findings, ...second.findings],
    scope,
    end,
    runs,
    stats: total(runs.map((run) => run.stats)),
    coversAll: first.coversAll,
    notices: [...first.notices, ...second.notices],
  };
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

/** Deadlocks are found whatever is put off. */
function provisoFor({ search, properties }: EngineOptions): Proviso {
  if (properties.every((p) => p.kind === "deadlock")) return "none";
  return search === "bfs" ? "queue" : "stack";
}

/** `mayFail`: the trace may be of something that the unreduced model does not do. */
function concrete(finding: EngineFinding, reduced: Reduced, mayFail: boolean): EngineFinding {
  const { verdict } = finding;
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  try {
    return { ...finding, verdict: { ...verdict, trace: reduced.concretise(verdict.trace) } };
  } catch (error) {
    if (!mayFail) throw error;
    return { ...finding, verdict: { kind: "holds", scope: { kind: "partial", by: "", notes: [] } } };
  }
}

/** Nothing is proved where the reduction itself is in doubt. */
function doubted(finding: EngineFinding, doubt: string | undefined): EngineFinding {
  const { kind } = finding.verdict;
  if (doubt === undefined || kind === "unknown") return finding;
  if (kind === "violated" && finding.verdict.trace) return finding;
  const verdict = { kind: "unknown", reason: doubt, advice: "check without --symmetry force" } as const;
  return { ...finding, verdict };
}

const refusal = ({ name, why, span }: Reduced["refused"][number], file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction '${name}' is off: ${why}`,
  span: span ?? { file, start: 0, end: 0 },
});

/** A difference is a bug of ours. */
function compared(reduced: EngineResult, full: EngineResult, file: string): Diagnostic {
  for (const { property, verdict } of reduced.findings) {
    const other = verdictOn(property, full);
    if (other === undefined || other === "unknown" || verdict.kind === "unknown" || verdict.kind === other)
      continue;
    throw new Error(
      `reduced and full search disagree on '${property.name}': ${verdict.kind} after ${figures(reduced)}, ` +
        `${other} after ${figures(full)} (reductions: ${reduced.runs.flatMap((run) => run.reductions).join(", ")})`,
    );
  }
  return {
    code: "session/reduction-checked",
    severity: "note",
    message: `reduced and full search agree: ${figures(reduced)}, unreduced ${figures(full)}`,
    span: { file, start: 0, end: 0 },
  };
}

const verdictOn = (property: Property, { findings }: EngineResult): string | undefined =>
  findings.find((f) => f.property.name === property.name && f.property.kind === property.kind)?.verdict.kind;

const figures = ({ stats }: EngineResult): string =>
  `${stats.states} states and ${stats.transitions} transitions`;
