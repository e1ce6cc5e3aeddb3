export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("no values");
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export const geometricMean = (values: readonly number[]): number =>
  values.length === 0
    ? NaN
    : Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Columns of text, numbers to the right. The first row is the heading. */
export function renderColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join("  "),
    )
    .join("\n");
}
