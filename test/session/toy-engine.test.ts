/** An engine of ten lines without support for reductions: the pipeline applies all reductions of every family to it. */
import { describe, expect, test } from "vitest";
import { Successors, type Model, type Property, type Words } from "../../src/model/index.js";
import { noStats } from "../../src/report/index.js";
import {
  checkInput,
  readInput,
  registry,
  type CheckOptions,
  type Input,
  type Registry,
} from "../../src/session/index.js";
import { check } from "../../src/session/pipeline/pipeline.js";
import type { EngineResult, StateEngine } from "../../src/session/contracts.js";
import { inRepository } from "../repository.js";

/** Visits all states; checks invariants only. */
const toy: StateEngine = {
  async search(model, { properties, budget: { maxStates = Infinity } }) {
    const states = new Map(entries(model, (out) => model.system.initial(out)));
    for (const state of states.values())
      if (states.size < maxStates)
        for (const [key, next] of entries(model, (out) => model.system.successors(state, 0, out)))
          if (!states.has(key)) states.set(key, next);
    const isBroken = ({ name }: Property): boolean =>
      [...states.values()].some(
        (state) =>
          !model.holds(
            model.invariants.findIndex((i) => i.name === name),
            state,
            0,
          ),
      );
    return answer(properties, properties.map(isBroken), states.size, states.size < maxStates);
  },
};

/** The states that a system appends. */
function entries({ system }: Model, append: (out: Successors) => void): (readonly [string, Words])[] {
  const out = new Successors(system.width);
  append(out);
  const isState = (_: unknown, i: number): boolean => out.flags[i] === 0;
  return Array.from({ length: out.count }, (_, i) => out.words.slice(i * out.stride, (i + 1) * out.stride))
    .filter(isState)
    .map((words) => [words.join(), words] as const);
}

/** Findings as an engine's result. */
function answer(
  properties: Parameters<StateEngine["search"]>[1]["properties"],
  isBroken: readonly boolean[],
  states: number,
  isComplete: boolean,
): EngineResult {
  const scope = { kind: isComplete ? "complete" : "partial", by: "exhaustion", notes: [] } as const;
  const clean = isComplete
    ? ({ kind: "holds", scope } as const)
    : ({ kind: "unknown", reason: "there are more states", advice: "" } as const);
  const stats = { ...noStats, states };
  return {
    findings: properties.map((property, i) => ({
      property,
      verdict: isBroken[i] ? ({ kind: "violated", reason: "broken", trace: undefined } as const) : clean,
      occurrences: 1,
    })),
    scope,
    end: isComplete ? "complete" : "budget",
    runs: [{ properties: properties.map(({ name }) => name), reductions: [], stats }],
    stats,
    coversAll: isComplete,
    notices: [],
  };
}

/** Replaces every engine that searches states. */
const withEngine = (engine: StateEngine): Registry => ({
  ...registry,
  engines: registry.engines
    .filter(({ name }) => name === "explicit" || name === "nodes")
    .map((each) => ({ ...each, check: (loaded, request) => check(engine, loaded, request) })),
});

const promela = (text: string): Input => ({ file: "m.pml", text });
const fixture = (name: string): Input => readInput(inRepository(`test/fixtures/${name}`)) as Input;
const alike = `
  type id: scalarset(3); var a: array[id] of boolean;
  startstate for i: id do a[i] := false end end;
  ruleset i: id do rule !a[i] ==> begin a[i] := true end end;
  invariant "some" forall i: id do a[i] | !a[i] end;`;
const workers =
  "byte x; active [2] proctype P() { byte k; k = 1; k = 2; x = 1 } active proctype Q() { byte z; z = 1; z = 2; x < 2 }";

/** For each family, inputs for its reductions. */
const cases: readonly {
  readonly input: Input;
  readonly options: CheckOptions;
  readonly names: readonly string[];
}[] = [
  {
    input: promela(workers),
    options: { invariants: ["x < 2"], properties: ["x < 2"] },
    names: ["slice", "dead", "merge"],
  },
  { input: { file: "m.m", text: alike }, options: { properties: ["some"] }, names: ["symmetry"] },
  {
    input: fixture("options/one-switch.sdn"),
    options: { properties: ["noLoop"] },
    names: [
      "barrier",
      "client",
      "counter",
      "one-shot",
      "controller",
      "eager",
      "preload",
      "arrival",
      "transitive",
      "exact-control",
    ],
  },
  {
    input: fixture("grid/nodes.ts"),
    options: { properties: ["few pings"], isolation: "none" },
    names: ["symmetry"],
  },
];

const checked = async (input: Input, options: CheckOptions, engine = toy) =>
  (await checkInput(input, options, withEngine(engine))).report;

describe("an engine of ten lines", () => {
  for (const { input, options, names } of cases)
    test(`gets the reductions of ${input.file.split("/").at(-1)}`, async () => {
      const reductions = names as NonNullable<CheckOptions["reductions"]>;
      const reduced = await checked(input, { ...options, reductions });
      expect(reduced.properties.map(({ verdict }) => verdict)).toEqual(["holds"]);
      expect(new Set(reduced.runs.flatMap((run) => run.reductions))).toEqual(new Set(names));
      if (input.file.endsWith(".sdn")) return; // Without reductions there are infinitely many states.
      const plain = await checked(input, { ...options, isPlain: true });
      expect(plain.properties.map(({ verdict }) => verdict)).toEqual(["holds"]);
      expect(reduced.stats.states).toBeLessThan(plain.stats.states);
    });

  test("every reduction of every family is among them, or proposes candidates", () => {
    const declared = new Set(
      registry.languages
        .filter(({ accepts }) => !accepts.engines.includes("provenance"))
        .flatMap(({ accepts }) => accepts.reductions),
    );
    expect([...declared].filter((name) => !cases.some(({ names }) => names.includes(name)))).toEqual(["por"]);
  });

  test("is not asked for what it cannot use: candidates are a proposal", async () => {
    const seen: (Model["system"]["candidates"] | undefined)[] = [];
    const watching: StateEngine = {
      search: (model, options) => {
        seen.push(model.system.candidates);
        return toy.search(model, options);
      },
      whyNoCandidates: () => "it looks at all successors",
    };
    for (const [input, properties] of [
      [promela(workers), ["x < 2"]],
      [fixture("grid/nodes.ts"), ["few pings"]],
    ] as const) {
      const own = input.file === "m.pml" ? { invariants: properties } : {};
      const options = { reductions: ["por"], properties, ...own, isolation: "none" } as const;
      const { diagnostics } = await checked(input, options, watching);
      expect(diagnostics.map(({ message }) => message)).toContain(
        "reduction 'por' is off: it looks at all successors",
      );
    }
    expect(seen).toEqual([undefined, undefined]);
  });

  test("may ignore candidates that are proposed: all states are visited, and the answer is the same", async () => {
    const options = { invariants: ["x < 2"], properties: ["x < 2"] };
    const [proposed, plain] = [
      await checked(promela(workers), { ...options, reductions: ["por"] }),
      await checked(promela(workers), { ...options, isPlain: true }),
    ];
    expect(proposed.stats.states).toBe(plain.stats.states);
    expect(proposed.runs.flatMap((run) => run.reductions)).toEqual([]);
  });
});
