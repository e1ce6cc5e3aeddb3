/** What a random program can come to by exploration, and what it comes to on Node. */
import { join } from "node:path";
import { collectingRejections } from "../../../src/code/realm/index.js";
import { ScheduleProgram } from "../../../src/code/schedule/index.js";
import { ScheduleSearch } from "../../../src/engines/schedules/index.js";
import { limitsOf } from "../../../src/testing/options.js";
import { loadTestFile, type TestFile } from "../../../src/testing/test-file.js";
import type { AsyncProgram } from "./program.js";
import { latestMs, type RealWorld } from "./real.js";

export interface Explored {
  readonly outcomes: ReadonlySet<string>;
  readonly schedules: number;
  /** Every schedule was run, to its end. */
  readonly isWhole: boolean;
  /** Something went wrong that no program does. */
  readonly failure?: string;
}

export async function loadUnderTest(): Promise<TestFile> {
  const file = join(process.cwd(), "bench/fuzz/schedules/under-test.ts");
  const loaded = await loadTestFile({ file, framework: "code" });
  if ("diagnostics" in loaded) throw new Error("the program under test cannot be bundled");
  return loaded;
}

export function explored({ base, script }: TestFile, program: AsyncProgram, schedules: number): Explored {
  const env = { PROGRAM: JSON.stringify(program) };
  const limits = limitsOf({ schedules, env, replayEvery: 0, latenessMs: 2 * latestMs });
  const realms = new ScheduleProgram({
    base,
    script,
    names: ["program"],
    world: limits.world,
    allowsEval: false,
    withCosts: false,
    timeoutMs: undefined,
  });
  const outcomes = new Set<string>();
  return collectingRejections(() => {
    const search = new ScheduleSearch({ ...limits.search, now: () => performance.now() });
    for (let next = search.next(); next; next = search.next()) {
      const { report, schedule } = realms.tell(next.plan, next.maxTurns, false);
      if (report.failure) return { outcomes, schedules, isWhole: false, failure: report.failure.message };
      outcomes.add(report.output.map(({ text }) => text).join("\n"));
      search.record(schedule);
    }
    const { isExhausted, schedules: run } = search.result();
    return { outcomes, schedules: run, isWhole: isExhausted };
  });
}

/** Outcomes of Node, each as often as it was seen; those of runs that were late are left out, and run again once. */
export async function realOutcomes(
  real: RealWorld,
  program: AsyncProgram,
  runs: number,
): Promise<ReadonlyMap<string, number>> {
  const outcomes = new Map<string, number>();
  for (let i = 0, left = runs; i < 2 * runs && left > 0; i++) {
    const { outcome, isLate } = await real.run(program);
    if (isLate) continue;
    left--;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return outcomes;
}
