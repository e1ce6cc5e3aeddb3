import fc from "fast-check";
import { expect, test } from "vitest";
import { anyProgram } from "../generators/mpp.js";
import { compareWays } from "./agreement.js";

test(
  "random programs: every reduction, brute force, replay and certificates agree",
  { timeout: 240_000 },
  async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(anyProgram, async (text) => {
        const { problem, verdict } = await compareWays(text, 600);
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
        expect(problem, text).toBeUndefined();
      }),
      { numRuns: 25 },
    );
    expect(seen.get("holds") ?? 0).toBeGreaterThan(1);
    expect(seen.get("violated") ?? 0).toBeGreaterThan(1);
  },
);
