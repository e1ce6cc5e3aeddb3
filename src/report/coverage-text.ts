/** Coverage of the user's code as a short table, with the unexecuted lines. */
import type { CodeCoverage, FileCoverage, Share } from "../model/index.js";
import type { Palette } from "./palette.js";
import { wrapList } from "./wrap.js";

export function coverageLines(coverage: CodeCoverage, colors: Palette, width: number): string[] {
  const names = Math.max(5, ...coverage.map(({ file }) => file.length));
  const row = (file: string, lines: string, branches: string): string =>
    `  ${file.padEnd(names)}  ${lines.padStart(16)}  ${branches.padStart(16)}`;
  const all = coverage.length > 1 ? [total(coverage)] : [];
  return [
    colors.bold("Coverage"),
    colors.dim(row("file", "lines", "branches")),
    ...[...coverage, ...all].map(({ file, lines, branches }) =>
      row(file, shareText(lines), shareText(branches)),
    ),
    ...coverage.flatMap((file) => missing(file, width)),
  ];
}

function total(coverage: CodeCoverage): Pick<FileCoverage, "file" | "lines" | "branches"> {
  const sum = (of: (file: FileCoverage) => Share): Share => ({
    covered: coverage.reduce((n, file) => n + of(file).covered, 0),
    total: coverage.reduce((n, file) => n + of(file).total, 0),
  });
  return { file: "total", lines: sum(({ lines }) => lines), branches: sum(({ branches }) => branches) };
}

const shareText = ({ covered, total: all }: Share): string =>
  `${covered}/${all} (${all === 0 ? "-" : `${((100 * covered) / all).toFixed(1)} %`})`;

function missing({ file, unreachedLines, unreachedBranches }: FileCoverage, width: number): string[] {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0
      ? []
      : [`  ${file}: ${title}`, ...wrapList(items, width - 4).map((line) => `    ${line}`)];
  const places = unreachedBranches.map(({ line, column }) => `${line}:${column}`);
  return [
    ...list("lines never run", ranges(unreachedLines)),
    ...list("branches never taken", [...new Set(places)]),
  ];
}

/** Lines that follow each other, as `3-5`. */
function ranges(lines: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else found.push([line, line]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}
