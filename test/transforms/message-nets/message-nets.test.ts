/** Programs as nets and nets as programs: the same answers either way. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Spent, Work, procedures, runAtOnce } from "../../../src/engines/coverability/index.js";
import { check, checkFile, overallVerdict } from "../../../src/index.js";
import { loadMist, renderSpec } from "../../../src/languages/mist/index.js";
import { loadMpp, programOfNet } from "../../../src/languages/mpp/index.js";
import type { CoverProperty, MessageProgram, Net } from "../../../src/model/index.js";
import {
  compactNet,
  labelledNet,
  productNet,
  whyNotCompact,
} from "../../../src/transforms/message-nets/index.js";
import { anyProgram } from "../../generators/mpp.js";
import { compareAsProgram, smallNet } from "../../generators/net-programs.js";
import { inRepository } from "../../repository.js";
import { netFrom } from "../../engines/coverability/classical.js";

const example = (name: string): string => inRepository(`examples/messages/${name}.mpp`);
const programIn = (text: string): MessageProgram => loadMpp("p.mpp", text).program!;

/** Written out and read again, by the procedure that gets furthest on such nets. */
function answerOf(net: Net, maxStates: number): "holds" | "violated" | "unknown" {
  const again = loadMist("exported.spec", renderSpec(net));
  expect(again.diagnostics).toEqual([]);
  const { alternatives } = again.net!.properties[0] as CoverProperty;
  for (const name of ["karp-miller", "eec"])
    try {
      const { decide } = procedures.find((each) => each.name === name)!;
      const { kind } = runAtOnce(decide(again.net!, alternatives, new Work({ maxStates })));
      return kind === "covered" ? "violated" : "holds";
    } catch (error) {
      if (!(error instanceof Spent)) throw error;
    }
  return "unknown";
}

test("the medical system has the published size as a labelled net: 63 places, 200 transitions", () => {
  const program = programIn(readFileSync(example("medical"), "utf8"));
  const { places, transitions } = labelledNet(program, program.properties[0]!);
  expect([places.length, transitions.length]).toEqual([63, 200]);
});

describe("the net of an example has its verdict, with classes as places and as bits", () => {
  for (const name of ["medical", "medical-mutant", "health-care-mutant", "bug-tracking-mutant"])
    test(name, async () => {
      const program = programIn(readFileSync(example(name), "utf8"));
      const expected = overallVerdict(await checkFile(example(name)));
      const [property] = program.properties;
      expect(answerOf(productNet(program, property!), 50_000)).toBe(expected);
      // If the property holds, the net of bits is too large to exhaust; small programs, below, show that it is right.
      if (name === "medical-mutant") expect(answerOf(compactNet(program, property!), 50_000)).toBe(expected);
    });
});

const pair = (p: string, q: string, property: string): string => `
  message a, b; channel c, d;
  principal P { var x, y; ${p} }
  principal Q { var x, y; ${q} }
  property p: ${property};`;

describe("small programs", () => {
  for (const [name, text, expected] of [
    ["x := f(x) takes one token", pair("x = a; x = b(x);", "skip;", "provenance(P.x) in eps"), "holds"],
    ["a mark", pair("x = a; send(c, x);", "recv(c, x);", "provenance(Q.x) in eps"), "violated"],
    [
      "a message is one token",
      pair("x = a; send(c, x);", "recv(c, x); recv(c, y);", "provenance(Q.y) in eps"),
      "holds",
    ],
    [
      "a new message",
      pair("x = a; send(c, x);", "recv(c, x); x = a; y = x;", "provenance(Q.y) in eps"),
      "holds",
    ],
    [
      "a kept message among others",
      pair(
        "x = a; send(c, x); send(c, x); send(c, x);",
        "recv(c, x); recv(c, x); recv(c, x); y = x;",
        "provenance(Q.y) in eps",
      ),
      "violated",
    ],
    [
      "when",
      pair("x = a; send(c, x);", "recv(c, x); y = b;", "provenance(Q.x) in eps when Q.y == b"),
      "violated",
    ],
    [
      "when, elsewhere",
      pair("x = a; send(c, x);", "recv(c, x);", "provenance(Q.x) in eps when P.y == b"),
      "holds",
    ],
    ["forbidden at first", pair("skip;", "skip;", "provenance(Q.x) in P"), "violated"],
    ["notin", pair("x = a; send(c, x);", "recv(c, x);", "provenance(Q.x) notin Q P*"), "holds"],
    [
      "sets",
      `provenance set; ${pair("x = a; send(c, x);", "recv(c, x); send(d, x);", "provenance(Q.x) in subset {Q}")}`,
      "violated",
    ],
    [
      "contains",
      `provenance set; ${pair("x = a; send(c, x); recv(d, y);", "recv(c, x); send(d, x);", "provenance(P.y) notin contains {P, Q}")}`,
      "violated",
    ],
    [
      "must contain",
      `provenance set; ${pair("x = a; send(c, x); recv(d, y);", "recv(c, x); send(d, x);", "provenance(P.y) in contains {P, Q}, {Q} when P.y == a")}`,
      "holds",
    ],
  ] as const)
    // prettier-ignore
    test(`${name}: ${expected}`, async () => {
      const program = programIn(text);
      expect(overallVerdict(await check({ file: "p.mpp", text }))).toBe(expected);
      expect(answerOf(productNet(program, program.properties[0]!), 20_000)).toBe(expected);
      expect(answerOf(compactNet(program, program.properties[0]!), 20_000)).toBe(expected);
    });

  test("spawned principals and conditionals on the provenance have a product, and no compact net", async () => {
    const spawning = `message a; channel c, d;
      principal Main { var x, y; x = a; send(c, x); spawn Worker; spawn Worker; recv(d, y); }
      principal Worker { var w; recv(c, w); choose { [] send(c, w); [] send(d, w); } }
      property p: provenance(Main.y) in eps | Main Worker Worker?;`;
    for (const [policy, expected] of [
      ["eps | Main Worker Worker?", "holds"],
      ["eps | Main Worker", "violated"],
    ] as const) {
      const program = programIn(spawning.replace("eps | Main Worker Worker?", policy));
      expect(answerOf(productNet(program, program.properties[0]!), 20_000)).toBe(expected);
      expect(whyNotCompact(program)).toBe("principals are spawned");
    }
    const testing = pair(
      "x = a; send(c, x);",
      "recv(c, x); if (provenance(x) notin P) y = x;",
      "provenance(Q.y) in eps",
    );
    const program = programIn(testing);
    expect(answerOf(productNet(program, program.properties[0]!), 20_000)).toBe("holds");
    expect(whyNotCompact(program)).toMatch(/conditional/);
  });
});

