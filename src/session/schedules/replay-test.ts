/** Replays one schedule of one test. */
import type { Judged } from "../contracts.js";
import type { ReplayRequest } from "../replay/request.js";
import type { SchedulesSubject, Test } from "./subject.js";
import { headline } from "./message.js";
import { isStale, parseScheduleText } from "./schedule-text.js";

export async function replayTest(
  { tests }: SchedulesSubject,
  request: ReplayRequest,
): Promise<Judged | { readonly problem: string }> {
  if ("trail" in request || "printed" in request)
    return { problem: "Spin's trails are about models in Promela and χ" };
  if ("states" in request)
    return { problem: "only models have states that can be compared: give a schedule" };
  const { schedule, expected } = request;
  const name = expected?.property.name ?? request.property;
  const named = name === undefined ? tests : tests.filter(({ property }) => property.name === name);
  const [test] = named;
  if (!test) return { problem: `the file declares no test '${name}' that is run` };
  if (named.length > 1) {
    const names = named.map(({ property }) => `'${property.name}'`).join(", ");
    return { problem: `the file has several tests: --property names one of ${names}` };
  }
  return judged(test, schedule, expected?.reason);
}

async function judged(test: Test, schedule: string, expected: string | undefined): Promise<Judged> {
  const { regressions: _, ...options } = test.options;
  const { replayed, message } = await test.explore({ ...options, only: schedule });
  // The process died, or the file no longer declares the test.
  if (!replayed)
    return { outcome: "diverged", reason: message.split("\n")[0]!, property: undefined, trace: undefined };
  const trace = test.narrative(replayed);
  const { failure } = replayed.report;
  const none = { property: undefined, trace };
  // sound: test/session/schedules/check.test.ts
  if (isStale(parseScheduleText(schedule)?.mark, replayed))
    return { ...none, outcome: "diverged", reason: "the code offers other choices than the schedule makes" };
  if (!failure) return { ...none, outcome: "passed", reason: "the test passes under this schedule" };
  const reason = headline(failure);
  // sound: test/session/schedules/check.test.ts
  if (failure.kind === "unsupported") return { ...none, outcome: "diverged", reason };
  if (expected !== undefined && expected !== reason)
    return { ...none, outcome: "diverged", reason: `it now shows something else: ${reason}` };
  return { outcome: "failed", reason, property: test.property, trace };
}
