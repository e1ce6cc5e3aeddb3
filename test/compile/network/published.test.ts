/** The published counts and the verdicts on the published bugs. */
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import type { NetworkConfig } from "../../../src/compile/network/index.js";
import { check, overallVerdict } from "../../../src/index.js";
import { configOf } from "../../../src/session/reductions/network.js";
import type { NetworkReduction } from "../../../src/transforms/network/index.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { statesOf } from "./counting.js";
import { Naive } from "./naive.js";

const R = ["barrier", "client", "counter", "one-shot", "controller", "eager", "preload"] as const;
const some = (...numbers: readonly number[]): NetworkReduction[] => numbers.map((n) => R[n - 1]!);
describe("counts of the SSH controller", () => {
  const rows: readonly (readonly [string, Partial<NetworkConfig> | NetworkReduction[], number])[] = [
    ["one send each", { sendLimit: 1 }, 13_035],
    ["R1", { sendLimit: 1, mergesBarriers: true }, 6511],
    ["R1, R2 as an ample set", { sendLimit: 1, mergesBarriers: true, clients: "first" }, 6029],
    ["R1 R2 R5", { ...configOf(some(1, 2, 5)), sendLimit: 1 }, 3643],
    ["R1 R2 R3", some(1, 2, 3), 1320],
    ["R1 R2 R3 R7", some(1, 2, 3, 7), 198],
    ["R1-R4 R7", some(1, 2, 3, 4, 7), 198],
    ["R1-R5 R7", some(1, 2, 3, 4, 5, 7), 102],
    ["R1-R7", some(1, 2, 3, 4, 5, 6, 7), 61],
    ["R1-R8", [...R, "exact-control"], 106],
    ["R1-R9", [...R, "exact-control", "arrival"], 64],
    ["the default", [...R, "arrival"], 35],
  ];
  for (const [name, config, states] of rows)
    test(`${name}: ${states}`, async () => {
      expect(await statesOf(models.ssh(true), config)).toEqual({ states, isViolated: false });
      const buggy = await statesOf(models.ssh(false), config);
      expect(buggy.isViolated).toBe(true);
    });
});

describe("counts of the published encoding", () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ["SSH", models.ssh(true), 13],
    ["ML tree", models.mlTree(), 5308],
    ["ML chain of 2", models.mlChain(2), 77],
    ["ML chain of 3", models.mlChain(3), 494],
    ["FW(S)", models.firewall({ switches: 1 }), 3645],
    ["RS 4×4", models.resonance(2), 4998],
    ["SIM 5×6", models.simple(6), 167],
    ["SIM 5×8", models.simple(8), 167],
  ];
  for (const [name, text, states] of rows)
    test(`${name}: ${states}`, async () => {
      expect(await statesOf(text, "published")).toEqual({ states, isViolated: false });
    });
});

test("counts of sound configurations", async () => {
  expect((await statesOf(models.mlChain(2), [...R])).states).toBe(82);
  expect((await statesOf(models.firewall({ switches: 1 }), [...R, "exact-control"])).states).toBe(3645);
  const few = { switches: 2, traffic: "some" } as const;
  expect((await statesOf(models.firewall(few), [...R, "exact-control"])).states).toBe(35);
  expect((await statesOf(models.firewall(few), [...some(1, 2, 3, 4, 5, 7), "exact-control"])).states).toBe(
    145,
  );
});

test("the naive implementation counts the default pipeline the same", () => {
  const naive = (text: string): number => new Naive(networkOf(text), Infinity, true).explore(5000).states;
  expect(naive(models.ssh(true))).toBe(35);
  expect(naive(models.mlChain(2))).toBe(82);
});

test("every reported bug is confirmed in the network itself", async () => {
  const buggy = [
    models.ssh(false),
    models.mlCyclic,
    models.firewall({ switches: 1, priorities: "equal" }),
    models.firewall({ switches: 2, barrier: "requester" }),
    models.stale(2),
  ];
  for (const text of buggy) {
    const report = await check({ file: "test.sdn", text });
    expect(overallVerdict(report)).toBe("violated");
    expect(report.properties.find((p) => p.verdict === "violated")?.trace?.steps.length).toBeGreaterThan(2);
  }
});

test("properties that allow different reductions are checked in different runs", async () => {
  const text = `${models.ssh(true)} property known: always exists p: packets . p.prot == SSH;`;
  const report = await check(
    { file: "test.sdn", text },
    {
      budget: { maxStates: 5000 },
      reducesAtOnce: true,
    },
  );
  expect(
    report.runs.map((run) => [run.properties.includes("known"), run.reductions.includes("counter")]),
  ).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(report.diagnostics.map((d) => d.message).join()).toContain("can be repaired by more packets");
});
