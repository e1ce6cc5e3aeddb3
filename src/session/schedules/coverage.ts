/** Coverage of the code under test by the schedules of a test. */
import { dirname, relative } from "node:path";
import type { Point } from "../../code/covering/index.js";
import type { CodeCoverage } from "../../model/index.js";
import { coverageLines, palette } from "../../report/index.js";
import type { TestFile } from "./test-file.js";

/** The test file's script with counters, and a function that evaluates them. */
export interface Counting {
  readonly script: string;
  found(hits: readonly number[]): CodeCoverage;
}

/** TypeScript is slow to load, so it is imported here. */
export async function countingOf({ file, script, places }: TestFile): Promise<Counting> {
  const { countedScript, placesOf, pointsOf, summarize, usersFiles } =
    await import("../../code/covering/index.js");
  const isUsers = usersFiles(dirname(file));
  const points: readonly Point[] = pointsOf(script);
  const all = placesOf({ text: script, map: places, isWanted: isUsers }, points);
  // The other tests of the file do not run, so the file counts only if nothing else is under test.
  const hasOthers = all.some((place) => place && place.file !== file);
  const source = {
    text: script,
    map: places,
    isWanted: (name: string): boolean => isUsers(name) && !(hasOthers && name === file),
  };
  return {
    script: countedScript(script, (point) => all[point] !== undefined),
    found: (hits) => {
      const run = new Set(hits);
      return summarize(source, points, (point) => run.has(point)).map((each) => ({
        ...each,
        file: relative(process.cwd(), each.file),
      }));
    },
  };
}

export const coverageText = (coverage: CodeCoverage): string =>
  coverageLines(coverage, palette(false), 100).join("\n");
