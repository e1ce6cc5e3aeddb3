/** Spin's examples parse and check without an error. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run, positions } from "./front.js";

const folder = process.env["SPIN_EXAMPLES"] ?? "/usr/share/doc/spin/examples/Examples";
const title = "the models of Spin's own distribution";

if (!existsSync(folder)) {
  console.warn(`SKIPPED: ${title}: the examples of the Debian package \`spin\` are not installed here`);
  describe.skip(`${title} (SKIPPED: not installed)`, () => void test("none", () => undefined));
} else {
  describe(title, () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".pml"),
    );

    test("are there", () => expect(files.length).toBeGreaterThan(50));

    for (const name of files) {
      test(name, () => {
        const file = join(folder, name);
        const text = readFileSync(file, "utf8");
        const readFile = (path: string): string | undefined =>
          existsSync(path) ? readFileSync(path, "utf8") : undefined;
        const outcome = run(text, { file, readFile });
        const errors = outcome.diagnostics.filter((each) => each.severity === "error");
        if (/\bc_(code|expr|decl|state|track)\b/.test(text)) {
          expect(new Set(errors.map((each) => each.code))).toEqual(new Set(["promela/embedded-c"]));
        } else {
          expect(positions({ ...outcome, diagnostics: errors })).toEqual([]);
        }
      });
    }
  });
}
