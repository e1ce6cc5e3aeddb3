/** WebAssembly beside JavaScript: states, transitions, depth, errors, the paths to them, and coverage. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { conformanceFixtures } from "../../conformance/fixtures.js";
import { witnesses } from "../../conformance/witnesses.js";
import { tinyCase } from "../../generators/promela-tiny.js";
import { renderProgram } from "../../generators/promela-tree.js";
import { compareCodes } from "./both-codes.js";

const files = [...new Set(conformanceFixtures().map(({ file }) => file))];

describe("fixtures", () => {
  test.each(files)("%s", async (name) => {
    await compareCodes({ name, text: readFileSync(name, "utf8") });
  });
  test.each([...witnesses(), ...witnesses("reductions")])("$name", async ({ name, text, options }) => {
    await compareCodes({ name, text, invariants: options.invariants ?? [] });
  });
});

test("tiny programs; most of them run as WebAssembly", async () => {
  let [compared, asStepCode] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const { program, invariants } = tinyCase(seed, {});
    const tally = await compareCodes({ name: `program ${seed}`, text: renderProgram(program), invariants });
    compared += tally.compared;
    asStepCode += tally.asStepCode;
  }
  expect(compared).toBeGreaterThan(200);
  expect(asStepCode).toBeGreaterThan(0.8 * compared);
});
