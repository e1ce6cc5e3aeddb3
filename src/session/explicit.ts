/**
 * The explicit engine as the registry wants it: one run for all safety properties, one for each temporal property. A
 * budget is for all runs together.
 */
import { checkExplicit, type Stop } from "../engines/explicit/index.js";
import { EMPTINESS_ALGORITHMS, type EmptinessAlgorithm } from "../engines/explicit/emptiness/index.js";
import type { Budget, Model, Scope, TemporalProperty } from "../model/index.js";
import type { RunReport } from "../report/index.js";
import type { EngineFinding, EngineOptions, EngineResult, SearchEnd } from "./registry.js";
import { checkTemporal, type TemporalOptions } from "./temporal.js";
import { remaining, total } from "./totals.js";

export async function check(model: Model, options: EngineOptions): Promise<EngineResult> {
  const started = performance.now();
  const runs: Run[] = [];
  const left = (): Budget =>
    remaining(
      options.budget,
      runs.reduce((sum, { report }) => sum + report.stats.states, 0),
      performance.now() - started,
    );
  const temporal = model.temporal?.properties ?? [];
  const asked = temporal.filter((property) => options.properties.includes(property));
  if (asked.length < options.properties.length) runs.push(await checkSafety(model, options));
  for (const property of asked) runs.push(await checkOne(model, property, options, left()));
  const stop = runs.find((run) => run.stop !== undefined)?.stop;
  return {
    findings: runs.flatMap((run) => run.findings),
    scope: scopeOf(stop),
    end: endOf(stop),
    runs: runs.map((run) => run.report),
    stats: total(runs.map((run) => run.report.stats)),
    coversAll: asked.length < options.properties.length && runs[0]!.stop === undefined,
  };
}

interface Run {
  readonly findings: readonly EngineFinding[];
  readonly stop: Stop | undefined;
  readonly report: RunReport;
}

async function checkSafety(model: Model, options: EngineOptions): Promise<Run> {
  const { search, store, proviso, budget, maxErrors, control } = options;
  const temporal: readonly unknown[] = model.temporal?.properties ?? [];
  const properties = options.properties.filter((property) => !temporal.includes(property));
  const { findings, stop, stats } = await checkExplicit(model, {
    order: search,
    ...(store ? { store: store === "exact" ? "flat" : "tree" } : {}),
    checkDeadlock: properties.some((property) => property.kind === "deadlock"),
    proviso,
    errors: maxErrors === Infinity ? "all" : maxErrors,
    budget,
    control,
    isChecked: (property) => properties.includes(property),
  });
  return { findings, stop, report: { properties: properties.map((p) => p.name), reductions: [], stats } };
}

async function checkOne(
  model: Model,
  property: TemporalProperty,
  options: EngineOptions,
  budget: Budget,
): Promise<Run> {
  const { fairness } = options;
  const emptiness = algorithmOf(options.emptiness);
  const request: TemporalOptions = {
    fairness,
    emptiness,
    search: options.search,
    budget,
    control: options.control,
  };
  const { verdict, stop, stats, automaton, method } = await checkTemporal(model, property, request);
  const report: RunReport = {
    properties: [property.name],
    reductions: [],
    stats,
    ...(automaton ? { automaton } : {}),
    method,
    ...(fairness === "none" ? {} : { fairness }),
  };
  const isViolated = verdict.kind === "violated";
  return {
    findings: [{ property, verdict, occurrences: isViolated ? 1 : 0 }],
    stop: isViolated ? "errors" : stop,
    report,
  };
}

/** Names are checked where they are written. */
function algorithmOf(name: string): EmptinessAlgorithm | "auto" {
  const algorithm = EMPTINESS_ALGORITHMS.find((known) => known === name);
  if (!algorithm && name !== "auto") throw new Error(`there is no emptiness check '${name}'`);
  return algorithm ?? "auto";
}

const scopeOf = (stop: Stop | undefined): Scope =>
  stop === undefined
    ? { kind: "complete", by: "exhaustion", notes: [] }
    : { kind: "partial", by: "exhaustion", notes: [stopNotes[stop]] };

const stopNotes: Record<Stop, string> = {
  states: "stopped by --max-states",
  depth: "limited by --max-depth",
  memory: "stopped by --memory",
  time: "stopped by --time",
  interrupted: "interrupted",
  errors: "stopped at an error",
};

function endOf(stop: Stop | undefined): SearchEnd {
  if (stop === undefined) return "complete";
  if (stop === "errors") return "errors";
  return stop === "interrupted" ? "stopped" : "budget";
}
