/** Checks an input, from text to report: loads it, runs the engine, replays violations, sums up. */
import {
  DeviceProblem,
  hasErrors,
  type Certificate,
  type Diagnostic,
  type Model,
  type Sources,
  type Subject,
} from "../../model/index.js";
import { noStats, type CheckReport, type PropertyReport } from "../../report/index.js";
import { certificateOf } from "./certificates.js";
import { refusedByEngine } from "../accepting.js";
import { chooseEngine, chooseProperties, type Chosen } from "./choosing.js";
import type { CoverageMeter } from "../nodes/coverage.js";
import { diskProblem, identityOf } from "./disk.js";
import { engineRequest } from "./engine-request.js";
import { languageOf, load, tooLarge, type LoadedInput } from "../load.js";
import { reportProperties } from "./property-reports.js";
import type { Engine, EngineResult, Registry } from "../contracts.js";
import { modelArguments, type CheckOptions, type Input } from "../request.js";
import { LearningProblem } from "../lts/learning-problem.js";
import { RelationProblem } from "../lts/relation-problem.js";
import { attributed } from "../pipeline/whole-first.js";

export interface Checked {
  readonly report: CheckReport;
  /** The program that the model was compiled to. */
  readonly code: (() => string) | undefined;
  /** Absent if loading failed or the input has no states. */
  readonly model: Model | undefined;
  /** Input of a specialised engine. */
  readonly subject?: Subject | undefined;
  /** Proofs of properties that hold, if requested. */
  readonly certificate?: Certificate | undefined;
}

export async function checkInput(input: Input, options: CheckOptions, registry: Registry): Promise<Checked> {
  const started = performance.now();
  if (!options.measuresCoverage) return checkByWorkers(started, input, options, registry, undefined);
  const { CoverageMeter } = await import("../nodes/coverage.js");
  const meter = new CoverageMeter();
  try {
    const checked = await checkByWorkers(started, input, { ...options, workers: 1 }, registry, meter);
    return (options.workers ?? 1) > 1 ? measuredAlone(checked, input) : checked;
  } finally {
    meter.end();
  }
}

/** Coverage of other threads is not measured. */
function measuredAlone(checked: Checked, { file }: Input): Checked {
  const note: Diagnostic = {
    code: "code/one-worker",
    severity: "note",
    message: "one thread searches: --coverage measures this thread alone",
    span: { file, start: 0, end: 0 },
  };
  const { report } = checked;
  return { ...checked, report: { ...report, diagnostics: [...report.diagnostics, note] } };
}

async function checkByWorkers(...all: Parameters<typeof checkSince>): Promise<Checked> {
  const [, input, { workers = 1, language: name }, registry] = all;
  const language = languageOf(input, name, registry);
  const isThreaded = !("code" in language) && language.accepts.facets.threads === true;
  if (workers === 1 || !isThreaded) return checkSince(...all);
  // Threads start while the model loads.
  const { startEarly } = await import("../engines/search-worker.js");
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
  const engine = chooseEngine(loaded, input, options, registry, chosen?.properties ?? []);
  const diagnostics = [
    ...loaded.diagnostics,
    ...(chosen?.diagnostics ?? []),
    ...(engine ? ("code" in engine ? [engine] : refusedBy(engine, loaded, chosen, input, options)) : []),
  ];
  const isLoaded = chosen !== undefined && engine !== undefined && !("code" in engine);
  if (!isLoaded || hasErrors(diagnostics))
    // sound: test/session/chosen.test.ts
    return { report: rejected(input, loaded, diagnostics), code: loaded.code, model: undefined };
  const disk = options.disk && { ...options.disk, identity: identityOf(loaded, chosen.properties, options) };
  const request = engineRequest(input, chosen.properties, options, disk, loaded.sources);
  const result = await engine
    .check(loaded, request)
    .then(attributed)
    .catch((error: unknown) => diagnosed(error, input));
  if ("code" in result)
    return {
      report: rejected(input, loaded, [...diagnostics, result]),
      code: loaded.code,
      model: undefined,
    };
  const language = registry.languages.find(({ name }) => name === loaded.language);
  const { retell } = loaded;
  const properties = reportProperties(loaded.model, result).map((each) =>
    retell && each.verdict === "violated" && each.trace
      ? { ...each, reason: retell(each.reason, each.trace, loaded.sources) }
      : each,
  );
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
    ...(meter ? { coverage: meter.found(loaded.subject) } : {}),
    ...(loaded.picture ? { picture: loaded.picture } : {}),
  };
  const certificate = certificateOf(loaded, result.proofs);
  return { report, code: loaded.code, model: loaded.model, subject: loaded.subject, certificate };
}

