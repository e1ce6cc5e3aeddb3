/** Small programs over the replacements of Node's modules: each fixture states all outcomes of its tests. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { Relied } from "../../src/code/realm/index.js";
import type { TestFile } from "../../src/session/schedules/test-file.js";
import { inRepository } from "../repository.js";
import { realmOutcomes, testFile, type Outcomes } from "./outcomes.js";

/**
 * Lines of the fixture, each about a test by its title:
 *
 * - `// outcomes "TITLE": A | B`: exactly these outcomes.
 * - `// schedules "TITLE": N, first A`: the number of schedules, and the outcome of the first.
 * - `// relies "TITLE": NAME, NAME`: assumptions of the verdict.
 */
export function describeStated(name: string): void {
  describe(name, () => {
    const path = inRepository(`test/fixtures/code/${name}`);
    let file: TestFile;
    const known = new Map<string, Outcomes>();
    const outcomes = (title: string): Outcomes => {
      if (!known.has(title)) known.set(title, realmOutcomes(file, title));
      return known.get(title)!;
    };
    beforeAll(async () => {
      file = await testFile(path);
    }, 60_000);

    for (const [, kind, title, expected] of readFileSync(path, "utf8").matchAll(STATED))
      test(`${title}: ${kind}`, () => {
        expect(found[kind as keyof typeof found](outcomes(title!))).toBe(expected);
      });
  });
}

const STATED = /^\/\/ (outcomes|schedules|relies) "(.*)": (.*)$/gm;

const found = {
  outcomes: ({ said }: Outcomes) => said.join(" | "),
  schedules: ({ schedules, first }: Outcomes) => `${schedules}, first ${first}`,
  relies: ({ relied }: Outcomes) =>
    Object.entries(Relied)
      .flatMap(([what, bit]) => ((relied & bit) === 0 ? [] : [what]))
      .join(", ") || "nothing",
};
