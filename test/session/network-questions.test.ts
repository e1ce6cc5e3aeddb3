/** Invariants, formulas and deadlocks that networks are asked: beside a naive graph, and never through a reduction that was not proved for them. */
import { describe, expect, test } from "vitest";
import { compileNetwork, concreteConfig } from "../../src/compile/network/index.js";
import {
  allPackets,
  checkNetwork,
  defineNetwork,
  overallVerdict,
  type CheckOptions,
} from "../../src/index.js";
import { Entry, Sources, Successors, type Words } from "../../src/model/index.js";
import {
  EVERYTHING,
  type Network,
  type NetworkProperty,
  type StateCondition,
} from "../../src/model/network.js";
import { checkInput, registry } from "../../src/session/index.js";
import { network as declared } from "../../src/session/declarations.js";
import { networkAsMurphi } from "../../src/session/network-export.js";
import { networkLoaded } from "../../src/session/network.js";
import { questioned } from "../../src/session/network-questions.js";
import { networkReductions } from "../../src/session/reductions/network.js";
import { Naive } from "../compile/network/naive.js";
import { SHAPES, satisfies, satisfiesFairly, type Shape } from "../generators/lasso-oracle.js";
import { randomNetwork } from "../generators/network.js";

const MOST_STATES = 250;
const NOTHING_ASKED = { isPlain: false, warnsTruncation: false, sources: new Sources() };

/** Then `p` says that no packet is at a switch. */
const QUIET = -1;

/** Conditions by name: `p` reads packets, `q` the controller. */
const conditionsFor = (seed: number): Readonly<Record<string, StateCondition>> => ({
  p: ({ packets }) =>
    seed === QUIET
      ? packets("switches").length === 0
      : packets(seed % 2 === 0 ? "clients" : "switches").some(({ data }) => data[0] === seed % 2),
  q: ({ control }) => control === seed % 3,
});

const asProperty = (name: string, holds: StateCondition): NetworkProperty => ({
  name,
  kind: "invariant",
  span: undefined,
  check: { form: "state", holds },
  observes: EVERYTHING,
});

const asked = (network: Network, seed: number, shapes: readonly string[]): Network => {
  const conditions = conditionsFor(seed);
  const formulas = shapes.map((text) => ({
    name: text,
    text,
    span: { file: text, start: 0, end: text.length },
  }));
  const condition = (text: string): NetworkProperty => asProperty(text, conditions[text]!);
  return questioned(network, { formulas, condition }, NOTHING_ASKED).network;
};

const checked = async (network: Network, options: CheckOptions, sends: number | undefined = 1) => {
  const language = {
    name: "random",
    summary: "",
    extensions: [],
    accepts: declared,
    load: async (_: unknown, given: Parameters<typeof networkLoaded>[2]) =>
      networkLoaded(network, sends, given),
  };
  const { report } = await checkInput(
    { file: network.name, text: "" },
    { ...options, language: "random", isolation: "none" },
    { ...registry, languages: [language as never] },
  );
  return report;
};

const verdictOf = async (network: Network, name: string, options: CheckOptions, sends?: number) => {
  const report = await checked(network, { ...options, properties: [name] }, sends);
  return report.properties.find((p) => p.property.name === name)?.verdict;
};

/** Every state of the model and who moves, by the words of its states. */
function labelledGraph(network: Network) {
  const model = compileNetwork(network, { ...concreteConfig, sendLimit: 1 });
  const { system } = model.temporal!;
  const labelled = model.temporal!.labelled();
  const out = new Successors(system.width);
  labelled.initial(out);
  const states: Words[] = [out.words.slice(0, out.stride)];
  const numbers = new Map([[states[0]!.join(), 0]]);
  const next: number[][] = [];
  const moves: number[][] = [];
  for (const state of states) {
    out.clear();
    labelled.successors(state, 0, out);
    const live = Array.from({ length: out.count }, (_, i) => i).filter(
      (i) => (out.flags[i]! & Entry.dead) === 0,
    );
    next.push(
      live.map((i) => {
        const one = out.words.slice(i * out.stride, (i + 1) * out.stride);
        if (!numbers.has(one.join())) numbers.set(one.join(), states.push(one) - 1);
        return numbers.get(one.join())!;
      }),
    );
    moves.push(live.map((i) => out.labels[i]!));
  }
  const valuations = states.map((state) => system.valuation(0, state, 0));
  return { next, moves, p: valuations.map((v) => (v & 1) !== 0) };
}

describe.each(Array.from({ length: 10 }, (_, part) => part))("random networks, part %i", (part) => {
  test("formulas are answered as by a naive graph, whatever reductions are asked for", async () => {
    const answers = new Map<string, number>();
    let compared = 0;
    for (let seed = 1 + part; compared < 30; seed += 10) {
      const network = randomNetwork(seed);
      const graph = new Naive(network, 1).graph(MOST_STATES);
      if (!graph) continue;
      compared++;
      const { p, q } = conditionsFor(seed);
      const oracle = { next: graph.next, p: graph.views.map(p!), q: graph.views.map(q!) };
      const shape = SHAPES[compared % SHAPES.length]!;
      const whole = asked(network, seed, [shape]);
      const expected = satisfies(oracle, shape) ? "holds" : "violated";
      for (const options of [
        { isPlain: true },
        {},
        { reductions: [...declared.reductions] },
      ] as CheckOptions[]) {
        if (network.controller.kappa !== 1 && options.reductions) continue;
        expect(await verdictOf(whole, shape, options), `seed ${seed}, ${shape}`).toBe(expected);
      }
      answers.set(expected, (answers.get(expected) ?? 0) + 1);
    }
    expect(answers.get("holds")).toBeGreaterThan(2);
    expect(answers.get("violated")).toBeGreaterThan(2);
  }, 120_000);
});

test("weak fairness asks switches, clients and the controller to move", async () => {
  const shape: Shape = "G F p";
  let changed = 0;
  for (let seed = 1, compared = 0; compared < 25; seed++) {
    const network = asked(randomNetwork(seed), QUIET, [shape]);
    if (network.events.length === 0 || !new Naive(network, 1).graph(MOST_STATES)) continue;
    compared++;
    const graph = labelledGraph(network);
    const isFair = satisfiesFairly(graph, 5);
    expect(await verdictOf(network, shape, { fairness: "weak" }), `seed ${seed}`).toBe(
      isFair ? "holds" : "violated",
    );
    if (isFair && !satisfies({ ...graph, q: graph.p }, shape)) changed++;
  }
  expect(changed).toBeGreaterThan(0);
}, 120_000);

describe("reductions", () => {
  const network = asked(randomNetwork(3), 3, ["F p"]);
  const request = { wanted: declared.reductions, isAsked: true, fairness: "none", workers: 1 } as const;
  const reductions = (compat?: "published") =>
    networkReductions(network, compileNetwork(network), Infinity, compat);
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
    const own = networkReductions(withStuck, compileNetwork(withStuck), Infinity, undefined);
    expect(own.accepts(stuck, request).names).toEqual([]);
    expect(own.accepts(withStuck.properties[0]!, request).names.length).toBeGreaterThan(0);
  });

  test("are refused although a formula claims to read nothing", () => {
    const blind = { ...formula, observes: { ...network.properties[0]!.observes, tables: false } };
    const blinded = { ...network, properties: [blind] };
    const own = networkReductions(blinded, compileNetwork(blinded), Infinity, undefined);
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
