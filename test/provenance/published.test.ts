/** The published examples: verdicts, and states with each reduction. */
import { describe, expect, test } from "vitest";
import {
  checkFile,
  firstViolated,
  overallVerdict,
  replay,
  readInput,
  type CheckOptions,
  type Input,
} from "../../src/index.js";
import { inRepository } from "../repository.js";

const example = (name: string): string => inRepository(`examples/messages/${name}.mpp`);
const run = async (name: string, options: CheckOptions = {}): Promise<string> => {
  const report = await checkFile(example(name), options);
  return `${overallVerdict(report)} ${report.runs.at(-1)!.stats.states}`;
};

describe("the medical system", () => {
  const cases: readonly (readonly [string, CheckOptions, number])[] = [
    ["statement by statement", { isPlain: true }, 4811],
    ["without dead variables", { reductions: ["dead"] }, 1786],
    ["run to receive", { reducesAtOnce: true }, 24],
    ["run to receive, k = 1", { reducesAtOnce: true, counts: [1] }, 1458],
    ["run to receive, k = 2", { reducesAtOnce: true, counts: [2] }, 8192],
  ];
  for (const [name, options, states] of cases)
    test(`${name}: ${states} states`, async () => {
      expect(await run("medical", options)).toBe(`holds ${states}`);
    });

  test("ample sets visit no more than they must, and agree", async () => {
    const report = await checkFile(example("medical"), { reductions: ["dead", "por"] });
    expect(overallVerdict(report)).toBe("holds");
    expect(report.stats.states).toBeLessThanOrEqual(1635);
    expect(report.stats.partialOrder!.reduced).toBeGreaterThan(0);
  });

  test("the mutant is violated after 3 macro steps of 9 statements, and replays", async () => {
    const report = await checkFile(example("medical-mutant"), { reducesAtOnce: true });
    const violated = firstViolated(report)!;
    expect(violated.trace!.length).toBe(9);
    expect(report.stats.depth).toBe(3);
    expect(violated.reason).toContain("is Patient Secretary,");
    const input = readInput(example("medical-mutant")) as Input;
    expect(await replay(input, { schedule: violated.trace!.schedule })).toMatchObject({
      outcome: "failed",
      property: { name: "answered" },
    });
  });
});

describe("rebuilt systems", () => {
  for (const [name, expected] of [
    ["health-care", "holds 90"],
    ["bug-tracking", "holds 23"],
  ] as const)
    test(`${name}: ${expected} states`, async () =>
      expect(await run(name, { reducesAtOnce: true })).toBe(expected));

  for (const [name, depth] of [
    ["health-care-mutant", 4],
    ["bug-tracking-mutant", 6],
    ["service-incidents-mutant", 7],
  ] as const)
    test(`${name} is violated after ${depth} macro steps`, async () => {
      const report = await checkFile(example(name), { reducesAtOnce: true });
      expect(overallVerdict(report)).toBe("violated");
      expect(report.stats.depth).toBe(depth);
    });

  test("service-incidents holds at k = 0", async () => {
    const report = await checkFile(example("service-incidents"));
    expect(report.properties[0]).toMatchObject({ verdict: "holds" });
    expect(report.scope.by).toBe("counter abstraction, k = 0");
  });
});
