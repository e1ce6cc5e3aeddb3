/** Each reduction alone, and all together, on models that one without one of its conditions gets wrong. */
import { describe, expect, test } from "vitest";
import { checkInput, registry } from "../../../src/session/index.js";
import { answerOf, witnesses } from "../../conformance/witnesses.js";

const everyReduction = ["slice", "dead", "merge", "por"] as const;

describe.each([...witnesses(), ...witnesses("reductions")])("$name", ({ text, options, expected }) => {
  test.each(
    [[], ...everyReduction.map((name) => [name]), everyReduction].map((reductions) => ({
      names: reductions.join(", ") || "no reduction",
      reductions,
    })),
  )("$names", async ({ reductions }) => {
    const asked = { ...options, reductions, maxErrors: Infinity };
    const { report } = await checkInput({ file: "m.pml", text }, asked, registry);
    expect(answerOf(report)).toBe(expected);
  });
});
