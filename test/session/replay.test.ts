/** Schedules without a recorded outcome: temporal properties that every continuation violates. */
import { expect, test } from "vitest";
import { registry, replayInput, type ModelOptions } from "../../src/session/index.js";
import { traceFile } from "../../src/session/replay/trace-file.js";
import { check, firstViolated, readInput, type Input } from "../../src/index.js";
import { inRepository } from "../repository.js";

const counting: Input = { file: "m.pml", text: "byte x; active proctype A() { x = 1; x = 2; x = 3 }" };

const replayed = async (schedule: string, options: ModelOptions, input = counting): Promise<string> => {
  const { outcome, reason } = await replayInput(input, { schedule }, options, registry);
  return `${outcome}: ${reason}`;
};

test("a formula that is violated whatever follows is reproduced by the steps alone", async () => {
  const formula = { ltl: ["[] (x < 2)"] };
  expect(await replayed("0.0", formula)).toBe("failed: [] (x < 2) is violated by every continuation");
  expect(await replayed("0", formula)).toBe("passed: nothing is wrong at the end of the trace");
});

test("a formula that some continuation satisfies is not", async () => {
  expect(await replayed("0.0", { ltl: ["<> (x == 4)"] })).toMatch(/^passed/);
  expect(await replayed("0.0", { ltl: ["(x < 2) U (x == 3)"] })).toMatch(/^failed/);
});

test("a claim is matched when it has ended", async () => {
  const text = `${counting.text} never { do :: x == 1 -> break :: else od }`;
  expect(await replayed("0", {}, { file: "m.pml", text })).toBe(
    "failed: never is violated by every continuation",
  );
  expect(await replayed("", {}, { file: "m.pml", text })).toMatch(/^passed/);
});

test("what cannot be evaluated shows nothing", async () => {
  const text = "byte x, a[2]; active proctype A() { x = 2; x = 0 }";
  for (const formula of ["[] (a[x] == 0)", "[] !(a[x] == 1)"])
    for (const schedule of ["0", "0.0.0()"])
      expect(await replayed(schedule, { ltl: [formula] }, { file: "m.pml", text })).toMatch(/^passed/);
  expect(await replayed("0.0.0()", { ltl: ["[] (a[x / 2] == 1)"] }, { file: "m.pml", text })).toMatch(
    /^failed/,
  );
});

test("what follows a violation may have no value", async () => {
  const text = "byte g; active proctype P() { g = 1 }";
  for (const formula of ["[] !(1 / (1 - g) == 1)", "![] ((1 / (1 - g) == 1) -> <> (1 / (1 - g) == 1))"]) {
    const { properties } = await check({ file: "m.pml", text }, { ltl: [formula], isPlain: true });
    expect(properties.find(({ property }) => property.kind === "ltl")!.verdict).toBe("violated");
  }
});

test("the trace of a network says how often packets are sent", async () => {
  const input = readInput(inRepository("examples/networks/ssh.sdn")) as Input;
  const options = { concrete: 1, defines: ["BARRIER=false"] };
  const report = await check(input, options);
  const violated = firstViolated(report)!;
  expect(traceFile(report, violated, options, input.file).options).toMatchObject({ concrete: 1 });
});
