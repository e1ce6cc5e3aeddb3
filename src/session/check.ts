/**
 * A check from text to report: load, search, replay what was found, sum up.
 *
 * Always true: a violation is reported only after its trace was run again and showed it.
 */
import { totalmem } from "node:os";
import {
  formatSchedule,
  hasErrors,
  isNet,
  type Certificate,
  type Diagnostic,
  type FaultKind,
  type Finding,
  type Model,
  type Property,
  type Scope,
  type Sources,
  type Subject,
  type Trace,
} from "../model/index.js";
import {
  narrate,
  noStats,
  scopeSentence,
  type CheckReport,
  type Narrative,
  type PropertyReport,
} from "../report/index.js";
import { certificateOf } from "./certificates.js";
import { shows } from "./ending.js";
import type { CoverageMeter } from "./coverage.js";
import { load, type LoadedInput } from "./load.js";
import { modelArguments } from "./model-options.js";
import { diskProblem, identityOf } from "./disk.js";
import type {
  DiskRequest,
  Engine,
  EngineFinding,
  EngineRequest,
  EngineResult,
  Registry,
  Unsupported,
} from "./registry.js";
import type { CheckOptions, Input } from "./request.js";
import { tooLarge } from "./too-large.js";

export interface Checked {
  readonly report: CheckReport;
  /** The program that the model was compiled to. */
  readonly code: string | undefined;
  /** For whoever wants to look around in it; absent when it could not be made, or there are no states. */
  readonly model: Model | undefined;
  /** What was checked, where it is more than states. */
  readonly subject?: Subject | undefined;
  /** Proofs of what holds, if they were asked for. */
  readonly certificate?: Certificate | undefined;
}

export async function checkInput(input: Input, options: CheckOptions, registry: Registry): Promise<Checked> {
  const started = performance.now();
  if (!options.measuresCoverage) return checkByWorkers(started, input, options, registry, undefined);
  const { CoverageMeter } = await import("./coverage.js");
  const meter = new CoverageMeter();
  try {
    const checked = await checkByWorkers(started, input, { ...options, workers: 1 }, registry, meter);
    return (options.workers ?? 1) > 1 ? measuredAlone(checked, input) : checked;
  } finally {
    meter.end();
  }
}

/** What is run in other threads is not measured. */
function measuredAlone(checked: Checked, { file }: Input): Checked {
  const note: Diagnostic = {
    code: "code/one-worker",
    severity: "note",
    message: "one thread searches: --coverage measures what that thread runs",
    span: { file, start: 0, end: 0 },
  };
  const { report } = checked;
  return { ...checked, report: { ...report, diagnostics: [...report.diagnostics, note] } };
}

async function checkByWorkers(...all: Parameters<typeof checkSince>): Promise<Checked> {
  const { workers = 1 } = all[2];
  if (workers === 1) return checkSince(...all);
  // They are ready when the model is.
  const { startEarly } = await import("./search-worker.js");
  const threads = startEarly(workers);
  try {
    return await checkSince(...all);
  } finally {
    await threads.dismiss();
  }
}

