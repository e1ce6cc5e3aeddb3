/** A sample of the option matrix; `npm run matrix` runs more cells. */
import { expect, test } from "vitest";
import { Matrix } from "./cells.js";

test("80 random combinations of options agree with the plain search", { timeout: 240_000 }, async () => {
  const matrix = new Matrix();
  const differing: string[] = [];
  let compared = 0;
  for (let seed = 301; seed <= 380; seed++) {
    const { kind, command, differences } = await matrix.cell(seed);
    if (kind === "compared") compared++;
    if (differences.length > 0)
      differing.push(`npm run matrix -- --from ${seed} --count 1: ${command}`, ...differences);
  }
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(50);
});
