/** Each ending of a search has its verdict, and only an exhaustive search holds. */
import { expect, test } from "vitest";
import { Relied } from "../../src/code/realm/index.js";
import { UnsupportedError } from "../../src/code/world/failure.js";
import { judged } from "../../src/testing/code.js";
import { explore, type Body, type Exploration } from "../../src/session/schedules/explore.js";
import { isBoundAlone } from "../../src/session/schedules/message.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { isStale, markOf, parseScheduleText } from "../../src/session/schedules/schedule-text.js";

const run = (body: Body, options: ScheduleOptions = {}): Promise<Exploration> =>
  explore({ file: "", framework: "code", names: [], body }, { realm: "host", ...options });

/** Two schedules, of which the second may fail. */
const twice =
  (second: () => void = () => {}): Body =>
  async (world) => {
    let first = "";
    await Promise.all(["a", "b"].map((name) => world.pause(name).then(() => void (first ||= name))));
    if (first === "b") second();
  };
const fails = (): never => {
  throw new Error("b was first");
};
const refuses = (): never => {
  throw new UnsupportedError("that is not supported");
};

test("every schedule was run", async () => {
  const found = await run(twice());
  expect([found.verdict, found.result!.schedules]).toEqual(["holds", 2]);
  expect(judged(found, {})).toBe(found);
});

test("a schedule fails", async () => {
  const found = await run(twice(fails));
  expect(found.verdict).toBe("violated");
  expect(found.message).toContain("b was first");
  expect(() => judged(found, { onSpent: "pass" })).toThrow("b was first");
  const elsewhere = { ...found, result: { ...found.result!, failing: undefined } };
  expect(() => judged(elsewhere, { onSpent: "pass" })).toThrow("b was first");
});

test("something is refused in one schedule", async () => {
  const found = await run(twice(refuses));
  expect([found.verdict, found.result]).toEqual(["unknown", undefined]);
  expect(() => judged(found, { onSpent: "pass" })).toThrow("not supported");
});

test("a failure counts more than a refusal", async () => {
  const found = await run(async (world) => {
    const chosen = world.choose(3);
    if (chosen === 1) refuses();
    if (chosen === 2) fails();
  });
  expect(found.verdict).toBe("violated");
});

test("a spent budget is no answer, unless it is declared to be enough", async () => {
  const found = await run(twice(), { schedules: 1 });
  expect([found.verdict, found.result!.spent]).toEqual(["unknown", ["schedules"]]);
  expect(() => judged(found, {})).toThrow("Not every schedule was run");
  expect(judged(found, { onSpent: "pass" }).verdict).toBe("unknown");
});

test("a bound that was asked for is a line of the scope", async () => {
  const found = await run(twice(), { bound: 0 });
  expect(found.verdict).toBe("holds");
  expect(found.scope.join()).toContain("Scope: bounded.");
  expect((await run(twice())).scope.join()).not.toContain("Scope: bounded.");
  // Two limits: the bound was not the only one to exclude schedules.
  const { verdict, result } = await run(twice(), { bound: 0, turns: 1 });
  expect(verdict).toBe("unknown");
  expect(isBoundAlone({ ...result!, spent: ["bound", "turns"] })).toBe(false);
  expect(isBoundAlone({ ...result!, spent: ["bound"] })).toBe(true);
});

test("code that is not the same each time has no answer", async () => {
  let runs = 0;
  const body: Body = async (world) => {
    runs++;
    if (runs % 2 === 0) await world.pause();
    await Promise.all([world.pause("a"), world.pause("b")]);
  };
  const found = await run(body, { replayEvery: 1 });
  expect(found.verdict).toBe("unknown");
  expect(found.message).toContain("code/nondeterminism");
  expect(() => judged(found, { onSpent: "pass" })).toThrow("code/nondeterminism");
});

test("a failure that does not come again has no answer", async () => {
  let runs = 0;
  const found = await run(
    () => {
      if (runs++ === 0) fails();
    },
    { replayEvery: 0 },
  );
  expect(found.verdict).toBe("unknown");
  expect(found.message).toContain("passes when it is run again");
  expect(() => judged(found, { onSpent: "pass" })).toThrow("passes when it is run again");
});

test("a schedule that was kept is run first, and a stale one has no answer", async () => {
  const text = /replay\('([^']*)'\)/.exec((await run(twice(fails))).message)![1]!;
  expect((await run(twice(fails), { regressions: [text] })).verdict).toBe("violated");
  expect((await run(twice(), { regressions: [text] })).verdict).toBe("holds");
  const one: Body = (world) => world.pause();
  const stale = await run(one, { regressions: [text] });
  expect(stale.verdict).toBe("unknown");
  expect(stale.message).toContain("is stale");
  expect((await run(twice(), { regressions: ["nonsense!"] })).verdict).toBe("unknown");
});

test("one schedule alone", async () => {
  const holds = await run(twice(fails), { only: "0" });
  expect([holds.verdict, holds.result]).toEqual(["holds", undefined]);
  expect(holds.message).toContain("no other schedule was run");
  expect((await run(twice(fails), { only: "1" })).verdict).toBe("violated");
  expect((await run(twice(refuses), { only: "1" })).verdict).toBe("unknown");
});

test("what one schedule alone relied on is said", async () => {
  const { scope } = await run(() => void Date.now(), { only: "" });
  expect(scope.join()).toContain("one date");
  expect(Relied.date).toBeGreaterThan(0);
});

test("a mark is of the options, and an unused or impossible choice is stale", () => {
  const chosen = (options: number[], unused = 0, diverged?: number): Parameters<typeof isStale>[1] => ({
    options,
    report: { made: [], unused, ...(diverged === undefined ? {} : { diverged }) },
  });
  expect(isStale(markOf([2, 3]), chosen([2, 3]))).toBe(false);
  expect(isStale(undefined, chosen([2, 3]))).toBe(false);
  expect(isStale(markOf([2, 3]), chosen([3, 2]))).toBe(true);
  expect(isStale(undefined, chosen([2], 1))).toBe(true);
  expect(isStale(undefined, chosen([2], 0, 1))).toBe(true);
  expect(parseScheduleText("1.0#abcd")).toMatchObject({ plan: { prefix: [1, 0] }, mark: "abcd" });
});
