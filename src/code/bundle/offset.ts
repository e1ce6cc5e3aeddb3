/**
 * Converts a position of esbuild (line from 1, column from 0 in UTF-8 bytes) to an offset in the file, or in `text`.
 */
import { existsSync, readFileSync } from "node:fs";

export function offsetIn(file: string, line: number, column: number, text?: string): number {
  if (text === undefined && !existsSync(file)) return 0;
  const lines = (text ?? readFileSync(file, "utf8")).split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const bytes = Buffer.from(lines[line - 1] ?? "");
  return before + bytes.subarray(0, column).toString("utf8").length;
}
