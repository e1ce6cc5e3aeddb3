/** Systems of nodes by bounded delays, bounded preemptions and random priorities: findings, and the scope without findings. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput, registry, type CheckOptions, type Input } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const file = inRepository("examples/code/systems/two-phase-commit.ts");
const property = "all decide alike";

const check = async (input: Input, options: CheckOptions) =>
  (await checkInput(input, options, registry)).report;

const run = (options: CheckOptions): ReturnType<typeof check> =>
  check({ file, text: readFileSync(file, "utf8") }, { properties: [property], ...options });

describe.each(["delays", "preemptions", "pct"] as const)("--search %s", (by) => {
  test("finds what breaks it, by a trace of the system itself", async () => {
    const report = await run({ schedules: { by }, defines: ["IMPATIENT"] });
    const { verdict, trace } = report.properties[0]!;
    expect(verdict).toBe("violated");
    const direct = await run({ defines: ["IMPATIENT"] });
    expect(trace!.steps.length).toBeGreaterThanOrEqual(direct.properties[0]!.trace!.steps.length);
  });
});

test("a bound is said and is no proof; a bound that leaves nothing out is one", async () => {
  const bounded = await run({ schedules: { by: "delays", bound: 1 } });
  expect(bounded.properties[0]).toMatchObject({
    verdict: "unknown",
    reason: "nothing was found in any execution with at most 1 delay",
  });
  expect(bounded.scope).toMatchObject({ kind: "bounded" });
  expect(bounded.scope.notes[0]).toBe("executions with at most 1 delay");
});

test("a spent budget says up to where all was visited", async () => {
  const spent = await run({ schedules: { by: "preemptions" }, budget: { maxStates: 2000 } });
  expect(spent.properties[0]!.verdict).toBe("unknown");
  expect(spent.scope.notes.join()).toMatch(
    /every execution (without|with at most \d) preemptions? was visited/,
  );
});

test("random priorities prove nothing, and say what they promise", async () => {
  const report = await run({ schedules: { by: "pct", runs: 50 } });
  expect(report.properties[0]!.verdict).toBe("unknown");
  expect(report.properties[0]!.reason).toMatch(/50 runs .* chance of an error, at least/);
});

test("models in which nobody is known to move are refused", async () => {
  const report = await check(
    { file: "m.pml", text: "active proctype P() { skip }" },
    { schedules: { by: "delays" } },
  );
  expect(report.diagnostics).toMatchObject([{ code: "session/option-not-taken", severity: "error" }]);
});
