/**
 * Decision records: every reference names an existing record, every record has a status and is in the index, and the numbers of former
 * records lead to the files that replaced them.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inRepository } from "./repository.js";

const FOLDER = "docs/decisions";
/** Has examples of references. */
const THIS_FILE = "test/decisions.test.ts";
const read = (file: string): string => readFileSync(inRepository(file), "utf8");
const records = readdirSync(inRepository(FOLDER)).filter(
  (name) => name.endsWith(".md") && name !== "README.md",
);
const index = read(`${FOLDER}/README.md`);

describe("references", () => {
  const files = [
    ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "package.json", "vitest.config.ts"],
    ...["src", "test", "bench", "scripts", "explorer", "examples", "docs"].flatMap(filesIn),
  ].filter((file) => file !== THIS_FILE);
  const references = files.flatMap((file) => referencesIn(read(file)).map((record) => ({ file, record })));

  test("name existing records", () => {
    expect(references.length).toBeGreaterThan(30);
    expect(references.filter(({ record }) => !existsSync(inRepository(`${FOLDER}/${record}`)))).toEqual([]);
  });

  test("use no numbers of former records", () => {
    const others = files.filter((file) => !file.startsWith(`${FOLDER}/`));
    expect(others.filter((file) => numbersIn(read(file)).length > 0)).toEqual([]);
  });

  test("are recognised in text, links and comments", () => {
    expect(referencesIn("(docs/decisions/a-b.md) [x](../decisions/0007-c.md#d)")).toEqual([
      "a-b.md",
      "0007-c.md",
    ]);
    expect(numbersIn("decision 0007, decisions 0008, [Decision 0009](x.md), record 0010")).toHaveLength(4);
    expect(numbersIn("0 decisions, 2 records, seed 0007")).toEqual([]);
  });
});

describe.each(records)("%s", (record) => {
  const text = read(`${FOLDER}/${record}`);

  test("has a status, a date and every section", () => {
    expect(statusOf(text)).toBeDefined();
    for (const section of ["Context", "Decision", "Alternatives", "Consequences"])
      expect(text).toMatch(new RegExp(`^## ${section}\\b`, "m"));
  });

  test("is once in the index, with its title and status", () => {
    const [, title] = /^# (.+)$/m.exec(text)!;
    const rows = indexRows().filter(({ file }) => file === record);
    expect(rows).toEqual([{ title, file: record, status: statusOf(text) }]);
  });

  test("replaces the former records that the table leads to it", () => {
    const listed = formerRows().filter(({ file }) => file === record);
    expect(replacedBy(text)).toEqual(listed.map(({ number }) => number));
  });
});

test("the index lists existing records only, and each former number once", () => {
  expect(
    indexRows()
      .map(({ file }) => file)
      .sort(),
  ).toEqual([...records].sort());
  const numbers = formerRows().map(({ number }) => number);
  expect(numbers.length).toBe(110);
  expect(new Set(numbers).size).toBe(numbers.length);
});

function filesIn(folder: string): string[] {
  return readdirSync(inRepository(folder), { recursive: true, encoding: "utf8" })
    .filter(
      (name) => /\.(ts|tsx|mts|js|mjs|cjs|md|json|pml|sdn|m)$/.test(name) && !name.includes("node_modules"),
    )
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

/** Names of files in the folder of records. */
function referencesIn(text: string): string[] {
  return [...text.matchAll(/\bdecisions\/([\w-]+\.md)/g)].map(([, name]) => name!);
}

/** Records by number, as commits and comments once named them. */
function numbersIn(text: string): string[] {
  return [...text.matchAll(/\b(?:decisions?|records?) 0\d{3}\b|\bdecisions\/\d{4}/gi)].map(
    ([found]) => found,
  );
}

function statusOf(text: string): string | undefined {
  return /^Status: (accepted|withdrawn|superseded by \[[^\]]+\]\([\w-]+\.md\)), \d{4}-\d\d-\d\d\b/m.exec(
    text,
  )?.[1];
}

function indexRows(): { title: string; file: string; status: string }[] {
  return [...index.matchAll(/^\| \[([^\]]+)\]\(([\w-]+\.md)\) +\| (.+?) +\|/gm)].map(
    ([, title, file, status]) => ({
      title: title!,
      file: file!,
      status: status!,
    }),
  );
}

function formerRows(): { number: string; file: string }[] {
  return [...index.matchAll(/^\| (\d{4}): .+?\| \[[\w-]+\]\(([\w-]+\.md)\)/gm)].map(([, number, file]) => ({
    number: number!,
    file: file!,
  }));
}

/** The numbers of its status line, up to the first mark: what follows was taken over in part. */
function replacedBy(text: string): string[] {
  const [, list = ""] = /Replaces ([^.;]*)/.exec(text.replaceAll("\n", " ")) ?? [];
  return list.match(/\d{4}/g) ?? [];
}
