/** The table of pitfalls names existing tests. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../repository.js";

const read = (path: string): string => readFileSync(inRepository(path), "utf8");

test("every test in the table of traps exists", () => {
  const page = read("docs/engines/provenance.md");
  const section = page.slice(page.indexOf("## Pitfalls"), page.indexOf("## Figures"));
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
  const names = rows.map((row) => row.split("|")[2]!.trim());
  expect(names.length).toBeGreaterThanOrEqual(24);
  const tests = [
    "test/provenance/traps.test.ts",
    "test/transforms/counting/counting.test.ts",
    "test/engines/coverability/branching.test.ts",
    "test/engines/coverability/nets.test.ts",
  ].map(read);
  for (const name of names) {
    // A loop generates the tests of Token-n.
    const written = name.startsWith("n = 3") ? "n = ${n} holds at k = ${n}, and is spurious below" : name;
    expect(
      tests.some((text) => text.includes(written)),
      name,
    ).toBe(true);
  }
});
