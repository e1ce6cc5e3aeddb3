/** Reductions in a session: the reductions applied, the notes, and traces in terms of the unreduced model. */
import { describe, expect, test } from "vitest";
import { overallVerdict } from "../../src/report/index.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import type { Registry } from "../../src/session/contracts.js";
import { misreducing } from "./misreducing.js";

const check = async (text: string, options: CheckOptions = {}, using: Registry = registry) =>
  (await checkInput({ file: "m.pml", text }, options, using)).report;

/** All reductions of programs, from the start. */
const forced: CheckOptions = { reductions: ["slice", "dead", "merge", "por"] };

const counters = `byte total;
active [2] proctype Counter() { byte k; do :: k < 3 -> k++; printf("%d\\n", k) :: k == 3 -> break od; total++; assert(total < 3) }`;

describe("which reductions are used", () => {
  test("none for small models, none with --plain, those that are asked for", async () => {
    const names = async (options: CheckOptions) => (await check(counters, options)).runs[0]!.reductions;
    expect(await names({})).toEqual([]);
    expect(await names(forced)).toEqual(["slice", "dead", "merge", "por"]);
    expect(await names({ isPlain: true })).toEqual([]);
    expect(await names({ reductions: [] })).toEqual([]);
    expect(await names({ reductions: ["merge"] })).toEqual(["merge"]);
    // Truncation of sliced variables is invisible.
    expect(await names({ ...forced, warnsTruncation: true })).toEqual(["dead", "merge", "por"]);
    expect(await names({ ...forced, store: "tree" })).toEqual(["slice", "dead", "merge"]);
  });

  const busy = "byte x; active [2] proctype A() { do :: x = (x + 1) % 4; assert(x < 4) od }\n";
  test.each([
    ["safety, breadth-first", "", { search: "bfs" }],
    ["safety, depth-first", "", { search: "dfs" }],
    ["safety, two workers", "", { workers: 2 }],
    ["a formula", "ltl p { [] <> (x == 9) }", {}],
  ] satisfies [string, string, CheckOptions][])("nothing to put off: %s", async (_, property, options) => {
    // Every statement accesses shared variables.
    const { runs, diagnostics } = await check(busy + property, { ...forced, ...options });
    for (const { reductions } of runs) expect(reductions).toEqual(["slice", "dead", "merge"]);
    expect(diagnostics).toEqual([]);
    const alone = `${busy.replace("do ::", "byte k; do :: k = 1 - k;")}${property}`;
    const [reduced] = (await check(alone, { ...options, reductions: ["por"] })).runs.slice(-1);
    expect(reduced!.reductions).toEqual(["por"]);
  });

  test("fewer states, the same verdict", async () => {
    const full = await check(counters, { isPlain: true });
    const reduced = await check(counters, forced);
    expect(overallVerdict(reduced)).toBe(overallVerdict(full));
    expect(reduced.stats.states).toBeLessThan(full.stats.states / 4);
    expect(reduced.stats.partialOrder).toMatchObject({ proviso: "queue" });
    expect(reduced.unreached).toEqual(full.unreached);
  });

  test("what is not sound is off, with a note", async () => {
    const report = await check("byte x; active proctype A() provided (x == 0) { x = 0 }", forced);
    expect(report.runs[0]!.reductions).toEqual(["slice", "dead"]);
    expect(report.diagnostics.map((d) => [d.code, d.severity])).toEqual([
      ["session/reduction-off", "note"],
      ["session/reduction-off", "note"],
    ]);
  });

  const watched = "active proctype A() { byte k; k = 1; k = 2; l: k = 3 }\nactive proctype B() { byte j;";
  test.each([
    ["priorities", "active proctype A() priority 2 { byte k; k = 1 } active proctype B() { skip }"],
    ["set_priority", `${watched} set_priority(0, 2) }`],
    ["a provided clause", "byte x; active proctype A() provided (x == 0) { byte k; k = 1; x = 0 }"],
    ["_last", `${watched} (_last == 0) }`],
    ["enabled", `${watched} enabled(0) }`],
    ["pc_value", `${watched} (pc_value(0) == 1) }`],
    ["a label of another process", `${watched} A@l }`],
    ["a variable of another process", `${watched} (A:k == 1) }`],
    ["_last in a first value", `${watched} j = 1; run C() } proctype C() { byte i = _last; i = 1 }`],
  ])("neither partial order nor merging with %s", async (_, text) => {
    const report = await check(text, { reductions: ["merge", "por"] });
    expect(report.diagnostics.map((d) => d.code)).toEqual(["session/reduction-off", "session/reduction-off"]);
    for (const { reductions } of report.runs) expect(reductions).toEqual([]);
  });

  const waiting = `byte x;
active [2] proctype A() { byte k; do :: k < 3 -> k++ :: k == 3 -> break od; x = 1 }
`;
  test.each([
    ["a formula that does not count steps", "ltl p { <> [] (x == 1) }", {}, [], ""],
    [
      "a formula with next",
      "ltl p { (<> [] (x == 1)) && X (x == 0) }",
      {},
      ["merge", "por"],
      "'p' counts steps, with 'next'",
    ],
    ["a claim that does not count steps", "never { accept: do :: x == 0 od }", {}, [], ""],
    [
      "a claim that does",
      "never { x == 0; x == 0; accept: do :: x == 1 od }",
      {},
      ["merge", "por"],
      "'never' may count steps, as claims can",
    ],
    [
      "the variables of a process",
      "ltl p { <> [] (A:k == 3) }",
      {},
      ["por"],
      "'p' looks at more than global variables",
    ],
    [
      "fairness",
      "ltl p { <> [] (x == 1) }",
      { fairness: "weak" },
      ["por"],
      "fairness depends on the enabled processes of every state",
    ],
  ] as const)("temporal properties: %s", async (_, property, options, off: readonly string[], why) => {
    const { diagnostics, runs } = await check(`${waiting}${property}`, { ...forced, ...options });
    expect(diagnostics.map((d) => d.message)).toEqual(
      off.map((name) => `reduction '${name}' is off: ${why}`),
    );
    const on = ["slice", "dead", "merge", "por"].filter((name) => !off.includes(name));
    expect(runs.at(-1)!.reductions).toEqual(on);
    expect((await check(`${waiting}${property}`, { ...options, isPlain: true })).diagnostics).toEqual([]);
  });
});

