/** Verdicts of explorations: only a completed search holds. */
import { expect, test } from "vitest";
import type { SearchResult } from "../../../src/engines/schedules/index.js";
import { endOf, isSpentAlone, verdictOf } from "../../../src/session/schedules/engine.js";
import type { Exploration } from "../../../src/session/schedules/explore.js";

const plan = { prefix: [1], tail: { kind: "first" } } as const;
const result: SearchResult = {
  schedules: 2,
  isExhausted: true,
  spent: [],
  failing: undefined,
  relied: 0,
  reliedAt: {},
  unstable: undefined,
  replays: 0,
  longest: 1,
  seconds: 0,
  cpuMs: 0,
};
const held: Exploration = {
  verdict: "holds",
  message: "Every schedule was run.",
  result,
  failing: undefined,
  stack: [],
  scope: [],
};
const whole = { options: {} };

test("a search to its end holds, within what it relied on", () => {
  expect(verdictOf(held, whole)).toEqual({
    kind: "holds",
    scope: { kind: "complete", by: "exhaustion", notes: [] },
  });
  const relied = verdictOf({ ...held, scope: ["Scope: one date. The clock began."] }, whole);
  expect(relied).toMatchObject({ scope: { kind: "bounded", notes: ["one date. The clock began"] } });
  const bounded = verdictOf({ ...held, result: { ...result, spent: ["bound"] } }, whole);
  expect(bounded).toMatchObject({ kind: "holds", scope: { kind: "bounded" } });
});

test("nothing else does", () => {
  expect(verdictOf(held, { options: { only: "1" } })).toMatchObject({ kind: "unknown" });
  expect(verdictOf({ ...held, result: undefined }, whole)).toMatchObject({ kind: "unknown" });
  expect(verdictOf({ ...held, verdict: "unknown" }, whole)).toMatchObject({ kind: "unknown" });
  const lost = { ...held, verdict: "violated", result: undefined } as const;
  expect(verdictOf(lost, whole)).toMatchObject({ kind: "unknown" });
});

test("a budget alone was spent", () => {
  expect(isSpentAlone(result)).toBe(true);
  expect(isSpentAlone(undefined)).toBe(false);
  expect(isSpentAlone({ ...result, unstable: plan })).toBe(false);
  expect(isSpentAlone({ ...result, failing: {} as SearchResult["failing"] })).toBe(false);
});

test("whatever else ended one search goes before a budget", () => {
  expect(endOf(["complete", "budget", "stopped"])).toBe("stopped");
  expect(endOf(["budget", "complete"])).toBe("budget");
  expect(endOf(["complete"])).toBe("complete");
});
