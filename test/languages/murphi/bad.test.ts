/** Invalid models. The first comments of each file have the expected diagnostics: `-- expect: code line:column`. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { positions, run } from "./bad.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures/murphi/bad");
const files = readdirSync(folder).filter((name) => name.endsWith(".m"));
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

test("there are enough wrong models", () => expect(files.length).toBeGreaterThanOrEqual(60));

describe("wrong model", () => {
  for (const name of files)
    test(name, () => {
      const text = textOf(name);
      const expected = [...text.matchAll(/^-- expect: (.*)$/gm)].map((match) => match[1]!);
      const outcome = run(text, name);
      expect(expected).not.toEqual([]);
      expect(positions(outcome)).toEqual(expected);
      expect(outcome.program).toBeUndefined();
    });
});

test("every diagnostic points into the text and speaks", () => {
  for (const name of files) {
    const { diagnostics, sources } = run(textOf(name), name);
    for (const { span, message, code, notes = [] } of diagnostics) {
      expect(code).toMatch(/^murphi\/[a-z-]+$/);
      expect(message.length).toBeGreaterThan(5);
      for (const each of [span, ...notes.map((note) => note.span)]) {
        expect(each.start).toBeGreaterThanOrEqual(0);
        expect(each.end).toBeGreaterThanOrEqual(each.start);
        expect(each.end).toBeLessThanOrEqual(sources.text(each.file)!.length);
      }
    }
  }
});
