/** What answers about networks rest on, in a second or two: run by every mutant of it. `npm run fuzz:sdn` has more networks, and larger ones. */
import { expect, test } from "vitest";
import { compareNetwork } from "./compare.js";
import { compareModes } from "./modes.js";
import { networkFor, sendsFor } from "./networks.js";

test("small random networks: naive and fast agree, no allowed reduction changes an answer, and checks say the same", async () => {
  let compared = 0;
  for (let seed = 500_001; compared < 20; seed++) {
    const outcome = compareNetwork(seed, 40);
    if (outcome.isSkipped) continue;
    compared++;
    expect(outcome.differences, `seed ${seed}`).toEqual([]);
    if (compared % 4 !== 0) continue;
    const { differences } = await compareModes(networkFor(seed), outcome.found, seed, sendsFor(seed));
    expect(differences, `seed ${seed}`).toEqual([]);
  }
}, 60_000);

test("a rule that is added again behind a barrier is there with exact control", () => {
  const { isSkipped, differences } = compareNetwork(41_970);
  expect({ isSkipped, differences }).toEqual({ isSkipped: false, differences: [] });
});
