/** 40 random programs with random temporal properties against Spin; `npm run fuzz:ltl` runs more. */
import { expect, test } from "vitest";
import { compareCase, contradictions, nextCase, renderCase, temporalCase } from "../generators/fuzz-ltl.js";
import { describeWithPeers } from "../peers.js";

const pairs = 40;
const perTest = 10;

describeWithPeers("random temporal properties against Spin", ["spin", "gcc"], () => {
  for (let first = 1; first <= pairs; first += perTest)
    test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 300_000 }, async () => {
      for (let seed = first; seed < first + perTest; seed++) {
        const asked = temporalCase(seed);
        const { verdict, notes } = await compareCase(asked);
        const repeat = `npm run fuzz:ltl -- --seed ${seed}`;
        expect(verdict, `${repeat}\n${notes.join("\n")}\n${renderCase(asked)}`).not.toBe("DIFFERS");
      }
    });
});

test(
  "formulas with X: every emptiness check says the same, and shows what it finds",
  { timeout: 240_000 },
  async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const asked = nextCase(seed);
      expect(asked.property).toContain("X ");
      expect(await contradictions(asked), `seed ${seed}\n${renderCase(asked)}`).toEqual([]);
    }
  },
);
