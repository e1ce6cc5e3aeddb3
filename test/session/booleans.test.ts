/** Boolean programs from the library: both engines, traces, certificates, export. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { check, replay, type CheckOptions } from "../../src/index.js";
import { loadBp, promelaOf } from "../../src/languages/bp/index.js";
import { certifyInput, checkInput, registry } from "../../src/session/index.js";
import { describeWithPeers } from "../peers.js";
import { race, threadedDriver } from "../engines/boolean-programs.js";
import { enumerate, isReachable, programIn } from "../engines/boolean-agreement.js";
import { randomBooleans } from "../generators/booleans.js";

const input = (text: string) => ({ file: "t.bp", text });
const WAYS: readonly CheckOptions[] = [
  { engine: "parametric" },
  { engine: "parametric", isPlain: true },
  { engine: "parametric", fixpoint: "bdd", search: "dfs" },
  { engine: "explicit", isPlain: true, maxErrors: 1000 },
  { engine: "explicit", reductions: ["por", "dead", "merge", "slice"], maxErrors: 1000 },
];

async function verdicts(text: string, options: CheckOptions): Promise<string[]> {
  const report = await check(input(text), { ...options, isolation: "none" });
  expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const { trace } of report.properties) {
    if (!trace) continue;
    const { outcome } = await replay(input(text), { schedule: trace.schedule }, options);
    expect(outcome).toBe("failed");
  }
  return report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`);
}

describe("both engines agree, and traces replay", () => {
  test.each([1, 2, 3, 4])("random program %i", async (seed) => {
    const text = randomBooleans(seed);
    const program = programIn(text);
    const found = enumerate(program);
    const expected = program.properties.map(
      (property) => `${property.name} ${found && isReachable(found, property) ? "violated" : "holds"}`,
    );
    for (const way of WAYS) expect(await verdicts(text, way)).toEqual(expected);
  });
});

test("a trace with many choices goes through the stages of the model", async () => {
  const names = Array.from({ length: 20 }, (_, bit) => `b${bit}`);
  const text = `thread T { bool ${names.join(", ")}; ${names.join(", ")} = ${names.map(() => "*").join(", ")}; assert(!(b3 && b19 && !b4)); }`;
  expect(await verdicts(text, { engine: "parametric" })).toEqual(["assertions violated"]);
});

test("undefined initial values are chosen first", async () => {
  const text = "bool x = *; thread T { bool l = *; assert(x == l); }";
  for (const way of WAYS) expect(await verdicts(text, way)).toEqual(["assertions violated"]);
  const kept = "bool x; thread T { bool l; assert(x == l); }";
  expect(await verdicts(kept, { defines: ["init=nondet"] })).toEqual(["assertions violated"]);
  expect(await verdicts(kept, {})).toEqual(["assertions holds"]);
});

test("the race of one adder needs two context switches at most", async () => {
  const { trace } = (await check(input(race(1, false)), { isolation: "none", reductions: [] }))
    .properties[0]!;
  const who = trace!.steps.map(({ participants }) => participants[0]);
  expect(who.filter((name, index) => index > 0 && name !== who[index - 1]).length).toBeLessThanOrEqual(2);
});

test("a proof is accepted for its program, and for no other", async () => {
  const text = race(1, true);
  const { certificate } = await checkInput(input(text), { wantsProofs: true, isolation: "none" }, registry);
  const judge = async (other: string) => certifyInput(input(other), certificate!, registry, "auto");
  expect((await judge(text)).proofs).toMatchObject([{ isAccepted: true }]);
  expect((await judge(race(1, false))).diagnostics).toMatchObject([{ code: "session/other-model" }]);
  const ofOtherKind = { kind: "invariant", property: "ERROR", by: "", invariant: "true" } as const;
  const forged = await certifyInput(
    input(text),
    { ...certificate!, proofs: [ofOtherKind] },
    registry,
    "auto",
  );
  expect(forged.proofs).toMatchObject([{ isAccepted: false }]);
});

test("a proof about a target is checked again", async () => {
  const text = "thread A { skip; L: assume(0); } thread B { assume(0); M: skip; }";
  const options = { targets: ["A:L,B:M"], wantsProofs: true, isolation: "none" } as const;
  const { certificate } = await checkInput(input(text), options, registry);
  const { proofs } = await certifyInput(input(text), certificate!, registry, "auto");
  expect(proofs).toMatchObject([{ property: "A:L,B:M", isAccepted: true }]);
});

test("a spent budget is unknown, never holds", async () => {
  const text = threadedDriver(24);
  const states = await check(input(text), { budget: { maxStates: 50 }, isolation: "none" });
  const time = await check(input(text), { budget: { timeMs: 1 }, isolation: "none" });
  for (const { properties } of [states, time])
    for (const { verdict } of properties) expect(verdict).toBe("unknown");
});

describeWithPeers("Spin agrees on the exported Promela", ["spin", "gcc"], () => {
  test.each([
    ["race", race(1, false), true],
    ["fixed race", race(1, true), false],
    ["random 3", randomBooleans(3), undefined],
    ["random 11", randomBooleans(11), undefined],
    ["random 12", randomBooleans(12), undefined],
  ])("%s", (_, text, given) => {
    const { program } = loadBp("t.bp", text);
    const found = enumerate(program!);
    const expected = given ?? program!.properties.some((property) => isReachable(found!, property));
    const folder = mkdtempSync(join(tmpdir(), "everypath-bp-"));
    try {
      writeFileSync(join(folder, "model.pml"), promelaOf(program!)!);
      const options = { cwd: folder, encoding: "utf8" } as const;
      spawnSync("spin", ["-a", "model.pml"], options);
      spawnSync("gcc", ["-O1", "-w", "-DSAFETY", "-o", "pan", "pan.c"], options);
      const { stdout } = spawnSync("./pan", ["-E"], options);
      expect(stdout).toContain("State-vector");
      expect(/assertion violated/.test(stdout)).toBe(expected);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