async function checkSince(
  started: number,
  input: Input,
  options: CheckOptions,
  registry: Registry,
  meter: CoverageMeter | undefined,
): Promise<Checked> {
  const loaded = await load(input, { ...options, isSearched: true }, registry);
  const chosen = chooseProperties(loaded, input, options);
  const engine = chooseEngine(loaded, input, options, registry);
  const diagnostics = [
    ...loaded.diagnostics,
    ...(chosen?.diagnostics ?? []),
    ...(engine && "code" in engine ? [engine] : []),
    ...(meter?.problem(loaded, input) ?? []),
    ...onlyForNodes(loaded, input, options),
  ];
  if (!chosen || !engine || "code" in engine || hasErrors(diagnostics))
    return { report: rejected(input, loaded, diagnostics), code: loaded.code, model: undefined };
  const disk = options.disk && { ...options.disk, identity: identityOf(loaded, chosen.properties, options) };
  const request = engineRequest(input, chosen.properties, options, disk);
  const result = await engine.check(loaded, request).catch((error: unknown) => diagnosed(error, input));
  if ("code" in result)
    return {
      report: rejected(input, loaded, [...diagnostics, result]),
      code: loaded.code,
      model: undefined,
    };
  const language = registry.languages.find(({ name }) => name === loaded.language);
  const answered = reportProperties(loaded.model, result);
  const properties = [...answered, ...chosen.unsupported.map(unsupportedReport)];
  const totalSeconds = (performance.now() - started) / 1000;
  const report: CheckReport = {
    file: input.file,
    language: loaded.language,
    engine: engine.name,
    scope: result.scope,
    properties,
    stats: { ...result.stats, totalSeconds, ...language?.peerFigures?.(result, loaded.model) },
    runs: result.runs,
    unchecked: chosen.unchecked,
    unreached: result.coversAll && loaded.model ? unreachedParts(loaded.model) : undefined,
    diagnostics: [...diagnostics, ...result.notices, ...truncationWarnings(loaded.model)],
    sources: loaded.sources,
    accepted: isAcceptable(result, properties, options) ? options.accept : undefined,
    modelOptions: modelArguments(options),
    ...(meter ? { coverage: meter.found(loaded) } : {}),
    ...(loaded.picture ? { picture: loaded.picture } : {}),
  };
  const certificate = certificateOf(loaded, result.proofs);
  return { report, code: loaded.code, model: loaded.model, subject: loaded.subject, certificate };
}

/** What is asked of another language must not be taken for done. */
function onlyForNodes(
  { subject, language }: LoadedInput,
  { file }: Input,
  { slice, schedules }: CheckOptions,
): Diagnostic[] {
  if (subject?.kind === "nodes") return [];
  const problem = (code: string, option: string, hint: string): Diagnostic => ({
    code,
    severity: "error",
    message: `${option} is for systems of nodes, and this is ${language}`,
    span: { file, start: 0, end: 0 },
    hint,
  });
  const slicing = "--reduction slice leaves out what no property of a model depends on";
  const searching = "leave --search out, or take bfs, dfs, random or guided";
  return [
    ...(slice ? [problem("session/no-slice", "--slice", slicing)] : []),
    ...(schedules ? [problem("session/not-for-schedules", `--search ${schedules.by}`, searching)] : []),
  ];
}

/** Undefined when nothing was loaded. */
function chooseEngine(
  loaded: LoadedInput,
  { file }: Input,
  { engine: asked }: CheckOptions,
  { engines }: Registry,
): Engine | Diagnostic | undefined {
  if (!loaded.model && !loaded.subject) return undefined;
  const able = engines.filter((engine) => engine.takes(loaded));
  const found = asked === undefined ? able[0] : able.find(({ name }) => name === asked);
  if (found) return found;
  const isKnown = engines.some(({ name }) => name === asked);
  return {
    code: isKnown ? "session/wrong-engine" : "session/unknown-engine",
    severity: "error",
    message: isKnown
      ? `the engine '${asked}' cannot check what is written in ${loaded.language}`
      : `there is no engine '${asked}'`,
    span: { file, start: 0, end: 0 },
    hint: `--engine takes one of: ${able.map(({ name }) => name).join(", ")}`,
  };
}

/** What a search may use unless it is told: most of the machine, so that it stops before the machine does. */
export const defaultMemoryBytes = (): number =>
  Math.floor(0.8 * Math.min(totalmem(), process.constrainedMemory() || Infinity));

/** Of a lossy store: most of the memory that was granted; if none was, no more than anybody has. */
const defaultTableBytes = ({ budget }: CheckOptions): number =>
  budget?.memoryBytes === undefined
    ? Math.min(2 ** 28, 0.75 * defaultMemoryBytes())
    : Math.floor(0.75 * budget.memoryBytes);

