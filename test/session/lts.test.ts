/** Transition systems of inputs of any language: labels, faults, ends, formats, products, comparisons, budgets. */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import {
  check,
  compare,
  minimise,
  overallVerdict,
  renderAut,
  toLts,
  type LtsOptions,
} from "../../src/index.js";
import { loadAut } from "../../src/languages/aut/index.js";
import { loadLtsJson, ltsJson } from "../../src/languages/aut/json.js";
import { loadVectors, renderVectors } from "../../src/languages/aut/vectors.js";
import { renderLtsDot } from "../../src/report/index.js";
import { Random, readInput, type Input } from "../../src/session/index.js";
import type { Lts } from "../../src/model/index.js";
import { randomSmall } from "../engines/lts/random-lts.js";
import { inRepository } from "../repository.js";

const example = (name: string): Input => readInput(inRepository(`examples/${name}`)) as Input;

const built = async (input: Input, options: LtsOptions = {}): Promise<Lts> => {
  const { lts, diagnostics } = await toLts(input, options);
  if (!lts) throw new Error(JSON.stringify(diagnostics));
  return lts;
};

const sizes = ({ states, targets }: Lts): readonly number[] => [states, targets.length];

const edges = ({ states, firsts, actions, targets, labels }: Lts): string[] =>
  Array.from({ length: states }, (_, s) => s).flatMap((s) =>
    Array.from(
      { length: firsts[s + 1] - firsts[s] },
      (_, i) => `${s} ${labels[actions[firsts[s] + i]]} ${targets[firsts[s] + i]}`,
    ),
  );

const promela = (text: string): Input => ({ file: "m.pml", text });
const aut = (text: string): Input => ({ file: "m.aut", text });

test("server and clients: 7/8 as built, 11/12 refactored, alike, 3/4 minimal", async () => {
  expect(sizes(await built(example("lts/server.aut")))).toEqual([7, 8]);
  const [before, after] = [example("lts/as-built.vectors"), example("lts/refactored.vectors")];
  expect(sizes(await built(before))).toEqual([7, 8]);
  expect(sizes(await built(after))).toEqual([11, 12]);
  for (const relation of ["branching", "weak"] as const) {
    expect((await compare(before, after, relation)).comparison?.isRelated).toBe(true);
    expect(sizes(await built(after, { minimise: relation }))).toEqual([3, 4]);
  }
  expect(sizes(minimise(await built(before), "branching"))).toEqual([3, 4]);
  expect((await compare(before, after, "strong")).comparison?.isRelated).toBe(false);
});

test("the rewritten checkout loses `cancel` while paying", async () => {
  const [before, after] = [example("lts/checkout.pml"), example("lts/checkout-rewritten.pml")];
  const { comparison } = await compare(before, after, "branching");
  expect(comparison?.evidence).toEqual({
    kind: "formula",
    in: "first",
    text: "true until customer!pay (true until customer!cancel true)",
    depth: 2,
  });
  expect((await compare(before, after, "trace")).comparison?.evidence).toEqual({
    kind: "trace",
    in: "first",
    labels: ["customer!pay", "customer!cancel"],
  });
  expect((await compare(after, before, "trace")).comparison?.isRelated).toBe(true);
});

test.each([
  "checkout.pml",
  "checkout-rewritten.pml",
  "as-built.vectors",
  "refactored.vectors",
  "semaphore.fsp",
])("examples/lts/%s is what its first comment says", async (name) => {
  const input = example(`lts/${name}`);
  const [, verdict, states] = /expected: (\w+), (\d+) states/.exec(input.text) ?? [];
  const report = await check(input, { isPlain: true });
  expect([overallVerdict(report), `${report.stats.states}`]).toEqual([verdict, states]);
  expect((await toLts(input)).explored).toEqual({
    states: Number(states),
    transitions: report.stats.transitions,
  });
});

test("labels: actors and statements, and what is not visible is τ", async () => {
  const model = promela("byte x; active proctype P() { x = 1; x = 2 }");
  expect(edges(await built(model, { visible: ["*x = 1"] }))).toContain("0 P[0]: x = 1 1");
  expect((await built(model, { visible: ["*x = 1"] })).labels).toEqual(["tau", "P[0]: x = 1", "√"]);
  expect((await built(model, { visible: [] })).labels).toEqual(["tau", "√"]);
  // A pattern is no regular expression.
  expect((await built(model, { visible: ["P.0.: x = 1"] })).labels).toEqual(["tau", "√"]);
});

test("a valid end is `√`, a deadlock is not", async () => {
  const [ends, waits] = [
    promela("active proctype P() { skip }"),
    promela("active proctype P() { skip; false }"),
  ];
  expect((await built(ends)).labels).toContain("√");
  expect((await built(waits)).labels).not.toContain("√");
  expect((await compare(ends, waits, "weak")).comparison?.isRelated).toBe(false);
});

test("faults lead to the error state, also where the step goes on", async () => {
  const model = promela("byte x; active proctype P() { assert(x == 1); x = 1 / x }");
  const lts = await built(model);
  expect(lts.error).toBe(lts.states - 1);
  const labels = edges(lts);
  expect(labels.filter((edge) => edge.endsWith(` ${lts.error}`))).toEqual([
    `0 P[0]: assert(x == 1) ${lts.error}`,
    `1 P[0]: x = 1 / x ${lts.error}`,
    `${lts.error} ERROR ${lts.error}`,
  ]);
  const input = aut(renderAut(lts));
  const report = await check(input);
  expect(report.properties.find(({ property }) => property.name === "error state")?.verdict).toBe("violated");
  expect(edges(await built(input))).toEqual(labels);
});

