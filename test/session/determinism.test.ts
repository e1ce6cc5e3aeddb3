/** Claims of a D_proctype are not checked yet, so they must never count as holding. */
import { expect, test } from "vitest";
import { check, overallVerdict } from "../../src/index.js";

test("a D_proctype is refused, unless other properties are chosen", async () => {
  const text = "byte x; D_proctype P() { if :: x = 1 :: x = 2 fi } init { run P() }";
  const result = await check({ file: "choice.pml", text });
  expect(overallVerdict(result)).toBe("unknown");
  expect(result.diagnostics).toMatchObject([
    {
      code: "session/property-not-supported",
      severity: "error",
      message:
        "the language 'promela' does not check 'determinism of P': properties of kind 'determinism' are not supported",
    },
  ]);
  const others = await check({ file: "choice.pml", text }, { properties: ["deadlock"] });
  expect(overallVerdict(others)).toBe("holds");
});
