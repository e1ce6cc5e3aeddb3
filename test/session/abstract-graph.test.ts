/** Abstract states from option to output: text, JSON, page, Graphviz; refused by other engines. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderAbstractDot, renderAbstractSvg } from "../../src/report/abstract-drawing.js";
import { renderHtml } from "../../src/report/html.js";
import { checkJson, overallVerdict, renderCheck } from "../../src/report/index.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const check = async (name: string, options: CheckOptions): ReturnType<typeof checkInput> => {
  const file = inRepository(`test/fixtures/gcl/conformance/${name}.gcl`);
  return checkInput({ file, text: readFileSync(file, "utf8") }, options, registry);
};

test("--model lists the states of each model, and adds no predicates", async () => {
  const { report } = await check("weak-example", { model: "must" });
  expect(renderCheck(report)).toContain(
    "Abstract states  1 of the model 'must'\n  pc = 1: x > 0  (initial, 0 steps)",
  );
  const all = await check("weak-example", { model: "ase" });
  expect(checkJson(all.report).properties[0]?.abstraction?.states).toHaveLength(3);
  const open = await check("ticket", { model: "ase" });
  expect(overallVerdict(open.report)).toBe("unknown");
  expect(open.report.properties[0]?.reason).toBe("one iteration is not enough");
});

test("a page and Graphviz show exact, inexact and trap steps, and the formulas of each state", async () => {
  const { report, model } = await check("mutex-input", { draws: "page", engine: "ase" });
  const graph = report.properties[0]?.abstraction;
  if (!graph) throw new Error("there is no graph");
  const page = renderHtml(report, model);
  expect(page).toContain('aria-label="Abstract states"');
  expect(page).toContain("x &lt;= y and b != 2");
  expect(page).toContain("t2 to pc1 = 3, pc2 = 2 (exact, loop, trap)");
  const svg = renderAbstractSvg(graph, "m") ?? "";
  expect(svg.match(/class="edge is-inexact"/g)?.length).toBeGreaterThan(0);
  expect(svg.match(/class="edge is-trap"/g)?.length).toBeGreaterThan(0);
  const dot = renderAbstractDot(graph);
  expect(dot.match(/style = "dotted"/g)).toHaveLength(8);
  expect(dot.match(/style = "solid,bold", *|style = "solid,bold"/g)).toHaveLength(6);
});

test("without a request nothing is drawn; other engines refuse --model and --dot", async () => {
  const plain = await check("mutex-input", { engine: "ase" });
  expect(checkJson(plain.report).properties[0]).not.toHaveProperty("abstraction");
  for (const options of [{ model: "must" }, { draws: "file" }] as const) {
    const { report } = await check("mutex-input", { ...options, engine: "chc" });
    expect(report.diagnostics.map(({ code }) => code)).toEqual(["session/option-not-taken"]);
  }
});
