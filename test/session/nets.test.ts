/** Nets and branching systems through a session: verdicts, replayable traces, derivations, targets, budgets. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  check,
  checkJson,
  firstViolated,
  openModel,
  overallVerdict,
  replay,
  Simulation,
  type CheckOptions,
  type Input,
} from "../../src/index.js";
import { inRepository } from "../repository.js";

const engines = ["backward", "eec", "karp-miller", "explicit"];

const example = (name: string): Input => ({
  file: name,
  text: readFileSync(inRepository("examples/nets", name), "utf8"),
});

describe("example net", () => {
  for (const name of readdirSync(inRepository("examples/nets")))
    for (const { condition, outcome } of expectations(example(name).text))
      test(`${name}${condition ? ` with ${condition}` : ""}: ${outcome}`, async () => {
        const options = optionsOf(condition);
        const report = await check(example(name), options);
        expect(report.diagnostics).toEqual([]);
        const violated = firstViolated(report);
        expect(violated ? `violated (${violated.property.kind})` : overallVerdict(report)).toBe(outcome);
        if (!violated?.trace) return;
        const again = await replay(example(name), { schedule: violated.trace.schedule }, options);
        expect(again).toMatchObject({ outcome: "failed", property: { kind: violated.property.kind } });
      });
});

describe("every engine", () => {
  const lock = example("lock.spec");

  for (const engine of engines)
    test(`${engine} finds two in the critical section, and its trace replays`, async () => {
      const report = await check(lock, { engine });
      expect(report.engine).toBe(engine);
      const { trace } = firstViolated(report)!;
      const replayed = await replay(lock, { schedule: trace!.schedule });
      expect(replayed).toMatchObject({ outcome: "failed", property: { name: "target" } });
      expect(trace!.final.values).toContainEqual({ name: "critical", value: "2" });
    });

  for (const engine of engines)
    test(`${engine} says that a bounded net holds, and by what`, async () => {
      const text = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a = 3, b = 0 target b >= 4";
      const { properties, scope } = checkJson(await check({ file: "m.spec", text }, { engine }));
      expect(properties).toMatchObject([
        { name: "target", kind: "coverability", verdict: "holds", trace: null },
      ]);
      expect(scope.kind).toBe("complete");
      expect(scope.by).toBe(
        {
          backward: "backward search",
          eec: "expand-enlarge-check",
          "karp-miller": "a Karp-Miller tree",
          explicit: "exhaustion",
        }[engine],
      );
    });

  test("the default is the first that can", async () => {
    expect((await check(lock)).engine).toBe("backward");
    expect((await check(example("pairing.bvas"))).engine).toBe("eec");
  });

  test("an engine for nets refuses what is none, and branching systems have one engine", async () => {
    const promela = await check({ file: "m.pml", text: "init { skip }" }, { engine: "backward" });
    expect(promela.diagnostics.map(({ code }) => code)).toEqual(["session/wrong-engine"]);
    const pairs = await check(example("pairing.bvas"), { engine: "backward" });
    expect(pairs.diagnostics.map(({ code }) => code)).toEqual(["session/wrong-engine"]);
  });
});

describe("questions", () => {
  test("several targets and boundedness are answered one by one", async () => {
    const options = { targets: ["item >= 3", '"being used" >= 2'], asksBoundedness: true };
    const { properties } = checkJson(await check(example("buffer.pnml"), options));
    expect(properties.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      "item >= 3: violated",
      '"being used" >= 2: holds',
      "bounded: violated",
    ]);
    expect(properties[2]!.trace!.loopStart).toBe(0);
  });

  test("a bounded net is bounded, by every engine", async () => {
    const text = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a = 3, b = 0 target b >= 4";
    for (const engine of engines) {
      const { properties } = checkJson(
        await check({ file: "m.spec", text }, { engine, asksBoundedness: true }),
      );
      expect(
        properties.map(({ verdict }) => verdict),
        engine,
      ).toEqual(["holds", "holds"]);
    }
  });

  test.each([
    [{ targets: ["nowhere >= 1"] }, "session/bad-target"],
    [{ targets: ["item"] }, "session/bad-target"],
    [{ targets: ["item = 2"] }, "session/bad-target"],
    [{ targets: ["item >= 99999999999"] }, "session/bad-target"],
    [{ invariants: ["item <"] }, "net/condition"],
    [{ invariants: ["nowhere < 3"] }, "net/condition"],
    [{ ltl: ['F "nowhere > 3"'] }, "net/condition"],
    [{ deadlock: "stuttering" }, "net/deadlock"],
    [{ claims: ["x.pml"] }, "session/option-not-taken"],
    [{}, "session/nothing-to-check"],
  ] as const)("%j is refused: %s", async (options, code) => {
    const { diagnostics } = await check(example("buffer.pnml"), options as CheckOptions);
    expect(diagnostics.map((d) => d.code)).toEqual([code]);
  });

  test("a question about nets, of a program", async () => {
    const { diagnostics } = await check({ file: "m.pml", text: "init { skip }" }, { targets: ["x >= 1"] });
    expect(diagnostics.map(({ code }) => code)).toEqual(["session/option-not-taken"]);
  });
});

describe("what is not decided", () => {
  const growing = "vars a b rules a >= 1 -> a' = a + 1; init a = 1, b = 0 target b >= 1";

  test("an explicit search of an unbounded net ends with its budget: unknown", async () => {
    const report = await check(
      { file: "m.spec", text: growing },
      { engine: "explicit", budget: { maxStates: 500 } },
    );
    expect(overallVerdict(report)).toBe("unknown");
  });

  test("the engines for nets decide the same", async () => {
    for (const engine of ["backward", "eec", "karp-miller"])
      expect(overallVerdict(await check({ file: "m.spec", text: growing }, { engine })), engine).toBe(
        "holds",
      );
  });

  test.each(["exact", "tree", "delta", "compact", "bitstate"] as const)(
    "numbers beyond a word end an explicit search, never as a smaller number: %s",
    async (store) => {
      const text = growing.replace("a + 1", "a + 1000000000");
      const report = await check({ file: "m.spec", text }, { engine: "explicit", store });
      expect(report.diagnostics).toEqual([]);
      expect(checkJson(report)).toMatchObject({
        verdict: "unknown",
        scope: { kind: "partial", notes: ["stopped by a marking with too many tokens"] },
        properties: [{ reason: expect.stringContaining("more tokens than a word can count") }],
      });
    },
  );

  test("a violation before that is found, and the other properties are unknown", async () => {
    const text = growing.replace("a + 1", "a + 1000000000");
    const options = { engine: "explicit", maxErrors: Infinity, invariants: ["a < 9"], ltl: ["F b", "a"] };
    const { properties } = checkJson(await check({ file: "m.spec", text }, options));
    expect(properties.map(({ name, verdict }) => `${name}: ${verdict}`)).toEqual([
      "target: unknown",
      "a < 9: violated",
      "F b: unknown",
      "a: holds",
    ]);
  });

  test("a spent budget is unknown, with advice", async () => {
    const { properties } = checkJson(
      await check(example("lock.spec"), { engine: "karp-miller", budget: { maxStates: 2 } }),
    );
    expect(properties).toMatchObject([{ verdict: "unknown", reason: "the limit on states was reached" }]);
    expect(properties[0]!.advice).toContain("--max-states");
  });
});

test("a net can be stepped through", async () => {
  const { model } = await openModel(example("lock.spec"));
  const simulation = new Simulation(model!);
  expect(simulation.count).toBe(1);
  expect(simulation.take(0).changes).toEqual(
    new Map([
      ["idle", "2"],
      ["waiting", "1"],
    ]),
  );
  expect(simulation.ending().kind).toBe("open");
});

test("tokens that may be there from the start are the first steps of a trace", async () => {
  const text =
    "vars a b c rules a >= 1 -> a' = a - 1, b' = b + 1; b >= 2 -> b' = b - 2, c' = c + 1; init a >= 1, b = 0, c = 0 target c >= 2";
  for (const engine of ["backward", "eec", "karp-miller"]) {
    const { trace } = firstViolated(await check({ file: "m.spec", text }, { engine }))!;
    const actions = trace!.steps.map(({ action }) => action);
    expect(actions.slice(0, 3), engine).toEqual(Array(3).fill("one more a from the start"));
    expect(actions.slice(3)).not.toContain("one more a from the start");
  }
});

test("a derivation is told step by step, each from earlier ones", async () => {
  const { properties, trace } = checkJson(await check(example("pairing.bvas")));
  expect(trace).toBeNull();
  expect(properties.map(({ verdict }) => verdict)).toEqual(["violated", "holds"]);
  expect(properties[0]!.derivation).toEqual([
    {
      rule: "axiom 1",
      source: { file: "pairing.bvas", line: 8, column: 3 },
      premises: [],
      vector: { left: 1 },
    },
    {
      rule: "axiom 2",
      source: { file: "pairing.bvas", line: 9, column: 3 },
      premises: [],
      vector: { right: 1 },
    },
    {
      rule: "binary 1",
      source: { file: "pairing.bvas", line: 10, column: 3 },
      premises: [1, 0],
      vector: { whole: 1 },
    },
  ]);
  expect(properties[1]!).not.toHaveProperty("derivation");
});

function expectations(text: string): { readonly condition: string; readonly outcome: string }[] {
  const lines = [...text.matchAll(/^[#\s<!-]*expected(?: with (.*))?: (.*?)\s*$/gm)];
  if (lines.length === 0) throw new Error("it does not say in its first comment what is expected");
  return lines.map(([, condition = "", outcome]) => ({ condition, outcome: outcome! }));
}

function optionsOf(condition: string): CheckOptions {
  const all = (flag: string): string[] =>
    [...condition.matchAll(new RegExp(`--${flag} '([^']*)'`, "g"))].map(([, value]) => value!);
  return {
    targets: all("target"),
    invariants: all("invariant"),
    ltl: all("ltl"),
    ...(condition.includes("--bounded") ? { asksBoundedness: true } : {}),
    ...(condition.includes("--deadlock stuck") ? { deadlock: "stuck" } : {}),
  };
}
