import { describe, expect, test } from "vitest";
import { overallVerdict } from "../../src/report/index.js";
import {
  checkInput,
  registry,
  replayInput,
  type CheckOptions,
  type Registry,
} from "../../src/session/index.js";
import { toyModel } from "../report/toy.js";
import { toyInput, toyRegistry, type ToyOptions } from "./toy-registry.js";

const check = async (toy: ToyOptions = {}, options: CheckOptions = {}) =>
  (await checkInput(toyInput, options, toyRegistry(toy))).report;

test("a correct system holds, and code that nothing reaches is known", async () => {
  const report = await check({ canFail: false });
  expect(overallVerdict(report)).toBe("holds");
  expect(report.scope.kind).toBe("complete");
  expect(report.unreached).toEqual([]);
});

test("breadth-first the trace is the shortest, and it was replayed", async () => {
  const report = await check();
  const [asserts, deadlock] = report.properties;
  expect(asserts).toMatchObject({
    verdict: "violated",
    fault: "assertion",
    reason: "assertion violated: sum != 3",
  });
  expect(asserts!.trace!.length).toBe(13);
  expect(asserts!.trace!.final.values).toContainEqual({ name: "sum", value: "3" });
  expect(deadlock).toMatchObject({ verdict: "unknown" });
  expect(report.unreached).toBeUndefined();
});

test("what is not asked for is listed as not checked", async () => {
  const report = await check({ unsupported: true }, { properties: ["deadlock"] });
  expect(report.properties.map((p) => [p.property.name, p.verdict])).toEqual([["deadlock", "holds"]]);
  expect(report.unchecked.map((p) => p.name)).toEqual(["assertions", "live"]);
});

test("what is not asked for is not warned about", async () => {
  expect((await check({ unsupported: true }, { properties: ["deadlock"] })).diagnostics).toEqual([]);
  expect((await check({ unsupported: true }, { properties: ["live"] })).diagnostics).toMatchObject([
    { code: "session/property-not-supported" },
  ]);
});

test("a check of nothing is a mistake, not a result", async () => {
  const report = await check({}, { properties: ["deadlock"], checksDeadlock: false });
  expect(report.diagnostics).toMatchObject([
    {
      code: "session/nothing-to-check",
      severity: "error",
      hint: "drop --no-deadlock, or state a condition with --invariant",
    },
  ]);
  expect(overallVerdict(report)).toBe("unknown");
});

test("counts in reasons are grouped as in figures", async () => {
  const input = { file: "m.pml", text: "int a; active proctype A() { do :: a++ od }" };
  const { report } = await checkInput(input, { isPlain: true, budget: { maxStates: 2000 } }, registry);
  expect(report.properties[0]!.reason).toMatch(/after 2,000 states, \d,\d{3} transitions, depth \d,\d{3}$/);
});

test("a deadlock is worded the same by a check and by a replay", async () => {
  const input = { file: "m.pml", text: "active proctype A() { false }" };
  const { report } = await checkInput(input, { properties: ["deadlock"] }, registry);
  const replayed = await replayInput(input, { schedule: "" }, {}, registry);
  expect(report.properties[0]!.reason).toBe(replayed.reason);
});

describe("what is too large for the machine is a diagnostic", () => {
  const overflow = (): never => overflow();
  const failing = (error: () => unknown): Registry["languages"] => [
    { ...toyRegistry().languages[0]!, load: async () => Promise.reject(error()) },
  ];

  test("in the front end", async () => {
    const languages = toyRegistry().languages.map((l) => ({ ...l, load: async () => overflow() }));
    const { report } = await checkInput(toyInput, {}, { ...toyRegistry(), languages });
    expect(report.diagnostics).toMatchObject([{ code: "session/too-large", severity: "error" }]);
  });

  test("in the search, where generated code is first run", async () => {
    const engines = registry.engines.map((engine) => ({ ...engine, check: async () => overflow() }));
    const { report } = await checkInput(toyInput, {}, { ...toyRegistry(), engines });
    expect(report.diagnostics).toMatchObject([{ code: "session/too-large", severity: "error" }]);
    expect(report.runs).toEqual([]);
  });

  test("but a bug stays a bug", async () => {
    for (const error of [new Error("Maximum call stack"), new RangeError("choice 3 of 2")])
      await expect(
        checkInput(toyInput, {}, { ...toyRegistry(), languages: failing(() => error) }),
      ).rejects.toBe(error);
  });
});

