/** A sample of `npm run fuzz:nodes`: every mode agrees with an oracle for the tiny language of these systems. */
import { expect, test } from "vitest";
import { Comparing } from "../../../bench/fuzz/nodes/compare.js";

/**
 * Seeds of former errors: a loss behind other messages, several violating messages, a shuffled search, a failing start
 * beside a message condition that must occur, a crash before a failure.
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