const engineRequest = (
  { file }: Input,
  properties: readonly Property[],
  options: CheckOptions,
  disk: DiskRequest | undefined,
): EngineRequest => ({
  file,
  isPlain: options.isPlain ?? false,
  reductions: options.reductions,
  checksReduction: options.checksReduction ?? false,
  warnsTruncation: options.warnsTruncation ?? false,
  counts: options.counts,
  wantsProofs: options.wantsProofs ?? false,
  ...(options.slice ? { slice: options.slice } : {}),
  minimises: options.minimises ?? true,
  isSeeded: options.seed !== undefined,
  properties,
  search: options.search ?? "bfs",
  schedules: options.schedules,
  store: options.store,
  storeRequest: { tableBytes: defaultTableBytes(options), ...options.storeRequest },
  seed: options.seed ?? 1,
  takesProbable: options.accept === "probabilistic",
  budget: { memoryBytes: defaultMemoryBytes(), ...options.budget },
  maxErrors: options.maxErrors ?? 1,
  fairness: options.fairness ?? "none",
  emptiness: options.emptiness ?? "auto",
  workers: options.workers ?? 1,
  disk,
  control: options.control ?? {},
});

/** Code that was generated for an absurd model may turn out too large only when it is first run. */
function diagnosed(error: unknown, { file }: Input): Diagnostic {
  const problem = diskProblem(error, file) ?? tooLarge(error, file);
  if (!problem) throw error;
  return problem;
}

