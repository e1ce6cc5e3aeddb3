/** The outcomes of a random program by exploration and on Node. */
import { join } from "node:path";
import { collectingRejections } from "../../../src/code/realm/index.js";
import { ScheduleProgram } from "../../../src/code/schedule/index.js";
import { ScheduleSearch } from "../../../src/engines/schedules/index.js";
import { limitsOf } from "../../../src/session/schedules/options.js";
import { loadTestFile, type TestFile } from "../../../src/session/schedules/test-file.js";
import type { AsyncProgram, Step } from "./program.js";
import { latestMs } from "./real.js";

export interface Explored {
  readonly outcomes: ReadonlySet<string>;
  readonly schedules: number;
  /** Every schedule was run to its end. */
  readonly isWhole: boolean;
  /** A failure outside the program. */
  readonly failure?: string;
}

/** The code of a program, without unused modules, which every realm would evaluate. */
export async function loadUnderTest({ tasks }: AsyncProgram): Promise<TestFile> {
  const uses = (kinds: readonly Step["do"][]): boolean =>
    tasks.some(({ steps }) => steps.some((step) => kinds.includes(step.do)));
  const part = uses(["send"]) ? "sockets" : uses(["read", "write", "rename"]) ? "files" : "plain";
  const file = join(process.cwd(), `bench/fuzz/schedules/under-test/${part}.ts`);
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
      const { report, schedule } = realms.runRecorded(next.plan, next.maxTurns, false);
      if (report.failure) return { outcomes, schedules, isWhole: false, failure: report.failure.message };
      outcomes.add(report.output.map(({ text }) => text).join("\n"));
      search.record(schedule);
    }
    const { isExhausted, schedules: run } = search.result();
    return { outcomes, schedules: run, isWhole: isExhausted };
  });
}
