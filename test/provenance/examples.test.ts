/** Every message-passing example matches its first comment: `expected with --reduction merge,dead: holds, 24 states`. */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { checkFile, firstViolated, overallVerdict, readInput, replay, type Input } from "../../src/index.js";
import { inRepository } from "../repository.js";

const folder = inRepository("examples/messages");
for (const name of readdirSync(folder)) {
  const file = `${folder}/${name}`;
  const expected =
    /^ \* expected(?: with --reduction merge,dead)?: (.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ??
    "an expectation";
  test(`${name}: ${expected}`, async () => {
    const isCounted = expected.includes("states");
    const report = await checkFile(file, isCounted ? { reductions: ["merge", "dead"] } : {});
    const violated = firstViolated(report);
    const states = isCounted ? `, ${report.stats.states} states` : "";
    expect(`${overallVerdict(report)}${violated ? ` (${violated.property.kind})` : states}`).toBe(expected);
    if (!violated) return;
    const input = readInput(file) as Input;
    expect(await replay(input, { schedule: violated.trace!.schedule })).toMatchObject({ outcome: "failed" });
  });
}
