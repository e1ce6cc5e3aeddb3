/** Prints the comparison as a table. */
import type { Comparison, Figures } from "./compare.js";

export interface Row extends Comparison {
  readonly model: string;
}

export function renderTable(rows: readonly Row[]): string {
  const cells = [headings, ...rows.map(renderRow)];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => pad(cell, widths[column]!, column))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** `61 agree, 9 EXCLUDED, 0 DIFFERS`. */
export function renderTotals(rows: readonly Row[]): string {
  const count = (verdict: Row["verdict"]): string =>
    `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`;
  return [count("agree"), count("EXCLUDED"), count("DIFFERS")].join(", ");
}

const headings = [
  "model",
  "spin states",
  "our states",
  "spin transitions",
  "ours",
  "spin errors",
  "our errors",
  "verdict",
];

const renderRow = ({ model, spin, ours, verdict, notes }: Row): string[] => [
  model,
  number(spin?.states),
  number(ours?.states),
  number(spin?.transitions),
  number(ours?.transitions),
  errors(spin),
  errors(ours),
  notes.length > 0 ? `${verdict} (${notes.join("; ")})` : verdict,
];

const isNumeric = (column: number): boolean => column >= 1 && column <= 4;
const pad = (cell: string, width: number, column: number): string =>
  isNumeric(column) ? cell.padStart(width) : cell.padEnd(width);
const number = (value: number | undefined): string => value?.toLocaleString("en") ?? "-";
const errors = (figures: Figures | undefined): string => (figures ? figures.errors.join(",") || "none" : "-");
