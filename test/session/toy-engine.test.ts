/** An engine that knows nothing of reductions: the pipeline gives it every one of every family. */
import { describe, expect, test } from "vitest";
import { Entry, Successors, type Model, type Words } from "../../src/model/index.js";
import { noStats } from "../../src/report/index.js";
import { checkInput, registry, type CheckOptions, type Registry } from "../../src/session/index.js";
import { check, type StateEngine } from "../../src/session/pipeline.js";

/** Visits all states, and judges invariants alone. */
const toy: StateEngine = {
  async search(model, { properties }) {
    const out = new Successors(model.system.width);
    const seen = new Map<string, Words>();
    const visit = (): void => {
      for (let i = 0; i < out.count; i++) {
        const words = out.words.slice(i * out.stride, (i + 1) * out.stride);
        if ((out.flags[i]! & Entry.dead) === 0) seen.set(words.join(), seen.get(words.join()) ?? words);
      }
      out.clear();
    };
    model.system.initial(out);
    visit();
    for (const state of seen.values()) {
      if (out.stride < model.system.width) out.widen(model.system.width);
      model.system.successors(state, 0, out);
      visit();
    }
    const isBroken = (index: number): boolean =>
      [...seen.values()].some((state) => !model.holds(index, state, 0));
    const scope = { kind: "complete", by: "exhaustion", notes: [] } as const;
    const stats = { ...noStats, states: seen.size };
    return {
      findings: properties.map((property) => ({
        property,
        verdict: isBroken(model.invariants.indexOf(property))
          ? { kind: "violated", reason: "broken", trace: undefined }
          : { kind: "holds", scope },
        occurrences: 1,
      })),
      scope,
      end: "complete",
      runs: [{ properties: properties.map(({ name }) => name), reductions: [], stats }],
      stats,
      coversAll: true,
      notices: [],
    };
  },
};

const withToy: Registry = {
  ...registry,
  engines: registry.engines
    .filter(({ name }) => name === "explicit")
    .map((engine) => ({ ...engine, check: (loaded, request) => check(toy, loaded, request) })),
};

const cases = [
  {
    file: "m.pml",
    text: "byte x; active [2] proctype P() { byte k; k = 1; k = 2; x = 1 } active proctype Q() { x < 2 }",
    property: "x < 2",
    names: "slice,dead,merge",
  },
  {
    file: "m.m",
    text: `
      type id: scalarset(3); var a: array[id] of boolean;
      startstate for i: id do a[i] := false end end;
      ruleset i: id do rule !a[i] ==> begin a[i] := true end end;
      invariant "some" forall i: id do a[i] | !a[i] end;`,
    property: "some",
    names: "symmetry",
  },
];

describe("an engine of a few lines", () => {
  test.each(cases)("gets the reductions of $file", async ({ file, text, property, names }) => {
    const checked = async (more: CheckOptions) => {
      const own = file.endsWith(".pml") ? { invariants: [property] } : {};
      return (await checkInput({ file, text }, { ...more, ...own, properties: [property] }, withToy)).report;
    };
    const [plain, reduced] = [await checked({ isPlain: true }), await checked({ reducesAtOnce: true })];
    expect([plain, reduced].flatMap(({ properties }) => properties.map(({ verdict }) => verdict))).toEqual([
      "holds",
      "holds",
    ]);
    expect(reduced.runs.flatMap(({ reductions }) => reductions).join()).toBe(names);
    expect(reduced.stats.states).toBeLessThan(plain.stats.states);
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
    const engines = withToy.engines.map((engine) => ({
      ...engine,
      check: (...[loaded, request]: Parameters<typeof engine.check>) => check(watching, loaded, request),
    }));
    const options = { reducesAtOnce: true, invariants: ["x < 2"], properties: ["x < 2"] };
    const text = "byte x; active [2] proctype P() { byte k; k = 1; k = 2; x = 1 }";
    const { diagnostics } = (await checkInput({ file: "m.pml", text }, options, { ...withToy, engines }))
      .report;
    expect(seen).toEqual([undefined]);
    expect(diagnostics.map(({ message }) => message)).toContain(
      "reduction 'por' is off: it looks at all successors",
    );
  });
});
