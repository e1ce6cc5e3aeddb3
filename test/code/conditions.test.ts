/** Small programs over the stand-ins for Node's modules: each fixture states every outcome of its tests. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { Relied } from "../../src/code/realm/index.js";
import type { TestFile } from "../../src/testing/test-file.js";
import { inRepository } from "../repository.js";
import { realmOutcomes, testFile } from "./outcomes.js";

for (const name of ["conditions.ts", "conditions-lowered.ts"])
  describe(name, () => {
    const path = inRepository(`test/fixtures/code/${name}`);
    let file: TestFile;
    beforeAll(async () => {
      file = await testFile(path);
    }, 60_000);

    const text = readFileSync(path, "utf8");
    for (const [, title, said] of text.matchAll(/^\/\/ outcomes "(.*)": (.*)$/gm))
      test(title!, () => {
        expect(realmOutcomes(file, title!).said.join(" | ")).toBe(said);
      });

    for (const [, title, bits] of text.matchAll(/^\/\/ relies "(.*)": (.*)$/gm))
      test(`${title} relies on ${bits}`, () => {
        const { relied } = realmOutcomes(file, title!);
        const names = Object.entries(Relied).flatMap(([what, bit]) => ((relied & bit) === 0 ? [] : [what]));
        expect(names.join(", ") || "nothing").toBe(bits);
      });
  });
