/** The published counts, and the traps that naive versions of these reductions fall into. */
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import { compileNetwork, concreteConfig, type NetworkConfig } from "../../../src/compile/network/index.js";
import { checkExplicit } from "../../../src/engines/explicit/index.js";
import { check, overallVerdict } from "../../../src/index.js";
import { compatConfig, configOf } from "../../../src/session/network.js";
import type { NetworkReduction } from "../../../src/transforms/network/index.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { Naive } from "./naive.js";

const statesOf = async (
  text: string,
  config: Partial<NetworkConfig> | readonly NetworkReduction[] | "published" | "published-sets",
) => {
  const network = networkOf(text);
  const chosen =
    config === "published" || config === "published-sets"
      ? compatConfig(config, network)
      : { ...concreteConfig, ...(Array.isArray(config) ? configOf(config as NetworkReduction[]) : config) };
  const { stats, findings } = await checkExplicit(compileNetwork(network, chosen), {
    order: "bfs",
    checkDeadlock: false,
    errors: 1,
    budget: {},
    control: {},
  });
  return { states: stats.states, isViolated: findings.some(({ verdict }) => verdict.kind === "violated") };
};

const R = ["barrier", "client", "counter", "one-shot", "controller", "eager", "preload"] as const;
const some = (...numbers: readonly number[]): NetworkReduction[] => numbers.map((n) => R[n - 1]!);
const verdictOf = async (text: string, options = {}): Promise<string> =>
  overallVerdict(await check({ file: "test.sdn", text }, options));

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

describe("traps", () => {
  test("T1: clients are served within the step, and the loop of the cyclic network is found", async () => {
    expect(await verdictOf(models.mlCyclic)).toBe("violated");
  });
  test("T2: the published way to install misses a violation, and says that it proves nothing", async () => {
    const text = models.ssh(false, "c1", "SSH");
    expect(await verdictOf(text, { compat: "published" })).toBe("unknown");
    expect(await verdictOf(text)).toBe("violated");
    expect(await verdictOf(text, { concrete: 1 })).toBe("unknown");
    expect(await verdictOf(text, { concrete: 2 })).toBe("violated");
    const config = { mergesBarriers: true, clients: "atomic", sendLimit: 1 } as const;
    expect(await statesOf(text, config)).toEqual({ states: 75, isViolated: false });
  });
  test("T3: with two requests at once the stale one is reached", async () => {
    expect(await verdictOf(models.stale(1))).toBe("holds");
    expect(await verdictOf(models.stale(2))).toBe("violated");
  });
  test("T4: an old answer, judged when it is carried out, looks wrong; judged when it was given, it is not", async () => {
    const firewall = { switches: 2, traffic: "some" } as const;
    expect(await verdictOf(models.firewall({ ...firewall, moment: "at execution" }))).toBe("violated");
    expect(await verdictOf(models.firewall(firewall))).toBe("holds");
  });
  test("T5: with mailboxes that keep everything the order of packets does not matter", async () => {
    expect((await statesOf(models.resonance(2), "published-sets")).states).toBe(8307);
    const renamed = models
      .resonance(2)
      .replace("client c1, c2; client portal, scanner;", "client scanner, c2, portal, c1;");
    expect((await statesOf(renamed, "published-sets")).states).toBe(8307);
  });
  test("T6: an addition and a deletion before a barrier leave either table", async () => {
    for (const name of ["neverThere", "alwaysThere"])
      expect(await verdictOf(models.clash, { concrete: 1, properties: [name] })).toBe("violated");
  });
  test("T9: of two rules with the same priority either may be taken", async () => {
    const report = await check(
      { file: "test.sdn", text: models.firewall({ switches: 1, priorities: "equal" }) },
      { properties: ["noWrongDrop"] },
    );
    expect(overallVerdict(report)).toBe("violated");
  });
  test("T12: a flood goes neither back nor into nothing", async () => {
    const text = `network f { switch s1 ports 1..4; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
      packet { kind: bool; } behaviour client a { send {kind: true}; }
      controller { on packetIn(p, sw, pt) { flood(); } }
      property kept: noBlackHole;
      property back: never received(p, c) when c == a;`;
    expect(await verdictOf(text)).toBe("holds");
  });
  test("T16: only the switch that asked gets the answer", async () => {
    const text = `network f { switch s1, s2 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s2:1; }
      packet { kind: bool; } behaviour client a { send {kind: true}; }
      controller { on packetIn(p, sw, pt) { forward([1]); } }
      property other: never received(p, c) when c == b;`;
    expect(await verdictOf(text)).toBe("holds");
  });
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
  const report = await check({ file: "test.sdn", text }, { budget: { maxStates: 5000 } });
  expect(
    report.runs.map((run) => [run.properties.includes("known"), run.reductions.includes("counter")]),
  ).toEqual([
    [false, true],
    [true, false],
  ]);
  expect(report.diagnostics.map((d) => d.message).join()).toContain("can be repaired by more packets");
});
