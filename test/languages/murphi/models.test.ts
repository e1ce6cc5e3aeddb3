/** Every construct: models with verdicts, states and fired rules from Rumur or publications. */
import { describe, expect, test } from "vitest";
import { fixtures, optionsOf, outcomeOf } from "./fixtures.js";
import { runObviously } from "./obvious.js";

const all = fixtures();

test("there are enough models, most of which Rumur can run", () => {
  expect(all.filter(({ withoutRumur }) => withoutRumur === undefined).length).toBeGreaterThanOrEqual(40);
  expect(all.every(({ expectations }) => expectations.length > 0)).toBe(true);
});

describe("model", () => {
  for (const { name, text, expectations } of all)
    for (const { arguments: given, outcome } of expectations)
      test([name, given].join(" ").trim(), async () => {
        expect(await outcomeOf(name, text, optionsOf(given))).toBe(outcome);
      });
});

describe("the obvious interpreter agrees on", () => {
  // It supports one dialect, and results that are records only in assignments.
  const known = all.filter(({ name }) => name !== "undefined-parameter.m" && name !== "record-results.m");
  for (const { name, text, expectations } of known)
    test(name, () => {
      const found = runObviously(text);
      const { verdict, states, rules } = found;
      const said = verdict === "holds" ? `holds, ${states} states, ${rules} rules` : `violated (${verdict})`;
      expect(said).toBe(expectations.find((each) => each.arguments === "")!.outcome);
    });
});