test.each([{}, { workers: 2 }])(
  "guards that ask `enabled` of each other have no answer: %o",
  async (options) => {
    const text = "active proctype P() { enabled(1) -> skip } active proctype Q() { enabled(0) -> skip }";
    const { report } = await checkInput({ file: "m.pml", text }, options, registry);
    expect(report.diagnostics.map(({ code }) => code)).toEqual(["session/circular-question"]);
  },
);

test("a budget is accepted only when nothing else is open", async () => {
  const budget = { maxDepth: 3 };
  expect((await check({}, { budget, accept: "bounded" })).accepted).toBe("bounded");
  expect((await check({}, { budget, accept: "probabilistic" })).accepted).toBeUndefined();
  expect((await check({ unsupported: true }, { budget, accept: "bounded" })).accepted).toBeUndefined();
  expect((await check({}, { accept: "bounded" })).accepted).toBeUndefined();
});

test("a stopped search knows what it found until then", async () => {
  const report = await check({}, { control: { isStopped: () => true } });
  expect(["unknown", "violated"]).toContain(overallVerdict(report));
});

test("an engine whose trace shows nothing is a bug, not a result", async () => {
  const lying = (choices: readonly number[]): Registry => ({
    ...toyRegistry(),
    engines: [
      {
        ...registry.engines.find(({ name }) => name === "explicit")!,
        check: async ({ model }) => ({
          findings: [
            {
              property: model!.properties[0]!,
              verdict: {
                kind: "violated",
                reason: "I said so",
                trace: { choices, fault: 0, loopStart: undefined },
              },
              occurrences: 1,
            },
          ],
          scope: { kind: "partial", by: "guessing", notes: [] },
          end: "errors",
          runs: [],
          coversAll: false,
          notices: [],
          stats: { states: 1, transitions: 0, depth: 0, seconds: 0, peakBytes: 0, bytesPerState: 0 },
        }),
      },
    ],
  });
  await expect(checkInput(toyInput, {}, lying([0, 0]))).rejects.toThrow(
    "does not show that 'assertions' is violated",
  );
  await expect(checkInput(toyInput, {}, lying([9]))).rejects.toThrow("stops at step 1");
});

test("a language that drops an invariant is a bug, not a result", async () => {
  await expect(check({}, { invariants: ["sum < 3"] })).rejects.toThrow("an invariant was lost");
});

test("no language for the file: a diagnostic that names those there are", async () => {
  const { report } = await checkInput({ file: "m.xyz", text: "" }, {}, toyRegistry());
  expect(report.diagnostics).toMatchObject([{ code: "session/unknown-language", severity: "error" }]);
  expect(report.diagnostics[0]!.hint).toContain("toy (.pml)");
  const { report: bare } = await checkInput({ file: "Makefile", text: "" }, {}, toyRegistry());
  expect(bare.diagnostics[0]).toMatchObject({
    message: "'Makefile' has no extension that says its language",
    hint: expect.stringContaining("--language NAME"),
  });
  const { report: other } = await checkInput(toyInput, { language: "klingon" }, toyRegistry());
  expect(other.diagnostics[0]!.message).toBe("there is no language 'klingon'");
});

test("a system that fails before its first state has a trace without steps", async () => {
  const broken: Registry = {
    ...toyRegistry(),
    languages: [
      {
        ...toyRegistry().languages[0]!,
        load: async () => {
          const model = toyModel();
          const initial = (out: Parameters<typeof model.system.initial>[0]): void => out.addFault(0);
          const system = { ...model.steps, initial };
          return { model: { ...model, system, steps: system }, unsupported: [], diagnostics: [] };
        },
      },
    ],
  };
  const { report } = await checkInput(toyInput, {}, broken);
  expect(report.properties[0]).toMatchObject({
    verdict: "violated",
    trace: { length: 0, fault: 0, initial: [] },
  });
});
