/** Compares models of up to 200,000 states with Spin; `npm run conformance` runs the others. */
import { describe, expect, test } from "vitest";
import { runEverypath } from "../peers/everypath.js";
import { useCurrentBuild } from "../peers/current-build.js";
import { describeWithPeers } from "../peers.js";
import { conformanceFixtures } from "./fixtures.js";
import { type ConformanceModel, compareWithSpin, quick, quickStates } from "./models.js";
import {
  comparableExamples,
  examplesFolder,
  excludedExamples,
  frozenExamples,
  hasExamples,
} from "./spin-examples.js";

const isQuick = ({ statesSeen }: ConformanceModel): boolean => (statesSeen ?? Infinity) <= quickStates;

function testAgreement(model: ConformanceModel): void {
  test(`${model.name} agrees`, { timeout: 240_000 }, async () => {
    const row = await compareWithSpin(model, quick);
    expect({ verdict: row.verdict, notes: row.notes, spin: row.spin, ours: row.ours }).toMatchObject({
      verdict: "agree",
    });
  });
}

describeWithPeers("fixtures against Spin", ["spin", "gcc"], () => {
  useCurrentBuild();
  conformanceFixtures().filter(isQuick).forEach(testAgreement);
});

if (hasExamples()) {
  describeWithPeers("examples of Spin against Spin", ["spin", "gcc"], () => {
    useCurrentBuild();
    comparableExamples().filter(isQuick).forEach(testAgreement);
  });

  describe("examples that Spin gives no figures for", () => {
    useCurrentBuild();
    for (const { name, file, defines, excluded } of excludedExamples())
      test(`${name} can be read (excluded from the comparison: ${excluded})`, async () => {
        const outcome = await runEverypath(file, { defines, options: ["--max-states", "1000"] });
        expect(outcome).toMatchObject({ kind: "searched" });
      });
  });
} else {
  console.warn(`SKIPPED: examples of Spin: not in ${examplesFolder} (set SPIN_EXAMPLES)`);
  describe.skip(`examples of Spin (SKIPPED: not in ${examplesFolder})`, () => {
    test("comparison", () => undefined);
  });
}

test("the frozen list names every file of the package once", () => {
  const entries = frozenExamples();
  expect(new Set(entries.map(({ file }) => file)).size).toBe(entries.length);
  expect(entries.filter(({ file }) => file.endsWith(".pml"))).toHaveLength(78);
});
