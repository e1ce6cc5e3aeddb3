/** A search pauses only if nothing but schedules is left to it. */
import { expect, test } from "vitest";
import { ScheduleSearch } from "../../../src/engines/schedules/index.js";
import type { ScheduleRun } from "../../../src/model/index.js";
import { whole } from "./whole.js";

/** Two choices of two options each: four schedules. `change`: of the second. */
function searched(pausesAt: number, change: Partial<ScheduleRun> = {}, replayEvery = 0): ScheduleSearch {
  const search = new ScheduleSearch({ ...whole, pausesAt, replayEvery });
  let count = 0;
  for (let request = search.next(); request && count < 20; request = search.next()) {
    const { prefix } = request.plan;
    const made = [0, 1].map((turn) => ({ options: 2, value: prefix[turn] ?? 0, turn, isTurn: true }));
    const run = { made, turns: 2, tasks: 1, fingerprint: made[0]!.value, relied: 0, end: "passed" } as const;
    search.record(++count === 2 ? { ...run, ...change } : run);
  }
  return search;
}

test("it does, and knows the bound that it has exhausted", () => {
  const search = searched(3);
  expect(search.isPaused).toBe(true);
  expect(search.result()).toMatchObject({ schedules: 3, isExhausted: false, exhaustedBound: 1 });
});

test.each<[string, Partial<ScheduleRun>]>([
  ["a schedule was refused", { end: "refused" }],
  ["a schedule failed", { end: "failed" }],
  ["a schedule was given up", { end: "spent" }],
])("it does not if %s", (_, change) => {
  expect(searched(2, change).isPaused).toBe(false);
});

test("nor if a schedule ran otherwise the second time", () => {
  expect(searched(1, { fingerprint: 7 }, 1).isPaused).toBe(false);
});

test("nor if no schedule is left", () => {
  const search = searched(4);
  expect(search.isPaused).toBe(false);
  expect(search.result()).toMatchObject({ schedules: 4, isExhausted: true });
});

test("a reduction that gains too little is abandoned, and what it omitted is run", () => {
  const search = new ScheduleSearch({ ...whole, reduces: true, leastGain: 1000 });
  let count = 0;
  for (let request = search.next(); request; request = search.next()) {
    const { prefix } = request.plan;
    const made = [0, 1, 2, 3, 4, 5].map((turn) => ({
      options: 2,
      value: prefix[turn] ?? 0,
      turn,
      isTurn: true,
    }));
    const all = made.map(({ value }, choice) => ({ choice, options: [1 - value] }));
    // Only the first turns race from the fiftieth run on.
    const found = ++count < 50 ? all : [];
    search.record({ made, turns: 6, tasks: 1, fingerprint: 0, relied: 0, end: "passed", races: { found } });
  }
  expect(search.isReducing).toBe(false);
  expect(search.result()).toMatchObject({ schedules: 64, isExhausted: true });
});
