/** Turns that see each other by other ways than variables and properties are tried in both orders. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explore } from "../../../src/testing/explore.js";
import { inRepository } from "../../repository.js";

const file = inRepository("test/fixtures/code/hidden-reads.ts");
const names = [...readFileSync(file, "utf8").matchAll(/^everySchedule\("(.*)"/gm)].map(([, name]) => name!);

for (const reduction of ["none", "races"] as const)
  test.each(names)(`%s, reduction: ${reduction}`, { timeout: 60_000 }, async (name) => {
    const request = { file, framework: "code", names: [name], body: () => {} } as const;
    const { verdict } = await explore(request, { reduction });
    expect(verdict).toBe("violated");
  });
