import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkJson, version } from "../../src/report/index.js";
import { inRepository } from "../repository.js";
import { holdsReport, unknownReport, violatedReport } from "./toy-report.js";

const asText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

test("violated as JSON", async () => {
  await expect(asText(checkJson(violatedReport()))).toMatchFileSnapshot("golden/violated.json.txt");
});

test("holds as JSON", async () => {
  await expect(asText(checkJson(holdsReport()))).toMatchFileSnapshot("golden/holds.json.txt");
});

/** The contract of `--json`, field by field: no field may disappear. */
test("every field of the contract is there, with its type", () => {
  for (const report of [violatedReport(), holdsReport(), unknownReport()]) {
    const json = checkJson(report);
    expect(json).toMatchObject({
      everypath: version,
      file: expect.any(String),
      language: expect.any(String),
      engine: expect.any(String),
      verdict: expect.stringMatching(/^(holds|violated|unknown)$/),
      scope: {
        kind: expect.stringMatching(/^(complete|bounded|probabilistic|partial)$/),
        by: expect.any(String),
        notes: expect.any(Array),
      },
      stats: Object.fromEntries(
        ["states", "transitions", "depth", "seconds", "totalSeconds", "peakBytes", "bytesPerState"].map(
          (name) => [name, expect.any(Number)],
        ),
      ),
      runs: [{ properties: expect.any(Array), reductions: expect.any(Array), stats: expect.any(Object) }],
      diagnostics: expect.any(Array),
    });
    for (const property of json.properties)
      expect(property).toMatchObject({
        name: expect.any(String),
        kind: expect.any(String),
        verdict: expect.any(String),
        reason: expect.any(String),
      });
    expect(json.trace === null).toBe(json.verdict !== "violated");
  }
});

test("the trace on top is that of the first violated property", () => {
  const json = checkJson(violatedReport());
  expect(json.trace).toEqual(json.properties[0]!.trace);
  expect(json.trace!.loopStart).toBeNull();
  expect(json.trace!.steps[1]).toMatchObject({
    participants: ["Sender[0]"],
    action: "q!n",
    sources: [{ file: "toy.pml", line: 8, column: 16 }],
    changes: { q: "[1]" },
  });
});

test("our version is that of the package", () => {
  const manifest = JSON.parse(readFileSync(inRepository("package.json"), "utf8")) as { version: string };
  expect(version).toBe(manifest.version);
});
