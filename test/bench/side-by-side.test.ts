import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRumurSummary } from "../../bench/murphi-peer.js";
import { chooseDepth, chooseHashBits, hashBitsToTry } from "../../bench/side-by-side/choose.js";
import { judge, safetyOptions } from "../../bench/side-by-side/everypath.js";
import { failed, medianOutcome, type Figures, type Outcome } from "../../bench/side-by-side/figures.js";
import { modelsIn } from "../../bench/side-by-side/folder.js";
import { agreementOf, bytesPerState, type Row } from "../../bench/side-by-side/rows.js";
import { renderSummary } from "../../bench/side-by-side/summary.js";
import { renderMemory, renderTimes } from "../../bench/side-by-side/tables.js";
import type { EverypathOutcome } from "../peers/everypath.js";
import { parsePanOutput, type PanReport } from "../peers/pan-output.js";

const searched = (figures: Partial<Figures> = {}): Outcome => ({
  kind: "searched",
  figures: {
    states: 100,
    searchSeconds: 2,
    processorSeconds: 2,
    wholeSeconds: 3,
    wholeProcessorSeconds: 3,
    bytes: 1000,
    residentBytes: 5000,
    stateBytes: 800,
    tableBytes: 100,
    stackBytes: 100,
    ...figures,
  },
});

const rowOf = (model: string, row: Partial<Row> = {}): Row => ({
  model,
  peer: "pan",
  reference: 100,
  theirs: searched(),
  collapsed: searched({ bytes: 500 }),
  ours: searched({ searchSeconds: 1, processorSeconds: 1, bytes: 250 }),
  workers: undefined,
  flags: "-w20 -m10",
  ...row,
});

/** pan, cut by depths below `needed`. */
const panOf = (needed: number): ((depth: number) => Promise<PanReport | undefined>) => {
  const summary = `State-vector 20 byte, depth reached ${needed}, errors: 0\n 7 states, stored\n`;
  return async (depth) =>
    parsePanOutput(depth < needed ? `error: max search depth too small\n${summary}` : summary);
};

describe("flags of pan", () => {
  test("the depth doubles until pan is not cut, and comes back to what the search used", async () => {
    expect(await chooseDepth(panOf(34))).toMatchObject({ depth: 44, report: { states: 7 } });
    expect(await chooseDepth(panOf(25_000))).toMatchObject({ depth: 25_010 });
    expect(await chooseDepth(panOf(39_999))).toMatchObject({ depth: 40_000 });
  });

  test("there is no depth where pan fails, or none is enough", async () => {
    expect(await chooseDepth(async () => undefined)).toBeUndefined();
    expect(await chooseDepth(panOf(Infinity))).toBeUndefined();
  });

  test("tables from half a slot a state on are tried", () => {
    expect(hashBitsToTry(1_000_000)).toEqual([19, 20, 21, 22]);
    expect(hashBitsToTry(0)).toEqual([15, 16, 17, 18]);
  });

  test.each([
    ["the fastest", [9, 5, 3, 2], 22],
    ["the smaller of two that are alike", [9, 5, 4.99, 1], 20],
    ["the first, where larger ones cost", [3, 4, 1, 1], 19],
  ])("the table is %s", async (_, seconds, expected) =>
    expect(await chooseHashBits(1_000_000, async (bits) => seconds[bits - 19])).toBe(expected),
  );

  test("no table is chosen where pan completes with none", async () =>
    expect(await chooseHashBits(1_000_000, async () => undefined)).toBeUndefined());
});

describe("outcomes", () => {
  test("figures are medians", () => {
    const all = [1, 9, 2].map((searchSeconds) => searched({ searchSeconds }));
    expect(medianOutcome(all)).toEqual(searched({ searchSeconds: 2 }));
  });

  test("one failure, or other states in a repetition, fails the row", () => {
    expect(medianOutcome([searched(), failed("pan: time limit\nmore"), searched()])).toEqual(
      failed("pan: time limit"),
    );
    const other = medianOutcome([searched(), searched({ states: 101 }), searched()]);
    expect(other).toEqual(failed("states differ between repetitions"));
  });

  test("the summary of Rumur's verifier is read", () => {
    const line = '<summary states="8" rules_fired="21" errors="0" duration_seconds="1"/>';
    expect(parseRumurSummary(`<rumur_run>\n${line}`)).toEqual({ states: 8, rulesFired: 21, errors: 0 });
    expect(parseRumurSummary("Segmentation fault")).toBeUndefined();
  });

  const everypath = (verdict: "holds" | "unknown"): EverypathOutcome => ({
    kind: "searched",
    report: {
      verdict,
      properties: [{ name: "deadlock", kind: "deadlock", verdict, reason: "memory is spent" }],
      stats: {
        ...{ states: 5, transitions: 6, depth: 1, seconds: 0.5, totalSeconds: 1 },
        ...{ peakBytes: 300, bytesPerState: 60, tableBytes: 200 },
      },
      runs: [
        {
          properties: [],
          isAbandoned: true,
          stats: { states: 1, transitions: 1, depth: 1, seconds: 2, peakBytes: 400 },
        },
        { properties: [], stats: { states: 5, transitions: 6, depth: 1, seconds: 0.5, peakBytes: 300 } },
      ],
      diagnostics: [],
    },
    ...{ wallSeconds: 4, peakBytes: 9000, userSeconds: 3, systemSeconds: 1 },
  });

  test("our search has the runs that were abandoned, and not the start", () => {
    const expected = { searchSeconds: 2.5, processorSeconds: 3.5, wholeProcessorSeconds: 4, bytes: 400 };
    expect(judge(everypath("holds"), 0.5)).toMatchObject({ kind: "searched", figures: expected });
  });

  test("an incomplete search of ours gives no figures", () =>
    expect(judge(everypath("unknown"))).toEqual(failed("everypath: unknown: memory is spent")));

  test("temporal properties are left out where there are any", () => {
    const property = (name: string, kind: string) => ({ name, kind, verdict: "unknown" });
    const safety = [property("deadlock", "deadlock"), property("assertions", "assertion")];
    expect(safetyOptions(safety)).toEqual([]);
    expect(safetyOptions([...safety, property("live", "ltl")])).toEqual([
      ...["--property", "deadlock", "--property", "assertions"],
    ]);
  });
});

