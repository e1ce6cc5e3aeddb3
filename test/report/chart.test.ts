import { expect, test } from "vitest";
import { renderChart } from "../../src/report/chart.js";
import type { NarratedStep, Narrative } from "../../src/report/index.js";
import { failingTrace } from "./toy-report.js";

test("the toy's trace as a chart", async () => {
  await expect(renderChart(failingTrace())).toMatchFileSnapshot("golden/chart.svg");
});

test("a long trace is cut and the chart says by how much", () => {
  const svg = renderChart(repeated(1000), { longest: 100 });
  expect(svg).toContain("… 900 steps left out …");
  expect(svg.match(/class="msc-row"/g)).toHaveLength(100);
});

test("a message whose arrival is cut ends at the gap", () => {
  const trace = failingTrace();
  const svg = renderChart(trace, { longest: 4 });
  expect(svg).toContain("… 9 steps left out …");
  expect(svg).toContain("Sender[0] --q!1--&gt; Receiver[1]");
});

test("model text cannot become markup", () => {
  const trace = failingTrace();
  const hostile = "</text><script>alert(1)</script>&\u0000";
  const steps = trace.steps.map((step) => ({
    ...step,
    action: hostile,
    participants: [hostile],
    messages: step.messages.map((message) => ({ ...message, channel: hostile, message: hostile })),
  }));
  const svg = renderChart({ ...trace, steps }, { title: hostile });
  expect(svg).not.toContain("<script>");
  expect(svg).not.toContain("\u0000");
});

function repeated(length: number): Narrative {
  const trace = failingTrace();
  const steps = Array.from({ length }, (_, i): NarratedStep => ({
    ...trace.steps[i % 13]!,
    number: i + 1,
    fault: -1,
  }));
  return { ...trace, steps, length };
}
