/** A breadth-first search by default that spends its budget is followed by a short depth-first one. */
import { describe, expect, test } from "vitest";
import { overallVerdict, renderCheck, type CheckReport } from "../../src/report/index.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";

const check = async (text: string, options: CheckOptions = {}): Promise<CheckReport> =>
  (await checkInput({ file: "m.pml", text }, options, registry)).report;

/** A wide graph without independent steps, whose first path ends after some 500 steps: the last process goes first. */
const deep = (end: string): string => `int n; byte a, b, c;
active proctype A() { do :: n >= 0 && a < 200 -> a = a + 1 :: a == 200 -> a = 0; n = n od }
active proctype B() { do :: n >= 0 && b < 200 -> b = b + 1 :: b == 200 -> b = 0; n = n od }
active proctype C() { do :: n >= 0 && c < 200 -> c = c + 1 :: c == 200 -> c = 0; n = n od }
active proctype Last() { do :: n < 250 -> n = n + 1 :: n == 250 -> ${end} od }
`;
const budget = { maxStates: 20_000 };
const probes = ({ runs }: CheckReport): readonly unknown[] => runs.filter(({ isProbe }) => isProbe);

describe("by default", () => {
  test("an error far down the first path is found, and its trace replayed", async () => {
    const report = await check(deep("assert(false)"), { budget });
    expect(overallVerdict(report)).toBe("violated");
    const found = report.properties.find(({ verdict }) => verdict === "violated");
    expect(found).toMatchObject({ property: { kind: "assertion" } });
    expect(found?.trace?.length).toBeGreaterThan(250);
    expect(probes(report)).toHaveLength(1);
    expect(renderCheck(report)).toMatch(/then depth-first: [\d,]+ states, depth/);
  });

  test("figures are those of the breadth-first search", async () => {
    const [probed, plain] = [
      await check(deep("assert(false)"), { budget, isPlain: true }),
      await check(deep("assert(false)"), { budget, isPlain: true, search: "bfs" }),
    ];
    expect(probed.stats.states).toBe(plain.stats.states);
    expect(probed.stats.transitions).toBe(plain.stats.transitions);
  });

  test("a probe that finds nothing proves nothing", async () => {
    const report = await check(deep("n = 0"), { budget });
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.properties.every(({ verdict }) => verdict === "unknown")).toBe(true);
    expect(report.properties[0]?.advice).toMatch(/raise --max-states, or try --search dfs/);
    expect(probes(report)).toHaveLength(1);
  });

  test("a search that ends needs none", async () => {
    expect(probes(await check("active proctype P() { skip }"))).toEqual([]);
  });
});

test.each([
  ["an order", { search: "bfs" }],
  ["a depth", { budget: { ...budget, maxDepth: 20 } }],
  ["a store", { store: "exact" }],
] as const)("%s that the user chose stays the only one", async (_, options) => {
  const report = await check(deep("assert(false)"), { budget, ...options });
  expect(overallVerdict(report)).toBe("unknown");
  expect(probes(report)).toEqual([]);
});

test("a part of the time is left for it", async () => {
  const report = await check(deep("assert(false)"), { budget: { timeMs: 3000, maxStates: 3e9 } });
  expect(overallVerdict(report)).toBe("violated");
});
