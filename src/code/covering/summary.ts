/** Points of a script as lines and branches of the user's files. */
import { relative } from "node:path";
import type { CodeCoverage, FileCoverage } from "../../model/index.js";
import { entryName, isPackageFile, type Place, type SourceMapped } from "../bundle/index.js";
import type { Point } from "./points.js";
import { nth } from "../../model/known.js";

export interface CoveredText {
  readonly text: string;
  readonly map: SourceMapped;
  /** Whether the file, given by its absolute path, is covered. */
  isWanted(file: string): boolean;
}

/** Position of each point in the user's files; undefined if it is not counted. */
export function placesOf(
  { text, map, isWanted }: CoveredText,
  points: readonly Point[],
): (Place | undefined)[] {
  const starts = lineStarts(text);
  return points.map(({ at, end }) => {
    const line = lineOf(starts, at);
    const column = at - nth(starts, line) + 1;
    const lineEnd = (starts[line + 1] ?? text.length + 1) - nth(starts, line);
    // The source map locates the first statement of a line at the line's beginning; generated code has no position.
    const from = text.slice(starts[line], at).trim() === "" ? 1 : column;
    const place = map.firstPlace(line + 1, from, Math.min(column + end - at, lineEnd));
    return place && isWanted(place.file) ? place : undefined;
  });
}

/** Excludes packages, files of the checker and of the bundler; relative to the main file's folder. */
export const usersFiles =
  (directory: string) =>
  (file: string): boolean =>
    !relative(directory, file).includes("node_modules/") &&
    !isPackageFile(file) &&
    !file.includes("<define:") &&
    !file.endsWith(entryName);

export function summarize(
  source: CoveredText,
  points: readonly Point[],
  isRun: (point: number) => boolean,
): CodeCoverage {
  const files = new Map<string, Counted>();
  placesOf(source, points).forEach((place, index) => {
    if (!place) return;
    const counted: Counted = files.get(place.file) ?? { lines: new Map<number, boolean>(), branches: [] };
    files.set(place.file, counted);
    const { isStatement, isBranch } = nth(points, index);
    const hasRun = isRun(index);
    if (isStatement) counted.lines.set(place.line, counted.lines.get(place.line) || hasRun);
    if (isBranch) counted.branches.push({ place, hasRun });
  });
  return [...files].map(([file, counted]) => fileCoverage(file, counted)).sort(byName);
}

interface Counted {
  readonly lines: Map<number, boolean>;
  readonly branches: { readonly place: Place; readonly hasRun: boolean }[];
}

function fileCoverage(file: string, { lines, branches }: Counted): FileCoverage {
  const unreachedLines = [...lines].filter(([, hasRun]) => !hasRun).map(([line]) => line);
  const unreached = new Set(unreachedLines);
  const missed = branches.filter(({ hasRun }) => !hasRun);
  return {
    file,
    lines: { covered: lines.size - unreached.size, total: lines.size },
    branches: { covered: branches.length - missed.length, total: branches.length },
    unreachedLines: unreachedLines.sort((a, b) => a - b),
    unreachedBranches: missed
      .map(({ place: { line, column } }) => ({ line, column }))
      .filter(({ line }) => !unreached.has(line))
      .sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

const byName = (a: FileCoverage, b: FileCoverage): number => (a.file < b.file ? -1 : 1);

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (nth(starts, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
