/**
 * Escapes from a realm, and endless code. Each fixture states its outcome: `contained` (no access to the host),
 * `reported` (failed, by name), or `known escape`. The end of this test shows that the parent process survives.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { explore } from "../../src/session/schedules/explore.js";
import { inRepository } from "../repository.js";

const folder = inRepository("test/fixtures/code/escapes");

for (const name of readdirSync(folder))
  describe(name, () => {
    const file = join(folder, name);
    for (const [, title, expectation] of readFileSync(file, "utf8").matchAll(/^\/\/ expect "(.*)": (.*)$/gm))
      test(`${title}: ${expectation}`, { timeout: 240_000 }, async () => {
        expect(await outcome(file, title!)).toBe(expectation);
      });
  });

async function outcome(file: string, name: string): Promise<string> {
  // Filling memory is slow on a busy machine, but not endless.
  const hangMs = name.startsWith("endless") ? 500 : 20_000;
  const request = { file, framework: "vitest", names: [name], body: () => {} } as const;
  const { verdict, failing, message } = await explore(request, { hangMs, memoryMb: 64, schedules: 5 });
  if (verdict === "holds") return "contained";
  const failure = failing?.report.failure;
  // A refusal takes precedence over the thrown error, so escapes are also printed.
  const texts = [failure?.message ?? "", ...(failing?.report.output ?? []).map(({ text }) => text)];
  if (texts.some((text) => text.startsWith("escaped"))) return "known escape";
  if (failure) return `reported, ${failure.kind}`;
  return message.includes("is gone") ? "reported, crash" : message;
}
