/** The union of results that several jobs wrote. */
import { expect, test } from "vitest";
import { unionOfResults, type CheckJson, type SimulationFigures } from "../../src/report/index.js";
import { nth } from "../../src/model/known.js";

const stats = {
  states: 1,
  transitions: 1,
  depth: 1,
  seconds: 1,
  totalSeconds: 1,
  peakBytes: 0,
  bytesPerState: 0,
};

const property = (
  name: string,
  verdict: "holds" | "violated" | "unknown",
  kind = "invariant",
): CheckJson["properties"][number] => ({
  ...{ name, kind, verdict, fault: null, reason: verdict, advice: "", violations: [] },
  trace: null,
});

const result = (properties: CheckJson["properties"], more: Partial<CheckJson> = {}): CheckJson => ({
  ...{
    everypath: "0",
    file: "s.ts",
    language: "typescript",
    engine: "nodes",
    verdict: "unknown",
    properties,
    stats,
  },
  ...{ scope: { kind: "partial", by: "random runs", notes: [] }, trace: null, runs: [], unchecked: [] },
  ...{ unreached: null, accepted: null, diagnostics: [], ...more },
});

const figures = (index: number, of: number, more: Partial<SimulationFigures> = {}): SimulationFigures => ({
  ...{ seed: 1, runs: 5, planned: 5, steps: 50, stepsPerRun: 10, shard: { index, of }, faults: { loss: 2 } },
  ...{ guideStates: 3, failed: null, processorSeconds: 1, options: [] },
  ...more,
});

const shard = (
  simulation: SimulationFigures,
  properties: CheckJson["properties"],
  more: Partial<CheckJson> = {},
): CheckJson =>
  result(properties, {
    runs: [{ properties: [], reductions: [], stats, simulation }],
    accepted: "probabilistic",
    ...more,
  });

const union = (...parts: readonly CheckJson[]): CheckJson => nth(unionOfResults(parts), 0);

test("clean shards are unknown and accepted, with the sum of their runs", () => {
  const both = union(
    shard(figures(1, 2), [property("p", "unknown")]),
    shard(figures(2, 2), [property("p", "unknown")]),
  );
  expect(both).toMatchObject({ verdict: "unknown", accepted: "probabilistic", diagnostics: [] });
  expect(both.runs[0]!.simulation).toMatchObject({ runs: 10, planned: 10, steps: 100, faults: { loss: 4 } });
  expect(both.properties).toMatchObject([{ reason: "10 runs with 100 steps did not violate it" }]);
});

test("a missing shard is not accepted", () => {
  const one = union(shard(figures(1, 2), [property("p", "unknown")]));
  expect(one.accepted).toBeNull();
  expect(one.diagnostics).toMatchObject([
    { code: "report/missing-shard", message: "shards are missing: 2 of 2" },
  ]);
});

test("a shard that was not accepted, or is there twice, leaves the answer open", () => {
  const open = shard(figures(2, 2), [property("p", "unknown")], { accepted: null });
  const first = shard(figures(1, 2), [property("p", "unknown")]);
  expect(union(first, open).accepted).toBeNull();
  expect(union(first, first, open).diagnostics).toMatchObject([{ code: "report/shard-twice" }]);
});

test("the first failing run counts", () => {
  const fails = (index: number, run: number): CheckJson =>
    shard(
      figures(index, 2, { failed: { run, steps: 3 } }),
      [{ ...property("p", "violated"), reason: `run ${run}` }],
      {
        accepted: null,
      },
    );
  const both = union(fails(1, 8), fails(2, 3));
  expect(both).toMatchObject({ verdict: "violated", properties: [{ reason: "run 3" }] });
  expect(both.runs[0]!.simulation!.failed).toEqual({ run: 3, steps: 3 });
});

test("a state reached by one shard is reached", () => {
  const both = union(
    shard(figures(1, 2), [property("c", "unknown", "cover")]),
    shard(figures(2, 2), [property("c", "holds", "cover")]),
  );
  expect(both.properties).toMatchObject([{ verdict: "holds" }]);
});

test("shards of other runs are refused", () => {
  const parts = [shard(figures(1, 2), []), shard(figures(2, 2, { seed: 2 }), [])];
  expect(union(...parts).diagnostics).toMatchObject([{ code: "report/other-runs", severity: "error" }]);
});

test("checks of some properties each: the worst answer to every question", () => {
  const one = result([property("p", "holds")], { unchecked: ["q"], verdict: "holds" });
  const other = result([property("q", "violated"), property("p", "unknown")]);
  expect(union(one, other)).toMatchObject({
    verdict: "violated",
    unchecked: [],
    properties: [
      { name: "p", verdict: "unknown" },
      { name: "q", verdict: "violated" },
    ],
  });
  expect(unionOfResults([one, { ...other, file: "t.ts" }]).map(({ file }) => file)).toEqual(["s.ts", "t.ts"]);
});
