/** The conditions of all reductions hold in every state of the repository's models. */
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/model/index.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import { answerOf, witnesses } from "../conformance/witnesses.js";
import { tinyCase } from "../generators/promela-tiny.js";
import { renderProgram } from "../generators/promela-tree.js";
import { inRepository } from "../repository.js";
import { testingAll } from "./sampling.js";

const testing = testingAll(registry);
const all = { reducesAtOnce: true, maxErrors: Infinity };

describe.each([...witnesses(), ...witnesses("reductions")])("$name", ({ text, options, expected }) => {
  test("all reductions", async () => {
    const { report } = await checkInput({ file: "m.pml", text }, { ...options, ...all }, testing);
    expect(answerOf(report)).toBe(expected);
  });
});

const files = ["examples/models", "test/fixtures/promela/conformance", "test/fixtures/murphi/models"].flatMap(
  (folder) =>
    readdirSync(inRepository(folder))
      .filter((name) => /\.(pml|m)$/.test(name))
      .map((name) => `${folder}/${name}`),
);

describe.each(files)("%s", (file) => {
  const text = readFileSync(inRepository(file), "utf8");
  const readFile = (path: string): string => readFileSync(path, "utf8");

  test.each([["bfs"], ["dfs"]] as const)("%s", { timeout: 240_000 }, async (search) => {
    const options: CheckOptions = { ...all, search, budget: { maxStates: 100 } };
    const { report } = await checkInput({ file: inRepository(file), text, readFile }, options, testing);
    // Some need a definition; without it they are refused.
    expect(report.runs.length > 0 || hasErrors(report.diagnostics)).toBe(true);
  });
});

test("tiny random programs", { timeout: 240_000 }, async () => {
  let reduced = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const { program, invariants, formula, fairness } = tinyCase(seed, { hasFormula: seed % 3 === 0 });
    const asked = { invariants, fairness, ...(formula === undefined ? {} : { ltl: [formula] }) };
    const options: CheckOptions = { ...all, ...asked, budget: { maxStates: 300 } };
    const { report } = await checkInput({ file: "m.pml", text: renderProgram(program) }, options, testing);
    if (report.runs.some(({ reductions }) => reductions.length > 0)) reduced++;
  }
  expect(reduced).toBeGreaterThan(25);
});
