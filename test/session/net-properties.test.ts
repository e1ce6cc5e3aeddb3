/** Invariants, dead markings and formulas of nets, compared with the full marking graph. */
import { describe, expect, test } from "vitest";
import { checkJson, firstViolated, replay, type CheckOptions } from "../../src/index.js";
import { checkInput, registry, type Registry } from "../../src/session/index.js";
import { loadedNet } from "../../src/session/languages/net.js";
import { net as declared } from "../../src/session/declarations.js";
import type { Net } from "../../src/model/index.js";
import { NetGraph, type Predicate } from "../generators/net-graph.js";
import { hasSources } from "../generators/net-oracle.js";
import { randomNet } from "../generators/nets.js";
import { Random } from "../generators/random.js";

/** A language that loads the net for every text. */
const speaking = (net: Net): Registry => ({
  ...registry,
  languages: [
    {
      name: "net",
      summary: "",
      extensions: [".net"],
      accepts: declared,
      load: async (_, options) => loadedNet({ net, diagnostics: [] }, options),
    },
  ],
});

const asked = async (net: Net, options: CheckOptions): Promise<string[]> => {
  const { report } = await checkInput({ file: "m.net", text: "" }, options, speaking(net));
  expect(report.diagnostics).toEqual([]);
  expect(report.engine).toBe("explicit");
  return report.properties.map(({ property, verdict }) => `${property.name}: ${verdict}`);
};

const RELATIONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/** A condition as text and as a predicate. */
function randomCondition(random: Random, net: Net, depth = 2): readonly [string, Predicate] {
  const [text, holds] =
    random.chance(50) || depth === 0 ? comparison(random, net) : joined(random, net, depth);
  return random.chance(20) ? [`!(${text})`, (marking) => !holds(marking)] : [text, holds];
}

function joined(random: Random, net: Net, depth: number): readonly [string, Predicate] {
  const [[a, holdsA], [b, holdsB]] = [
    randomCondition(random, net, depth - 1),
    randomCondition(random, net, depth - 1),
  ];
  return random.chance(50)
    ? [`(${a}) && (${b})`, (marking) => holdsA(marking) && holdsB(marking)]
    : [`(${a}) || (${b})`, (marking) => holdsA(marking) || holdsB(marking)];
}

function comparison(random: Random, net: Net): readonly [string, Predicate] {
  const place = random.below(net.places.length);
  const other = random.below(net.places.length);
  const [factor, count] = [random.between(1, 3), random.between(0, 3)];
  const relation = random.pick(Object.keys(RELATIONS));
  const [p, q] = [net.places[place]!.name, net.places[other]!.name];
  if (random.chance(20)) return [p, (marking) => marking[place]! >= 1];
  return [
    `${factor} * ${p} - ${q} + 1 ${relation} ${count}`,
    (marking) => RELATIONS[relation]!(factor * marking[place]! - marking[other]! + 1, count),
  ];
}

test("random nets: every kind of property as on the graph of all markings", async () => {
  const seen = new Map<string, number>();
  const met = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    const net: Net = { ...randomNet(seed), properties: [] };
    const graph = hasSources(net) ? undefined : NetGraph.of(net);
    if (!graph) continue;
    const [text, holds] = randomCondition(random, net);
    const formulas = [`F "${text}"`, `G F "${text}"`, `F G "${text}"`];
    const options: CheckOptions = {
      invariants: [text],
      deadlock: "stuck",
      ltl: formulas,
      maxErrors: Infinity,
      search: random.pick(["bfs", "dfs"]),
    };
    const expected: readonly (readonly [string, boolean])[] = [
      [text, graph.always(holds)],
      ["deadlock", !graph.hasDeadlock()],
      [formulas[0]!, graph.eventually(holds)],
      [formulas[1]!, graph.againAndAgain(holds)],
      [formulas[2]!, graph.fromSomeTimeOn(holds)],
    ];
    const verdict = ([name, isTrue]: readonly [string, boolean]): string =>
      `${name}: ${isTrue ? "holds" : "violated"}`;
    expect(await asked(net, options), `seed ${seed}`).toEqual(expected.map(verdict));
    const fair = graph.againAndAgain(holds, "weak");
    expect(await asked(net, { ltl: [formulas[1]!], fairness: "weak" }), `seed ${seed}, fair`).toEqual([
      verdict([formulas[1]!, fair]),
    ]);
    for (const [index, [, isTrue]] of expected.entries()) met(`${index} ${isTrue}`);
    if (fair !== expected[3]![1]) met("fairness matters");
  }
  for (let index = 0; index < 5; index++)
    for (const isTrue of [true, false])
      expect(seen.get(`${index} ${isTrue}`) ?? 0, `${index}`).toBeGreaterThan(5);
  expect(seen.get("fairness matters") ?? 0).toBeGreaterThan(0);
}, 240_000);