test("every transition knows its place in the source", async () => {
  const text = "byte x; active proctype P() { x = 1; x = 2 }";
  const { origins, labels, actions } = await built(promela(text));
  const spans = origins?.spansOf(origins.numbers[0]) ?? [];
  expect(spans.map(({ start, end }) => `P[0]: ${text.slice(start, end)}`)).toEqual([labels[actions[0]]]);
});

test("a deadlock of a transition system is found, with a trace that replays", async () => {
  const report = await check(aut('des (0, 2, 3)\n(0, "a", 1)\n(1, i, 2)\n'));
  expect(overallVerdict(report)).toBe("violated");
  expect(report.properties.find(({ property }) => property.kind === "deadlock")?.verdict).toBe("violated");
});

test("nets: the names of transitions, without a description of each step", async () => {
  const net = readInput(inRepository("test/fixtures/grid/spinning.spec")) as Input;
  const { states, labels } = await built(net);
  expect(states).toBe((await check(net, { engine: "explicit" })).stats.states);
  expect(labels.length).toBeGreaterThan(1);
});

test.each(["models/lock-server.m", "models/ring-buffer.pml"])(
  "%s: as many states as a check visits",
  async (name) => {
    const input = example(name);
    const lts = await built(input);
    const report = await check(input, { isPlain: true, maxErrors: Infinity });
    expect(lts.states - (lts.error < 0 ? 0 : 1)).toBeGreaterThanOrEqual(report.stats.states);
  },
);

test("a spent budget is no transition system", async () => {
  const input = example("models/peterson.pml");
  for (const budget of [{ maxStates: 5 }, { memoryBytes: 100 }, { maxDepth: 2 }]) {
    const { lts, stop } = await toLts(input, { budget });
    expect(lts).toBeUndefined();
    expect(stop).toBeDefined();
  }
  const { comparison, stop } = await compare(input, input, "strong", { budget: { maxStates: 5 } });
  expect([comparison, stop]).toEqual([undefined, "states"]);
  const isStopped = (): boolean => true;
  expect((await toLts(input, { control: { isStopped } })).lts).toBeUndefined();
});

test(".aut and JSON round-trip, and DOT draws every transition", () => {
  const random = new Random(3);
  for (let i = 0; i < 500; i++) {
    const lts = randomSmall(random);
    const again = loadAut("r.aut", renderAut(lts)).lts;
    const third = loadLtsJson("r.json", JSON.stringify(ltsJson(lts))).lts;
    if (!again || !third) throw new Error("a written system cannot be read");
    expect([edges(again), again.initial]).toEqual([edges(lts), lts.initial]);
    expect([edges(third), third.initial]).toEqual([edges(lts), lts.initial]);
    expect(renderLtsDot(lts).match(/label = /g)?.length ?? 0).toBe(lts.targets.length);
  }
  const quoted = loadAut("q.aut", 'des (0,1,1)\n(0,"say \\"hi\\", \\\\ (x)",0)\n').lts;
  expect(quoted?.labels[1]).toBe('say "hi", \\ (x)');
  expect(quoted && loadAut("q.aut", renderAut(quoted)).lts?.labels).toEqual(quoted?.labels);
});

test("vectors round-trip", () => {
  const file = inRepository("examples/lts/refactored.vectors");
  const read = (path: string): string => readFileSync(path, "utf8");
  const load = (text: string) => loadVectors(file, text, read, () => undefined).network;
  const network = load(read(file));
  if (!network) throw new Error("the example cannot be read");
  const files = network.parts.map(({ name }) => /^(.*)$/m.exec(name)?.[1] ?? "");
  const named = new Map(
    [...read(file).matchAll(/^part (\w+) = (.*)$/gm)].map(([, name, path]) => [name, path]),
  );
  const again = load(
    renderVectors(
      network,
      files.map((name) => named.get(name) ?? ""),
    ),
  );
  expect(again?.vectors).toEqual(network.vectors);
});

test.each(readdirSync(inRepository("test/fixtures/lts/bad")))(
  "%s: its diagnostics, and no stack",
  async (name) => {
    const file = inRepository(`test/fixtures/lts/bad/${name}`);
    const text = readFileSync(file, "utf8");
    const input = { ...(readInput(file) as Input), text };
    const { diagnostics, sources } = await toLts(input, {});
    const found = diagnostics.map(({ code, span }) => {
      const { line, column } = sources.position(span.file, span.start);
      return `${code} ${line}:${column}`;
    });
    const expected = readFileSync(inRepository(`test/fixtures/lts/expected/${name}.txt`), "utf8")
      .trim()
      .split("\n");
    expect(found).toEqual(expected);
  },
);

test("mutated inputs give diagnostics only", () => {
  const random = new Random(9);
  const texts = ["server.aut", "as-built.vectors"].map((name) => example(`lts/${name}`).text);
  for (let i = 0; i < 20_000; i++) {
    const text = texts[i % 2];
    const at = random.below(text.length);
    const mutated =
      text.slice(0, at) + '"(),*<-_ \\\n9i{'[random.below(13)] + text.slice(at + random.below(3));
    if (i % 2 === 0) loadAut("m.aut", mutated);
    else
      loadVectors(
        "m.vectors",
        mutated,
        () => texts[0],
        () => undefined,
      );
  }
});

test("several initial states: .aut is refused by the command, JSON keeps them", async () => {
  const text = JSON.stringify({ states: 2, initial: [0, 1], labels: ["tau", "a"], transitions: [[0, 1, 1]] });
  const lts = await built({ file: "two.aut", text });
  expect(lts.initial).toEqual([0, 1]);
  expect(edges(lts)).toEqual(["0 a 1"]);
});
