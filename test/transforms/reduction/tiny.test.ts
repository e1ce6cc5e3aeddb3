/** Tiny programs in every mode: `npm run fuzz:tiny` runs a hundred thousand. */
import { describe, expect, test } from "vitest";
import { checkInput } from "../../../src/session/index.js";
import { tinyCase, type TinyCase } from "../../generators/promela-tiny.js";
import { line } from "../../generators/promela-tree.js";
import { TinyTally } from "./tiny-tally.js";
import { compareTiny, smallestTiny, tinyFile, tinyReductions, type Check } from "./tiny.js";

const programs = 40;

describe("tiny programs in every mode", () => {
  test.each([
    ["safety", {}],
    ["a formula each", { hasFormula: true }],
  ])("%s", { timeout: 300_000 }, async (_, request) => {
    for (let seed = 1; seed <= programs; seed++) {
      const outcome = await compareTiny(tinyCase(seed, request), seed);
      const repeat = `npm run fuzz:tiny -- --from ${seed} --count 1${"hasFormula" in request ? " --ltl" : ""}`;
      if (outcome.kind === "compared") expect(outcome.differences, repeat).toEqual([]);
    }
  });
});

describe("the comparison", () => {
  const failing: TinyCase = {
    program: {
      globals: ["byte g;"],
      proctypes: [
        {
          head: "active proctype P0()",
          locals: ["byte x"],
          body: [line("skip"), line("g = 1"), line("assert(g == 0)")],
        },
        { head: "active proctype P1()", locals: [], body: [line("g = 2"), line("skip")] },
      ],
    },
    invariants: [],
    fairness: "none",
  };

  /** As if partial order lost assertions. */
  const losing: Check = async (input, options, registry) => {
    const checked = await checkInput(input, options, registry);
    if (options.reductions?.join() !== "por") return checked;
    const properties = checked.report.properties.map((p) =>
      p.property.kind === "assertion" ? { ...p, verdict: "holds" as const, violations: [] } : p,
    );
    return { ...checked, report: { ...checked.report, properties } };
  };

  test("sees a verdict that one mode alone gives, and makes the program small", async () => {
    const mode = "--reduction por --errors all";
    const what = "'assertions' is violated by the plain search, holds here";
    const seed = tinyReductions.indexOf("por");
    const outcome = await compareTiny(failing, seed, losing);
    expect(outcome).toMatchObject({ kind: "compared", differences: [{ mode, what }] });
    const smallest = await smallestTiny(failing, seed, { mode, what }, losing);
    expect(tinyFile(smallest, { mode, what })).toBe(
      `// ${mode}: ${what}\nbyte g;\nactive proctype P0() {\n\tg = 1;\n\tassert(g == 0);\n}\n`,
    );
  });

  test("a run that compares or reduces too little says so", () => {
    const tally = new TinyTally(tinyReductions);
    for (let i = 0; i < 1000; i++) tally.add({ kind: "too large" });
    expect(tally.shortfalls()).toHaveLength(2 + tinyReductions.length);
    const smaller = tinyReductions.map((name) => `--reduction ${name} --errors all`);
    for (let i = 0; i < 100_000; i++) tally.add({ kind: "compared", violated: 1, smaller, differences: [] });
    expect(tally.shortfalls()).toEqual([]);
  });
});
