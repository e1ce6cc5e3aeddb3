/** Outcomes of random programs by exploration: in this process, in realms, and in realms with reduction by races. */
import { collectingRejections } from "../../../src/code/realm/index.js";
import { HostProgram, ScheduleProgram, type ScheduleWorld } from "../../../src/code/schedule/index.js";
import type { WorldReport } from "../../../src/code/realm/index.js";
import { ScheduleSearch } from "../../../src/engines/schedules/index.js";
import { limitsOf } from "../../../src/session/schedules/options.js";
import { loadTestFile } from "../../../src/session/schedules/test-file.js";
import { trackedScript } from "../../../src/session/schedules/tracked.js";

export interface Pair {
  readonly plain: ScheduleProgram;
  readonly tracked: ScheduleProgram;
}

export interface Found {
  readonly outcomes: ReadonlySet<string>;
  readonly schedules: number;
  readonly isWhole: boolean;
}

export async function pairsIn(file: string): Promise<(name: string, latenessMs: number) => Pair> {
  const loaded = await loadTestFile({ file, framework: "code" });
  if ("diagnostics" in loaded) throw new Error(loaded.diagnostics.map(({ message }) => message).join("\n"));
  const watched = await trackedScript(loaded);
  if (!("script" in watched)) throw new Error(watched.refused);
  const { base, script } = loaded;
  return (name, latenessMs) => {
    const { world } = limitsOf({ latenessMs });
    const shared = { base, names: [name], world, allowsEval: false, withCosts: false, timeoutMs: undefined };
    return {
      plain: new ScheduleProgram({ ...shared, script }),
      tracked: new ScheduleProgram({ ...shared, ...watched }),
    };
  };
}

const { search: limits } = limitsOf({ timeMs: 1e9, replayEvery: 0 });
const maxTurns = 500;

/** In this process: without realms, many times faster. */
export async function hostOutcomesOf(text: string, latenessMs: number, schedules: number): Promise<Found> {
  let said: string[] = [];
  const output = { log: (line: string): void => void said.push(line) };
  const body = new Function("world", "console", `return (async () => {${text}})();`) as (
    world: ScheduleWorld,
    console: typeof output,
  ) => unknown;
  const program = new HostProgram((world) => body(world, output), limitsOf({ latenessMs }).world);
  const search = new ScheduleSearch({ ...limits, maxSchedules: schedules, now: () => 0 });
  const outcomes = new Set<string>();
  for (let request = search.next(); request; request = search.next()) {
    said = [];
    const { report, schedule } = await program.runRecorded({ ...request, maxTurns }, false);
    outcomes.add(outcomeText(said, report));
    search.record({ ...schedule, end: "passed" });
  }
  const { schedules: run, isExhausted } = search.result();
  return { outcomes, schedules: run, isWhole: isExhausted };
}

function outcomeText(said: readonly string[], { failure }: WorldReport): string {
  const end = failure ? [failure.kind === "deadlock" ? "deadlock" : failure.message] : [];
  return [...said, ...end].join("\n");
}

/** A deadlock counts as an outcome: the search continues. */
export function outcomesOf({ plain, tracked }: Pair, how: "all" | "races", schedules: number): Found {
  const reduces = how === "races";
  return collectingRejections(() => {
    const search = new ScheduleSearch({ ...limits, maxSchedules: schedules, reduces, now: () => 0 });
    const outcomes = new Set<string>();
    for (let request = search.next(); request; request = search.next()) {
      const first = reduces ? tracked.run(request) : undefined;
      const plan = first
        ? { prefix: first.made.map(({ value }) => value), tail: { kind: "first" as const } }
        : request.plan;
      const { report, schedule } = plain.runRecorded(plan, maxTurns, false);
      const said = report.output.map(({ text }) => text);
      outcomes.add(outcomeText(said, report));
      search.record({ ...(first ?? schedule), end: "passed" });
    }
    const { schedules: run, isExhausted, isReduced } = search.result();
    // A reduction that is switched off would be compared with itself.
    if (typeof isReduced === "string") throw new Error(isReduced);
    return { outcomes, schedules: run, isWhole: isExhausted };
  });
}

/** The state that the body printed, and a deadlock. */
export const endOf = (outcome: string): string =>
  outcome
    .split("\n")
    .filter((line) => line.startsWith("end ") || line === "deadlock")
    .join("\n");
