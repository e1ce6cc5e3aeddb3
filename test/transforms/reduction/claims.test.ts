/** Never claims that Spin makes of random formulas, and some that count steps: with every reduction the same verdict. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { check, type CheckReport } from "../../../src/index.js";
import { describeWithPeers } from "../../peers.js";
import { temporalCase, type TemporalReduction } from "./temporal.js";

async function claimed(
  text: string,
  claim: string,
  reductions: readonly TemporalReduction[],
): Promise<CheckReport> {
  return check({ file: "claimed.pml", text: `${text}\n${claim}` }, { properties: ["never"], reductions });
}

describeWithPeers("claims that Spin makes of formulas without next", ["spin"], () => {
  test("do not count steps, and are searched with partial order and merging", async () => {
    let compared = 0;
    let violated = 0;
    let merged = 0;
    for (let seed = 1; compared < 12; seed++) {
      const { text, formula } = temporalCase(seed);
      if (formula === undefined || formula.includes("P")) continue;
      const { stdout, status } = spawnSync("spin", ["-f", formula], { encoding: "utf8", timeout: 20_000 });
      if (status !== 0) continue;
      const [full, reduced] = [
        await claimed(text, stdout, []),
        await claimed(text, stdout, ["slice", "dead", "merge", "por"]),
      ];
      const what = `seed ${seed}: ${formula}\n${text}\n${stdout}`;
      expect(reduced.properties[0]!.verdict, what).toBe(full.properties[0]!.verdict);
      if (reduced.runs[0]!.reductions.includes("merge")) merged++;
      compared++;
      if (full.properties[0]!.verdict === "violated") violated++;
    }
    // Of a claim that is too large it is not known.
    expect(merged).toBeGreaterThan(8);
    expect(violated).toBeGreaterThan(0);
    expect(violated).toBeLessThan(compared);
  }, 240_000);
});

describe("claims that count steps", () => {
  /** Two steps of each process; merged, x would be 1 after one. */
  const text = `byte x, y;
active proctype P() { byte l; l = 1; l = 2; x = 1 }
active proctype Q() { byte l; do :: l = 1 - l od }`;

  test.each([
    ["never { x == 0; x == 0; x == 1; accept: do :: x == 1 od }", false],
    ["never { do :: x == 0 :: x == 1 -> break od; accept: do :: x == 1 od }", true],
  ])("%s", async (claim, isInvariant) => {
    const reduced = await claimed(text, claim, ["merge", "por"]);
    const full = await claimed(text, claim, []);
    expect(reduced.properties[0]!.verdict).toBe(full.properties[0]!.verdict);
    expect(reduced.runs[0]!.reductions).toEqual(isInvariant ? ["merge", "por"] : []);
    const off = reduced.diagnostics.map(({ message }) => message);
    expect(off).toHaveLength(isInvariant ? 0 : 2);
    if (!isInvariant) expect(off[0]).toContain("'never' may count steps, as claims can");
  });
});
