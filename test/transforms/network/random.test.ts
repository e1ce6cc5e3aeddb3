/** Random small networks (`npm run fuzz:sdn` has larger ones, and more): two implementations agree, and so do reductions that are let pass with none at all. */
import { expect, test } from "vitest";
import { compareNetwork } from "./compare.js";

const MOST_STATES = 600;
const PARTS = 20;

test.each(Array.from({ length: PARTS }, (_, part) => part))(
  "random networks, part %i: naive and fast agree, and no allowed reduction changes an answer",
  (part) => {
    const differences: string[] = [];
    let violated = 0;
    let compared = 0;
    for (let seed = 1 + part; compared < 5; seed += PARTS) {
      const outcome = compareNetwork(seed, MOST_STATES);
      if (outcome.isSkipped) continue;
      compared++;
      violated += outcome.found.violated.size;
      differences.push(...outcome.differences.map((difference) => `seed ${seed}: ${difference}`));
    }
    expect(differences).toEqual([]);
    expect(violated).toBeGreaterThan(0);
  },
  60_000,
);
