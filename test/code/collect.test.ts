/**
 * Test frameworks inside realms: features that affect a test's result behave as in the framework, or are refused by
 * name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isNamed } from "../../src/code/collect/named.js";
import type { Framework, TestFile } from "../../src/session/schedules/test-file.js";
import { inRepository } from "../repository.js";
import { realmOutcomes, testFile } from "./outcomes.js";

const folder = inRepository("test/fixtures/code/collect");

for (const name of readdirSync(folder))
  describe(name, () => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const framework = (/^\/\/ framework: (.*)$/m.exec(text)?.[1] ?? "vitest") as Framework;
    let file: TestFile;
    beforeAll(async () => {
      file = await testFile(path, framework);
    }, 240_000);

    for (const [, title, said] of text.matchAll(/^\/\/ outcomes "(.*)": (.*)$/gm))
      test(title!, () => {
        const { said: all } = realmOutcomes(file, title!.split(" > ").at(-1)!);
        expect(all.join(" | ")).toBe(said);
      });
  });

test.each([
  [["a", "b"], ["b"], true],
  [["a", "b"], ["a", "b"], true],
  [["a", "b"], ["a b"], true],
  [["a", "b"], ["a > b"], true],
  [["a", "b"], ["c b"], false],
  [["a", "b"], ["c", "b"], false],
  [["a", "b"], ["a b", "b"], false],
  [["b"], ["a > b"], false],
  [["b"], [], false],
])("%j as %j: %s", (names, wanted, expected) => {
  expect(isNamed(names, wanted)).toBe(expected);
});
