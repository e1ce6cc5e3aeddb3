/** With `reduction: "auto"`, reduction by races begins when a search has outgrown a number of schedules. */
import { describe, expect, test } from "vitest";
import { explore, type Exploration } from "../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { inRepository } from "../repository.js";

const run = (name: string, options: ScheduleOptions = {}): Promise<Exploration> =>
  explore(
    {
      file: inRepository("test/fixtures/code/automatic.ts"),
      framework: "code",
      names: [name],
      body: () => {},
    },
    { cpuMs: 120_000, reduction: "auto", ...options },
  );

const without = ({ message }: Exploration): string => message.replace(/, in [\d.]+ s/, "");

describe("a test with more than a thousand schedules", { timeout: 240_000 }, () => {
  test("is reduced where turns do not race", async () => {
    const found = await run("six records");
    expect(without(found)).toBe(
      "Every schedule was run or differs from one only in turns that do not race: 2 schedules, up to 6 turns.",
    );
    expect(found).toMatchObject({ verdict: "holds", result: { isExhausted: true, isReduced: true } });
  });

  test("runs all of them where every turn races", async () => {
    const found = await run("six writers");
    expect(without(found)).toBe("Every schedule was run: 1,440 schedules, up to 6 turns.");
    expect(found.result!.isReduced).toBeUndefined();
  });

  test("keeps its failure, and what is shorter", async () => {
    const found = await run("the last two in the other order");
    expect(found).toMatchObject({ verdict: "violated", result: { isExhausted: true } });
  });

  test("counts the same lines", async () => {
    const [reduced, all] = [
      await run("six records", { coverage: true }),
      await run("six records", { coverage: true, reduction: "none" }),
    ];
    expect(reduced.result!.isReduced).toBe(true);
    expect(all.result!.schedules).toBe(1440);
    expect(reduced.coverage).toEqual(all.coverage);
    expect(reduced.coverage!.length).toBeGreaterThan(0);
  });

  test("is not reduced if it uses something unsupported late", async () => {
    const found = await run("an unsupported call in the last order");
    expect(found.verdict).toBe("unknown");
    expect(found.message).toContain("is not supported");
  });
});

test.each<[string, ScheduleOptions]>([
  ["none", { reduction: "none" }],
  ["the default", { reduction: undefined }],
  ["a strategy", { strategy: "delays" }],
  ["a lateness", { late: 3 }],
])("is whole with %s", { timeout: 240_000 }, async (_, options) => {
  const { result, message } = await run("six records", options);
  expect(result!.schedules).toBe(1440);
  expect(message).not.toContain("reduction");
});

test("a bound excludes what it excludes", { timeout: 240_000 }, async () => {
  const { result, scope } = await run("six records", { bound: 5 });
  expect(result!.schedules).toBeGreaterThan(1000);
  expect(scope.join()).toContain("at most 5 departures");
});

test("a spent budget keeps the bound that was exhausted before", { timeout: 240_000 }, async () => {
  const { message } = await run("six writers", { schedules: 1200 });
  expect(message).toContain("Not every schedule was run");
  expect(message).toMatch(/Every one with at most [34] departures from the default order was\./);
});
