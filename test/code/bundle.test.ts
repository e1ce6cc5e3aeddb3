/** What is in the script that every realm of a test evaluates. */
import { expect, test } from "vitest";
import { loadTestFile } from "../../src/testing/test-file.js";
import { inRepository } from "../repository.js";

test("what a test does not use is not made in its realms", async () => {
  const script = await scriptOf("examples/code/stock.test.ts");
  expect(script).toMatch(/toHaveLength/);
  expect(script).not.toMatch(/useFakeTimers|builtins\/(globals|buffer|url|crypto)\./);
  // Evaluated when the test asks for it.
  expect(script).toMatch(/class _?Response/);
  expect(evaluatedAtOnce(script)).not.toMatch(/class _?(Response|Event|Files)\b/);
});

test("what a test uses by name is put into its script", async () => {
  const script = await scriptOf("test/fixtures/code/schedules/named-classes.ts");
  expect(script).toMatch(/init_globals\(\);/);
});

async function scriptOf(file: string): Promise<string> {
  const loaded = await loadTestFile({ file: inRepository(file), framework: "vitest" });
  if ("diagnostics" in loaded) throw new Error("it cannot be bundled");
  return loaded.script;
}

/** Without the files that the bundler wraps into functions. */
const evaluatedAtOnce = (script: string): string =>
  script.replace(/^var init_\w+ = __esm\(\{\n[^]*?^\}\);$/gm, "");
