/**
 * One search of a model, reduced as far as it was asked for and is sound. What comes back speaks of the unreduced model
 * alone: its properties, its traces, its statements.
 */
import type { Proviso } from "../engines/explicit/index.js";
import type { Diagnostic, Model, Property } from "../model/index.js";
import type { RunReport } from "../report/index.js";
import { reductionNames, type ReductionName } from "../transforms/reduction/names.js";
import type { Engine, EngineFinding, EngineOptions, EngineResult, Loaded, Reduced } from "./registry.js";
import type { CheckOptions } from "./request.js";
import { remaining, total } from "./totals.js";

export interface ReducedResult extends EngineResult {
  readonly notices: readonly Diagnostic[];
}

export async function checkReduced(
  engine: Engine,
  loaded: Loaded & { readonly model: Model },
  options: CheckOptions,
  how: EngineOptions,
  file: string,
): Promise<ReducedResult> {
  const temporal: readonly Property[] = loaded.model.temporal?.properties ?? [];
  const [infinite, finite] = partition(how.properties, (p) => temporal.includes(p));
  const wanted = wantedReductions(options);
  const reduced =
    wanted.length > 0 && finite.length > 0 ? loaded.reduce?.({ wanted, properties: finite }) : undefined;
  const reduceTemporal = wanted.includes("por") ? loaded.reduceTemporal : undefined;
  if (!reduced) return checkTemporal(engine, loaded.model, options, { ...how, reduceTemporal }, file);
  const started = performance.now();
  const first = await checkSafety(
    engine,
    { ...loaded, reduced },
    options,
    { ...how, properties: finite },
    file,
  );
  if (infinite.length === 0) return first;
  const budget = remaining(how.budget, first.stats.states, performance.now() - started);
  const left = { ...how, properties: infinite, budget, reduceTemporal };
  const second = await checkTemporal(engine, loaded.model, options, left, file);
  return { ...joined(first, second), notices: [...first.notices, ...second.notices] };
}

/** Without rewriting anything; what is not temporal is not reduced. */
async function checkTemporal(
  engine: Engine,
  model: Model,
  { checksReduction = false }: CheckOptions,
  how: EngineOptions,
  file: string,
): Promise<ReducedResult> {
  const result = await engine.check(model, how);
  if (!checksReduction || !how.reduceTemporal) return { ...result, notices: [] };
  const full = await engine.check(model, { ...how, reduceTemporal: undefined });
  return { ...result, notices: [compared(result, full, file)] };
}

/** The properties that a finite run violates, on the reduced model. */
async function checkSafety(
  engine: Engine,
  loaded: { readonly model: Model; readonly reduced: Reduced },
  options: CheckOptions,
  how: EngineOptions,
  file: string,
): Promise<ReducedResult> {
  const { reduced } = loaded;
  const proviso = reduced.names.includes("por") ? provisoFor(how) : undefined;
  const found = await engine.check(reduced.model, { ...how, proviso });
  reduced.transferCoverage();
  const result = {
    ...found,
    findings: found.findings.map((f) => concrete(f, reduced)),
    runs: found.runs.map((run) => ({ ...run, reductions: reductionsOf(run, reduced) })),
  };
  const shortest = how.search === "bfs" ? await shortened(result, engine, loaded.model, how) : result;
  const notices = reduced.refused.map((r) => refusal(r, file));
  if (!options.checksReduction) return { ...shortest, notices };
  const full = await engine.check(loaded.model, how);
  return { ...shortest, notices: [...notices, compared(result, full, file)] };
}

/**
 * A shortest trace of the reduced system need not be a shortest one: the unreduced system is searched as deep as the
 * trace goes, if that is not too much.
 */
async function shortened<R extends EngineResult>(
  result: R,
  engine: Engine,
  model: Model,
  how: EngineOptions,
): Promise<R> {
  const lengths = result.findings.flatMap(({ verdict }) =>
    verdict.kind === "violated" ? [verdict.trace.choices.length] : [],
  );
  if (lengths.length === 0) return result;
  const maxStates = Math.min(MOST_STATES_FOR_SHORTEST, how.budget.maxStates ?? Infinity);
  const maxDepth = Math.min(Math.max(...lengths), how.budget.maxDepth ?? Infinity);
  const again = await engine.check(model, { ...how, budget: { ...how.budget, maxStates, maxDepth } });
  const findings = result.findings.map((finding) => {
    const other = again.findings.find((f) => isSameViolation(f, finding));
    return other && stepsOf(other) <= stepsOf(finding) ? { ...finding, verdict: other.verdict } : finding;
  });
  return { ...result, findings };
}

const MOST_STATES_FOR_SHORTEST = 100_000;

const isSameViolation = (a: EngineFinding, b: EngineFinding): boolean =>
  a.property === b.property &&
  a.verdict.kind === "violated" &&
  b.verdict.kind === "violated" &&
  a.verdict.trace.fault === b.verdict.trace.fault;

const stepsOf = ({ verdict }: EngineFinding): number =>
  verdict.kind === "violated" ? verdict.trace.choices.length : Infinity;

function wantedReductions({
  isPlain,
  reductions = reductionNames,
  warnsTruncation,
  store,
  workers = 1,
  disk,
}: CheckOptions): ReductionName[] {
  // What is on disk is bound to the model as it was written.
  if (isPlain || disk) return [];
  return reductions.filter((name) => {
    // What is sliced away is not seen to be cut; a tree does not know which of its states it has found.
    if (name === "slice") return !warnsTruncation;
    return name !== "por" || ((store === undefined || store === "exact") && workers === 1);
  });
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

function concrete(finding: EngineFinding, reduced: Reduced): EngineFinding {
  const { verdict } = finding;
  if (verdict.kind !== "violated") return finding;
  return { ...finding, verdict: { ...verdict, trace: reduced.concretise(verdict.trace) } };
}

const refusal = ({ name, why }: Reduced["refused"][number], file: string): Diagnostic => ({
  code: "session/reduction-off",
  severity: "note",
  message: `reduction '${name}' is off: ${why}`,
  span: { file, start: 0, end: 0 },
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
