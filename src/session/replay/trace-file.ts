/**
 * A trace as a file: its model, options, outcome and schedule. The schedule alone determines the run; the steps are for readers and
 * locate the difference after a change of the model.
 */
import { createHash } from "node:crypto";
import { parseSchedule, type FaultKind, type PropertyKind, type Sources } from "../../model/index.js";
import { known } from "../../model/known.js";
import {
  stepJson,
  version,
  type CheckReport,
  type PropertyReport,
  type StepJson,
} from "../../report/index.js";
import type { ModelOptions } from "../request.js";

export interface TraceFile {
  readonly everypath: string;
  readonly format: "everypath-trace-1";
  /** Relative to the trace file. */
  readonly file: string;
  /** Covers the model's text and all included files. */
  readonly sourceHash: string;
  readonly options: ModelOptions;
  readonly property: { readonly name: string; readonly kind: PropertyKind };
  readonly reason: string;
  readonly fault: FaultKind | null;
  readonly schedule: string;
  readonly loopStart: number | null;
  readonly steps: readonly Pick<StepJson, "number" | "participants" | "action" | "sources">[];
}

/** `modelFile`: path of the model relative to the trace file. */
export function traceFile(
  report: CheckReport,
  violated: PropertyReport,
  options: ModelOptions,
  modelFile: string,
): TraceFile {
  const trace = known(violated.trace, "the trace of a violation");
  const { name, kind } = violated.property;
  return {
    everypath: version,
    format: "everypath-trace-1",
    file: modelFile,
    sourceHash: hashOf(report.sources),
    options: semanticOptions({ ...options, language: report.language }),
    property: { name, kind },
    reason: violated.reason,
    fault: violated.fault ?? null,
    schedule: trace.schedule,
    loopStart: trace.loopStart ?? null,
    steps: trace.steps.map((step) => {
      const { number, participants, action, sources } = stepJson(step, report.sources);
      return { number, participants, action, sources };
    }),
  };
}

/** Parses a trace file, or describes the error. */
export function parseTraceFile(text: string): TraceFile | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== "object" || value === null || !("format" in value))
    return { problem: "not a trace file" };
  const trace = value as TraceFile;
  if (trace.format !== "everypath-trace-1")
    return { problem: `its format is '${String(trace.format)}', not 'everypath-trace-1'` };
  const wrong = Object.entries(fields).find(([name, isRight]) => !isRight((value as Fields)[name]));
  if (wrong) return { problem: `its field '${wrong[0]}' is missing or damaged` };
  const option = Object.entries(trace.options).find(([name, each]) => !(optionFields[name] ?? isPlain)(each));
  if (option) return { problem: `its option '${option[0]}' is damaged` };
  if (parseSchedule(trace.schedule) === undefined) return { problem: "its schedule is damaged" };
  return trace;
}

type Fields = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string";
const isFlag: Test = (value) => typeof value === "boolean";
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList =
  (isRight: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(isRight);
const isPlain: Test = (value) => isText(value) || isFlag(value) || isCount(value) || isList(isText)(value);

const isSource: Test = (value) =>
  isObject(value) && isText(value["file"]) && isCount(value["line"]) && isCount(value["column"]);

const isStep: Test = (value) =>
  isObject(value) &&
  isCount(value["number"]) &&
  isList(isText)(value["participants"]) &&
  isText(value["action"]) &&
  isList(isSource)(value["sources"]);

/** All fields are validated, so that a damaged file is refused as a whole. */
const fields: Readonly<Record<string, Test>> = {
  file: isText,
  sourceHash: isText,
  options: isObject,
  property: (value) => isObject(value) && isText(value["name"]) && isText(value["kind"]),
  reason: isText,
  fault: (value) => value === null || isText(value),
  schedule: isText,
  loopStart: (value) => value === null || isCount(value),
  steps: isList(isStep),
};

const optionFields: Readonly<Record<string, Test>> = {
  language: isText,
  defines: isList(isText),
  faults: isList(isText),
  refines: isText,
  invariants: isList(isText),
  ltl: isList(isText),
  claims: isList(isText),
  targets: isList(isText),
  asksBoundedness: isFlag,
  loseWhenFull: isFlag,
  endNeedsEmptyChannels: isFlag,
  maxProcesses: isCount,
  integers: (value) => value === "bounded" || value === "unbounded",
  refactor: (value) => value === "apply" || value === "verify",
  arrays: (value) => value === "allow" || value === "warn" || value === "forbid",
  dialect: (value) => value === "rumur" || value === "cmurphi",
  deadlock: (value) => value === "stuttering" || value === "stuck" || value === "off",
  symmetry: (value) => value === "exact" || value === "heuristic" || value === "force",
  loopLimit: isCount,
  callDepth: isCount,
  concrete: isCount,
  symbolicArgs: isList(isText),
  symbolicStdin: isCount,
  compiler: isText,
  tasks: isList(isText),
  compat: (value) => value === "published" || value === "published-sets",
};

export function hashOf(sources: Sources): string {
  const hash = createHash("sha256");
  for (const [, text] of sources.texts()) hash.update(`${text.length}\n`).update(text);
  return `sha256:${hash.digest("hex")}`;
}

/** Options that determine the system; others are not part of a trace. */
const semanticOptions = (options: ModelOptions): ModelOptions => ({
  language: options.language!,
  defines: options.defines ?? [],
  ...(options.faults?.length ? { faults: options.faults } : {}),
  ...(options.refines === undefined ? {} : { refines: options.refines }),
  invariants: options.invariants ?? [],
  ...(options.ltl?.length ? { ltl: options.ltl } : {}),
  ...(options.claims?.length ? { claims: options.claims } : {}),
  ...(options.targets?.length ? { targets: options.targets } : {}),
  ...(options.asksBoundedness ? { asksBoundedness: true } : {}),
  loseWhenFull: options.loseWhenFull ?? false,
  endNeedsEmptyChannels: options.endNeedsEmptyChannels ?? false,
  ...(options.maxProcesses === undefined ? {} : { maxProcesses: options.maxProcesses }),
  ...(options.integers === undefined ? {} : { integers: options.integers }),
  ...(options.refactor === undefined ? {} : { refactor: options.refactor }),
  ...(options.arrays === undefined ? {} : { arrays: options.arrays }),
  ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
  ...(options.deadlock === undefined ? {} : { deadlock: options.deadlock }),
  ...(options.loopLimit === undefined ? {} : { loopLimit: options.loopLimit }),
  ...(options.callDepth === undefined ? {} : { callDepth: options.callDepth }),
  ...(options.concrete === undefined ? {} : { concrete: options.concrete }),
  ...(options.symbolicArgs === undefined ? {} : { symbolicArgs: options.symbolicArgs }),
  ...(options.symbolicStdin === undefined ? {} : { symbolicStdin: options.symbolicStdin }),
  ...(options.compiler === undefined ? {} : { compiler: options.compiler }),
  ...(options.tasks === undefined ? {} : { tasks: options.tasks }),
});
