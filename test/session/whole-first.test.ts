/** Small models are searched whole, larger ones whole first, then reduced. */
import { describe, expect, test } from "vitest";
import { checkJson, overallVerdict, renderCheck, type CheckReport } from "../../src/report/index.js";
import { Disagreement } from "../../src/session/pipeline/disagreement.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import type { Registry } from "../../src/session/contracts.js";
import { misreducing } from "./misreducing.js";

const check = async (
  text: string,
  options: CheckOptions = {},
  file = "m.pml",
  using: Registry = registry,
): Promise<CheckReport> => (await checkInput({ file, text }, options, using)).report;

/** Without the depth-first search that follows a spent budget. */
const mainRuns = ({ runs }: CheckReport) => runs.filter(({ isProbe }) => !isProbe);

const figures = (report: CheckReport) =>
  mainRuns(report).map(({ isAbandoned, stats, reductions }) => [
    isAbandoned ?? false,
    stats.states,
    reductions.length > 0,
  ]);

/** 6,561 states, reduced to a handful: the processes are independent. */
const apart = `active [4] proctype P() { byte k; do :: k < 3 -> k++ :: k == 3 -> break od }\n`;

describe("a search of the whole system comes first", () => {
  test("a small model is searched whole, and nothing is said of reductions", async () => {
    const report = await check(apart);
    const { stats } = await check(apart, { isPlain: true });
    expect(figures(report)).toEqual([[false, stats.states, false]]);
    expect(report.scope.notes).toEqual([]);
    expect(renderCheck(report)).not.toContain("reduced by");
  });

  test("half of the states are for the whole system, and all of them for reductions", async () => {
    const report = await check(apart, { budget: { maxStates: 1000 } });
    expect(overallVerdict(report)).toBe("holds");
    expect(figures(report)).toEqual([
      [true, 500, false],
      [false, expect.any(Number), true],
    ]);
    expect(report.stats.states).toBe(report.runs[1]!.stats.states);
    expect(report.stats.states).toBeLessThanOrEqual(500);
    const json = checkJson(report);
    expect(json.runs.map(({ isAbandoned }) => isAbandoned)).toEqual([true, undefined]);
    const note = "reduced by slice, dead, merge, por, after 500 states of the whole system";
    expect(json.scope.notes).toEqual([note]);
    expect(json.properties[0]!.reason).toContain(note);
    expect(renderCheck(report, { width: 120 })).toContain(note);
    // pan counts one more transition per run.
    expect(report.stats.spin!.transitions).toBe(report.stats.transitions + 1);
  });

  test("with reductions as many states may be kept as if nothing had been given up", async () => {
    const text = `byte x; ${apart.replace("k++", "k++; x = x + k")}`;
    const { states } = (await check(text, { reducesAtOnce: true })).stats;
    const report = await check(text, { budget: { maxStates: states } });
    expect(figures(report)).toEqual([
      [true, Math.ceil(states / 2), false],
      [false, states, true],
    ]);
    expect(overallVerdict(report)).toBe("holds");
  });

  test("half of the memory, and of the time", async () => {
    for (const budget of [{ memoryBytes: 4 << 20 }, { timeMs: 0 }])
      expect(
        figures(await check(apart.replace("k < 3", "k < 40").replace("k == 3", "k == 40"), { budget })),
      ).toEqual([
        [true, expect.any(Number), false],
        [false, expect.any(Number), expect.any(Boolean)],
      ]);
  });

  test("past 100,000 states", async () => {
    const large = apart.replace("[4]", "[7]");
    const report = await check(large);
    expect(report.runs[0]!.isAbandoned).toBe(true);
    expect(report.runs[0]!.stats.states).toBeLessThanOrEqual(100_000);
    expect(overallVerdict(report)).toBe("holds");
    expect(report.stats.states).toBeLessThan(1000);
  });

  test.each([
    ["dfs", { search: "dfs" }],
    ["two workers", { workers: 2 }],
    ["bitstate", { store: "bitstate" }],
    ["tree", { store: "tree" }],
    ["delta", { store: "delta" }],
    ["random", { search: "random" }],
  ] satisfies [string, CheckOptions][])("%s", async (_, options) => {
    const report = await check(apart, { ...options, budget: { maxStates: 2000 } });
    expect(figures(report)).toEqual([
      [true, 1000, false],
      [false, expect.any(Number), true],
    ]);
    expect(overallVerdict(report)).toBe(
      "store" in options && options.store === "bitstate" ? "unknown" : "holds",
    );
  });

  test("a depth is part of the question: its answer is that of the whole system", async () => {
    const report = await check(apart, { budget: { maxDepth: 3 } });
    expect(figures(report)).toEqual([[false, expect.any(Number), false]]);
    expect(report.properties[0]!.reason).toContain("the limit on depth was reached");
  });

  test("what was asked for by name is done from the start", async () => {
    for (const options of [{ reductions: ["merge"] as const }, { isPlain: true }, { checksReduction: true }])
      expect(mainRuns(await check(apart, { ...options, budget: { maxStates: 1000 } }))).toHaveLength(1);
  });

  test("an interrupted search is not begun again", async () => {
    const report = await check(apart, { control: { isStopped: () => true } });
    expect(report.runs).toHaveLength(1);
    expect(report.properties[0]!.reason).toContain("the search was interrupted");
  });
});

describe("what the search of the whole system decided stays decided", () => {
  const early = `byte g; active proctype Q() { g = 1; assert(g == 0) }\n${apart}`;

  test("a violation, where one is enough", async () => {
    const report = await check(early, { budget: { maxStates: 400 } });
    expect(figures(report)).toEqual([[false, expect.any(Number), false]]);
    expect(overallVerdict(report)).toBe("violated");
  });

  test("a violation, where all are asked for", async () => {
    const report = await check(early, { budget: { maxStates: 400 }, maxErrors: Infinity });
    expect(figures(report).map(([isAbandoned]) => isAbandoned)).toEqual([true, false]);
    const { verdict, violations } = report.properties.find((p) => p.property.kind === "assertion")!;
    expect(verdict).toBe("violated");
    expect(violations).toMatchObject([{ steps: 2 }]);
  });

  test("each temporal property by itself", async () => {
    const text = `byte x; active proctype X() { x = 1 }\n${apart}ltl never2 { [] (x != 2) } ltl soon { <> (x == 1) }`;
    const report = await check(text, { budget: { maxStates: 3000 } });
    expect(
      report.runs.map(({ properties, isAbandoned }) => [properties.at(-1), isAbandoned ?? false]),
    ).toEqual([
      ["deadlock", true],
      ["deadlock", false],
      ["never2", true],
      ["never2", false],
      ["soon", true],
      ["soon", false],
    ]);
    expect(report.properties.map(({ verdict }) => verdict)).not.toContain("violated");
  });

  test("a reduced search that denies a violation of the whole system is a bug of ours", async () => {
    const wrong = misreducing(
      (text) => text.replace("g == 0", "g == 1"),
      (other, _, request) => other.model!.reductions!.apply(other.model!.properties, request).model,
    );
    const options = { budget: { maxStates: 2000 }, maxErrors: Infinity };
    await expect(check(early, options, "m.pml", wrong)).rejects.toThrow(Disagreement);
  });
});
