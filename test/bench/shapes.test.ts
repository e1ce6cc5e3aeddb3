/** The generated models at the smallest scale: our states beside pan's. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { SCALES, shapesOf } from "../../bench/shapes/index.js";
import { generateModels, modelsIn } from "../../bench/side-by-side/folder.js";
import { Comparison } from "../../bench/side-by-side/compare.js";
import { agreementOf } from "../../bench/side-by-side/rows.js";
import { describeWithPeers } from "../peers.js";
import { useCurrentBuild } from "../peers/current-build.js";
import { checkTextHere } from "../peers/everypath.js";
import { runSpinOnText } from "../peers/spin.js";
import { inRepository } from "../repository.js";

describe("generated models", () => {
  test("differ from scale to scale", () => {
    const names = SCALES.flatMap((scale) => shapesOf(scale).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  });

  test("exist for known scales alone", () => {
    for (const scale of [0, 5, NaN]) expect(() => shapesOf(scale)).toThrow("--scale must be between 1 and 4");
  });
});

describeWithPeers("generated models beside pan", ["spin", "gcc"], () => {
  test.each(shapesOf(1).map(({ name, text }) => [name, text] as const))("%s", async (_, text) => {
    const theirs = await runSpinOnText(text);
    const ours = await checkTextHere(text);
    if (theirs.kind !== "searched" || ours.kind !== "searched")
      throw new Error(JSON.stringify([theirs, ours]));
    expect(theirs.report.incomplete).toBeUndefined();
    expect(theirs.report.errorKinds).not.toContain("assertion");
    expect(ours.report.stats.states).toBe(theirs.report.states);
    expect(theirs.report.states).toBeGreaterThan(300);
  });
});

describeWithPeers("the bench on a folder", ["spin", "gcc", "rumur"], () => {
  useCurrentBuild();
  const directory = mkdtempSync(join(tmpdir(), "bench-models-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const settings = { isReduced: false, order: "bfs", workers: 1, timeoutMs: 60_000, directory } as const;

  test("measures pan and ours, breadth-first by pan's depth-first count", async () => {
    const folder = join(directory, "models");
    generateModels(folder, 1);
    const comparison = new Comparison(modelsIn(folder, ["warehouse"])[0]!, settings);
    await comparison.prepare();
    await comparison.repeat();
    const row = comparison.row();
    expect(agreementOf(row)).toBe("equal");
    expect(row).toMatchObject({
      reference: 601,
      theirs: { kind: "searched" },
      collapsed: { kind: "searched" },
    });
    expect(row.flags).toMatch(/^-w1\d -m\d+$/);
  });

  test("measures Rumur and ours", async () => {
    const text = readFileSync(inRepository("bench/models/murphi/lock.m"), "utf8");
    writeFileSync(join(directory, "lock.m"), text.replace("N: 6;", "N: 3;"));
    const comparison = new Comparison(modelsIn(directory)[0]!, settings);
    await comparison.prepare();
    await comparison.repeat();
    const row = comparison.row();
    expect(agreementOf(row)).toBe("equal");
    expect(row.reference).toBe(308);
  });
});
