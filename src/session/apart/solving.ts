/**
 * Runs engines that ask a solver in a separate process: a solver that exhausts memory or crashes takes only that process with it.
 *
 * This process loads the input, reports and replays; the other loads it again and runs the engine. Read `solving-here.ts` for that side.
 */
import type { Progress, Verdict } from "../../model/index.js";
import { noStats } from "../../report/index.js";
import { converse, startChild, type Ending, type Job, type Limits } from "../../sandbox/index.js";
import type { EngineRequest, EngineResult, Registry } from "../contracts.js";
import type { CheckOptions, Input } from "../request.js";

export interface SolveJob extends Job {
  readonly kind: "solve";
  readonly file: string;
  readonly text: string;
  /** Other files that loading has read. */
  readonly files: ReadonlyMap<string, string | undefined>;
  readonly options: Omit<CheckOptions, "control">;
  readonly engine: string;
  /** By name. */
  readonly properties: readonly string[];
}

export interface SolveNews {
  readonly progress: Progress;
}

interface Apart {
  /** Keeps the files that are read. */
  readonly input: Input;
  readonly registry: Registry;
}

/** The registry, whose engines that ask a solver run in a separate process. */
export function solvingApart(input: Input, options: CheckOptions, registry: Registry, limits: Limits): Apart {
  const files = new Map<string, string | undefined>();
  const { readFile } = input;
  const kept: Input = readFile
    ? {
        ...input,
        readFile: (path) => {
          const text = readFile(path);
          files.set(path, text);
          return text;
        },
      }
    : input;
  const { control: _, ...rest } = options;
  const engines = registry.engines.map((engine) =>
    engine.asksSolver
      ? {
          ...engine,
          check: (__: unknown, request: EngineRequest) => {
            const properties = request.properties.map(({ name }) => name);
            const { file, text } = input;
            const job: SolveJob = {
              kind: "solve",
              file,
              text,
              files,
              options: rest,
              engine: engine.name,
              properties,
            };
            return solved(job, request, limits);
          },
        }
      : engine,
  );
  return { input: kept, registry: { ...registry, engines } };
}

/** Longer than any query. */
const HANG_MS = 120_000;

async function solved(job: SolveJob, request: EngineRequest, limits: Limits): Promise<EngineResult> {
  const child = await startChild({ ...limits, isOurs: true });
  try {
    const { control } = request;
    const ending = await converse<EngineResult, SolveNews>(child, job, {
      hangMs: limits.hangMs ?? HANG_MS,
      isStopped: () => control.isStopped?.() ?? false,
      onNews: ({ progress }) => control.onProgress?.(progress),
    });
    if (ending.kind === "answered") return ending.answer;
    if (ending.kind === "broken") throw ending.error;
    return unknown(request, reasonOf(ending)); // sound: test/session/solving-apart.test.ts
  } finally {
    // Kill the process after any failure here: it would keep this one alive.
    child.kill("SIGKILL");
  }
}

function reasonOf(ending: Exclude<Ending<EngineResult>, { kind: "answered" | "broken" }>): string {
  switch (ending.kind) {
    case "gone":
      return `the process of the solver has ended: ${ending.reason}`;
    case "hung":
      return "the process of the solver did not answer";
    case "stopped":
      return "the analysis was interrupted";
    case "refused":
      return ending.problem.message;
  }
}

function unknown({ properties }: EngineRequest, reason: string): EngineResult {
  const verdict: Verdict = { kind: "unknown", reason, advice: "raise --memory, or try another --solver" };
  return {
    findings: properties.map((property) => ({ property, verdict, occurrences: 0 })),
    scope: { kind: "partial", by: "", notes: [reason] },
    end: "budget",
    runs: [{ properties: properties.map(({ name }) => name), reductions: [], stats: noStats }],
    stats: noStats,
    coversAll: false,
    notices: [],
  };
}
