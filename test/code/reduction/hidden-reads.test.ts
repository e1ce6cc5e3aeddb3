/** Turns that communicate otherwise than by variables and properties run in both orders. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explore } from "../../../src/session/schedules/explore.js";
import type { ScheduleOptions } from "../../../src/session/schedules/options.js";
import { inRepository } from "../../repository.js";

const file = inRepository("test/fixtures/code/hidden-reads.ts");
const names = [...readFileSync(file, "utf8").matchAll(/^everySchedule\("(.*)"/gm)].map(([, name]) => name!);

/** The first schedule passes, so a race must be found. */
test.each(names)("%s", async (name) => {
  const request = { file, framework: "code", names: [name], body: () => {} } as const;
  const verdictOf = async (options: ScheduleOptions): Promise<string> =>
    (await explore(request, options)).verdict;
  expect(await verdictOf({ schedules: 1 })).toBe("unknown");
  expect(await verdictOf({ reduction: "none" })).toBe("violated");
  expect(await verdictOf({ reduction: "races" })).toBe("violated");
});

test("what can be followed is left out", async () => {
  const followed = inRepository("test/fixtures/code/followed.ts");
  const request = { file: followed, framework: "code", names: ["independent"], body: () => {} } as const;
  const { verdict, message } = await explore(request, { reduction: "races" });
  expect(verdict).toBe("holds");
  expect(message).toContain("1 schedule,");
});
