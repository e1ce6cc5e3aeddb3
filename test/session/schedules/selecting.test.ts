/** Recognition of test files, and selection of the tests that the framework would run. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languageOf, registry } from "../../../src/session/index.js";
import { isSelected, listTests } from "../../../src/session/schedules/declared-tests.js";
import { frameworkOf } from "../../../src/session/schedules/recognising.js";
import { loadTestFile } from "../../../src/session/schedules/test-file.js";
import { inRepository } from "../../repository.js";

const folder = inRepository("test/fixtures/code/selecting");

for (const name of readdirSync(folder))
  test(`${name}: the tests that run`, { timeout: 240_000 }, async () => {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    const [, runs = ""] = /^\/\/ runs: ?(.*)$/m.exec(text)!;
    const framework = frameworkOf(text);
    const file = await loadTestFile({ file: path, framework });
    if ("diagnostics" in file) throw new Error(file.diagnostics[0]!.message);
    const listed = await listTests(file, framework);
    if ("problem" in listed) throw new Error(listed.problem);
    const kept = listed.filter(({ isSkipped }) => !isSkipped).map(({ names }) => names.join(" > "));
    expect(kept.sort()).toEqual(runs.split(" | ").filter(Boolean).sort());
    expect(listed.every(({ stack }) => stack.includes("everypath:bundle"))).toBe(true);
  });

test.each([
  ["vitest", ["run"], false, true],
  ["vitest", ["run"], true, false],
  ["jest", ["run", "run"], true, false],
  ["jest", ["only", "run"], true, true],
  ["node-test", ["run"], true, true],
  ["code", ["run"], true, true],
  ["vitest", ["only", "skip"], true, false],
  ["node-test", ["todo", "run"], false, false],
] as const)("%s, %j, something is the only one: %s", (framework, modes, hasOnly, expected) => {
  expect(isSelected(framework, { modes }, hasOnly)).toBe(expected);
});

describe("the language of a file", () => {
  const language = (text: string, file = "x.test.ts"): string => {
    const found = languageOf({ file, text }, undefined, registry);
    return "code" in found ? found.code : found.name;
  };

  test.each([
    ['import { everySchedule } from "everypath/vitest";', "schedules"],
    ["import {\n  everySchedule,\n  replay,\n} from 'everypath/jest';", "schedules"],
    ['const { everySchedule } = await import("everypath/code");', "schedules"],
    ['const { everySchedule } = require("everypath/node-test");', "schedules"],
    ['import type { EverySchedule } from "everypath/vitest";', "typescript"],
    ['// import { everySchedule } from "everypath/vitest";', "typescript"],
    ['import { test } from "vitest";', "typescript"],
    ['import { defineSystem } from "everypath/system";', "typescript"],
  ])("%s: %s", (text, expected) => {
    expect(language(text)).toBe(expected);
  });

  test("is not told by the name of the file", () => {
    expect(language('import { everySchedule } from "everypath/code";', "stock.mjs")).toBe("schedules");
    expect(language('import { everySchedule } from "everypath/code";', "stock.pml")).toBe("promela");
    expect(language("", "stock.tsx")).toBe("session/unknown-language");
  });
});
