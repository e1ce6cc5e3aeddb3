/** Symmetry against brute force: states counted once for each orbit, and the same errors met. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { programOf } from "../../compile/rules/differential.js";
import { symmetricModel } from "../../generators/murphi-symmetric.js";
import { compareOrbits } from "../../languages/murphi/modes.js";

describe("on random models", () => {
  test("representatives are as many as there are orbits, and every kind of error is met", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const { isReduced, difference } = compareOrbits(programOf(symmetricModel(seed)), 1500);
        expect(difference).toBeUndefined();
        if (!isReduced) return;
        compared++;
      }),
      { numRuns: 60, seed: 6 },
    );
    expect(compared).toBeGreaterThan(25);
  });
});
