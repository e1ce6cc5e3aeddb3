/** Every example of async code does what its first comment says: `expected "name": violated (assertion), 4 turns`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkInput, registry } from "../src/session/index.js";
import { explore } from "../src/session/schedules/explore.js";
import { inRepository } from "./repository.js";

const folder = inRepository("examples/code");

for (const name of readdirSync(folder).filter((file) => file.endsWith(".test.ts"))) {
  const file = join(folder, name);
  const expectations = [...readFileSync(file, "utf8").matchAll(/^\/\/ expected "(.*)": (.*)$/gm)];
  if (expectations.length === 0) throw new Error(`${name} does not say what to expect`);
  test(`${name}: a check says the same`, { timeout: 240_000 }, async () => {
    const { report } = await checkInput({ file, text: readFileSync(file, "utf8") }, {}, registry);
    expect(report.diagnostics).toEqual([]);
    for (const [, title, outcome] of expectations) {
      const found = report.properties.filter(({ property }) => ` > ${property.name}`.endsWith(` > ${title}`));
      expect(found.map(({ verdict }) => verdict)).toEqual([outcome!.split(" ")[0]]);
    }
  });
  for (const [, title, outcome] of expectations)
    test(`${name}: ${title}: ${outcome}`, async () => {
      const { verdict, failing } = await explore(
        { file, framework: "vitest", names: [title!], body: () => {} },
        {},
      );
      const failure = failing?.report.failure;
      expect(failure ? `${verdict} (${failure.kind}), ${failure.turn} turns` : verdict).toBe(outcome);
    });
}

test("docs/code.md shows what the first example prints", async () => {
  const [, shown] = /```text\n(AssertionError[\s\S]*?)```/.exec(
    readFileSync(inRepository("docs/code.md"), "utf8"),
  )!;
  const file = join(folder, "stock.test.ts");
  const names = ["the last item is sold once"];
  const { message } = await explore({ file, framework: "vitest", names, body: () => {} }, {});
  const timeless = (text: string): string => text.trim().replace(/[\d.]+ s\)/, "… s)");
  expect(timeless(message)).toBe(timeless(shown!));
});
