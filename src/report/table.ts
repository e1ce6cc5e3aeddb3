/** Rows of cells as lines, each column as wide as its widest cell. */
import { nth } from "../model/known.js";
export function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => nth(row, column).length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(nth(widths, i)))
      .join("  ")
      .trimEnd(),
  );
}
