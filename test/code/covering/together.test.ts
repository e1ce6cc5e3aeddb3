/** Combined coverage of several checks of the same system. */
import { expect, test } from "vitest";
import { percent, together } from "../../../bench/code/coverage.js";

const reached = (unreachedLines: readonly number[]) => [
  {
    file: "src/a.ts",
    lines: { covered: 4 - unreachedLines.length, total: 4 },
    branches: { covered: 0, total: 0 },
    unreachedLines,
    unreachedBranches: [],
  },
];

test("a line is run if one of them runs it", () => {
  const all = together([reached([1, 2, 3]), reached([2, 3, 4]), reached([2])]);
  expect(all[0]).toMatchObject({ unreachedLines: [2], lines: { covered: 3, total: 4 } });
  expect(percent(all, (name) => name === "a.ts")).toBe(75);
  expect(percent(all, (name) => name === "b.ts")).toBe(0);
});
