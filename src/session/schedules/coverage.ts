/** Coverage of the code under test by the schedules of a test. */
import { dirname, relative } from "node:path";
import type { Point } from "../../code/covering/index.js";
import type { CodeCoverage } from "../../model/index.js";
import { coverageLines, palette } from "../../report/index.js";
import type { TestFile } from "./test-file.js";

/** The test file's script with counters in it, and how to read them. */
export interface Counting {
  readonly script: string;
  found(hits: readonly number[]): CodeCoverage;
}

/** TypeScript is loaded only here: it takes its time. */
export async function countingOf({ file, script, places }: TestFile): Promise<Counting> {
  const { countedScript, placesOf, pointsOf, summarize, usersFiles } =
    await import("../../code/covering/index.js");
  const isUsers = usersFiles(dirname(file));
  const points: readonly Point[] = pointsOf(script);
  const all = placesOf({ text: script, map: places, isWanted: isUsers }, points);
  // Other tests of the file are not run; so it counts only where nothing else is tested.
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
