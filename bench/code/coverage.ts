/** Code coverage of checks of one system, by `everypath check --coverage`. */
import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import type { CodeCoverage, FileCoverage } from "../../src/model/index.js";
import type { CheckJson } from "../../src/report/index.js";

export interface Covered {
  readonly coverage: CodeCoverage;
  /** Sites that may fail, and never did. */
  readonly silent: readonly string[];
}

/** In a separate process: repeated measurement in one process is incomplete. */
export function coverageOf(file: string, defines: readonly string[]): Covered {
  const options = defines.flatMap((define) => ["-D", define]);
  const command = [
    "scripts/run-ts.mjs",
    "src/cli/index.ts",
    "check",
    file,
    "--coverage",
    "--json",
    ...options,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (stdout === "") throw new Error(`${file} cannot be checked: ${stderr}`);
  const { coverage, scope } = JSON.parse(stdout) as CheckJson;
  const silent = scope.notes.find((note) => note.startsWith("never let fail: "));
  return { coverage: coverage!, silent: silent?.slice("never let fail: ".length).split(", ") ?? [] };
}

/**
 * Combined coverage of several checks of the same system: only lines, since branches of unexecuted lines are not named.
 */
export function together(all: readonly CodeCoverage[]): CodeCoverage {
  return all[0]!.map((first): FileCoverage => {
    const others = all.map((coverage) => coverage.find(({ file }) => file === first.file)!);
    const unreachedLines = first.unreachedLines.filter((line) =>
      others.every((other) => other.unreachedLines.includes(line)),
    );
    const { total } = first.lines;
    return { ...first, unreachedLines, lines: { total, covered: total - unreachedLines.length } };
  });
}

/** Line coverage in percent, over the selected files. */
export function percent(coverage: CodeCoverage, fits: (name: string) => boolean): number {
  const files = coverage.filter(({ file }) => fits(basename(file)));
  const total = files.reduce((n, { lines }) => n + lines.total, 0);
  return (100 * files.reduce((n, { lines }) => n + lines.covered, 0)) / Math.max(1, total);
}

/** Lines with code of which nothing was executed. */
export const unexecutedLines = (coverage: CodeCoverage, name: string): readonly number[] =>
  coverage.find(({ file }) => basename(file) === name)?.unreachedLines ?? [];
