/** All endings of a program, by all schedules or with reduction by races. */
import { collectingRejections } from "../../../src/code/realm/index.js";
import { ScheduleProgram } from "../../../src/code/schedule/index.js";
import { ScheduleSearch } from "../../../src/engines/schedules/index.js";
import type { ScheduleRun } from "../../../src/model/index.js";
import { limitsOf } from "../../../src/session/schedules/options.js";
import { loadTestFile } from "../../../src/session/schedules/test-file.js";
import { trackedScript } from "../../../src/session/schedules/tracked.js";

export interface Pair {
  readonly plain: ScheduleProgram;
  readonly tracked: ScheduleProgram;
}

const MOST = 60;

export async function pairsOf(file: string): Promise<(name: string) => Pair> {
  const loaded = await loadTestFile({ file, framework: "code" });
  if ("diagnostics" in loaded) throw new Error(loaded.diagnostics[0]!.message);
  const watched = await trackedScript(loaded);
  if (!("script" in watched)) throw new Error(watched.refused);
  return (name) => {
    const options = {
      base: loaded.base,
      script: loaded.script,
      names: [name],
      world: limitsOf({}).world,
      allowsEval: false,
      withCosts: false,
      timeoutMs: undefined,
    };
    return { plain: new ScheduleProgram(options), tracked: new ScheduleProgram({ ...options, ...watched }) };
  };
}

/** All endings, sorted; undefined: too many schedules. `none`: without any races. */
export function endings(
  { plain, tracked }: Pair,
  how: "all" | "races" | "none",
): { ends: string[]; schedules: number } | undefined {
  const { search: limits } = limitsOf({ schedules: MOST, timeMs: 1e6, replayEvery: 0, reduction: "races" });
  return collectingRejections(() => {
    const search = new ScheduleSearch({ ...limits, reduces: how !== "all", now: () => 0 });
    const ends = new Set<string>();
    for (let request = search.next(); request; request = search.next()) {
      const run = how === "all" ? plain.run(request) : tracked.run(request);
      const { report } = plain.runRecorded(
        { prefix: run.made.map(({ value }) => value), tail: { kind: "first" } },
        500,
      );
      ends.add(report.failure?.message ?? report.output.at(-1)?.text ?? "");
      // A failure counts as an ending: the search continues.
      const races: ScheduleRun["races"] = how === "none" ? { found: [] } : run.races;
      search.record({ ...run, end: "passed", ...(races ? { races } : {}) });
    }
    const { schedules, isExhausted } = search.result();
    return isExhausted ? { ends: [...ends].sort(), schedules } : undefined;
  });
}
