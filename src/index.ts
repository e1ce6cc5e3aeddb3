/**
 * The library: the functions of the command line, for programs.
 *
 *     import { checkFile, overallVerdict } from "everypath";
 *     const report = await checkFile("mutex.pml", { search: "bfs" });
 *     console.log(overallVerdict(report), report.stats.states);
 *
 * `check` verifies all runs of a model, `openModel` opens a model to step through with `Simulation`, and `replay` repeats
 * a trace. `checkJson` converts a report to the output of `--json`; `renderHtml` and `renderChart` create pages and charts.
 * A mistake in a model is a diagnostic in the report, never an exception.
 */
import type { NetworkDescription, PacketFields } from "./languages/sdn/api/description.js";
import { partitioning, type MinimisingEquivalence, type Relation } from "./engines/lts/index.js";
import { Sources, hasErrors, type Diagnostic, type Lts, type Model } from "./model/index.js";
import type { CheckReport, ExecutionReport } from "./report/index.js";
import { checkApart, replayApart } from "./session/apart/index.js";
import {
  compareInputs,
  generateTests as testsOf,
  load,
  toLts as ltsOf,
  nothingChecked,
  readInput,
  registry,
  type CheckOptions,
  type CompareResult,
  type Input,
  type LtsOptions,
  type LtsResult,
  type ModelOptions,
  type ReplayRequest,
  type TestOptions,
  type TestResult,
} from "./session/index.js";

/** Verifies a model given as text. */
export async function check(input: Input, options: CheckOptions = {}): Promise<CheckReport> {
  return (await checkApart(input, options, registry)).report;
}

/** Verifies a model in a file. */
export async function checkFile(file: string, options: CheckOptions = {}): Promise<CheckReport> {
  const input = readInput(file);
  return "code" in input ? nothingChecked(file, "", [input], new Sources()) : check(input, options);
}

/** Verifies a network that is described in TypeScript (`defineNetwork`). */
export async function checkNetwork<F extends PacketFields, S, E extends string>(
  description: NetworkDescription<F, S, E>,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const { checkDescribedNetwork } = await import("./session/check/described-network.js");
  return checkDescribedNetwork(description, options);
}

/** Formats the text of a network, with its topology file inlined; drops comments. */
export async function formatNetwork(
  input: Input,
): Promise<{ readonly text: string; readonly diagnostics: readonly Diagnostic[] }> {
  const { printSdn, readSdn } = await import("./languages/sdn/index.js");
  const { file, text, readFile = () => undefined } = input;
  const { declarations, diagnostics } = readSdn({ file, text, readFile, sources: new Sources() });
  return { text: hasErrors(diagnostics) ? text : printSdn(declarations), diagnostics };
}

export interface OpenedModel {
  /** Undefined if the diagnostics contain errors. */
  readonly model: Model | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/** A model to step through: `new Simulation(model)`. */
export async function openModel(input: Input, options: ModelOptions = {}): Promise<OpenedModel> {
  const { model, diagnostics, sources } = await load(input, options, registry);
  return { model: hasErrors(diagnostics) ? undefined : model, diagnostics, sources };
}

/** Replays a schedule, or a trace from a file. */
export const replay = (
  input: Input,
  request: ReplayRequest,
  options: ModelOptions = {},
): Promise<ExecutionReport> => replayApart(input, request, options, registry);

/** Generates tests of a C program: the inputs of every path, with coverage. `testFiles` gives the files of a suite. */
export const generateTests = (input: Input, options: Partial<TestOptions> = {}): Promise<TestResult> =>
  testsOf(
    input,
    { strategy: "fork", seed: 1, budget: {}, control: {}, solver: "auto", ...options },
    registry,
  );
export { testFiles, type TestOptions, type TestResult } from "./session/index.js";

/** The labelled transition system of a model, minimised on request. */
export const toLts = (input: Input, options: LtsOptions = {}): Promise<LtsResult> =>
  ltsOf(input, options, registry);

/** Compares two models by their visible actions; a difference has confirmed evidence. */
export const compare = (
  first: Input,
  second: Input,
  relation: Relation,
  options: Omit<LtsOptions, "minimise"> = {},
): Promise<CompareResult> => compareInputs([first, second], relation, options, registry);

/** The smallest system with the same behaviour up to the relation. */
export function minimise(lts: Lts, relation: MinimisingEquivalence): Lts {
  const slices = partitioning(lts, relation);
  while (slices.advance(Infinity));
  return slices.result().quotient;
}

/** Proves a safety property of components by learned assumptions, or finds a trace of all of them that violates it. */
export { proveByAssumptions } from "./session/lts/learning.js";
export type { LearningOptions, Proved } from "./session/lts/learning.js";
export type { Component, Found, Rule, Teacher } from "./engines/learning/index.js";

export {
  hasErrors,
  type CodeCoverage,
  type Diagnostic,
  type FileCoverage,
  type Model,
  type Sources,
  type VerdictKind,
} from "./model/index.js";
export {
  checkJson,
  executionJson,
  firstViolated,
  overallVerdict,
  renderCheck,
  renderDiagnostics,
  version,
  type CheckJson,
  type CheckReport,
  type ExecutionJson,
  type ExecutionReport,
  type NarratedStep,
  type Narrative,
  type PropertyReport,
} from "./report/index.js";
/** Lossy stores for a number of states and bytes, the most reliable first. */
export { plans as planStores, type Plan } from "./engines/explicit/stores/plan.js";
export { renderChart } from "./report/chart.js";
export { renderHtml } from "./report/html.js";
export {
  Random,
  Simulation,
  parseTraceFile,
  readInput,
  type CheckOptions,
  type Ending,
  type Fairness,
  type Input,
  type ModelOptions,
  type ReplayRequest,
  type TraceFile,
} from "./session/index.js";
/** Networks with a controller, described in TypeScript. */
export * from "./languages/sdn/api/description.js";
/** Labelled transition systems, in the format of Aldebaran. */
export { renderAut } from "./languages/aut/index.js";
export type { Lts } from "./model/index.js";
export type {
  Comparison,
  Equivalence,
  Evidence,
  MinimisingEquivalence,
  Relation,
} from "./engines/lts/index.js";
export type { CompareResult, LtsOptions, LtsResult } from "./session/index.js";
