/** Random runs of a system of nodes in several processes, each of which makes every n-th run. */
import type { Progress } from "../../model/index.js";
import { unionOfReports, type CheckReport } from "../../report/index.js";
import type { Limits } from "../../sandbox/index.js";
import type { Checked } from "../check/check.js";
import type { CheckOptions, Input, SwitchRequest } from "../request.js";
import { checkInChild } from "./check.js";

/** `schedules`: the request of all processes together. */
export async function simulateInChildren(
  input: Input,
  options: CheckOptions,
  schedules: SwitchRequest,
  limits: Limits,
): Promise<Checked> {
  const { workers = 1, control = {} } = options;
  const count = Math.min(workers, runsOf(schedules));
  const parts = Array.from({ length: count }, (_, index): Part => ({ index, begun: 0, progress: undefined }));
  let failedRun = Infinity;
  const numberOf = ({ index, begun }: Part): number => index + begun * count;
  const answers = await Promise.all(
    parts.map(async (part): Promise<CheckReport> => {
      const { report } = await checkInChild(
        input,
        {
          ...options,
          workers: 1,
          schedules: { ...schedules, part: { index: part.index, of: count } },
          control: {
            onProgress: (progress) => {
              part.begun = progress.schedules ?? 0;
              part.progress = progress;
              control.onProgress?.(together(parts));
            },
            // Earlier runs are completed, so that the first failing run does not depend on the number of processes.
            isStopped: () => control.isStopped?.() === true || numberOf(part) > failedRun,
          },
        },
        limits,
      );
      failedRun = Math.min(failedRun, orderOf(report, schedules));
      return report;
    }),
  );
  return { report: unionOfReports(answers), code: undefined, model: undefined };
}

interface Part {
  readonly index: number;
  begun: number;
  progress: Progress | undefined;
}

/** The number of the failing run within the shard; Infinity: none failed. */
function orderOf({ runs }: CheckReport, { shard }: SwitchRequest): number {
  const failed = runs.flatMap(({ simulation }) => simulation?.failed ?? [])[0];
  return failed ? Math.floor(failed.run / (shard?.of ?? 1)) : Infinity;
}

function runsOf({ runs = Infinity, shard }: SwitchRequest): number {
  return Math.max(1, Math.ceil((runs - (shard?.index ?? 1) + 1) / (shard?.of ?? 1)));
}

function together(parts: readonly Part[]): Progress {
  const all = parts.flatMap(({ progress }) => progress ?? []);
  const sum = (of: (progress: Progress) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  return {
    states: sum(({ states }) => states),
    transitions: sum(({ transitions }) => transitions),
    depth: Math.max(0, ...all.map(({ depth }) => depth)),
    frontier: 0,
    bytes: 0,
    seconds: Math.max(0, ...all.map(({ seconds }) => seconds)),
    schedules: sum(({ schedules = 0 }) => schedules),
    steps: sum(({ steps = 0 }) => steps),
  };
}