test("places are told apart whatever messages, channels and variables are called", () => {
  const sizes = (text: string): number[][] => {
    const program = programIn(text);
    return [productNet, compactNet].map((make) => {
      const { places, transitions } = make(program, program.properties[0]!);
      return [places.length, transitions.length];
    });
  };
  const text = pair("x = a; send(c, x);", "recv(c, x); x = b(x); y = x;", "provenance(Q.y) in eps");
  const named = (names: Readonly<Record<string, string>>): string =>
    text.replace(/\b\w+\b/g, (word) => names[word] ?? word);
  expect(sizes(named({ a: "known", b: "b0" }))).toEqual(sizes(text));
  expect(sizes(named({ a: "unknown", b: "d1" }))).toEqual(sizes(text));
  expect(sizes(named({ c: "P", x: "has" }))).toEqual(sizes(text));
  expect(sizes(named({ P: "forgotten", x: "c" }))).toEqual(sizes(text));
  expect(sizes(named({ P: "full", Q: "kept", x: "c" }))).toEqual(sizes(text));
});

test("random programs: product, compact net and the provenance engine agree", async () => {
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(anyProgram, async (text) => {
      const report = await check({ file: "p.mpp", text }, { budget: { maxStates: 2000 } });
      const direct = overallVerdict(report);
      const program = programIn(text);
      const property = program.properties[0]!;
      const nets = [
        answerOf(productNet(program, property), 400),
        ...(whyNotCompact(program) === undefined ? [answerOf(compactNet(program, property), 400)] : []),
      ];
      for (const answer of nets) {
        if (answer === "unknown" || report.properties[0]!.verdict === "unknown") continue;
        decided++;
        expect(answer).toBe(direct);
      }
    }),
    { numRuns: 40, seed: 7 },
  );
  expect(decided).toBeGreaterThan(20);
});

describe("nets as programs", () => {
  test("guards that ask for more than is taken, targets of nothing, and any number at the start", async () => {
    const verdict = async (net: Net): Promise<string> =>
      overallVerdict(await check({ file: "n.mpp", text: programOfNet(net)! }));
    const more = (a: number): Net =>
      loadMist(
        "m.spec",
        `vars a b rules a >= 3 -> a' = a - 1, b' = b + 1; init a = ${a}, b = 0 target b >= 2`,
      ).net!;
    expect(await verdict(more(3))).toBe("holds");
    expect(await verdict(more(4))).toBe("violated");
    expect(await verdict(netFrom("nothing", { a: 0 }, ["a -> b"], [{}]))).toBe("violated");
    expect(await verdict(netFrom("pool", { "p-1": "0+" }, ["2 p-1 -> p_1"], [{ p_1: 2 }]))).toBe("violated");
  });

  test("50 random nets have the answer of backward search", async () => {
    const answers = new Set<string>();
    for (let seed = 1; seed <= 50; seed++) {
      const { problem, answer } = await compareAsProgram(smallNet(seed), 3000);
      expect(problem, `seed ${seed}`).toBeUndefined();
      answers.add(answer);
    }
    expect([...answers]).toEqual(expect.arrayContaining(["violated", "holds"]));
  });
});
