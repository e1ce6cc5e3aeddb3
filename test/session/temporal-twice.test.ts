/** A temporal check of more than a few states restarts with smaller states and as WebAssembly: the same answers. */
import { describe, expect, test } from "vitest";
import { check } from "../../src/index.js";

/** 17,576 states; `far` is set in the last of them only. */
const COUNTING = `byte k[3]; bool far;
active [3] proctype P() { do
  :: k[_pid] < 12 -> k[_pid]++
  :: k[_pid] == 12 -> k[_pid] = 0
  :: far == 0 && k[0] == 12 && k[1] == 12 && k[2] == 12 -> far = 1
  od }`;

const run = async (formula: string, options: object = {}) => {
  const report = await check(
    { file: "m.pml", text: COUNTING },
    { ltl: [formula], properties: [formula], ...options },
  );
  const [{ stats, method } = { stats: undefined, method: undefined }] = report.runs;
  return {
    verdict: report.properties[0]?.verdict,
    backend: stats?.backend,
    states: stats?.states,
    method,
    report,
  };
};

describe.each([
  ["[] <> (k[0] < 13)", "holds", "dfs"],
  ["<> [] (k[0] < 13)", "holds", "cou99"],
  ["[] <> !far", "violated", "dfs"],
  ["[] (k[1] < 13)", "holds", "bfs"],
  ["[] !far", "violated", "bfs"],
] as const)("%s", (formula, verdict, method) => {
  test("as WebAssembly, and as ever by another algorithm", async () => {
    const plain = { isPlain: true };
    const found = await run(formula, plain);
    expect([found.verdict, found.method, found.backend]).toEqual([verdict, method, "webassembly"]);
    const other = await run(formula, { ...plain, emptiness: "gv04" });
    expect(other.verdict).toBe(verdict);
    if (verdict === "holds") expect(found.states).toBe(other.states);
  });

  test("a budget above the first states is kept", async () => {
    const { verdict: bounded, states } = await run(formula, { isPlain: true, budget: { maxStates: 1500 } });
    expect([bounded, states! <= 1501]).toEqual([bounded === "violated" ? verdict : "unknown", true]);
  });
});

test("a few states are searched once, as JavaScript", async () => {
  const report = await check(
    { file: "m.pml", text: "byte x; active proctype P() { do :: x = 1 - x od }" },
    { ltl: ["[] <> (x == 0)"], properties: ["[] <> (x == 0)"] },
  );
  expect([report.properties[0]?.verdict, report.runs[0]?.stats.backend]).toEqual(["holds", "javascript"]);
});
