/** Small programs over the stand-ins for Node's modules: each fixture states every outcome of its tests. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { Relied } from "../../src/code/realm/index.js";
import type { TestFile } from "../../src/testing/test-file.js";
import { inRepository } from "../repository.js";
import { realmOutcomes, testFile } from "./outcomes.js";

const path = inRepository("test/fixtures/code/conditions.ts");
let file: TestFile;
beforeAll(async () => {
  file = await testFile(path);
});

const text = readFileSync(path, "utf8");
for (const [, name, said] of text.matchAll(/^\/\/ outcomes "(.*)": (.*)$/gm))
  test(name!, () => {
    expect(realmOutcomes(file, name!).said.join(" | ")).toBe(said);
  });

for (const [, name, bits] of text.matchAll(/^\/\/ relies "(.*)": (.*)$/gm))
  test(`${name} relies on ${bits}`, () => {
    const { relied } = realmOutcomes(file, name!);
    const names = Object.entries(Relied).flatMap(([what, bit]) => ((relied & bit) === 0 ? [] : [what]));
    expect(names.join(", ") || "nothing").toBe(bits);
  });
