/**
 * Invalid programs. The first comments of each file have the expected diagnostics: `// expect: code line:column`, a
 * line for each, with `in FILE` for included files.
 */
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { positions, run } from "./front.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures/promela/bad");
const files = readdirSync(folder).filter((name) => name.endsWith(".pml"));

test("there are enough wrong programs", () => expect(files.length).toBeGreaterThanOrEqual(60));

describe("wrong program", () => {
  for (const name of files) {
    test(name, () => {
      const text = readFileSync(join(folder, name), "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map((match) => match[1]!);
      const outcome = run(text, {
        file: join(folder, name),
        readFile: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
      });
      expect(expected).not.toEqual([]);
      expect(positions(outcome)).toEqual(expected);
    });
  }
});

test("every diagnostic of a wrong program points into its text and speaks", () => {
  for (const name of files) {
    const text = readFileSync(join(folder, name), "utf8");
    const { diagnostics, sources } = run(text, { file: name });
    for (const { span, message, code, notes = [] } of diagnostics) {
      expect(code).toMatch(/^promela\/[a-z-]+$/);
      expect(message.length).toBeGreaterThan(5);
      for (const each of [span, ...notes.map((note) => note.span)]) {
        const length = sources.text(each.file)!.length;
        expect(each.start).toBeGreaterThanOrEqual(0);
        expect(each.end).toBeGreaterThanOrEqual(each.start);
        expect(each.end).toBeLessThanOrEqual(length);
      }
    }
  }
});
