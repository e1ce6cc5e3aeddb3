/** What several checks of one system run together, by the product's own measure. */
import { basename } from "node:path";
import type { CodeCoverage } from "../../src/model/index.js";
import { CoverageMeter } from "../../src/session/coverage.js";
import { readInput } from "../../src/session/index.js";
import { load } from "../../src/session/load.js";
import { registry } from "../../src/session/registry.js";

/** Once a process: see `V8Coverage`. */
export async function coverageOf(file: string, checks: () => Promise<void>): Promise<CodeCoverage> {
  const meter = new CoverageMeter();
  await checks();
  const input = readInput(file);
  const coverage = "code" in input ? undefined : meter.found(await load(input, {}, registry));
  if (!coverage) throw new Error(`${file} cannot be loaded`);
  meter.end();
  return coverage;
}

/** Of lines, in percent, over files that the name fits. */
export function percent(coverage: CodeCoverage, fits: (name: string) => boolean): number {
  const files = coverage.filter(({ file }) => fits(basename(file)));
  const total = files.reduce((n, { lines }) => n + lines.total, 0);
  return (100 * files.reduce((n, { lines }) => n + lines.covered, 0)) / Math.max(1, total);
}

/** Lines with code of which nothing was run. */
export const unexecutedLines = (coverage: CodeCoverage, name: string): readonly number[] =>
  coverage.find(({ file }) => basename(file) === name)?.unreachedLines ?? [];
