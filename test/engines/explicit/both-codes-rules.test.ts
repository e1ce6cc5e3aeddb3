/** Murphi models by WebAssembly beside JavaScript: states, rules fired, depth, errors, the paths to them, and coverage. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { generateMurphi } from "../../generators/murphi.js";
import { symmetricModel } from "../../generators/murphi-symmetric.js";
import { fixtures, optionsOf } from "../../languages/murphi/fixtures.js";
import { optionsFor } from "../../languages/murphi/random.js";
import { inRepository } from "../../repository.js";
import { compareRuleCodes } from "./both-codes-rules.js";

describe("fixtures", () => {
  const asked = fixtures().flatMap(({ name, text, expectations }) =>
    [...new Set(expectations.map((e) => e.arguments))].map((given) => ({ name, given, text })),
  );
  test.each(asked)("$name $given", async ({ name, given, text }) => {
    const { differences } = await compareRuleCodes({ name, text, options: optionsOf(given) });
    expect(differences).toEqual([]);
  });
});

describe("models of examples and benchmarks", () => {
  const files = ["examples/models", "bench/models/murphi"].flatMap((folder) =>
    readdirSync(inRepository(folder))
      .filter((name) => name.endsWith(".m"))
      .map((name) => `${folder}/${name}`),
  );
  test.each(files)("%s", async (name) => {
    const text = readFileSync(inRepository(name), "utf8");
    const { differences, compared, asStepCode } = await compareRuleCodes({ name, text });
    expect(differences).toEqual([]);
    expect(asStepCode).toBe(compared);
  });
});

test("random models; most of them run as WebAssembly", async () => {
  const all: string[] = [];
  let [compared, asStepCode] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const options = optionsOf(optionsFor(seed));
    for (const text of [symmetricModel(seed), generateMurphi(seed, { hasBags: seed % 2 === 0 })]) {
      const tally = await compareRuleCodes({ name: `model ${seed}`, text, options });
      all.push(...tally.differences);
      compared += tally.compared;
      asStepCode += tally.asStepCode;
    }
  }
  expect(all).toEqual([]);
  expect(compared).toBeGreaterThan(150);
  expect(asStepCode).toBeGreaterThan(0.8 * compared);
});
