/**
 * Tests of async code, end to end: each fixture states the results of its tests in its first lines. They run in
 * separate processes, like a user's tests.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explore } from "../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../src/session/schedules/options.js";
import { placeOf } from "../../src/session/schedules/story.js";
import { loadTestFile, type Framework } from "../../src/session/schedules/test-file.js";
import { inRepository } from "../repository.js";

const folder = inRepository("test/fixtures/code/schedules");

for (const name of readdirSync(folder))
  describe(name, () => {
    const file = join(folder, name);
    for (const [, title, expectation] of readFileSync(file, "utf8").matchAll(/^\/\/ expect "(.*)": (.*)$/gm))
      test(`${title}: ${expectation}`, { timeout: 240_000 }, async () => {
        expect(await outcome(file, title!.split(" > "))).toBe(expectation);
      });
  });

/** The result in the notation of the fixtures. */
async function outcome(file: string, names: string[]): Promise<string> {
  const framework = frameworkOf(file);
  const request = { file, framework, names, body: () => {} };
  const { verdict, result, failing, message } = await explore(request, optionsOf(file, names.at(-1)!));
  if (verdict === "unknown" && !failing) return `unknown, ${result?.spent.join(", ") ?? message}`;
  if (verdict === "holds") return `holds, ${result!.schedules} schedules`;
  if (!failing) return message;
  const loaded = await loadTestFile({ file, framework });
  const place = placeOf(failing.report.failure!.stack, "places" in loaded ? loaded.places : undefined);
  const at = place ? ` at ${place.line}` : "";
  return `${verdict} ${failing.report.failure!.kind}${at}, ${failing.report.failure!.turn} turns`;
}

const frameworkOf = (file: string): Framework =>
  (/^\/\/ framework: (.*)$/m.exec(readFileSync(file, "utf8"))?.[1] as Framework | undefined) ?? "vitest";

/** Options in the file are visible only in the framework's realm. */
function optionsOf(_file: string, name: string): ScheduleOptions {
  if (name === "random values are chosen") return { random: { values: 4 } };
  if (name === "too many schedules") return { schedules: 100 };
  return name.startsWith("endless") ? { hangMs: 300, turns: 50 } : {};
}
