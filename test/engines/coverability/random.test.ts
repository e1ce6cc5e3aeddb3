/** All procedures agree on random nets, and with the obvious search where that ends. `npm run fuzz:nets` has more of them. */
import { expect, test } from "vitest";
import { compareNet, randomNet } from "../../generators/nets.js";

test("300 random nets: backward, eec, karp-miller and brute force agree", () => {
  let givenUp = 0;
  const bruteVerdicts = new Set<string>();
  for (let seed = 100_001; seed <= 100_300; seed++) {
    const { problems, answers, brute } = compareNet(randomNet(seed), 4000);
    expect(problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
    if (answers.get("karp-miller") === "unknown") givenUp++;
    bruteVerdicts.add(brute);
  }
  expect(givenUp).toBeLessThanOrEqual(6);
  expect([...bruteVerdicts].toSorted()).toEqual(["covered", "uncovered", "unknown"]);
});
