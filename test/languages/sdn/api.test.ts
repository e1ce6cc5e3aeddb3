/** Networks described in TypeScript: equivalence with `.sdn` texts, and diagnostics of mistakes. */
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import {
  allPackets,
  check,
  checkNetwork,
  defineNetwork,
  overallVerdict,
  type CheckReport,
  type LinkEnds,
  type NetworkDescription,
} from "../../../src/index.js";
import { inRepository } from "../../repository.js";

const ends = ["c1", "c2"] as const;
const fields = { src: ends, dest: ends } as const;

/** The learning switch on a chain of two, as in `models.mlChain`; additional links form a loop. */
const learning = (...more: readonly LinkEnds[]) =>
  defineNetwork({
    name: "chain",
    switches: { s1: 3, s2: 3 },
    clients: {
      c1: { sends: [{ src: "c1", dest: "c2" }] },
      c2: { sends: [{ src: "c2", dest: "c1" }] },
    },
    links: [["c1:1", "s1:1"], ["c2:1", "s2:2"], ["s1:2", "s2:1"], ...more],
    packet: fields,
    tracksVisited: true,
    controller: {
      sendsNoBarriers: true,
      initial: {} as Readonly<Record<string, number>>,
      packetIn: ({ packet, at, port, state }) => {
        const out = state[`${at} ${packet.dest}`];
        // Sorted keys, so that equal tables are equal states.
        const learned = Object.entries({ ...state, [`${at} ${packet.src}`]: port });
        const next = Object.fromEntries(learned.sort(([a], [b]) => (a < b ? -1 : 1)));
        if (out === undefined) return { ports: "flood", state: next };
        if (out === port) return { state: next };
        const rule = { priority: 1, match: packet, port, ports: [out] };
        return { commands: { [at]: [{ add: rule }] }, ports: [out], state: next };
      },
    },
    properties: [{ name: "noLoop", builtin: "noForwardingLoop" }],
  });

