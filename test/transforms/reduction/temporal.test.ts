import { describe, expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { check, type CheckOptions } from "../../../src/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Expr, type Program } from "../../../src/model/index.js";
import { checkTemporal } from "../../../src/session/temporal.js";
import { mergeStatements, planTemporal, Sight } from "../../../src/transforms/reduction/index.js";
import { compareTemporal, temporalCase, temporalReductions, type TemporalReduction } from "./temporal.js";

/** From the start, as in large models. */
const atOnce: CheckOptions = { reducesAtOnce: true };

describe("reductions of temporal properties", () => {
  test("random programs and properties: each reduction alone and all together, the same verdict", async () => {
    const verdicts = new Set<string>();
    const smaller = new Set<TemporalReduction>();
    let compared = 0;
    for (const seed of seeds) {
      const asked = temporalCase(seed);
      const outcome = await compareTemporal(asked);
      if (!outcome) continue;
      compared++;
      expect(outcome.differences, `seed ${seed}\n${asked.text}`).toEqual([]);
      verdicts.add(`${asked.fairness} ${outcome.full}`);
      for (const name of outcome.smaller) smaller.add(name);
    }
    expect(compared).toBeGreaterThan(0.9 * seeds.length);
    expect([...verdicts]).toEqual(expect.arrayContaining(["none violated", "none holds", "weak violated"]));
    expect(smaller).toContain("merge");
  }, 240_000);

  /** Alone forever, the spinner would hide that x is set. */
  const spinner = `byte x;
active proctype Spinner() { byte k; do :: k = 1 - k od }
active proctype Setter() { x = 1 }`;

  test("nobody is put off forever", async () => {
    const report = await check(
      { file: "m.pml", text: spinner },
      { ...atOnce, ltl: ["[] ((x == 0) || <> (x == 0))"] },
    );
    const property = report.properties.find((p) => p.property.kind === "ltl")!;
    expect(property.verdict).toBe("violated");
  });

  test("what is used and what is not, and why not", async () => {
    const used = async (text: string, ltl: string, options: CheckOptions = {}): Promise<unknown> => {
      const report = await check(
        { file: "m.pml", text },
        { ...(options.isPlain ? {} : atOnce), ltl: [ltl], properties: [ltl], ...options },
      );
      const off = report.diagnostics.filter(({ code }) => code === "session/reduction-off");
      return [report.runs[0]!.reductions.join(), ...off.map(({ message }) => message)];
    };
    const next = "(<> [] (x == 1)) && X (x == 0)";
    expect(await used(spinner, "<> [] (x == 1)")).toEqual(["slice,dead,merge,por"]);
    expect(await used(spinner, "<> [] (x == 1)", { isPlain: true })).toEqual([""]);
    expect(await used(spinner, next)).toEqual([
      "slice,dead",
      `reduction 'merge' is off: '${next}' counts steps, with 'next'`,
      `reduction 'por' is off: '${next}' counts steps, with 'next'`,
    ]);
    expect(await used(spinner, "<> [] (x == 1)", { fairness: "weak" })).toEqual([
      "slice,dead,merge",
      "reduction 'por' is off: fairness depends on the enabled processes of every state",
    ]);
    const meeting = `${spinner}\nchan r = [0] of { bit };\nactive proctype S() { r!1 }\nactive proctype R() { r?1 }`;
    expect(await used(meeting, "<> [] (x == 1)", { fairness: "strong" })).toEqual([
      "slice,dead",
      "reduction 'merge' is off: fairness looks at who could move, and a rendezvous is possible only at both locations",
      "reduction 'por' is off: fairness depends on the enabled processes of every state",
    ]);
    expect(await used(spinner, "<> [] (_last == 0)")).toEqual([
      "slice,dead",
      "reduction 'merge' is off: '<> [] (_last == 0)' asks who moved last",
      "reduction 'por' is off: '<> [] (_last == 0)' looks at more than global variables",
    ]);
  });

  test("a loop that closes only after several rounds of what is not computed is told in full", async () => {
    const text = `byte g, n;
active proctype P() { do :: g = 1 - g; n = (n + 1) % 5 od }`;
    const ltl = "<> [] (g == 0)";
    const report = await check({ file: "m.pml", text }, { ...atOnce, ltl: [ltl], properties: [ltl] });
    expect(report.properties[0]!.verdict).toBe("violated");
    expect(report.properties[0]!.trace?.steps).toHaveLength(21);
    expect(report.properties[0]!.reason).toContain("a cycle of 20 steps");
    expect(report.runs[0]!.stats.states).toBeLessThan(10);
  });

  test("the full search is compared with", async () => {
    const ltl = "[] (x < 2)";
    const report = await check(
      { file: "m.pml", text: spinner },
      { ltl: [ltl], properties: [ltl], checksReduction: true },
    );
    expect(report.diagnostics.map(({ code }) => code)).toContain("session/reduction-checked");
  });
});

describe("merging what may not be merged is noticed", () => {
  const cases = {
    "a statement that writes what the property reads": {
      text: "active proctype P() { byte l; do :: l = 1; l = 0 od }",
      ltl: "[] (P:l == 0)",
    },
    "one that comes to a place that the property asks about": {
      text: `active proctype P() { byte l; progress1: l = 1; l = 2; progress2: do :: l == 0 od }
active proctype Q() { do :: skip od }`,
    },
    "one that could fail": {
      text: "byte g; byte a[2]; active proctype P() { byte i = 2, l; if :: l = 1; l = a[i] :: g = 1 fi }",
      ltl: "<> (g == 1)",
    },
    "where fairness sees who could take part in a rendezvous": {
      text: `byte g; chan c = [0] of { bit };
active proctype P() { bit x, l, m; do :: c?x -> g = 1 :: l = 1 - l; m = 1 - m od }
active proctype Q() { c!1 }`,
      ltl: "<> (g == 1)",
      fairness: "weak",
    },
    "where fairness sees who waits for a timeout": {
      text: `byte g;
active proctype P() { bit l, m; do :: timeout -> l = 1 - l; m = 1 - m od }
active proctype Q() { timeout -> g = 1 }`,
      ltl: "<> (g == 1)",
      fairness: "weak",
    },
  } as const;
  for (const [name, asked] of Object.entries<Asked>(cases))
    test(name, async () => {
      const program = programOf(asked);
      expect(await verdictOn(program, asked)).toBe("violated");
      const property = program.temporal![0]!;
      const plan = planTemporal(program, {
        wanted: temporalReductions,
        property,
        fairness: asked.fairness ?? "none",
      });
      expect(await verdictOn(plan.program, asked)).toBe("violated");
      const blind = asked.fairness
        ? mergeStatements(program, new Sight(program, observedBy(program)))
        : mergeStatements(program);
      expect(await verdictOn(blind.program, asked)).toBe("holds");
    });
});

interface Asked {
  readonly text: string;
  readonly ltl?: string;
  readonly fairness?: "weak";
}

function programOf({ text, ltl }: Asked): Program {
  const { program } = loadPromela({
    file: "m.pml",
    text,
    sources: new Sources(),
    readFile: () => undefined,
    defines: [],
    formulas: ltl === undefined ? [] : [ltl],
  });
  return program!;
}

const observedBy = (program: Program): Expr[] =>
  program.temporal!.flatMap(({ propositions }) => propositions.map((p) => p.condition));

async function verdictOn(program: Program, { fairness }: Asked): Promise<string> {
  const sources = new Sources();
  sources.add("m.pml", "");
  const model = compile(program, sources);
  const { verdict } = await checkTemporal(model, program.temporal![0]!, {
    fairness: fairness ?? "none",
    emptiness: "auto",
    search: "bfs",
    budget: {},
    control: {},
  });
  return verdict.kind;
}

const seeds = Array.from({ length: 12 }, (_, i) => 1 + i);