describe("traces", () => {
  const broken = `chan q = [1] of { byte }; byte x;
active proctype A() { byte k; k = 1; k++; q!k; x = k }
active proctype B() { byte v; q?v; v = v + 1; v = v * 2; assert(v != 6); x = v }`;

  test.each(["bfs", "dfs"] as const)("%s: every statement is a step of the trace", async (search) => {
    const [reduced, full] = [
      await check(broken, { ...forced, search }),
      await check(broken, { search, isPlain: true }),
    ];
    const trace = (r: typeof full) => r.properties.find((p) => p.verdict === "violated")?.trace;
    expect(trace(full)).toBeDefined();
    const actions = trace(reduced)!.steps.map(({ action }) => action);
    expect(actions).toContain("v = v + 1");
    expect(actions.at(-1)).toBe("assert(v != 6)");
    if (search === "bfs") expect(trace(reduced)!.steps).toHaveLength(trace(full)!.steps.length);
  });
});

describe("--check-reduction", () => {
  test("says that both agree", async () => {
    const report = await check(counters, { checksReduction: true });
    expect(report.diagnostics.map((d) => d.code)).toEqual(["session/reduction-checked"]);
  });

  test("a difference is a bug of ours", async () => {
    const wrong = misreducing(
      (text) => text.replace("x = 2", "x = 1"),
      ({ model }) => model!,
    );
    const text = "byte x; active proctype A() { x = 2; assert(x != 2) }";
    await expect(check(text, { checksReduction: true }, wrong)).rejects.toThrow(/disagree on 'assertions'/);
  });
});
