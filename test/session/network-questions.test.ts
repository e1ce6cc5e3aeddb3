/** Invariants, formulas and deadlocks that networks are asked, and never through a reduction that was not proved for them. */
import { describe, expect, test } from "vitest";
import { compileNetwork, concreteConfig } from "../../src/compile/network/index.js";
import { agentOf } from "../../src/compile/network/agents.js";
import {
  allPackets,
  checkNetwork,
  defineNetwork,
  overallVerdict,
  type CheckOptions,
} from "../../src/index.js";
import { FOREIGN_AGENT, Status, Successors } from "../../src/model/index.js";
import type { Network, NetworkAction, NetworkProperty } from "../../src/model/network.js";
import { network as declared } from "../../src/session/declarations.js";
import { checkInput, registry } from "../../src/session/index.js";
import { networkAsMurphi } from "../../src/session/export/network.js";
import { networkReductions } from "../../src/session/reductions/network.js";
import { murphiOf } from "../../src/compile/network/index.js";
import { configOf } from "../../src/session/reductions/network.js";
import { randomNetwork } from "../generators/network.js";
import { asProperty, asked } from "./asked-network.js";

const reductionsOf = (network: Network, compat: "published" | undefined) =>
  networkReductions(network, compileNetwork(network), {
    sendLimit: Infinity,
    compat,
    compiled: (config) => compileNetwork(network, config),
  });

describe("reductions", () => {
  const network = asked(randomNetwork(3), 3, ["F p"]);
  const request = { wanted: declared.reductions, isAsked: true, fairness: "none", workers: 1 } as const;
  const reductions = (compat?: "published") => reductionsOf(network, compat);
  const formula = network.properties.find(({ name }) => name === "F p")!;

  test("are refused for formulas, deadlocks and properties of others", () => {
    const stuck: NetworkProperty = {
      ...formula,
      name: "deadlock",
      kind: "deadlock",
      check: { form: "stuck" },
    };
    const foreign = asProperty("foreign", () => true);
    const withStuck = { ...network, properties: [...network.properties, stuck] };
    for (const property of [formula, foreign]) {
      expect(reductions().accepts(property, request).names).toEqual([]);
      expect(reductions().accepts(property, request).refused).toHaveLength(declared.reductions.length);
      expect(reductions("published").accepts(property, request).names).toEqual([]);
      expect(reductions().apply([property], request).names).toEqual([]);
    }
    const own = reductionsOf(withStuck, undefined);
    expect(own.accepts(stuck, request).names).toEqual([]);
    expect(own.accepts(withStuck.properties[0]!, request).names.length).toBeGreaterThan(0);
  });

  test("the published encoding is used for properties of states", () => {
    expect(reductions("published").accepts(network.properties[0]!, request).names).toEqual(["published"]);
  });

  test("are refused for a deadlock that claims to read nothing", () => {
    const { observes } = network.properties[0]!;
    const stuck: NetworkProperty = { ...formula, kind: "deadlock", check: { form: "stuck" }, observes };
    const own = { ...network, properties: [stuck] };
    const { accepts } = reductionsOf(own, undefined);
    expect(accepts(stuck, request).names).toEqual([]);
  });

  test("are refused although a formula claims to read nothing", () => {
    const blind = { ...formula, observes: { ...network.properties[0]!.observes, tables: false } };
    const blinded = { ...network, properties: [blind] };
    const own = reductionsOf(blinded, undefined);
    expect(own.accepts(blind, request).names).toEqual([]);
  });

  test("a formula is not written to Murphi, which has the reduced network", () => {
    expect(networkAsMurphi({ ...network, properties: [formula] })).toMatchObject({ why: expect.any(String) });
  });
});

// ---- texts ----

const HOSTS = (more: string): string => `
network pair {
  switch s1 ports 1..2;
  client a kind host contacts b;
  client b kind host contacts a;
  link a:1 -- s1:1;
  link b:1 -- s1:2;
}
packet { src: client; dest: client; }
behaviour kind host { send {src: self, dest: contacts(self)}; on receive(p) when WAITS { } }
const WAITS = true;
controller { state { asked: bool = false; } on packetIn(p, sw, pt) { asked = true; flood(); } }
event again when asked { asked = true; }
options { sends = 1; }
${more}`;

const ofText = async (text: string, options: CheckOptions) =>
  (await checkInput({ file: "pair.sdn", text }, { ...options, isolation: "none" }, registry)).report;

const ANY = "exists p: packets . true";

test("a text states formulas, whose conditions stand in single quotes", async () => {
  const report = await ofText(HOSTS(`property done: ltl "G ('${ANY}' -> F !'${ANY}')";`), {});
  // The event may happen again and again, and nothing else.
  expect(overallVerdict(report)).toBe("violated");
  const fair = await ofText(HOSTS(`property done: ltl "G ('${ANY}' -> F !'${ANY}')";`), { fairness: "weak" });
  expect(overallVerdict(fair)).toBe("holds");
});

test.each([
  ["asked -> (exists p: packets . true)", "violated"],
  ["forall p: packets at clients . p.dest != p.src", "holds"],
] as const)("--invariant %s", async (text, verdict) => {
  expect(overallVerdict(await ofText(HOSTS(""), { invariants: [text] }))).toBe(verdict);
});

