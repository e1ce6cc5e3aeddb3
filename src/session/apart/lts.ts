/** Explores code in a separate process: its labelled transition system, or the reason why there is none. */
import { Sources, type Diagnostic, type Lts, type Progress, type Span } from "../../model/index.js";
import { converse, startChild, type Limits } from "../../sandbox/index.js";
import type { LtsOptions, LtsResult } from "../lts/result.js";
import { bundleInput } from "../nodes/load.js";
import type { Input } from "../request.js";
import { problemOf } from "./check.js";
import { nodesJob, packReport, unpackReport, type NodesJob, type Packed } from "./job.js";

export interface LtsJob extends NodesJob {
  readonly kind: "lts";
  readonly options: Omit<LtsOptions, "control">;
}

export interface LtsNews {
  readonly progress: Progress;
}

/** Positions as a list, since functions do not cross processes. */
interface PackedLts extends Omit<Lts, "origins" | "observed"> {
  readonly places: { readonly numbers: Int32Array; readonly spans: readonly (readonly Span[])[] } | undefined;
}

export interface PackedResult {
  readonly report: Packed<LtsResult>;
  readonly lts: PackedLts | undefined;
}

export async function ltsInChild(
  input: Input,
  language: string,
  { control = {}, ...options }: LtsOptions,
  limits: Limits = {},
): Promise<LtsResult> {
  const source = await bundleInput(input, { ...options, language });
  if (!("code" in source)) return nothing(input, language, source);
  const child = await startChild({ ...limits, memoryBytes: options.budget?.memoryBytes });
  try {
    const job: LtsJob = { kind: "lts", ...nodesJob(source, input), options };
    const ending = await converse<PackedResult, LtsNews>(child, job, {
      hangMs: limits.hangMs,
      isStopped: () => control.isStopped?.() ?? false,
      onNews: ({ progress }) => control.onProgress?.(progress),
    });
    if (ending.kind === "answered") return unpackResult(ending.answer);
    return nothing(input, language, [problemOf(input, ending)]);
  } finally {
    child.kill("SIGKILL");
  }
}

const nothing = ({ file, text }: Input, language: string, diagnostics: readonly Diagnostic[]): LtsResult => {
  const sources = new Sources();
  sources.add(file, text);
  return {
    file,
    language,
    lts: undefined,
    explored: { states: 0, transitions: 0 },
    seconds: 0,
    stop: undefined,
    notes: [],
    isCut: false,
    diagnostics,
    sources,
  };
};

export function packResult({ lts, ...rest }: LtsResult): PackedResult {
  if (!lts) return { report: packReport({ ...rest, lts: undefined }), lts: undefined };
  const { origins, observed, ...plain } = lts;
  if (observed) throw new Error("code shows actions, not states");
  const count = origins ? origins.numbers.reduce((most, number) => Math.max(most, number + 1), 0) : 0;
  const spans = Array.from({ length: count }, (_, number) => origins!.spansOf(number));
  return {
    report: packReport({ ...rest, lts: undefined }),
    lts: { ...plain, places: origins && { numbers: origins.numbers, spans } },
  };
}

function unpackResult({ report, lts }: PackedResult): LtsResult {
  const result = unpackReport<LtsResult>(report);
  if (!lts) return result;
  const { places, ...plain } = lts;
  const origins = places && {
    numbers: places.numbers,
    spansOf: (number: number) => places.spans[number] ?? [],
  };
  return { ...result, lts: { ...plain, ...(origins ? { origins } : {}) } };
}
