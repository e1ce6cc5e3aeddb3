/** The grid of capabilities: its page, and a run of every cell; a no is refused with its reason. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckReport, Input } from "../../src/index.js";
import { gridPage } from "../../src/report/index.js";
import { gridLines, gridOf, load, readInput, registry } from "../../src/session/index.js";
import { useLibrary } from "../cli/built-cli.js";
import { inRepository } from "../repository.js";
import { ask, isRefused, removeFolders, shows, type CheckByThreads } from "./grid-cells.js";
import { samples, type GridSample } from "./grid-rows.js";

const rows = gridOf(registry);
/** Threads need files that Node can run. */
const library = useLibrary();
const byThreads: CheckByThreads = ({ file, check }, options) =>
  check ? check(options) : library().check(readInput(file) as Input, options);
afterAll(removeFolders);

const sampleOf = (language: string): GridSample =>
  samples[language] ?? expect.fail(`add a row '${language}' to test/session/grid-rows.ts`);

test("docs/languages/grid.md is what the declarations say", async () => {
  await expect(gridPage(gridLines(registry))).toMatchFileSnapshot(inRepository("docs/languages/grid.md"));
});

test("every sample is a row", () => {
  const known = rows.map(({ language }) => language);
  expect(Object.keys(samples).filter((name) => !known.includes(name))).toEqual([]);
});

test("every row declares the engines that take it and the facets of its model", async () => {
  for (const { language, accepts } of rows) {
    const { file, check, options = {} } = sampleOf(language);
    if (check) continue;
    const loaded = await load(readInput(file) as Input, { ...options, isSearched: true }, registry);
    const { otherEngines = [] } = sampleOf(language);
    const expected = accepts.engines.filter((name) => !otherEngines.includes(name));
    expect(loaded.accepts!.engines, language).toEqual(expected);
    const able = registry.engines.filter((engine) => engine.takes(loaded)).map(({ name }) => name);
    expect(able, language).toEqual(expected);
    const { model } = loaded;
    const isStepped = model !== undefined || loaded.simulate !== undefined;
    expect(isStepped, language).toBe(accepts.facets.steps === true);
    expect((model?.coverage.parts.length ?? 0) > 0, language).toBe(accepts.facets.coverage === true);
    // Systems of nodes create their recipes when threads are requested.
    if (language !== "typescript" && language !== "machines")
      expect(model?.recipe !== undefined, language).toBe(accepts.facets.threads === true);
  }
});

describe.each(rows.map((row) => [row.language, row] as const))("%s", (language, row) => {
  const sample = sampleOf(language);
  let base: CheckReport;
  beforeAll(async () => {
    base = await ask(sample, {});
  }, 240_000);

  for (const cell of row.cells) {
    const { group, name } = cell.capability;
    if (cell.reason === "")
      test(`${group}: ${name}`, () => shows(cell, row, sample, base, byThreads), 60_000);
    else test(`${group}: no ${name}`, () => isRefused(cell, sample));
  }
});