describe("rows", () => {
  test("states are equal, different, or not compared", () => {
    expect(agreementOf(rowOf("m"))).toBe("equal");
    expect(agreementOf(rowOf("m", { reference: 99 }))).toBe("DIFFERS");
    expect(agreementOf(rowOf("m", { workers: searched({ states: 98 }) }))).toBe("DIFFERS");
    expect(agreementOf(rowOf("m", { reference: undefined }))).toBe("not compared");
    expect(agreementOf(rowOf("m", { ours: failed("everypath: time limit") }))).toBe("not compared");
  });

  test("bytes are divided by the states of the plain graph", () => {
    const { figures } = searched({ states: 400 }) as { figures: Figures };
    expect(bytesPerState(rowOf("m"), figures)).toBe(10);
    expect(bytesPerState(rowOf("m", { reference: undefined }), figures)).toBe(2.5);
  });

  test("beside Rumur whole processes are compared", () => {
    const rumur = rowOf("m", {
      peer: "rumur",
      theirs: searched({ bytes: 0, residentBytes: 6000 }),
      collapsed: undefined,
      ours: searched({ residentBytes: 2000 }),
    });
    expect(renderSummary([rumur], 1)).toContain("memory, all rows (1 rows): geometric mean 3.00x");
    expect(renderMemory([rumur])).toMatch(/^m .* 60\.0 +– +20\.0 +3\.00x/m);
  });

  const rows = [
    rowOf("fast", { ours: searched({ searchSeconds: 0.5, processorSeconds: 0.5, bytes: 250 }) }),
    rowOf("slow", { ours: searched({ searchSeconds: 8, processorSeconds: 8, bytes: 1000 }) }),
    rowOf("brief", { theirs: searched({ processorSeconds: 0.5 }) }),
    rowOf("other", { reference: 99 }),
    rowOf("gone", { ours: failed("everypath: time limit") }),
  ];

  test("means and worst rows are of those where the peer takes over a second", () => {
    const summary = renderSummary(rows, 1);
    expect(summary).toContain(
      "search, peer over a second (3 rows): geometric mean 1.26x, worst 0.25x (slow)",
    );
    expect(summary).toContain(
      "memory, peer over a second (3 rows): geometric mean 2.52x, worst 1.00x (slow)",
    );
    expect(summary).toContain("memory, against pan -DCOLLAPSE, same rows (3 rows): geometric mean 1.26x");
    expect(summary).toContain("search, peer under a second (1 rows): geometric mean 2.00x");
  });

  test("failures and differences are named", () => {
    const summary = renderSummary(rows, 1);
    expect(summary).toContain("compared: 4 of 5 models\nfailed:\n  gone: everypath: time limit");
    expect(summary).toContain("states: 3 equal, 1 DIFFER: other, 1 not compared");
  });

  test("workers have lines where they were asked for", () => {
    const measured = [rowOf("m", { workers: searched({ searchSeconds: 0.5 }) })];
    expect(renderSummary(measured, 2)).toContain(
      "--workers 2 beside one of ours, over a million states (1 rows)",
    );
    expect(renderSummary(measured, 1)).not.toContain("--workers");
  });

  test("every model has a row in both tables", () => {
    for (const table of [renderTimes(rows, 2), renderMemory(rows)])
      for (const { model } of rows) expect(table).toMatch(new RegExp(`^${model} `, "m"));
    expect(renderTimes(rows, 1)).toMatch(/^gone .*FAILED/m);
    expect(renderTimes(rows, 1)).toMatch(/^other .*DIFFERS/m);
  });
});

describe("a folder", () => {
  test("has Promela and Murphi models, by name", () => {
    const folder = mkdtempSync(join(tmpdir(), "models-"));
    for (const name of ["b.2.pml", "a.m", "pan.m", "README.md"]) writeFileSync(join(folder, name), "");
    try {
      expect(modelsIn(folder).map(({ name, peer }) => [name, peer])).toEqual([
        ["a", "rumur"],
        ["b.2", "pan"],
      ]);
      expect(modelsIn(folder, ["b."]).map(({ name }) => name)).toEqual(["b.2"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
