import { expect, test } from "vitest";
import { renderCheck } from "../../src/report/index.js";
import type { NarratedStep } from "../../src/report/index.js";
import { holdsReport, unknownReport, violatedReport } from "./toy-report.js";

const reports = { violated: violatedReport(), holds: holdsReport(), unknown: unknownReport() };

for (const [name, report] of Object.entries(reports))
  test(`${name} as text`, async () => {
    await expect(renderCheck(report, { width: 100 })).toMatchFileSnapshot(`golden/${name}.txt`);
  });

test("no line is wider than the page, at 80 and at 120 columns", () => {
  for (const report of Object.values(reports))
    for (const width of [80, 120])
      for (const line of renderCheck(report, { width }).split("\n"))
        expect(line.length).toBeLessThanOrEqual(width);
});

test("colour changes nothing but colour", () => {
  for (const report of Object.values(reports)) {
    const colored = renderCheck(report, { color: true });
    expect(colored).toContain("\u001b[");
    // eslint-disable-next-line no-control-regex
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(renderCheck(report, { color: false }));
  }
});

test("quiet is the verdict line alone", () => {
  expect(renderCheck(reports.violated, { isQuiet: true })).toBe(
    "toy.pml: violated: assertion violated: sum != 3, after 13 steps\n",
  );
});

test("an accepted result says that it was accepted", () => {
  expect(renderCheck(unknownReport({ accepted: "bounded" }))).toContain("(accepted: --accept bounded)");
});

test("a long trace is cut in the middle and says how to see the rest", () => {
  const text = renderCheck(longTrace(500));
  expect(text).toContain("…  450 steps left out: the replay below shows all");
  expect(text).toMatch(/^ +20 {2}Sender/m);
  expect(text).not.toMatch(/^ +21 {2}Sender/m);
  expect(text).toMatch(/^ +471 {2}Sender/m);
});

test("a schedule that is too long for a command line is to be had as a file", () => {
  const report = longTrace(500, Array.from({ length: 500 }, (_, i) => i % 7).join("."));
  expect(renderCheck(report)).toContain("Again: add --trace FILE, then everypath replay FILE");
  expect(renderCheck(report, { traceFile: "my trace.json" })).toContain(
    "Again: everypath replay 'my trace.json'",
  );
});

test("control characters of a model do not reach the terminal", () => {
  const report = violatedReport();
  const [first] = report.properties;
  const steps = first!.trace!.steps.map((step) => ({
    ...step,
    action: "\u001b[31mx",
    output: "\u0007bell\n",
  }));
  const text = renderCheck({ ...report, properties: [{ ...first!, trace: { ...first!.trace!, steps } }] });
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0007\u001b]/);
});

function longTrace(length: number, schedule = `0*${length}`) {
  const report = violatedReport();
  const [first, ...rest] = report.properties;
  const model = first!.trace!.steps[0]!;
  const steps = Array.from({ length }, (_, index): NarratedStep => ({ ...model, number: index + 1 }));
  const trace = { ...first!.trace!, steps, length, schedule, fault: -1 };
  return { ...report, properties: [{ ...first!, trace }, ...rest] };
}