interface Chosen {
  readonly properties: readonly Property[];
  readonly unsupported: readonly Unsupported[];
  readonly unchecked: readonly Property[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Undefined when nothing was loaded. */
function chooseProperties(loaded: LoadedInput, input: Input, options: CheckOptions): Chosen | undefined {
  const all = loaded.subject?.properties ?? loaded.model?.properties;
  if (!all) return undefined;
  const { properties: asked, checksDeadlock = true } = options;
  const isAsked = ({ name }: { readonly name: string }): boolean =>
    asked === undefined || asked.includes(name);
  const declared = [...all.map((p) => p.name), ...loaded.unsupported.map((u) => u.name)];
  const unknown = (asked ?? []).filter((name) => !declared.includes(name));
  const isChecked = (p: Property): boolean => isAsked(p) && (checksDeadlock || p.kind !== "deadlock");
  const properties = all.filter(isChecked);
  const unsupported = loaded.unsupported.filter(isAsked);
  const hasNothing = unknown.length === 0 && properties.length + unsupported.length === 0;
  return {
    properties,
    unchecked: [...all, ...loaded.unsupported.filter((u) => !isAsked(u))].filter((p) => !isChecked(p)),
    unsupported,
    diagnostics: hasNothing
      ? [nothingToCheck(input, checksDeadlock, isNet(loaded.subject))]
      : unknown.map((name) => ({
          code: "session/unknown-property",
          severity: "error",
          message: `there is no property '${name}'`,
          span: { file: input.file, start: 0, end: 0 },
          hint: `--property takes one of: ${declared.join(", ")}`,
        })),
  };
}

/** A check of nothing would hold, and mean nothing. */
const nothingToCheck = ({ file }: Input, checksDeadlock: boolean, asksNet: boolean): Diagnostic => ({
  code: "session/nothing-to-check",
  severity: "error",
  message: "no property is left to check",
  span: { file, start: 0, end: 0 },
  hint: asksNet
    ? "state a target with --target 'p >= 2', or ask --bounded"
    : `${checksDeadlock ? "" : "drop --no-deadlock, or "}state a condition with --invariant`,
});

/** One report a property, except that different kinds of fault are told apart. */
function reportProperties(model: Model | undefined, result: EngineResult): PropertyReport[] {
  const groups = new Map<string, EngineFinding[]>();
  for (const finding of result.findings) {
    const key = `${finding.property.name}\n${faultOf(model, finding) ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((findings) => reportProperty(model, result.scope, findings));
}

function reportProperty(
  model: Model | undefined,
  scope: Scope,
  findings: readonly EngineFinding[],
): PropertyReport {
  const { property, verdict, narrative, derivation, foundSteps } = findings[0]!;
  const common = {
    property,
    fault: faultOf(model, findings[0]!),
    advice: "",
    violations: [],
    trace: undefined,
  };
  switch (verdict.kind) {
    case "holds":
      return { ...common, verdict: "holds", reason: scopeSentence(verdict.scope ?? scope) };
    case "unknown":
      return {
        ...common,
        verdict: "unknown",
        reason: verdict.reason,
        advice: verdict.advice,
        trace: narrative,
      };
    case "violated": {
      const trace = narrative ?? (model && verdict.trace && replayed(model, verdict.trace, property));
      return {
        ...common,
        verdict: "violated",
        reason: verdict.reason,
        violations: violationsOf(findings),
        trace,
        ...(derivation ? { derivation } : {}),
        ...(foundSteps === undefined ? {} : { foundSteps }),
      };
    }
  }
}

const violationsOf = (findings: readonly EngineFinding[]): PropertyReport["violations"] =>
  findings.flatMap(({ verdict, occurrences = 1 }) =>
    verdict.kind === "violated"
      ? [
          {
            reason: verdict.reason,
            occurrences,
            schedule: verdict.trace ? formatSchedule(verdict.trace.choices, verdict.trace.loopStart) : "",
            steps: verdict.trace?.choices.length ?? 0,
          },
        ]
      : [],
  );

/** A trace that does not show what it is said to show is our mistake, and nobody may see it as a result. */
function replayed(model: Model, trace: Trace, property: Property): Narrative {
  const narration = narrate(model.steps, trace);
  if (narration.kind === "diverged")
    throw new Error(`a trace for '${property.name}' stops at step ${narration.step}`);
  const { narrative } = narration;
  if (!shows(model, property, { ...trace, words: narrative.final.words, fault: narrative.fault }))
    throw new Error(`the trace '${narrative.schedule}' does not show that '${property.name}' is violated`);
  return narrative;
}

function faultOf(model: Model | undefined, { verdict }: Finding): FaultKind | undefined {
  return verdict.kind === "violated" && verdict.trace ? model?.sites[verdict.trace.fault]?.fault : undefined;
}

const unsupportedReport = ({ kind, name, span }: Unsupported): PropertyReport => ({
  property: { name, kind, span },
  verdict: "unknown",
  fault: undefined,
  reason: "not yet supported",
  advice: "",
  violations: [],
  trace: undefined,
});

const truncationWarnings = (model: Model | undefined): Diagnostic[] =>
  (model?.truncation?.parts ?? [])
    .filter((_, index) => model!.truncation!.reached[index] === 1)
    .map(({ text, span }) => ({
      code: "session/truncated-value",
      severity: "warning",
      message: `the value assigned by '${text}' does not always fit its variable, and is cut`,
      span,
      hint: "a wider type keeps the value",
    }));

const unreachedParts = ({ coverage }: Model): CheckReport["unreached"] =>
  coverage.parts.filter((_, index) => coverage.reached[index] === 0);

/** A clean result that only a spent budget, or a lossy store, keeps from being complete. */
const isAcceptable = (
  result: EngineResult,
  properties: readonly PropertyReport[],
  options: CheckOptions,
): boolean =>
  ((options.accept === "bounded" && result.end === "budget") ||
    (options.accept === "probabilistic" && result.end === "probable")) &&
  properties.every((p) => p.verdict !== "violated" && p.reason !== "not yet supported");

function rejected(input: Input, loaded: LoadedInput, diagnostics: readonly Diagnostic[]): CheckReport {
  return nothingChecked(input.file, loaded.language, diagnostics, loaded.sources);
}

/** The report of an input that could not be checked at all. */
export const nothingChecked = (
  file: string,
  language: string,
  diagnostics: readonly Diagnostic[],
  sources: Sources,
): CheckReport => ({
  file,
  language,
  engine: "",
  scope: { kind: "partial", by: "", notes: ["nothing was checked"] },
  properties: [],
  stats: { ...noStats, totalSeconds: 0 },
  runs: [],
  unchecked: [],
  unreached: undefined,
  diagnostics,
  sources,
  accepted: undefined,
  modelOptions: [],
});
