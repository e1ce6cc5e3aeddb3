/**
 * Temporal formulas of random rule systems, compared with the same systems in Promela, a naive oracle and another
 * search; every trace is replayed. `npm run fuzz:tiny-murphi -- --ltl` runs 1,000.
 */
import { expect, test } from "vitest";
import { ruleCase } from "../../generators/murphi-ltl.js";
import { compareTemporal } from "./temporal.js";

const perTest = 20;
const verdicts = new Set<string>();

for (let first = 1; first <= 100; first += perTest)
  test(`seeds ${first} to ${first + perTest - 1}`, { timeout: 300_000 }, async () => {
    for (let seed = first; seed < first + perTest; seed++) {
      const { differences, verdicts: found } = await compareTemporal(seed);
      const { murphi, formula } = ruleCase(seed);
      const repeat = `npm run fuzz:tiny-murphi -- --ltl --seed ${seed}`;
      expect(differences, `${repeat}\n${formula}\n${murphi}`).toEqual([]);
      verdicts.add(Object.values(found).join());
    }
  });

test("formulas hold, are violated, and depend on fairness", () => {
  expect(verdicts).toContain("holds,holds,holds");
  expect(verdicts).toContain("violated,violated,violated");
  expect(verdicts).toContain("violated,holds,holds");
});
