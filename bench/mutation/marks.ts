/** Marked soundness conditions: `// sound: TESTS` behind a line, or on the line above it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Mark {
  readonly file: string;
  /** Line of the marked code, from 1. */
  readonly line: number;
  /** Test files that detect its changes. */
  readonly tests: readonly string[];
}

const MARK = /\/\/ sound: (.*)$/;

export function marksIn(root: string, folder = "src"): Mark[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return marksIn(root, path);
      return entry.name.endsWith(".ts") ? marksOf(path, readFileSync(join(root, path), "utf8")) : [];
    });
}

export function marksOf(file: string, text: string): Mark[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const match = MARK.exec(line);
    if (!match) return [];
    const tests = match[1]!.trim().split(/\s+/);
    const isAlone = line.trim().startsWith("//");
    // Skips the rest of a comment between the mark and its code.
    let at = index;
    if (isAlone)
      do at++;
      while (lines[at]?.trim().startsWith("//"));
    return [{ file, line: at + 1, tests }];
  });
}
