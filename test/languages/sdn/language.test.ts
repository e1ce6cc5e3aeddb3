/** Diagnostics, imports, and expected verdicts of the examples. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  check,
  firstViolated,
  overallVerdict,
  readInput,
  replay,
  type CheckOptions,
} from "../../../src/index.js";
import { SdnGrammar } from "../../../src/languages/sdn/grammar.js";
import { inRepository } from "../../repository.js";
import { loadText } from "./loading.js";

const base = `network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
packet { kind: enum {A, B}; src: client; }
behaviour client a { send {kind: any, src: self}; }
`;
const controller = (
  body: string,
): string => `${base}controller { state { n: 0..2 = 0; } on packetIn(p, sw, pt) { ${body} } }
property x: always n < 3;`;

test("the grammar is unambiguous", () => {
  expect(() => new SdnGrammar({ validate: true })).not.toThrow();
});

describe("refuses", () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ["a statement that is cut off", controller("drop()"), "sdn/syntax"],
    ["an unknown name", controller("n = m;"), "sdn/unknown-name"],
    ["a wrong type", controller("n = p.kind;"), "sdn/wrong-type"],
    ["two answers", controller("drop(); forward([1]);"), "sdn/second-reply"],
    ["an answer in a loop", controller("for s in switches { flood(); }"), "sdn/second-reply"],
    ["choice in the controller", controller("choose { [] { drop(); } [] { flood(); } }"), "sdn/not-here"],
    ["a rule on an unknown field", controller("install(sw, rule(1, {size: 1}, []));"), "sdn/no-such-field"],
    ["an assignment to a parameter", controller("sw = s1;"), "sdn/not-assignable"],
    ["an unknown function", controller("f(1);"), "sdn/unknown-function"],
    ["a link between clients", base.replace("link a:1 -- s1:1", "link a:1 -- b:1"), "sdn/client-link"],
    ["two links at a port", base.replace("s1:2", "s1:1"), "sdn/port-taken"],
    ["a port that is not there", base.replace("s1:2", "s1:7"), "sdn/no-such-port"],
    [
      "a loop property without visited bits",
      `${controller("")} property l: noForwardingLoop;`,
      "sdn/needs-visited",
    ],
    ["an unknown built-in", `${controller("")} property l: noRain;`, "sdn/unknown-property"],
    ["an unknown event", `${controller("")} property l: never eaten(p) when true;`, "sdn/unknown-event"],
    ["no controller", base, "sdn/missing"],
    ["a second name", base.replace("client a, b", "client a, a, b"), "sdn/declared-twice"],
    ["kappa 0", controller("").replace("state", "kappa 0; state"), "sdn/bad-kappa"],
    ["a missing field", controller("").replace("kind: any, ", ""), "sdn/missing-field"],
  ];
  for (const [name, text, code] of wrong)
    test(`${name}: ${code}`, () => {
      const { network, diagnostics } = loadText(text);
      expect(network).toBeUndefined();
      expect(diagnostics.map((d) => d.code)).toContain(code);
    });

  test("several mistakes at once, in the order of the text", () => {
    const { diagnostics } = loadText(controller("n = m; q = 1; n = p.kind;"));
    expect(diagnostics.map((d) => d.code)).toEqual([
      "sdn/unknown-name",
      "sdn/unknown-name",
      "sdn/wrong-type",
    ]);
  });
});

describe("topology files", () => {
  const text = `topology "t.json"; behaviour kind host { send {src: self}; }
    controller { on packetIn(p, sw, pt) { flood(); } } property l: noForwardingLoop;`;
  const topology = {
    switches: [{ id: "s1", ports: 2 }],
    clients: [
      { id: "a", type: "host" },
      { id: "b", type: "host", contacts: ["a"] },
    ],
    packet: { src: "Client_ids" },
    switch_counter: true,
    connections: [
      [{ a: 1 }, { s1: 1 }],
      [{ b: 1 }, { s1: 2 }],
    ],
  };

  test("are the same network as a declaration", () => {
    const imported = loadText(text, { "t.json": JSON.stringify(topology) }).network!;
    const written = loadText(
      text.replace(
        `topology "t.json";`,
        `network topology { switch s1 ports 1..2; client a kind host; client b kind host contacts a; link a:1 -- s1:1; link b:1 -- s1:2; }
         packet { src: client; visited; }`,
      ),
    ).network!;
    const shape = ({ switches, clients, links, packet }: typeof imported): unknown =>
      JSON.parse(
        JSON.stringify({ switches, clients, links, packet }, (key, value: unknown) =>
          key === "span" ? undefined : value,
        ),
      );
    expect(shape(imported)).toEqual(shape(written));
  });

  test("that are not as they should be are refused", () => {
    for (const bad of [
      "{",
      "[]",
      JSON.stringify({ ...topology, connections: [[{ a: 1 }]] }),
      JSON.stringify({ ...topology, packet: { src: 7 } }),
    ])
      expect(loadText(text, { "t.json": bad }).diagnostics.map((d) => d.code)).toContain("sdn/bad-topology");
    expect(loadText(text).diagnostics.map((d) => d.code)).toEqual(["sdn/no-such-file"]);
  });
});

describe("built-in properties", () => {
  const steered = (via: string): string =>
    `network w { switch s1 ports 1..3; client a, b, m; link a:1 -- s1:1; link b:1 -- s1:2; link m:1 -- s1:3; }
packet { src: client; port: bool; }`.replace(" port: bool;", "") +
    `
behaviour client a { send {src: a}; }
behaviour client m { on receive(p) { emit {src: p.src}; } }
controller { on packetIn(p, sw, pt) { if (pt == 1) forward([${via}]); else forward([2]); } }
property through: waypoint(b, [m]);
property apart: isolated([a], [b]);`;
  test("waypoint and isolated", async () => {
    const verdicts = async (text: string) => {
      const { properties } = await check({ file: "w.sdn", text }, { maxErrors: Infinity });
      return properties.map(({ property, verdict }) => [property.name, verdict]);
    };
    expect(await verdicts(steered("3"))).toEqual([
      ["through", "holds"],
      ["apart", "violated"],
    ]);
    expect(await verdicts(steered("2"))).toEqual([
      ["through", "violated"],
      ["apart", "violated"],
    ]);
  });
});

test("functions of names that do not exist are mistakes, not crashes", async () => {
  const text = `const X = contacts(src); const Y = neighbour(foo, bar); const Z = ports(baz);
    network n { switch s1 ports 1..2; client c1, c2; link c1:1 -- s1:1; link c2:1 -- s1:2; }
    packet { src: client; dest: client; }
    behaviour client c1 { send {src: self, dest: contacts(src)}; send {src: switchOf(x), dest: X}; }
    controller { state { a: set of client = contacts(dest); } on packetIn(p, sw, pt) { drop(); } }
    property x: always true;`;
  const { diagnostics } = await check({ file: "n.sdn", text });
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(
    new Set(["sdn/unknown-name", "sdn/wrong-type"]),
  );
});

describe("example network", () => {
  const folder = inRepository("examples/networks");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".sdn"))) {
    const input = readInput(`${folder}/${name}`);
    if ("code" in input) throw new Error(input.message);
    const expected = [...input.text.matchAll(/^\/\* expected(?: with (.*))?: (\w+)(?: \((.*)\))? \*\/$/gm)];
    test(`${name} states what to expect`, () => expect(expected.length).toBeGreaterThan(0));
    for (const [, condition, verdict, property] of expected)
      test(`${name}${condition === undefined ? "" : ` with ${condition}`}: ${verdict}`, async () => {
        const options: CheckOptions =
          condition === undefined
            ? {}
            : condition === "--fairness weak"
              ? { fairness: "weak" }
              : { defines: [condition.replace("-D ", "")] };
        const report = await check(input, options);
        expect(report.diagnostics.filter(({ severity }) => severity !== "note")).toEqual([]);
        expect(overallVerdict(report)).toBe(verdict);
        const violated = firstViolated(report);
        expect(violated?.property.name).toBe(property);
        if (violated)
          expect(await replay(input, { schedule: violated.trace!.schedule }, options)).toMatchObject({
            outcome: "failed",
          });
      });
  }
});
