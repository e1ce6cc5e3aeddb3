/** Parts outside `src` that every language of the registry needs: a missing one fails with the file to add it to. */
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { broken } from "../../scripts/package-broken.mjs";
import { gridOf, registry, type Language } from "../../src/session/index.js";
import { languageExamples } from "../explorer/language-examples.js";
import { inRepository } from "../repository.js";
import { samples } from "./grid-rows.js";
import { rows } from "./option-rows.js";

/** Pages of languages that are not called after them. */
const pages: Readonly<Record<string, string>> = {
  rpp: "docs/languages/bvas.md",
  schedules: "docs/code.md",
  typescript: "docs/systems.md",
};

const filesBelow = (folder: string): string[] =>
  readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" });

const examples = filesBelow("examples");
const grid = gridOf(registry);

function missingParts({ name, extensions, fileNames = [] }: Language): string[] {
  const isOwn = (file: string): boolean => [...extensions, ...fileNames].some((end) => file.endsWith(end));
  const page = pages[name] ?? `docs/languages/${name}.md`;
  const gridRows = grid.filter(({ language }) => language.split(":")[0] === name);
  const parts: readonly (readonly [isThere: boolean, part: string])[] = [
    [name in rows, "a small input in test/session/option-rows.ts"],
    ...gridRows.map(
      ({ language }) => [language in samples, `a row '${language}' in test/session/grid-rows.ts`] as const,
    ),
    [name in languageExamples, "an example with a violation in test/explorer/language-examples.ts"],
    [examples.some(isOwn), "an example below examples/, whose first comment states its verdict"],
    [Object.keys(broken).some(isOwn), "an input with a mistake in scripts/package-broken.mjs"],
    [existsSync(inRepository(page)), page],
  ];
  return parts.filter(([isThere]) => !isThere).map(([, part]) => part);
}

test.each(registry.languages.map((language) => [language.name, language] as const))(
  "%s has every part that a language needs",
  (_, language) => {
    expect(missingParts(language)).toEqual([]);
  },
);

test("a language without any part is told all of them", () => {
  const [promela] = registry.languages;
  const parts = missingParts({ ...promela!, name: "nothing", extensions: [".nothing"] });
  expect(parts.map((part) => part.replace(/^.* (?=\S+$)/, ""))).toEqual([
    "test/session/option-rows.ts",
    "test/explorer/language-examples.ts",
    "verdict",
    "scripts/package-broken.mjs",
    "docs/languages/nothing.md",
  ]);
});