describe("a description and a text of the same network", () => {
  test("have the same states, transitions and verdict: the learning switch", async () => {
    const described = await checkNetwork(learning());
    const written = await check({ file: "chain.sdn", text: models.mlChain(2) });
    expect(overallVerdict(described)).toBe("holds");
    expect(described.stats).toMatchObject({
      states: written.stats.states,
      transitions: written.stats.transitions,
    });
    expect(described.stats.states).toBe(82);
  });

  test("a loop is found in both, and told in the same words", async () => {
    const described = await checkNetwork(learning(["s1:3", "s2:3"]));
    const steps = described.properties[0]!.trace!.steps.map(({ action }) => action);
    expect(overallVerdict(described)).toBe("violated");
    expect(steps.at(-1)).toMatch(/^forwards \{src: c\d, dest: c\d, visited: .*\} from port/);
  });

  test("the example prints what it says", async () => {
    // In the repository, so that packages resolve.
    const folder = mkdtempSync(join(inRepository("test"), ".example-"));
    const outfile = join(folder, "ssh.mjs");
    try {
      await build({
        entryPoints: [inRepository("examples/networks/ssh.ts")],
        outfile,
        bundle: true,
        platform: "node",
        format: "esm",
        packages: "external",
        alias: { everypath: inRepository("src/index.ts") },
      });
      const printed = execFileSync(process.execPath, [outfile], { encoding: "utf8" });
      expect(printed).toMatch(/^without barrier: violated, \d+ states\nwith barrier: holds, \d+ states\n$/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 240_000);
});

const simple = {
  switches: { s1: 2 },
  links: [
    ["a:1", "s1:1"],
    ["b:1", "s1:2"],
  ],
  packet: { src: ["a", "b"], ok: [true, false] },
} as const;

describe("properties, events and clients", () => {
  test("each kind of claim is decided", async () => {
    const verdicts = await verdictsOf(
      defineNetwork({
        ...simple,
        clients: {
          a: { sends: allPackets(simple.packet, { src: "a" }) },
          b: { receive: ({ ok }) => [[{ src: "b", ok }], []] },
        },
        controller: {
          initial: { closed: false },
          packetIn: ({ packet, port, state }) =>
            state.closed ? { ports: [] } : packet.ok ? { ports: [3 - port] } : { error: "refused" },
        },
        events: [
          {
            name: "close",
            sendsNoBarriers: true,
            run: ({ closed }) => (closed ? [] : [{ state: { closed: true } }]),
          },
        ],
        errors: ["refused"],
        properties: [
          { name: "onlyGood", at: "clients", everyPacket: ({ packet }) => packet.ok },
          { name: "fromA", at: "a", everyPacket: ({ packet }) => packet.src === "b" },
          { name: "open", everyState: ({ closed }) => !closed },
          { name: "kept", never: "dropped" },
          { name: "closedDrops", never: "dropped", whenWithState: (_, { closed }) => !closed },
          { name: "back", isolated: { from: ["b"], to: ["a"] } },
          { name: "via", waypoint: { to: "a", via: ["b"] } },
          { name: "clear", builtin: "noAmbiguousMatch" },
        ],
      }),
    );
    expect(verdicts).toEqual({
      onlyGood: "holds",
      fromA: "holds",
      open: "violated",
      kept: "violated",
      closedDrops: "holds",
      back: "violated",
      via: "holds",
      clear: "holds",
      "no errors": "violated",
    });
  });

  test("links fail, and the controller is told", async () => {
    const verdicts = await verdictsOf(
      defineNetwork({
        ...simple,
        links: [["a:1", "s1:1"]],
        failingLinks: [["b:1", "s1:2"]],
        clients: { a: { sends: [{ src: "a", ok: true }] }, b: {} },
        controller: {
          initial: "up",
          packetIn: ({ state }) => ({ ports: state === "up" ? [2] : [] }),
          portDown: ({ at, port }) => ({ state: `down ${at}:${port}` }),
        },
        properties: [
          { name: "told", everyState: (state) => state !== "down s1:2" },
          { name: "kept", never: "lost" },
        ],
      }),
    );
    expect(verdicts).toEqual({ told: "violated", kept: "violated" });
  });
});

describe("mistakes are diagnostics", () => {
  const good = defineNetwork({
    ...simple,
    clients: { a: { sends: [{ src: "a", ok: true }] }, b: {} },
    controller: { initial: 0, packetIn: () => ({ ports: [2] }) },
    properties: [{ name: "kept", builtin: "noBlackHole" }],
  });
  type Description = NetworkDescription<typeof simple.packet, number, never>;
  const wrong: readonly (readonly [string, Partial<Description>, string])[] = [
    ["an unknown node", { links: [["a:1", "s9:1"]] }, "sdn/unknown-name"],
    ["an unknown port", { links: [["a:1", "s1:7"]] }, "sdn/no-such-port"],
    ["no number", { links: [["a:1", "s1:x" as "s1:1"]] }, "sdn/bad-description"],
    [
      "loops without visits",
      { properties: [{ name: "l", builtin: "noForwardingLoop" }] },
      "sdn/bad-description",
    ],
    [
      "an unknown waypoint",
      { properties: [{ name: "w", waypoint: { to: "a", via: ["x"] } }] },
      "sdn/bad-description",
    ],
    [
      "a packet that cannot be",
      { clients: { a: { sends: [{ src: "x" as "a", ok: true }] }, b: {} } },
      "sdn/bad-description",
    ],
    ["kappa 0", { controller: { ...good.controller, kappa: 0 } }, "sdn/bad-description"],
    [
      "a handler that throws",
      {
        controller: {
          initial: 0,
          packetIn: () => {
            throw new Error("oops");
          },
        },
      },
      "sdn/bad-handler",
    ],
    [
      "an unknown switch in commands",
      { controller: { initial: 0, packetIn: () => ({ commands: { s9: ["barrier"] } }) } },
      "sdn/bad-handler",
    ],
    [
      "a barrier that was not to be",
      { events: [{ name: "e", sendsNoBarriers: true, run: () => [{ commands: { s1: ["barrier"] } }] }] },
      "sdn/bad-handler",
    ],
  ];
  test("the description that they are made of is right", async () =>
    expect(overallVerdict(await checkNetwork(good))).toBe("holds"));
  for (const [name, part, code] of wrong)
    test(`${name}: ${code}`, async () => {
      const report = await checkNetwork({ ...good, ...part });
      expect(report.diagnostics.map((d) => d.code)).toContain(code);
      expect(report.properties).toEqual([]);
    });

  test("the compiler knows the values of fields", () => {
    defineNetwork({
      ...simple,
      // @ts-expect-error: nobody is called c
      clients: { a: { sends: [{ src: "c", ok: true }] }, b: {} },
      controller: {
        initial: 0,
        packetIn: ({ packet }) => {
          // @ts-expect-error: there is no such field
          void packet.dest;
          return {};
        },
      },
      properties: [],
    });
  });
});

async function verdictsOf<
  F extends Record<string, readonly (string | number | boolean)[]>,
  S,
  E extends string,
>(description: NetworkDescription<F, S, E>): Promise<Record<string, string>> {
  const report: CheckReport = await checkNetwork(description, { maxErrors: Infinity });
  expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return Object.fromEntries(report.properties.map(({ property, verdict }) => [property.name, verdict]));
}
