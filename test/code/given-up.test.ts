/** Runs that exceed a limit, and the world's classes without a world. */
import { expect, test } from "vitest";
import { UnsupportedError, noteAssertion } from "../../src/code/world/failure.js";
import { inRepository } from "../repository.js";
import { realmOutcomes, testFile } from "./outcomes.js";

test("a run that is given up is neither at its end nor stuck", async () => {
  const file = await testFile(inRepository("test/fixtures/code/conditions.ts"));
  expect(realmOutcomes(file, "goes on and on", { turns: 5 }).said).toEqual(["(spent)"]);
});

test("without a world nobody hears of failures", () => {
  expect(() => noteAssertion(new Error("x"))).not.toThrow();
  expect(new UnsupportedError("x").message).toBe("x");
});
