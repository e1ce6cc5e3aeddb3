/** The published counts of the small AODV model: states, transitions, depth, and the shortest trace to each error. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import type { CheckReport } from "../../../src/report/index.js";

const file = `${import.meta.dirname}/../../../examples/code/systems/aodv-ref.ts`;

describe("the correct version", () => {
  test.each([
    ["Q=1", [708, 1700, 12]],
    ["Q=2", [11_466, 43_534, 17]],
  ])("%s", async (queue, figures) => {
    const { stats, properties } = await check([queue]);
    expect([stats.states, stats.transitions, stats.depth]).toEqual(figures);
    expect(properties.map(({ verdict }) => verdict)).toEqual(properties.map(() => "holds"));
  });

  test("has the same states when nodes are replayed", async () => {
    const { stats } = await check(["Q=1", "REPLAY"]);
    expect([stats.states, stats.transitions, stats.depth]).toEqual([708, 1700, 12]);
  });

  test("has the same states depth-first", async () => {
    const { stats } = await check(["Q=1"], "dfs");
    expect([stats.states, stats.transitions]).toEqual([708, 1700]);
  });
});

describe("errors, with the shortest trace", () => {
  test.each([
    [["RL2"], "loop freedom", 10],
    [["RL3"], "loop freedom", 10],
    [["TO=1", "RL3T"], "loop freedom", 10],
    [["RB=1", "UM1"], "exceptions", 6],
    [["IP1"], "no reply with an infinite hop count", 7],
    [["IP1", "PA1"], "hop 0 is the node itself", 8],
    [["GRAT", "RT1", "LF=0"], "exceptions", 9],
  ])("%s", async (defines, property, steps) => {
    const report = await check(defines, "bfs", [property]);
    const found = report.properties.find(({ verdict }) => verdict === "violated");
    expect(found?.property.name).toBe(property);
    expect(found?.trace?.steps.length).toBe(steps);
  });

  test.each([[["RL2", "Q=1"]], [["RT1", "LF=0"]], [["UM1"]]])(
    "%s is not seen: the environment hides it",
    async (defines) => {
      const { properties } = await check(defines);
      expect(properties.every(({ verdict }) => verdict === "holds")).toBe(true);
    },
  );
});

describe("guided by the routes to the destination, four nodes in a line", () => {
  // Breadth-first search visits 75,000 and 217,000 states before it.
  test.each([
    ["RL1", 13, 2000],
    ["RL0", 19, 30_000],
  ])("%s", async (error, shortest, most) => {
    const { stats, properties } = await check(["LINE4", error], "guided", ["loop freedom"]);
    expect(properties[0]).toMatchObject({ verdict: "violated" });
    expect(stats.states).toBeLessThan(most);
    expect(properties[0]!.trace!.length).toBeGreaterThanOrEqual(shortest);
    expect(properties[0]!.trace!.length).toBeLessThanOrEqual(20);
  });
});

async function check(
  defines: readonly string[],
  search: "bfs" | "dfs" | "guided" = "bfs",
  properties?: readonly string[],
): Promise<CheckReport> {
  const input = { file, text: readFileSync(file, "utf8") };
  // The published figures count all states.
  const options = { defines, search, reductions: [], ...(properties ? { properties } : {}) };
  const { report } = await checkInput(input, options, registry);
  expect(report.diagnostics).toEqual([]);
  return report;
}
