/** Networks translated to Murphi: our Murphi and Rumur count the same states. */
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import { check, overallVerdict } from "../../../src/index.js";
import type { Network } from "../../../src/model/network.js";
import { networkAsMurphi } from "../../../src/session/export/network.js";
import { configOf } from "../../../src/session/reductions/network.js";
import { gate } from "../../../src/transforms/network/index.js";
import { networkReductionNames } from "../../../src/transforms/reduction/names.js";
import { randomNetwork } from "../../generators/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { runRumur } from "../../languages/murphi/rumur.js";
import { describeWithPeers } from "../../peers.js";
import { explore } from "../../transforms/network/compare.js";

const textOf = (network: Network): string => {
  const written = networkAsMurphi(network);
  if (typeof written !== "string") throw new Error(written.why);
  return written;
};

/** The text stops at the first error, so verdicts are compared as a whole. */
async function compared(network: Network) {
  const report = await check({ file: "network.m", text: textOf(network) }, { deadlock: "off" });
  expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const ours = explore(network, configOf(networkReductionNames), 20_000);
  expect(ours.isComplete).toBe(true);
  return { isViolated: overallVerdict(report) === "violated", states: report.stats.states, ours };
}

const rows: readonly (readonly [name: string, text: string, states: number])[] = [
  ["SSH", models.ssh(true), 35],
  ["ML chain of 2", models.mlChain(2), 82],
  ["FW(S)", models.firewall({ switches: 1 }), 10_379],
  ["stale request", models.stale(1), 2],
];

describe("as many states as the network", () => {
  for (const [name, text, states] of rows)
    test(`${name}: ${states}`, async () => {
      const { isViolated, states: theirs, ours } = await compared(networkOf(text));
      expect(isViolated).toBe(false);
      expect([theirs, ours.states]).toEqual([states, states]);
    });

  test("what is wrong with a network is wrong with its text", async () => {
    for (const text of [models.ssh(false), models.firewall({ switches: 1, priorities: "equal" })]) {
      const { isViolated } = await compared(networkOf(text));
      expect(isViolated).toBe(true);
    }
  });

  test("random networks, with events, clients that answer, races, ties and links that fail", async () => {
    let holding = 0;
    let violated = 0;
    for (let seed = 1; holding + violated < 60; seed++) {
      const network = allowed(randomNetwork(seed), seed);
      if (!network || !explore(network, configOf(networkReductionNames), 300).isComplete) continue;
      const { isViolated, states, ours } = await compared(network);
      expect([seed, isViolated]).toEqual([seed, ours.violated.size > 0]);
      if (!isViolated) expect([seed, states]).toEqual([seed, ours.states]);
      if (isViolated) violated++;
      else holding++;
    }
    expect(holding).toBeGreaterThan(10);
    expect(violated).toBeGreaterThan(10);
  }, 240_000);
});

describeWithPeers("Rumur counts the same", ["rumur", "gcc"], () => {
  for (const [name, text, states] of rows.slice(0, 2))
    test(
      name,
      () => {
        const found = runRumur(textOf(networkOf(text)), ["--deadlock-detection", "off"]);
        expect(found).toMatchObject({ kind: "finished", states, errors: 0 });
      },
      300_000,
    );
});

describe("is not written", () => {
  const one = `network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
    packet { kind: bool; } behaviour client a { send {kind: any}; }`;
  const refused: readonly (readonly [string, string, RegExp])[] = [
    [
      "a property that needs other states",
      `${one} controller { on packetIn(p, sw, pt) { } } property some: always exists p: packets . p.kind;`,
      /'client' is off/,
    ],
    ["several requests at once", models.stale(2), /'controller' is off: it needs kappa = 1/],
    [
      "a property that relates packets",
      `${one} controller { on packetIn(p, sw, pt) { } }
        property two: always forall p: packets at switches . forall q: packets at switches . p.kind == q.kind;`,
      /relates packets/,
    ],
  ];
  for (const [name, text, why] of refused)
    test(name, () => {
      const written = networkAsMurphi(networkOf(text));
      expect(written).toMatchObject({ why: expect.stringMatching(why) });
    });
});

/** With the properties that can be written down; one of them, so that not everything is violated. */
function allowed(network: Network, seed: number): Network | undefined {
  const wanted = networkReductionNames;
  const properties = network.properties.filter(
    (p) =>
      (p.check.form !== "state" || (!p.observes.switchPackets && !p.observes.clientPackets)) &&
      gate(network, { wanted, properties: [p], sendLimit: Infinity }).refused.length === 0,
  );
  const one = properties[seed % Math.max(1, properties.length)];
  return one && { ...network, properties: [one] };
}
