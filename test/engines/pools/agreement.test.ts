/** The engine agrees with the definition on random programs; `npm run fuzz:ndlog` runs more. */
import { expect, test } from "vitest";
import { openSolver } from "../../../src/solvers/index.js";
import { randomNdlog } from "../../generators/ndlog.js";
import { compareNdlog } from "../pools-agreement.js";

test("random programs", () => {
  const opened = openSolver({ name: "auto", timeMs: 5000, memoryMb: 1024 })!;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 12; seed++) {
    const made = randomNdlog(seed);
    const { problem, kinds: found } = compareNdlog(made, opened.solver);
    expect(problem, `seed ${seed}\n${made.text}`).toBeUndefined();
    found.forEach((kind) => kinds.add(kind));
  }
  opened.close();
  expect([...kinds].sort()).toEqual(["holds", "vacuous", "violated"]);
});
