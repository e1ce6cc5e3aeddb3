/** Instruments a test file's script to record the accesses of turns, for partial-order reduction. */
import { basename, dirname } from "node:path";
import { insideScript } from "../../code/bundle/index.js";
import type { Tracked } from "./job.js";
import type { TestFile } from "./test-file.js";

/** TypeScript is slow to load, so it is imported here. */
export async function trackedScript({ script, places }: TestFile): Promise<Tracked> {
  const { instrument, CannotInstrument } = await import("../../code/instrument/index.js");
  const lines = lineStarts(script);
  const fileAt = (offset: number): string => {
    const line = lines.findLastIndex((start) => start <= offset);
    return places.place(line + 1, offset - lines[line]! + 1)?.file ?? "";
  };
  try {
    return {
      script: instrument(script, (offset) => isTrusted(fileAt(offset))),
      tracking: insideScript("tracking/index"),
    };
  } catch (error) {
    if (!(error instanceof CannotInstrument)) throw error;
    return { refused: error.message };
  }
}

/** These report their accesses to the world themselves. */
function isTrusted(file: string): boolean {
  const folder = basename(dirname(file));
  const isOurs = /(^|\/)(src|inside)\/code\//.test(file);
  // Printing reads its arguments, object by object.
  const isReading = /^inspect\./.test(basename(file)); // sound: test/testing/tracked.test.ts
  const isWorld = folder === "world" && !isReading; // sound: test/testing/tracked.test.ts
  // sound: test/testing/tracked.test.ts
  return isOurs && (isWorld || /^(schedule-world|registry|everypath)\./.test(basename(file)));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
