/** Contents of the script that every realm of a test evaluates. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadTestFile } from "../../src/session/schedules/test-file.js";
import { inRepository } from "../repository.js";

test("what a test does not use is not made in its realms", async () => {
  const script = await scriptOf("examples/code/stock.test.ts");
  expect(script).toMatch(/toHaveLength/);
  expect(script).not.toMatch(/useFakeTimers|builtins\/(globals|buffer|url|crypto)\./);
  // Evaluated on demand.
  expect(script).toMatch(/class _?Response/);
  expect(evaluatedAtOnce(script)).not.toMatch(/class _?(Response|Event|Files)\b/);
});

test("what a test uses by name is put into its script", async () => {
  const script = await scriptOf("test/fixtures/code/schedules/named-classes.ts");
  expect(script).toMatch(/init_globals\(\);/);
});

test("a package may import what a world lacks, a file of the user's own may not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "everypath-bundle-"));
  const package_ = join(folder, "node_modules/some-package");
  mkdirSync(package_, { recursive: true });
  writeFileSync(join(package_, "index.js"), 'import "node:cluster";');
  const diagnosticsOf = async (text: string): Promise<readonly string[]> => {
    const file = join(folder, "a.test.js");
    writeFileSync(file, text);
    const loaded = await loadTestFile({ file, framework: "vitest" });
    return "diagnostics" in loaded ? loaded.diagnostics.map(({ message }) => message) : [];
  };
  expect(await diagnosticsOf('import "some-package";')).toEqual([]);
  expect(await diagnosticsOf('import "node:fs";')).toEqual([]);
  expect(await diagnosticsOf('import "node:cluster";')).toEqual([
    "node:cluster is not supported: it starts processes, whose steps no schedule controls",
  ]);
  rmSync(folder, { recursive: true });
});

async function scriptOf(file: string): Promise<string> {
  const loaded = await loadTestFile({ file: inRepository(file), framework: "vitest" });
  if ("diagnostics" in loaded) throw new Error("it cannot be bundled");
  return loaded.script;
}

/** Omits modules that the bundler wraps into functions. */
const evaluatedAtOnce = (script: string): string =>
  script.replace(/^var init_\w+ = __esm\(\{\n[^]*?^\}\);$/gm, "");