test.each([
  ["G !asked", "violated"],
  ["G (asked -> G asked)", "holds"],
] as const)("--ltl %s", async (text, verdict) => {
  expect(overallVerdict(await ofText(HOSTS(""), { ltl: [text] }))).toBe(verdict);
});

test("a packet that no client takes is stuck, if that is asked", async () => {
  const silent = HOSTS("").replace("event again when asked { asked = true; }", "");
  const stuck = { deadlock: "stuck" } as const;
  expect(overallVerdict(await ofText(silent, stuck))).toBe("holds");
  const waiting = await ofText(silent, { ...stuck, defines: ["WAITS=false"] });
  expect(overallVerdict(waiting)).toBe("violated");
  expect(overallVerdict(await ofText(silent, { defines: ["WAITS=false"], invariants: ["true"] }))).toBe(
    "holds",
  );
});

test("without a limit on sends no formula is proved, and none by a reduction", async () => {
  const endless = HOSTS("").replace("options { sends = 1; }", "");
  const options = { ltl: ["F !asked"], budget: { maxStates: 500 } };
  for (const reductions of [undefined, [...declared.reductions]]) {
    const report = await ofText(endless, {
      ...options,
      ltl: ["G (asked -> G asked)"],
      ...(reductions ? { reductions } : {}),
    });
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.runs.flatMap((run) => run.reductions)).toEqual([]);
  }
});

test.each([
  [{ ltl: ["F nothing"] }, "sdn/unknown-name"],
  [{ invariants: ["asked asked"] }, "sdn/syntax"],
  [{ invariants: ["s1"] }, "sdn/wrong-type"],
  [{ deadlock: "stuttering" }, "sdn/deadlock"],
] as const)("%o is refused: %s", async (options, code) => {
  const { diagnostics } = await ofText(HOSTS(""), options as CheckOptions);
  expect(diagnostics.filter(({ severity }) => severity === "error").map((d) => d.code)).toContain(code);
});

test("positions are those of the source", async () => {
  const text = HOSTS(`property wrong: ltl "G (asked -> F 'nothing')";`);
  const { diagnostics } = await ofText(text, {});
  const [{ span }] = diagnostics as unknown as [{ span: { start: number; end: number } }];
  expect(text.slice(span.start, span.end)).toBe("nothing");
});

test("a description states formulas over functions", async () => {
  const fields = { kind: ["a"] } as const;
  const described = (ltl: string) =>
    defineNetwork({
      switches: { s: 2 },
      clients: { c: { sends: allPackets(fields) }, d: {} },
      links: [
        ["c:1", "s:1"],
        ["s:2", "d:1"],
      ],
      packet: fields,
      sendLimit: 1,
      controller: { initial: { asked: 0 }, packetIn: () => ({ ports: [2], state: { asked: 1 } }) },
      properties: [
        {
          name: "served",
          ltl,
          propositions: {
            asked: ({ state }) => state.asked === 1,
            delivered: ({ packets }) => packets.some(({ node }) => node === "d"),
          },
        },
      ],
    });
  expect(overallVerdict(await checkNetwork(described("F (asked & delivered)")))).toBe("holds");
  expect(overallVerdict(await checkNetwork(described("F G delivered")))).toBe("violated");
  const unknown = await checkNetwork(described("F other"));
  expect(unknown.diagnostics.map(({ code }) => code)).toContain("sdn/bad-description");
});

test("agents are switches, clients that receive and the controller; the environment has none", () => {
  const network = randomNetwork(1);
  const bit = (action: object): number => agentOf(action as NetworkAction, network);
  expect([bit({ kind: "match", switch: 1 }), bit({ kind: "barrier", switch: 0 })]).toEqual([2, 1]);
  expect([bit({ kind: "receive", client: 1 }), bit({ kind: "control", switch: 0 })]).toEqual([8, 16]);
  for (const kind of ["send", "event", "expire", "fail"]) expect(bit({ kind })).toBe(0);
  const many = { ...network, switches: Array.from({ length: 40 }, () => network.switches[0]!) } as Network;
  const at = (index: number): number => agentOf({ kind: "match", switch: index } as NetworkAction, many);
  expect([at(30), at(31), at(32)]).toEqual([1 << 30, FOREIGN_AGENT, FOREIGN_AGENT]);
});

test("a formula that reads nothing is not written to Murphi either", () => {
  const network = asked(randomNetwork(3), 3, ["F p"]);
  const formula = network.properties.find(({ name }) => name === "F p")!;
  const blind = { ...formula, observes: network.properties[0]!.observes };
  const published = {
    ...network,
    properties: [blind],
    controller: { ...network.controller, barriers: "published" as const },
  };
  expect(murphiOf(published, configOf([]))).toMatchObject({
    why: expect.stringContaining("without reductions") as string,
  });
});

test("where deadlocks are not asked for, every state may be the last", () => {
  const { system } = compileNetwork(randomNetwork(1), { ...concreteConfig, sendLimit: 1 });
  const out = new Successors(system.width);
  system.initial(out);
  const start = out.words.slice(0, out.stride);
  out.clear();
  system.successors(start, 0, out);
  expect(out.count).toBeGreaterThan(0);
  expect(system.status(out.words.slice(0, out.stride), 0)).toBe(Status.validEnd);
});
