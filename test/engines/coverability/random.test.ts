/** All procedures agree on random nets, and with the obvious search where that ends. `npm run fuzz:nets` has more of them. */
import { expect, test } from "vitest";
import { compareBvas, wideBvas } from "../../generators/bvas.js";
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

test("300 random branching systems: eec by two schedules, nets where they are nets, and brute force agree", () => {
  const verdicts = new Set<string>();
  for (let seed = 100_001; seed <= 100_300; seed++) {
    const { problems, answers, brute } = compareBvas(wideBvas(seed), 4000);
    expect(problems, `npm run fuzz:nets -- --seed ${seed}`).toEqual([]);
    for (const [name, answer] of [...answers, ["brute force", brute]]) verdicts.add(`${name} ${answer}`);
  }
  for (const name of ["eec", "eec as published", "karp-miller of the net", "brute force"])
    expect([...verdicts]).toEqual(expect.arrayContaining([`${name} covered`, `${name} uncovered`]));
});