const refusedBy = (
  engine: Engine,
  loaded: LoadedInput,
  chosen: Chosen | undefined,
  { file }: Input,
  options: CheckOptions,
): Diagnostic[] => {
  const { properties = [] } = chosen ?? {};
  const { accepts, model } = loaded;
  if (!accepts) throw new Error("the loaded input declares no accepted options");
  const canReduce = model?.reductions !== undefined;
  return refusedByEngine(engine, options, { properties, canReduce, facets: accepts.facets }, file);
};

/** Generated code of an extreme model may exceed limits only when it first runs. */
function diagnosed(error: unknown, { file }: Input): Diagnostic {
  const problem =
    relationProblem(error, file) ??
    learningProblem(error, file) ??
    diskProblem(error, file) ??
    deviceProblem(error, file) ??
    tooLarge(error, file);
  if (!problem) throw error;
  return problem;
}

/** Diagnoses a relation that would change the answer to a question. */
const relationProblem = (error: unknown, file: string): Diagnostic | undefined =>
  error instanceof RelationProblem
    ? {
        code: "session/relation-not-kept",
        severity: "error",
        message: error.message,
        span: { file, start: 0, end: 0 },
        hint: "omit --relation: the engine chooses one that keeps each answer",
      }
    : undefined;

/** Diagnoses a property that no rule applies to. */
const learningProblem = (error: unknown, file: string): Diagnostic | undefined =>
  error instanceof LearningProblem
    ? {
        code: "session/not-learnable",
        severity: "error",
        message: error.message,
        span: { file, start: 0, end: 0 },
        hint: "--engine explicit searches the whole",
      }
    : undefined;

/** Diagnoses a device that is absent, unsuitable or failed. */
function deviceProblem(error: unknown, file: string): Diagnostic | undefined {
  if (!(error instanceof DeviceProblem)) return undefined;
  const { kind, message, hint } = error;
  return {
    code: `session/device-${kind}`,
    severity: "error",
    message,
    span: { file, start: 0, end: 0 },
    hint,
  };
}

const truncationWarnings = (model: Model | undefined): Diagnostic[] =>
  (model?.truncation?.parts ?? [])
    .filter((_, index) => model?.truncation?.reached[index] === 1)
    .map(({ text, span }) => ({
      code: "session/truncated-value",
      severity: "warning",
      message: `the value assigned by '${text}' does not always fit its variable, and is cut`,
      span,
      hint: "a wider type keeps the value",
    }));

const unreachedParts = ({ coverage }: Model): CheckReport["unreached"] =>
  coverage.parts.filter((_, index) => coverage.reached[index] === 0);

/** Accepts a result without violations that is incomplete only because of a spent budget or a lossy store. */
const isAcceptable = (
  result: EngineResult,
  properties: readonly PropertyReport[],
  options: CheckOptions,
): boolean =>
  // sound: test/session/chosen.test.ts
  ((options.accept === "bounded" && (result.end === "budget" || result.end === "bound")) ||
    (options.accept === "probabilistic" && result.end === "probable")) &&
  // sound: test/session/chosen.test.ts
  properties.every((p) => p.verdict !== "violated");

function rejected(input: Input, loaded: LoadedInput, diagnostics: readonly Diagnostic[]): CheckReport {
  return nothingChecked(input.file, loaded.language, diagnostics, loaded.sources);
}

/** The report of an input that was not checked. */
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
