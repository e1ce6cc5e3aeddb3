/** A violation is reported only if its replayed trace shows it; otherwise the search or a reduction is wrong, and the check throws. */
import { expect, test } from "vitest";
import type { Trace } from "../../src/model/index.js";
import { load, registry } from "../../src/session/index.js";
import { reportProperties } from "../../src/session/check/property-reports.js";
import type { EngineResult } from "../../src/session/contracts.js";

const text = "byte x; active proctype A() { x = 1; x = 2; false }";
const { model } = await load({ file: "m.pml", text }, {}, registry);
const deadlock = model!.properties.find(({ kind }) => kind === "deadlock")!;

const report = (trace: Trace): unknown =>
  reportProperties(model, {
    findings: [{ property: deadlock, verdict: { kind: "violated", reason: "stuck", trace }, occurrences: 1 }],
    scope: { kind: "partial", by: "exhaustion", notes: [] },
  } as unknown as EngineResult);

test("a trace that leads to the deadlock is reported", () => {
  expect(report({ choices: [0, 0], fault: -1, loopStart: undefined })).toMatchObject([
    { verdict: "violated" },
  ]);
});

test("a trace that the model cannot follow is an error of ours", () => {
  expect(() => report({ choices: [0, 7], fault: -1, loopStart: undefined })).toThrow("stops at step");
});

test("a trace that ends where nothing is wrong is an error of ours", () => {
  expect(() => report({ choices: [0], fault: -1, loopStart: undefined })).toThrow("does not show");
});
