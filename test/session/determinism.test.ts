/** What a D_proctype claims is not checked yet, so it must never count as holding. */
import { expect, test } from "vitest";
import { check } from "../../src/index.js";

test("an unchecked D_proctype leaves the verdict unknown", async () => {
  const text = "byte x; D_proctype P() { if :: x = 1 :: x = 2 fi } init { run P() }";
  const result = await check({ file: "choice.pml", text });
  expect(JSON.stringify(result)).toContain("determinism of P");
  expect(JSON.stringify(result)).toContain('"verdict":"unknown"');
});
