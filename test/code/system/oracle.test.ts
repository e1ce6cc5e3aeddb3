/** A sample of `npm run fuzz:nodes`: every mode gives the answers of an oracle that knows the tiny language of these systems. */
import { expect, test } from "vitest";
import { Comparing } from "../../../bench/fuzz/nodes/compare.js";

/**
 * Seeds on which a mode was once wrong: a loss behind other messages, several messages that are wrong, a search that was shuffled,
 * a start that fails beside a condition on messages that must come about, a crash before a failure.
 */
const once = [169, 10014, 10128, 10308, 10312, 10450, 12790, 16433];
const seeds = [...once, ...Array.from({ length: 24 }, (_, i) => i + 1)];

test("random systems have the answers of the oracle, in every mode", async () => {
  const comparing = await Comparing.begin();
  let [compared, smaller] = [0, 0];
  for (const seed of seeds) {
    const { differences, found, states } = await comparing.compare(seed, { withWorkers: false });
    expect(differences, `seed ${seed}`).toEqual([]);
    if (!found) continue;
    compared++;
    if (Math.min(states.por ?? Infinity, states.symmetry ?? Infinity) < found.states) smaller++;
  }
  expect(compared).toBeGreaterThan(25);
  expect(smaller).toBeGreaterThan(3);
}, 240_000);
