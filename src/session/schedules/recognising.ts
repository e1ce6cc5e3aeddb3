/** Recognises files with tests of schedules, and their framework, by imports. */
import type { Framework } from "./test-file.js";

/** Does the text import `everySchedule`? */
export const importsDoor = (text: string): boolean => doorsIn(text).length > 0;

/** The framework whose door the text imports; `code`: the door for none. */
export const frameworkOf = (text: string): Framework => doorsIn(text)[0] ?? "code";

function doorsIn(text: string): Framework[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, first, second]) => {
    // In the repository the doors are imported by path.
    const door = /^(?:everypath|.*\/src\/testing)\/(vitest|jest|node-test|code)(?:\.js)?$/.exec(
      first ?? second!,
    );
    return door ? [door[1] as Framework] : [];
  });
}

/** `import … from "name"` at the beginning of a line, and `import("name")` or `require("name")`; type imports do not count. */
const IMPORTS =
  /^[ \t]*import\s+(?!type\b)[^"'`;]*?from\s*["']([^"']+)["']|\b(?:import|require)\s*\(\s*["']([^"']+)["']/gm;
