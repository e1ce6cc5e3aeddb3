/**
 * Foundations of answers about networks, in a second or two: run by every mutant, in parts, so that the part that notices one
 * runs first for the next. `npm run fuzz:sdn` has more networks, and larger ones.
 */
import { expect, test } from "vitest";
import { compareNetwork } from "./compare.js";
import { compareModes } from "./modes.js";
import { networkFor, sendsFor } from "./networks.js";

test.each(Array.from({ length: 20 }, (_, part) => part))(
  "small random networks, part %i: naive and fast agree, no allowed reduction changes an answer, and checks say the same",
  async (part) => {
    for (let seed = 500_001 + 20 * part; ; seed++) {
      const outcome = compareNetwork(seed, 40);
      if (outcome.isSkipped) continue;
      expect(outcome.differences, `seed ${seed}`).toEqual([]);
      if (part % 4 !== 0) return;
      const { differences } = await compareModes(networkFor(seed), outcome.found, seed, sendsFor(seed));
      expect(differences, `seed ${seed}`).toEqual([]);
      return;
    }
  },
  60_000,
);

test("a rule that is added again behind a barrier is there with exact control", () => {
  const { isSkipped, differences } = compareNetwork(41_970);
  expect({ isSkipped, differences }).toEqual({ isSkipped: false, differences: [] });
});