describe("a net of users", () => {
  const file = "m.spec";
  const text =
    "vars idle busy done rules idle >= 1 -> idle' = idle - 1, busy' = busy + 1;" +
    "busy >= 1 -> busy' = busy - 1, idle' = idle + 1; busy >= 2 -> busy' = busy - 2, done' = done + 2;" +
    "init idle = 2, busy = 0, done = 0 target done >= 3";
  const answers = async (options: CheckOptions): Promise<string[]> => {
    const { report } = await checkInput({ file, text }, options, registry);
    return report.properties.map(
      ({ property, verdict }) => `${property.name}: ${verdict} by ${report.engine}`,
    );
  };

  test("the default engine is the one that decides what is asked", async () => {
    expect(await answers({})).toEqual(["target: holds by backward"]);
    expect(await answers({ invariants: ["idle + busy + done == 2"] })).toEqual([
      "target: holds by explicit",
      "idle + busy + done == 2: holds by explicit",
    ]);
    expect(await answers({ invariants: ["idle > 3"], properties: ["target"] })).toEqual([
      "target: holds by backward",
    ]);
  });

  test("traces replay: the broken invariant, the dead marking, the loop", async () => {
    for (const options of [
      { invariants: ["busy < 2"] },
      { deadlock: "stuck" },
      { ltl: ["F done"] },
      { ltl: ['G ("busy >= 1" -> F idle)'] },
    ] as const) {
      const { report } = await checkInput(
        { file, text },
        { ...options, properties: [nameOf(options)] },
        registry,
      );
      const violated = firstViolated(report)!;
      expect(violated.property.name).toBe(nameOf(options));
      const replayed = await replay({ file, text }, { schedule: violated.trace!.schedule }, options);
      expect(replayed).toMatchObject({ outcome: "failed", property: { name: nameOf(options) } });
    }
  });

  test("a deadlock says what is dead, and is no error unless it is asked for", async () => {
    const { report } = await checkInput({ file, text }, { deadlock: "stuck" }, registry);
    expect(firstViolated(report)!.reason).toBe("deadlock: no transition is enabled");
    expect(await answers({ deadlock: "off" })).toEqual(["target: holds by backward"]);
  });

  test("fairness to transitions: one that stays enabled, or is enabled again and again, fires", async () => {
    const spinning =
      "vars a b rules a >= 1 -> a' = a; a >= 1 -> a' = a - 1, b' = b + 1; init a = 1, b = 0 target b >= 2";
    const turning =
      "vars a b c rules a >= 1 -> a' = a - 1, c' = c + 1; c >= 1 -> c' = c - 1, a' = a + 1;" +
      "c >= 1 -> c' = c - 1, b' = b + 1; init a = 1, b = 0, c = 0 target b >= 2";
    const verdicts = async (net: string): Promise<string[]> => {
      const all = (["none", "weak", "strong"] as const).map(async (fairness) => {
        const options = { ltl: ["F b"], properties: ["F b"], fairness };
        return checkJson((await checkInput({ file, text: net }, options, registry)).report).verdict;
      });
      return Promise.all(all);
    };
    expect(await verdicts(spinning)).toEqual(["violated", "holds", "holds"]);
    expect(await verdicts(turning)).toEqual(["violated", "violated", "holds"]);
  });

  test("more transitions than fairness has bits for: unknown, never holds", async () => {
    const many = Array.from({ length: 40 }, (_, i) => `a >= ${i + 1} -> a' = a;`).join(" ");
    const net = `vars a b rules ${many} a >= 50 -> a' = a - 1, b' = b + 1; init a = 50, b = 0 target b >= 9`;
    const { report } = await checkInput(
      { file, text: net },
      { ltl: ["F b"], properties: ["F b"], fairness: "weak" },
      registry,
    );
    expect(checkJson(report)).toMatchObject({ verdict: "unknown" });
  });

  test("tokens of the start are no steps: neither deadlocks nor formulas are decided", async () => {
    const sources = text.replace("idle = 2", "idle >= 2");
    for (const options of [{ deadlock: "stuck" }, { ltl: ["F done"] }] as const) {
      const { report } = await checkInput(
        { file, text: sources },
        { ...options, engine: "explicit" },
        registry,
      );
      expect(report.diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
        "session/wrong-engine: the engine 'explicit' cannot check this: with any number of tokens at the start, it decides neither deadlocks nor formulas",
      ]);
    }
    const { report } = await checkInput({ file, text: sources }, { invariants: ["done < 5"] }, registry);
    expect(checkJson(report)).toMatchObject({ verdict: "violated", engine: "explicit" });
  });

  test("names: quoted, by id or title, and not by one that several places have", async () => {
    const place = (id: string, name: string): string =>
      `<place id="${id}"><name><text>${name}</text></name><initialMarking><text>1</text></initialMarking></place>`;
    const pnml = (places: string): string =>
      `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">${places}</page></net></pnml>`;
    const ask = async (places: string, condition: string): Promise<string> => {
      const { report } = await checkInput(
        { file: "m.pnml", text: pnml(places) },
        { invariants: [condition] },
        registry,
      );
      return report.diagnostics[0]?.message ?? checkJson(report).verdict;
    };
    const places = place("p1", "two words") + place("p2", "other");
    expect(await ask(places, `'two words' = 1 && "other" > 0 && p1 + p2 == 2`)).toBe("holds");
    expect(await ask(places, "p3 = 1")).toBe("there is no place `p3`");
    expect(await ask(place("p1", "same") + place("p2", "same"), "same = 1")).toBe(
      "several places are called `same`",
    );
    expect(await ask(places, "p1 = 99999999999")).toBe("99999999999 is too large");
  });
});

const nameOf = (options: { invariants?: readonly string[]; ltl?: readonly string[] }): string =>
  options.invariants?.[0] ?? options.ltl?.[0] ?? "deadlock";
