/** The library as a program uses it. */
import { expect, test } from "vitest";
import {
  Simulation,
  check,
  checkFile,
  checkJson,
  firstViolated,
  hasErrors,
  openModel,
  overallVerdict,
  replay,
} from "../../src/index.js";
import { asserting, broken, holding } from "../cli/models.js";

const input = { file: "m.pml", text: asserting };

test("check, then replay what it found", async () => {
  const report = await check(input);
  expect(overallVerdict(report)).toBe("violated");
  const { schedule } = firstViolated(report)!.trace!;
  expect(await replay(input, { schedule })).toMatchObject({
    outcome: "failed",
    reason: "assertion violated: got == 4",
  });
  expect(await replay(input, { schedule: "" })).toMatchObject({ outcome: "passed" });
  expect(checkJson(report).verdict).toBe("violated");
});

test("mistakes are diagnostics, never exceptions", async () => {
  expect(hasErrors((await check({ file: "m.pml", text: broken })).diagnostics)).toBe(true);
  expect(hasErrors((await checkFile("no/such/file.pml")).diagnostics)).toBe(true);
  expect(hasErrors((await replay(input, { schedule: "x" })).diagnostics)).toBe(true);
  expect((await openModel({ file: "m.pml", text: broken })).model).toBeUndefined();
});

test("a model can be stepped through", async () => {
  const { model } = await openModel({ file: "m.pml", text: holding });
  const simulation = new Simulation(model!);
  while (simulation.count > 0) simulation.take(0);
  expect(simulation.ending()).toEqual({ kind: "ended" });
});

test("an included file is read through the input", async () => {
  const files = new Map([["limits.h", "#define N 3\n"]]);
  const text = '#include "limits.h"\nactive proctype A() { assert(N == 3) }\n';
  const report = await check({ file: "m.pml", text, readFile: (path) => files.get(path) });
  expect(overallVerdict(report)).toBe("holds");
});

test("a formula that is violated at once, though the first way on never leaves an atomic sequence", async () => {
  const text =
    "byte x = 1;\nactive proctype p() { atomic { do :: x = 1 - x :: x = 2; break od } }\nltl now { x == 0 }\n";
  const report = await check({ file: "m.pml", text }, { properties: ["now"] });
  expect(firstViolated(report)).toMatchObject({
    reason: "the formula now is violated by every continuation",
  });
});

test("a progress label that control never comes to leaves every cycle without progress", async () => {
  const text = "byte x;\nactive proctype p() { do :: x = 1 - x od; progress: skip }\n";
  const report = await check({ file: "m.pml", text });
  expect(firstViolated(report)).toMatchObject({ property: { kind: "progress" } });
});
