/** Invalid programs and their diagnostics: `// expect: CODE LINE:COLUMN`, a line for each. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import { MppGrammar } from "../../../src/languages/mpp/grammar.js";
import { Sources } from "../../../src/model/index.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/mpp/bad");

function found(file: string): string[] {
  const text = readFileSync(`${folder}/${file}`, "utf8");
  const sources = new Sources();
  sources.add(file, text);
  return loadMpp(file, text).diagnostics.map(({ code, span }) => {
    const { line, column } = sources.position(file, span.start);
    return `${code} ${line}:${column}`;
  });
}

describe("wrong input", () => {
  for (const file of readdirSync(folder))
    test(file, () => {
      const text = readFileSync(`${folder}/${file}`, "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map(([, each]) => each!);
      expect(expected.length).toBeGreaterThan(0);
      expect(found(file)).toEqual(expected);
    });
});

test("the grammar is sound", () => {
  expect(() => new MppGrammar({ validate: true })).not.toThrow();
});

test("half a program is no crash", () => {
  const text = readFileSync(inRepository("examples/messages/medical.mpp"), "utf8");
  for (let end = 0; end < text.length; end += 7) {
    const { program, diagnostics } = loadMpp("half.mpp", text.slice(0, end));
    expect(program !== undefined || diagnostics.length > 0).toBe(true);
  }
});
